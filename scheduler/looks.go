package scheduler

import (
	"slices"
	"time"

	"avsim/sim"
)

// looks is a database's calendar of tables by the time from which one of them may
// need a vacuum or an analyze: a heap with four branches, whose children share a cache line. A table that nobody needs to look at
// costs nothing. An entry that is no longer the table's own time is void and is
// dropped when it comes up.
type looks struct {
	heap []lookAt
	due  []int32 // scratch space of take
	// all of a range are to be looked at, whatever the heap says.
	all         bool
	first, last int32
}

const branches = 4

type lookAt struct {
	at    sim.Time
	table int32
}

// noTime is what the time of a table that never needs to be looked at lies after.
const noTime = sim.Forever - sim.Time(time.Hour)

// put enters a table's time.
func (l *looks) put(at sim.Time, table int32) {
	if at > noTime {
		return
	}
	l.heap = append(l.heap, lookAt{at, table})
	h, i := l.heap, len(l.heap)-1
	for i > 0 && at < h[(i-1)/branches].at {
		h[i] = h[(i-1)/branches]
		i = (i - 1) / branches
	}
	h[i] = lookAt{at, table}
}

// take removes all tables whose time has come, in the order of the list. Times are
// those that count. The slice is valid until the next call.
func (l *looks) take(now sim.Time, times []sim.Time) []int32 {
	if l.due = l.due[:0]; l.all {
		l.all, l.due = false, nil // large now, and seldom again
		for id := l.first; id < l.last; id++ {
			if times[id] <= now {
				l.due = append(l.due, id)
			}
		}
	}
	for len(l.heap) > 0 && l.heap[0].at <= now {
		if top := l.heap[0]; times[top.table] == top.at {
			l.due = append(l.due, top.table)
		}
		l.pop()
	}
	slices.Sort(l.due)
	l.due = slices.Compact(l.due)
	return l.due
}

func (l *looks) pop() {
	last := len(l.heap) - 1
	moved, h := l.heap[last], l.heap[:last]
	l.heap = h
	i := 0
	for child := 1; child < last; child = branches*i + 1 {
		least := child
		for j := child + 1; j < min(child+branches, last); j++ {
			if h[j].at < h[least].at {
				least = j
			}
		}
		if h[least].at >= moved.at {
			break
		}
		h[i] = h[least]
		i = least
	}
	if last > 0 {
		h[i] = moved
	}
}

// fill enters all tables of a range, for at once.
func (l *looks) fill(first, last int32) {
	l.all, l.first, l.last = true, first, last
	l.heap = l.heap[:0]
}
