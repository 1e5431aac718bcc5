package scheduler

import "avsim/sim"

// recheck is table_recheck_autovac: whether a table of the list still needs
// work, by statistics that are newer than the list.
func (w *worker) recheck(table int32) bool {
	s := w.sys
	if s.strategy.Recheck == RecheckNone {
		w.need = s.content.needs(w, table)
		return true
	}
	s.count.rechecks++
	if w.recheckNeeds(table) {
		s.note(RecheckNeeded, w, table)
		return true
	}
	s.count.wasted++
	s.wasted(table)
	s.note(RecheckWasted, w, table)
	return false
}

func (w *worker) recheckNeeds(table int32) bool {
	s := w.sys
	if s.strategy.Recheck == RecheckSnapshotFirst && w.stale {
		if w.need = s.content.needs(w, table); !w.need.any() {
			return false // a table that is done stays done: no refresh
		}
	}
	w.refresh(w.db.cost.statsRead)
	w.need = s.content.needs(w, table)
	w.stale = !w.need.any()
	return w.need.any()
}

// refresh drops the snapshot and gets a fresh one.
func (w *worker) refresh(read sim.Cost) {
	if w.sys.strategy.Stats == SharedMemory {
		w.snapshot = w.sys.shared()
		w.thread.Work(StatsRead, w.db.cost.sharedLookup)
		return
	}
	w.sys.collector.refresh(w, read)
}
