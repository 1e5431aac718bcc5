package sim

import "math/bits"

// A radix heap looks at instants as numbers to base 64: at 11 digits.
const (
	digitBits = 6
	digits    = 1 << digitBits
	levels    = (63 + digitBits - 1) / digitBits
)

// radixHeap holds pending events by instant (Ahuja, Mehlhorn, Orlin and Tarjan,
// Journal of the ACM 37, 1990). It needs what a simulation keeps to anyway: no
// event is added that lies before the one taken last.
//
// An event lies in the list of the highest digit in which its instant differs
// from base, the instant of the event taken last, and of the value which that
// digit has. The lists of a level lie before all those of the next, and within
// the level by the value of the digit. What lies at one instant is always in
// one list, in the order in which it was added, so no sequence number is
// needed. To take the earliest event, the first list is spread over the levels
// below it, unless it is the only event there. An event is thus moved at most
// once a level, and never compared with another.
//
// The zero value is empty and ready to use.
type radixHeap struct {
	base   Time
	levels uint64         // bit for each level that holds events
	digits [levels]uint64 // of each level, bit for each list that holds events
	lists  []radixList    // by level, then digit
	events []event        // of all lists; place 0 is none
	free   uint32         // first unused place of events, linked by next
	chunks chunkPool
}

// radixList is a queue of events: linked ones, which lie anywhere, and where
// they are many, from the longList-th on in chunks. Memory answers slowly to a
// walk along links, and fast to one along a chunk.
type radixList struct {
	earliest   Time
	head, tail uint32 // tail is 0 in an empty list
	linked     uint32
	last       uint32 // chunk
}

const longList = 128

func (h *radixHeap) empty() bool { return h.levels == 0 }

// first is the list that holds the earliest event of a heap that is not empty.
func (h *radixHeap) first() (level, digit uint) {
	level = uint(bits.TrailingZeros64(h.levels))
	return level, uint(bits.TrailingZeros64(h.digits[level]))
}

// earliest is the instant of the earliest event of a heap that is not empty.
func (h *radixHeap) earliest() Time {
	level, digit := h.first()
	return h.lists[level*digits+digit].earliest
}

// push adds an event.
func (h *radixHeap) push(at Time, handler HandlerID, arg int64) {
	if len(h.lists) == 0 {
		h.lists = make([]radixList, levels*digits)
		h.events = make([]event, 1, 64)
	}
	level, l := h.list(at)
	if l.linked >= longList && level > 0 {
		l.earliest = min(l.earliest, at)
		l.last = h.chunks.append(l.last, at, handler, arg)
		return
	}
	i := h.free
	if i == 0 {
		i = uint32(len(h.events))
		h.events = append(h.events, event{})
	}
	e := &h.events[i]
	h.free = e.next
	e.at, e.arg, e.handler = at, arg, handler
	h.link(l, e, i)
}

// list is where an event at instant at belongs, marked as one that holds events.
func (h *radixHeap) list(at Time) (level uint, l *radixList) {
	level = uint(bits.Len64(uint64(at^h.base)|1)-1) / digitBits
	digit := uint(at>>(level*digitBits)) % digits
	h.levels |= 1 << level
	h.digits[level] |= 1 << digit
	return level, &h.lists[level*digits+digit]
}

// link appends event e, which is at place i, to a list. Whether that is empty
// could not be predicted, so nothing branches on it.
func (h *radixHeap) link(l *radixList, e *event, i uint32) {
	head, earliest := l.head, min(l.earliest, e.at)
	if l.tail == 0 {
		head = i
	}
	if l.tail == 0 {
		earliest = e.at
	}
	e.next = 0
	h.events[l.tail].next = i
	l.head, l.tail, l.earliest = head, i, earliest
	l.linked++
}

// pop takes the earliest event, unless it lies after until or there is none.
func (h *radixHeap) pop(until Time) (event, bool) {
	if h.empty() {
		return event{}, false
	}
	level, digit := h.first()
	l := &h.lists[level*digits+digit]
	if l.earliest > until {
		return event{}, false
	}
	h.base = l.earliest
	if level > 0 && l.head != l.tail {
		h.spread(level, digit)
		level, digit = 0, uint(h.base)%digits
		l = &h.lists[digit]
	}
	i := l.head
	e := &h.events[i]
	l.head = e.next
	if i == l.tail {
		h.clear(level, digit)
	}
	e.next, h.free = h.free, i
	return *e, true
}

// spread moves the events of a list to the lists below, which are empty.
func (h *radixHeap) spread(level, digit uint) {
	l := h.lists[level*digits+digit]
	h.clear(level, digit)
	for i := l.head; i != 0; {
		e := &h.events[i]
		next := e.next
		_, to := h.list(e.at)
		h.link(to, e, i)
		i = next
	}
	if l.last != 0 {
		h.spreadChunks(l.last)
	}
}

// spreadChunks moves the events of a list of chunks. Each chunk is free again as
// soon as it is empty.
func (h *radixHeap) spreadChunks(last uint32) {
	for i, done := h.chunks.first(last), false; !done; {
		c := &h.chunks.all[i] // stays as it is, although push may move all to a larger place
		for j := range c.events[:c.n] {
			e := &c.events[j]
			h.push(e.at, e.handler, e.arg)
		}
		done = i == last
		i = h.chunks.release(i)
	}
}

// clear makes a list empty.
func (h *radixHeap) clear(level, digit uint) {
	l := &h.lists[level*digits+digit]
	l.tail, l.linked, l.last = 0, 0, 0
	if h.digits[level] &^= 1 << digit; h.digits[level] == 0 {
		h.levels &^= 1 << level
	}
}
