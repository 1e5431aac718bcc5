package calendar

import (
	"cmp"
	"math"
	"slices"
)

// Figures of the ladder queue, as its authors have them.
const (
	rungs     = 8
	threshold = 50 // events that are sorted rather than spread over a rung
)

// Ladder is a ladder queue (Tang, Goh and Thng, ACM TOMACS 15, 2005): far events
// unsorted at the top, then rungs of ever finer buckets, and the nearest events
// sorted at the bottom.
type Ladder struct {
	seq      uint64
	top      []sequenced
	topFrom  int64 // what lies at or after it is added to the top
	min, max int64 // of the top
	rung     [rungs]rung
	n        int // rungs in use
	bottom   []sequenced
	scratch  []sequenced
	nodes    []ladderNode
	free     uint32
}

type ladderNode struct {
	sequenced
	next uint32
}

type rung struct {
	from, width int64
	current     int // bucket that is next to be taken
	heads       []uint32
}

func (q *Ladder) init() {
	q.nodes = make([]ladderNode, 1)
	q.min, q.max = math.MaxInt64, 0
}

// Push adds an event.
func (q *Ladder) Push(added Event) {
	if len(q.nodes) == 0 {
		q.init()
	}
	q.seq++
	e := sequenced{added, q.seq}
	if e.At >= q.topFrom {
		q.top = append(q.top, e)
		q.min, q.max = min(q.min, e.At), max(q.max, e.At)
		return
	}
	for i := range q.rung[:q.n] {
		if r := &q.rung[i]; e.At >= r.from+int64(r.current)*r.width {
			q.put(r, e)
			return
		}
	}
	q.insert(e)
	first := q.bottom[len(q.bottom)-1].At
	if len(q.bottom) > threshold && q.n < rungs && q.bottom[0].At > first {
		q.spawn(q.bottom, first, q.end()-1)
		q.bottom = q.bottom[:0]
	}
}

// end is where the bottom ends and a rung or the top begins.
func (q *Ladder) end() int64 {
	if q.n == 0 {
		return q.topFrom
	}
	r := &q.rung[q.n-1]
	return r.from + int64(r.current)*r.width
}

// insert puts e in its place at the bottom, of which the earliest is last.
func (q *Ladder) insert(e sequenced) {
	q.bottom = append(q.bottom, e)
	i := len(q.bottom) - 1
	for ; i > 0 && q.bottom[i-1].before(&e); i-- {
		q.bottom[i] = q.bottom[i-1]
	}
	q.bottom[i] = e
}

func (q *Ladder) put(r *rung, e sequenced) {
	i := q.free
	if i == 0 {
		i = uint32(len(q.nodes))
		q.nodes = append(q.nodes, ladderNode{})
	}
	q.free = q.nodes[i].next
	b := (e.At - r.from) / r.width
	q.nodes[i] = ladderNode{e, r.heads[b]}
	r.heads[b] = i
}

// spawn spreads events from first to last over a new rung.
func (q *Ladder) spawn(events []sequenced, first, last int64) {
	r := &q.rung[q.n]
	q.n++
	r.from, r.current = first, 0
	r.width = (last-first)/int64(len(events)) + 1
	r.heads = slices.Grow(r.heads[:0], int((last-first)/r.width)+1)[:(last-first)/r.width+1]
	clear(r.heads)
	for _, e := range events {
		q.put(r, e)
	}
}

// Pop takes the earliest event.
func (q *Ladder) Pop() Event {
	for len(q.bottom) == 0 {
		q.fill()
	}
	last := len(q.bottom) - 1
	e := q.bottom[last]
	q.bottom = q.bottom[:last]
	return e.Event
}

// fill brings the next events down, by one step of the ladder.
func (q *Ladder) fill() {
	if q.n == 0 {
		q.topFrom = q.max + 1
		q.spawn(q.top, q.min, q.max)
		q.top, q.min, q.max = q.top[:0], math.MaxInt64, 0
		return
	}
	r := &q.rung[q.n-1]
	for r.current < len(r.heads) && r.heads[r.current] == 0 {
		r.current++
	}
	if r.current == len(r.heads) {
		q.n--
		return
	}
	q.take(r)
	first := r.from + int64(r.current-1)*r.width
	if len(q.scratch) > threshold && r.width > 1 && q.n < rungs {
		q.spawn(q.scratch, first, first+r.width-1)
		return
	}
	q.bottom = append(q.bottom, q.scratch...)
	slices.SortFunc(q.bottom, func(a, b sequenced) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.seq, a.seq))
	})
}

// take moves the events of the current bucket to scratch.
func (q *Ladder) take(r *rung) {
	q.scratch = q.scratch[:0]
	for i := r.heads[r.current]; i != 0; {
		x := &q.nodes[i]
		q.scratch = append(q.scratch, x.sequenced)
		next := x.next
		x.next, q.free = q.free, i
		i = next
	}
	r.heads[r.current] = 0
	r.current++
}
