package calendar

import "math/bits"

const (
	digitBits = 6
	digits    = 1 << digitBits
	levels    = (63 + digitBits - 1) / digitBits
)

type linked struct {
	Event
	next uint32
}

type links struct {
	earliest   int64
	head, tail uint32
}

// Radix is a radix heap to base 64 with linked lists and nothing else: no row
// for few events and no chunks for long lists, as the engine's has.
type Radix struct {
	base     int64
	occupied uint64
	digits   [levels]uint64
	lists    [levels][digits]links
	nodes    []linked
	free     uint32
}

// Push adds an event.
func (q *Radix) Push(e Event) {
	if len(q.nodes) == 0 {
		q.nodes = append(q.nodes, linked{})
	}
	i := q.free
	if i == 0 {
		i = uint32(len(q.nodes))
		q.nodes = append(q.nodes, linked{})
	}
	q.free = q.nodes[i].next
	q.nodes[i] = linked{Event: e}
	q.link(i)
}

func (q *Radix) link(i uint32) {
	at := q.nodes[i].At
	level := uint(bits.Len64(uint64(at^q.base)|1)-1) / digitBits
	digit := uint(at>>(level*digitBits)) % digits
	l := &q.lists[level][digit]
	if l.tail == 0 {
		q.occupied |= 1 << level
		q.digits[level] |= 1 << digit
		*l = links{at, i, i}
		return
	}
	l.earliest = min(l.earliest, at)
	q.nodes[l.tail].next = i
	l.tail = i
}

// Pop takes the earliest event.
func (q *Radix) Pop() Event {
	level := uint(bits.TrailingZeros64(q.occupied))
	digit := uint(bits.TrailingZeros64(q.digits[level]))
	l := &q.lists[level][digit]
	q.base = l.earliest
	if level > 0 && l.head != l.tail {
		i := l.head
		q.clear(level, digit)
		for i != 0 {
			next := q.nodes[i].next
			q.nodes[i].next = 0
			q.link(i)
			i = next
		}
		level, digit = 0, uint(q.base)%digits
		l = &q.lists[0][digit]
	}
	i := l.head
	l.head = q.nodes[i].next
	if i == l.tail {
		q.clear(level, digit)
	}
	q.nodes[i].next, q.free = q.free, i
	return q.nodes[i].Event
}

func (q *Radix) clear(level, digit uint) {
	q.lists[level][digit].tail = 0
	if q.digits[level] &^= 1 << digit; q.digits[level] == 0 {
		q.occupied &^= 1 << level
	}
}
