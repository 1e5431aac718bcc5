package scheduler

import "avsim/sim"

// recheck is table_recheck_autovac: whether a table of the list still needs
// work, by statistics that are newer than the list.
func (w *worker) recheck(table int32) bool {
	s := w.sys
	if s.strategy.Recheck == RecheckNone {
		return true
	}
	s.count.rechecks++
	if w.recheckNeeds(table) {
		s.note(RecheckNeeded, w, table)
		return true
	}
	s.count.wasted++
	s.note(RecheckWasted, w, table)
	return false
}

func (w *worker) recheckNeeds(table int32) bool {
	s := w.sys
	if s.strategy.Recheck == RecheckSnapshotFirst && w.stale {
		if !w.needs(table) {
			return false // a table that is done stays done: no refresh
		}
	}
	w.refresh(s.cost.statsRead)
	needed := w.needs(table)
	w.stale = !needed
	return needed
}

func (w *worker) needs(table int32) bool {
	return w.sys.trigger.needsVacuum(w.sys.stats.at(table, w.snapshot.taken))
}

// refresh drops the snapshot and gets a fresh one.
func (w *worker) refresh(read sim.Cost) {
	if w.sys.strategy.Stats == SharedMemory {
		w.snapshot = w.sys.shared()
		w.thread.Work(StatsRead, w.sys.cost.sharedLookup)
		return
	}
	w.sys.collector.refresh(w, read)
}
