package calendar

import "math/bits"

// slotBits is how many bits of a key say where the event's call is kept.
const slotBits = 24

// key is an instant, and below it the order of scheduling and a slot.
type key struct{ at, seq uint64 }

// before is 1 if k comes before l, else 0: a comparison without a branch.
func (k key) before(l key) uint64 {
	_, borrow := bits.Sub64(k.seq, l.seq, 0)
	_, borrow = bits.Sub64(k.at, l.at, borrow)
	return borrow
}

// KeyHeap is a 4-ary heap of 16-byte keys, with the calls beside it. A pop
// leaves the root empty for the push that mostly follows.
type KeyHeap struct {
	heap []key
	hole bool // the root is empty
	seq  uint64
	call []Event
	free []uint32
}

// Push adds an event.
func (q *KeyHeap) Push(e Event) {
	q.seq++
	var slot uint32
	if n := len(q.free); n > 0 {
		slot = q.free[n-1]
		q.free = q.free[:n-1]
		q.call[slot] = e
	} else {
		slot = uint32(len(q.call))
		q.call = append(q.call, e)
	}
	k := key{uint64(e.At), q.seq<<slotBits | uint64(slot)}
	if q.hole {
		q.hole = false
		q.sink(k)
		return
	}
	q.heap = append(q.heap, k)
	h, i := q.heap, len(q.heap)-1
	for i > 0 {
		parent := (i - 1) / 4
		if k.before(h[parent]) == 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = k
}

// Pop takes the earliest event.
func (q *KeyHeap) Pop() Event {
	if q.hole {
		last := len(q.heap) - 1
		k := q.heap[last]
		if q.heap = q.heap[:last]; last > 0 {
			q.sink(k)
		}
	}
	q.hole = true
	slot := uint32(q.heap[0].seq & (1<<slotBits - 1))
	q.free = append(q.free, slot)
	return q.call[slot]
}

// sink puts k where the root is empty.
func (q *KeyHeap) sink(k key) {
	h, i := q.heap, 0
	for {
		first := 4*i + 1
		if first+4 > len(h) {
			break
		}
		c := h[first : first+4 : first+4]
		left := c[1].before(c[0])
		right := 2 + c[3].before(c[2])
		least := left + (right-left)*c[right&3].before(c[left&3])
		if c[least&3].before(k) == 0 {
			h[i] = k
			return
		}
		h[i] = c[least&3]
		i = first + int(least)
	}
	if first := 4*i + 1; first < len(h) { // the last family, of one to three
		least := first
		for j := first + 1; j < len(h); j++ {
			if h[j].before(h[least]) == 1 {
				least = j
			}
		}
		if h[least].before(k) == 1 {
			h[i] = h[least]
			i = least
		}
	}
	h[i] = k
}
