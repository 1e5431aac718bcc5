package scheduler

import (
	"slices"
	"time"

	"avsim/sim"
)

// looks is a database's calendar of tables by the time from which one of them may
// need a vacuum or an analyze: a binary heap. A table that nobody needs to look at
// costs nothing. An entry that is no longer the table's own time is void and is
// dropped when it comes up.
type looks struct {
	heap []lookAt
	due  []int32 // scratch space of take
	// all of a range are to be looked at, whatever the heap says.
	all         bool
	first, last int32
}

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
	for i > 0 && h[i].at < h[(i-1)/2].at {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
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
	h := l.heap
	last := len(h) - 1
	h[0] = h[last]
	l.heap = h[:last]
	for i := 0; ; {
		least, child := i, 2*i+1
		for j := child; j < min(child+2, last); j++ {
			if h[j].at < h[least].at {
				least = j
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// fill enters all tables of a range, for at once.
func (l *looks) fill(first, last int32) {
	l.all, l.first, l.last = true, first, last
	l.heap = l.heap[:0]
}
