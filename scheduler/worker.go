package scheduler

import (
	"math/rand/v2"
	"time"

	"avsim/sim"
)

// worker is an autovacuum worker, do_autovacuum in autovacuum.c.
type worker struct {
	sys      *system
	db       *database
	thread   *sim.Thread
	number   int
	snapshot snapshot
	*tableList
	table             int32 // wi_tableoid; -1 for none
	highest           int32 // the highest table claimed in this pass; -1 for none
	random            *rand.Rand
	cached            float64       // of system.cached, at the end of the last read
	displaced         float64       // share of its copy of the statistics that others drove out of the cache
	cancelled         bool          // the launcher has given it up
	killed            bool          // it is to end as soon as it notices
	parked            bool          // in a wait that others may end
	skipped           bool          // another was at a table that it wanted (found_concurrent_worker)
	vacuums, analyzes int           // done
	did               bool          // it was at a table, whatever came of it (did_vacuum)
	told              bool          // it has scanned pg_class for the age of its database
	need              need          // what the last recheck said of the table
	stale             bool          // the last refresh said "not needed" (reuse_stats of PostgreSQL 14)
	since             sim.Time      // of its start
	wereDue           int           // tables, when it made its list
	usualWait         time.Duration // of those
}

func (w *worker) run() {
	if !w.start() {
		w.exit()
		return
	}
	w.firstList()
	if w.sys.waitAtGate != nil {
		w.sys.waitAtGate(w)
	}
	for {
		table, ok := w.claimNext()
		if !ok || w.killed {
			break
		}
		w.vacuum(table)
		w.unclaim()
	}
	w.updateFrozen()
	w.exit()
}

// updateFrozen is vac_update_datfrozenxid at a worker's end: a scan of pg_class, once a
// worker. Since 2017 one that was at no table, as others were at those that it wanted, leaves
// it out: where a database is at risk the scan ends with a signal that asks for a launcher.
func (w *worker) updateFrozen() {
	if w.sys.waitAtGate != nil || w.killed || !w.did && w.skipped && !tellsAlways(w.sys.version) {
		return
	}
	w.thread.Work(CatalogueScan, w.db.cost.scanToast)
	w.sys.count.freezes++
	w.told = true
}

// start is the fork, the connection to the database, and the clean-up of dead
// statistics entries, for which the statistics are read. It returns false where
// it took so long that the launcher has given the worker up.
func (w *worker) start() bool {
	s, t := w.sys, w.thread
	w.highest = -1
	w.since = t.Now()
	s.note(WorkerStarted, w, -1)
	t.Work(CatalogueScan, w.db.cost.start)
	if w.db.connect > 0 {
		t.Sleep(CatalogueScan, w.db.connect)
	}
	if !s.launcher.running(w) {
		return false
	}
	w.refresh(sim.Flat(w.db.cost.firstRead))
	if s.strategy.Stats == CollectorFile {
		t.Work(CatalogueScan, w.db.cost.cleanup) // dropped relations clean up after themselves since 15
	}
	return true
}

// buildList scans pg_class twice, for tables and for TOAST, against one
// snapshot of the statistics.
func (w *worker) buildList() {
	s, t := w.sys, w.thread
	t.Work(CatalogueScan, w.db.cost.scanTables)
	t.Work(CatalogueScan, w.db.cost.scanToast)
	if s.strategy.Order == OIDOrder {
		t.Work(CatalogueScan, w.db.cost.sort)
	}
	due := w.arranged(s.content.due(w))
	w.set(due, t.Now())
	w.listed()
}

// vacuum balances the cost limit, which needs AutovacuumLock, does the work, and
// reports it before the claim is given up.
func (w *worker) vacuum(table int32) {
	s, t := w.sys, w.thread
	s.autovacuumLock.Acquire(t, sim.Exclusive, ScheduleLock)
	s.autovacuumLock.Release(t, sim.Exclusive, ScheduleLock)
	s.note(VacuumStarted, w, table)
	s.content.begins(w, table)
	s.content.perform(w, table, w.need)
	s.content.ends(w, table)
	w.did = true
	s.note(VacuumFinished, w, table)
	if s.onDone != nil {
		s.onDone()
	}
}

// park waits for a time, or until unpark, and tells whether it was that.
func (w *worker) park(a sim.Activity, d time.Duration) bool {
	w.parked = true
	woken := w.thread.ParkFor(a, d)
	w.parked = false
	return woken
}

// unpark ends such a wait.
func (w *worker) unpark() {
	if w.parked {
		w.parked = false
		w.thread.Unpark(nil)
	}
}

// kill ends a worker, as pg_terminate_backend does: it notices where it waits, and
// between tables.
func (w *worker) kill() {
	w.killed = true
	w.unpark()
}

// exit ends the worker's pass: its highest claim no longer counts.
func (w *worker) exit() {
	w.sys.note(WorkerExited, w, -1)
	w.highest = -1
	w.leave() // where it was killed at a table
	w.sys.launcher.exited(w)
	if w.sys.onExit != nil {
		w.sys.onExit(w)
	}
}
