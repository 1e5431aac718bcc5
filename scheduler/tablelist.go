package scheduler

import (
	"slices"

	"avsim/sim"
)

// tableList is a list of tables that are due, and how far it has been worked through.
type tableList struct {
	parts [][]int32 // what is left of it, no part empty; other lists may share them
	size  int       // of the whole list
	built sim.Time
	took  sim.Time // to build it
}

// set makes it a new list.
func (l *tableList) set(parts [][]int32, now sim.Time) {
	l.parts = slices.DeleteFunc(parts, func(part []int32) bool { return len(part) == 0 })
	l.size, l.built = tablesOf(parts), now
}

// tablesOf is how many tables the parts of a list have.
func tablesOf(parts [][]int32) (n int) {
	for _, part := range parts {
		n += len(part)
	}
	return n
}

// usedUp tells whether the list has been worked through.
func (l *tableList) usedUp() bool { return len(l.parts) == 0 }

// peek is the next table of a list that is not used up.
func (l *tableList) peek() int32 { return l.parts[0][0] }

// next takes the next table off the list, which is not used up.
func (l *tableList) next() int32 {
	table := l.parts[0][0]
	l.drop(1)
	return table
}

// drop takes so many tables of the first part off the list.
func (l *tableList) drop(n int) {
	if l.parts[0] = l.parts[0][n:]; len(l.parts[0]) == 0 {
		l.parts = l.parts[1:]
	}
}

// leap goes on to the first table that is above another; where the list is ordered by
// oid, in one step for each part.
func (l *tableList) leap(table int32, ordered bool) {
	for !l.usedUp() && l.parts[0][0] <= table {
		part := l.parts[0]
		switch n := len(part); {
		case !ordered:
			l.drop(1)
		case part[n-1] <= table:
			l.drop(n)
		default:
			n, _ = slices.BinarySearch(part, table+1)
			l.drop(n)
		}
	}
}

// Relist is whether a worker makes its list anew, by another scan of the catalogue,
// before it goes on to the next table.
type Relist uint8

const (
	// RelistNever keeps the list to its end, as PostgreSQL does.
	RelistNever Relist = iota
	// RelistStale makes a list anew that is older than the naptime.
	RelistStale
	// RelistAlways makes it anew before each table, but spends no more than a
	// hundredth of the time on that. Where there are several databases, a worker that
	// is older than the naptime takes on no more tables: it gives way to others.
	RelistAlways
)

// relistShare is which part of a worker's time RelistAlways may spend on lists.
const relistShare = 100

// firstList makes a worker's list, or takes over the one of its database.
func (w *worker) firstList() {
	if !w.sys.strategy.SharedList {
		w.buildList()
		return
	}
	shared := w.db.shared
	if shared == nil {
		shared = new(tableList)
		w.db.shared = shared
	}
	w.tableList = shared
	if shared.usedUp() || w.thread.Now()-shared.built > sim.Time(w.sys.naptime) {
		w.buildList()
		return
	}
	w.listed()
}

// listed tells that a worker has its list.
func (w *worker) listed() {
	w.sys.note(ListBuilt, w, -1)
	if w.sys.onList != nil {
		w.sys.onList(w)
	}
}

// relist makes the list anew where the strategy says so and something is left of it.
func (w *worker) relist() {
	now := w.thread.Now()
	if w.usedUp() {
		return
	}
	switch w.sys.strategy.Relist {
	case RelistNever:
		return
	case RelistStale:
		if now-w.built <= sim.Time(w.sys.naptime) {
			return
		}
	case RelistAlways:
		if now-w.built < relistShare*w.took {
			return
		}
	}
	rest := w.parts
	w.refresh(w.db.cost.statsRead)
	w.thread.Work(CatalogueScan, w.db.cost.scanTables)
	w.thread.Work(CatalogueScan, w.db.cost.scanToast)
	due := w.sys.content.due(w)
	if w.sys.strategy.Relist == RelistAlways && w.outstays(now) {
		rest := slices.Concat(rest...)
		slices.Sort(rest)
		due = [][]int32{slices.DeleteFunc(slices.Concat(due...), func(table int32) bool { _, had := slices.BinarySearch(rest, table); return !had })}
	}
	due = w.arranged(due)
	w.set(due, w.thread.Now())
	w.took = w.built - now
}

// outstays tells whether a worker has been in its database for a naptime while there
// are others.
func (w *worker) outstays(now sim.Time) bool {
	return len(w.sys.dbs) > 1 && now-w.since > sim.Time(w.sys.naptime)
}
