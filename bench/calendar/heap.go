package calendar

// sequenced is an event with its place in the order of scheduling.
type sequenced struct {
	Event
	seq uint64
}

func (e *sequenced) before(f *sequenced) bool {
	return e.At < f.At || e.At == f.At && e.seq < f.seq
}

// Heap is a 4-ary heap of whole events.
type Heap struct {
	heap []sequenced
	seq  uint64
}

// Push adds an event.
func (q *Heap) Push(added Event) {
	q.seq++
	e := sequenced{added, q.seq}
	q.heap = append(q.heap, e)
	h, i := q.heap, len(q.heap)-1
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

// Pop takes the earliest event.
func (q *Heap) Pop() Event {
	h := q.heap
	top, last := h[0], len(h)-1
	e := h[last]
	q.heap = h[:last]
	if last > 0 {
		q.sink(e)
	}
	return top.Event
}

// sink puts e where the root was taken from.
func (q *Heap) sink(e sequenced) {
	h, i := q.heap, 0
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
