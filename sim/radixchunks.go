package sim

// chunk is a piece of a long list of events.
type chunk struct {
	events [32]event
	n      uint32
	next   uint32 // of the last chunk of a list: the first
}

// chunkPool holds the chunks of all lists. A list is known by its last chunk,
// 0 for none.
type chunkPool struct {
	chunks []chunk // 0 is none
	free   uint32  // first unused chunk, linked by next
}

// append adds an event to a list and returns the list.
func (p *chunkPool) append(last uint32, at Time, handler HandlerID, arg int64) uint32 {
	if last == 0 || p.chunks[last].n == uint32(len(chunk{}.events)) {
		last = p.extend(last)
	}
	c := &p.chunks[last]
	c.events[c.n] = event{at: at, handler: handler, arg: arg}
	c.n++
	return last
}

// extend adds an empty chunk to a list and returns the list.
func (p *chunkPool) extend(last uint32) uint32 {
	i := p.free
	if i == 0 {
		if len(p.chunks) == 0 {
			p.chunks = make([]chunk, 1)
		}
		i = uint32(len(p.chunks))
		p.chunks = append(p.chunks, chunk{})
	}
	c := &p.chunks[i]
	p.free = c.next
	c.n, c.next = 0, i
	if last != 0 {
		c.next, p.chunks[last].next = p.chunks[last].next, i
	}
	return i
}

// each calls add with every event of a list in order, and ends the list. The
// calls may make other lists.
func (p *chunkPool) each(last uint32, add func(Time, HandlerID, int64)) {
	for i, next := p.chunks[last].next, uint32(0); ; i = next {
		for j := range p.chunks[i].n {
			e := &p.chunks[i].events[j]
			add(e.at, e.handler, e.arg)
		}
		next = p.chunks[i].next
		p.chunks[i].next, p.free = p.free, i
		if i == last {
			return
		}
	}
}
