package sim

// chunk is a piece of a long list of events.
type chunk struct {
	events [128]event
	n      uint32
	next   uint32 // of the last chunk of a list: the first
}

// chunkPool holds the chunks of all lists. A list is known by its last chunk,
// 0 for none.
type chunkPool struct {
	all  []chunk // 0 is none
	free uint32  // first unused chunk, linked by next
}

// append adds an event to a list and returns the list.
func (p *chunkPool) append(last uint32, at Time, handler HandlerID, arg int64) uint32 {
	if last == 0 || p.all[last].n == uint32(len(chunk{}.events)) {
		last = p.extend(last)
	}
	c := &p.all[last]
	c.events[c.n] = event{at: at, handler: handler, arg: arg}
	c.n++
	return last
}

// extend adds an empty chunk to a list and returns the list.
func (p *chunkPool) extend(last uint32) uint32 {
	i := p.free
	if i == 0 {
		if len(p.all) == 0 {
			p.all = make([]chunk, 1)
		}
		i = uint32(len(p.all))
		p.all = append(p.all, chunk{})
	}
	c := &p.all[i]
	p.free = c.next
	c.n, c.next = 0, i
	if last != 0 {
		c.next, p.all[last].next = p.all[last].next, i
	}
	return i
}

// first is the first chunk of a list.
func (p *chunkPool) first(last uint32) uint32 { return p.all[last].next }

// release makes a chunk free, the first of its list, and returns the one after it.
func (p *chunkPool) release(i uint32) (next uint32) {
	c := &p.all[i]
	next = c.next
	c.next, p.free = p.free, i
	return next
}
