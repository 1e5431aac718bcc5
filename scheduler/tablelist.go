package scheduler

import (
	"slices"

	"avsim/sim"
)

// tableList is a list of tables that are due, and how far it has been worked through.
type tableList struct {
	list   []int32
	cursor int
	built  sim.Time
	took   sim.Time // to build it
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
	if shared.cursor >= len(shared.list) || w.thread.Now()-shared.built > sim.Time(w.sys.naptime) {
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
	if w.cursor >= len(w.list) {
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
	rest := w.list[w.cursor:]
	w.refresh(w.db.cost.statsRead)
	w.thread.Work(CatalogueScan, w.db.cost.scanTables)
	w.thread.Work(CatalogueScan, w.db.cost.scanToast)
	due := w.sys.content.due(w)
	if w.sys.strategy.Relist == RelistAlways && w.outstays(now) {
		rest := slices.Sorted(slices.Values(rest))
		due = slices.DeleteFunc(slices.Clone(due), func(table int32) bool { _, had := slices.BinarySearch(rest, table); return !had })
	}
	w.list, w.cursor = w.arranged(due), 0
	w.built = w.thread.Now()
	w.took = w.built - now
}

// outstays tells whether a worker has been in its database for a naptime while there
// are others.
func (w *worker) outstays(now sim.Time) bool {
	return len(w.sys.dbs) > 1 && now-w.since > sim.Time(w.sys.naptime)
}
