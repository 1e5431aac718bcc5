package scheduler

import (
	"time"

	"avsim/sim"
)

// A worker with a long list comes to many tables that others are at or have done. Each
// costs a look under the lock, or a claim, a recheck and an un-claim. While nothing else
// happens in the model what comes of them is certain, and they are taken in one step: the
// same time, on the same account, the same events.

// vain is why a worker looks at a table in vain.
type vain uint8

const (
	needed    vain = iota // not in vain, or not known to be
	otherAtIt             // another worker is at the table
	done                  // by the newest statistics, and nothing will change that
)

// skim takes tables off the list that the worker looks at in vain, as many as it can
// before anything else happens. No lock is held.
func (w *worker) skim() {
	s := w.sys
	if s.oneByOne || s.strategy.Reach != AnyUnclaimed || w.usedUp() || w.vainly(w.peek()) == needed {
		return
	}
	if !s.scheduleLock.Idle() || !s.autovacuumLock.Idle() || w.thread.Cold(ScheduleLock) {
		return
	}
	left := w.thread.Undisturbed()
	var locked, read time.Duration
	for !w.usedUp() && s.strategy.Relist == RelistNever {
		table := w.peek()
		hold, look := w.db.cost.lockHold.Hot, time.Duration(0)
		why := w.vainly(table)
		if why == done {
			look = w.db.cost.sharedLookup
		}
		if why == needed || hold+look > left {
			break
		}
		left -= hold + look
		at := w.thread.Now().Add(locked + read)
		w.next()
		s.countSkimmed()
		if why == otherAtIt {
			w.skips(table, at.Add(hold))
		} else {
			w.finds(table, at.Add(hold), look)
		}
		locked, read = locked+hold, read+look
	}
	w.thread.Work(ScheduleLock, locked)
	w.thread.Work(StatsRead, read)
}

func (s *system) countSkimmed() {
	if s.skimmed != nil {
		*s.skimmed++
	}
}

// vainly tells why a look at a table will be in vain, as things are.
func (w *worker) vainly(table int32) vain {
	s := w.sys
	switch {
	case s.claims.has(table):
		return otherAtIt
	case s.strategy.Claim == ClaimBeforeRecheck && s.strategy.Recheck == RecheckFresh && s.strategy.Stats == SharedMemory && s.content.done(table):
		return done
	}
	return needed
}

// finds is a claim at an instant, a recheck that takes so long and finds nothing to do,
// and the un-claim.
func (w *worker) finds(table int32, at sim.Time, look time.Duration) {
	s := w.sys
	w.highest = max(w.highest, table)
	s.noteAt(at, Claimed, w, table)
	s.count.rechecks++
	w.snapshot = snapshot{taken: s.changed, stamp: at}
	w.need, w.stale = need{}, true
	s.count.wasted++
	s.wasted(table)
	s.noteAt(at.Add(look), RecheckWasted, w, table)
}

// claimed are the tables that workers are at, a bit each.
type claimed []uint64

func (c *claimed) set(table int32) {
	for int(table)/64 >= len(*c) {
		*c = append(*c, 0)
	}
	(*c)[table/64] |= 1 << (table % 64)
}

// clear is for a table that may be none, -1.
func (c *claimed) clear(table int32) {
	if table >= 0 {
		(*c)[table/64] &^= 1 << (table % 64)
	}
}

func (c *claimed) has(table int32) bool {
	return int(table)/64 < len(*c) && (*c)[table/64]&(1<<(table%64)) != 0
}
