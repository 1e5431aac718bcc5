package scheduler

import "avsim/sim"

// claimNext goes on through the worker's list to the next table that it has
// claimed and that needs work. It returns false where the list is used up.
// AutovacuumScheduleLock is held from the look at the other workers to the
// claim; which of claim and recheck comes first is what BUG #13750 is about.
func (w *worker) claimNext() (table int32, ok bool) {
	since := w.thread.Now()
	defer func() {
		if ok && w.sys.onClaim != nil {
			w.sys.onClaim(w.thread.Now().Sub(since))
		}
	}()
	for {
		w.relist()
		w.skim()
		w.lockSchedule()
		table, ok = w.candidate()
		switch {
		case !ok:
			w.unlockSchedule()
			return 0, false
		case table < 0:
			w.unlockSchedule()
		case w.sys.strategy.Claim == ClaimAfterRecheck:
			needed := w.recheck(table)
			if needed {
				w.claim(table)
			}
			w.unlockSchedule()
			if needed {
				return table, true
			}
		default:
			w.claim(table)
			w.unlockSchedule()
			if w.recheck(table) {
				return table, true
			}
			w.unclaim()
		}
	}
}

// candidate moves to the next table that the worker may claim, or returns -1 for
// one that another worker is at. The schedule lock is held. It returns false
// where the list is used up.
func (w *worker) candidate() (table int32, ok bool) {
	s := w.sys
	if s.strategy.Reach == AboveHighest {
		w.leap(s.highest(), s.strategy.Arrange == nil && s.strategy.Order != ScoreOrder)
	}
	if w.usedUp() {
		return 0, false
	}
	s.autovacuumLock.Acquire(w.thread, sim.Shared, ScheduleLock)
	w.thread.WorkCost(ScheduleLock, w.db.cost.lockHold)
	s.autovacuumLock.Release(w.thread, sim.Shared, ScheduleLock)
	if w.usedUp() { // another has made the list that they share anew
		return 0, false
	}
	table = w.next()
	if s.claims.has(table) {
		w.skips(table, s.kernel.Now())
		return -1, true
	}
	return table, true
}

// skips leaves out a table that another worker is at.
func (w *worker) skips(table int32, at sim.Time) {
	w.sys.count.skips++
	w.skipped = true
	w.sys.wasted(table)
	w.sys.noteAt(at, Skipped, w, table)
}

// highest is the highest table that any running worker has claimed in its pass, -1 for
// none.
func (s *system) highest() int32 {
	highest := int32(-1)
	for _, w := range s.workers {
		highest = max(highest, w.highest)
	}
	return highest
}

func (w *worker) claim(table int32) {
	w.table, w.highest = table, max(w.highest, table)
	w.sys.claims.set(table)
	w.sys.note(Claimed, w, table)
}

// unclaim gives the table up. The commit that moved the recheck out of the
// lock also moved the un-claim from AutovacuumLock to AutovacuumScheduleLock.
func (w *worker) unclaim() {
	s := w.sys
	if s.strategy.Claim == ClaimAfterRecheck {
		s.autovacuumLock.Acquire(w.thread, sim.Exclusive, ScheduleLock)
		w.leave()
		s.autovacuumLock.Release(w.thread, sim.Exclusive, ScheduleLock)
		return
	}
	w.lockSchedule()
	w.leave()
	w.unlockSchedule()
}

// leave resets wi_tableoid.
func (w *worker) leave() {
	w.sys.claims.clear(w.table)
	w.table = -1
}

func (w *worker) lockSchedule() {
	w.sys.scheduleLock.Acquire(w.thread, sim.Exclusive, ScheduleLock)
}

func (w *worker) unlockSchedule() {
	w.sys.scheduleLock.Release(w.thread, sim.Exclusive, ScheduleLock)
}
