package sim

// event is a pending call of a handler. It holds no pointer, so the garbage
// collector never scans the calendar.
type event struct {
	at      Time
	seq     uint64
	arg     int64
	handler HandlerID
}

// before orders events by time, and by the order of scheduling at one instant.
func (e *event) before(f *event) bool {
	return e.at < f.at || e.at == f.at && e.seq < f.seq
}

// calendar is the set of pending events: a 4-ary heap of values. For the few
// hundred events that are pending in a model of processes it is the fastest of
// the structures that keep an exact order; docs/performance.md has the figures.
type calendar struct{ heap []event }

func (c *calendar) len() int { return len(c.heap) }

// min is the earliest event; the calendar must not be empty.
func (c *calendar) min() *event { return &c.heap[0] }

func (c *calendar) push(e event) {
	c.heap = append(c.heap, e)
	h, i := c.heap, len(c.heap)-1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (c *calendar) pop() event {
	h := c.heap
	top, last := h[0], len(h)-1
	e := h[last]
	c.heap = h[:last]
	if last > 0 {
		c.sink(e)
	}
	return top
}

// sink puts e where the root was taken from.
func (c *calendar) sink(e event) {
	h, i := c.heap, 0
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for j := first + 1; j < min(first+4, len(h)); j++ {
			if h[j].before(&h[least]) {
				least = j
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
