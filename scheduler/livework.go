package scheduler

import (
	"maps"
	"math"
	"slices"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// liveWork is a vacuum or an analyze under way.
type liveWork struct {
	worker     *worker
	table      *liveTable
	work       *vacuumWork
	plan       *vacuum.Plan // of work
	vacuum     bool         // not an analyze
	start      sim.Time
	wraparound bool
	failsafe   bool // switched on: no cost delay, no more indexes
	cancelled  bool // by somebody who wants the table
	charged    float64
	sleeps     bool // for the cost limit, and can be woken when that changes
	budget     budget
	delayed    time.Duration // slept for the cost limit
	progress   workProgress
}

// cancel is SIGINT to the worker: it gives the table up.
func (l *liveWork) cancel() {
	l.cancelled = true
	l.worker.unpark()
}

// over tells whether the work is to be given up.
func (l *liveWork) over() bool { return l.cancelled || l.worker.killed }

// perform vacuums and analyzes a table, as it needs, each under a lock of its own.
// Who is cancelled gives up both.
func (c *live) perform(w *worker, table int32, n need) {
	t := c.table(table)
	due := t.dueSince
	c.balance.begin(w.number, t.options)
	c.rebalance(w)
	if n.vacuum && !c.locked(w, t, n, due, true, func(l *liveWork) { c.vacuum(l, n) }) {
		return
	}
	if n.vacuum { // its lateness is known, or there is none as it was left out
		due = sim.Forever
	}
	if n.analyze {
		c.locked(w, t, n, due, false, c.analyze)
	}
}

// locked does work on a table, due since an instant, under its lock, if that is to be
// had. It returns false where the worker is to leave the table: what is not vacuumed is
// not analyzed either (vacuum_rel returns false, and vacuum goes on with the next). What follows a vacuum
// to prevent wraparound waits for the lock too, but can be cancelled
// (PROC_VACUUM_FOR_WRAPAROUND is of the vacuum's transaction).
func (c *live) locked(w *worker, t *liveTable, n need, due sim.Time, vacuum bool, do func(*liveWork)) bool {
	e := RunEvent{Start: w.thread.Now(), Worker: w.number, Database: w.db.name, Table: c.nameIfTold(t), Vacuum: vacuum, Wraparound: n.wraparound && vacuum}
	if vacuum {
		e.Reason = n.reason
	}
	if !c.lock(w, t, n.wraparound) {
		c.gaveUp(w, t, e, SkippedTable)
		return false
	}
	work := c.newWork()
	l := &work.under
	*l = liveWork{worker: w, table: t, vacuum: vacuum, work: work, start: w.thread.Now(), wraparound: e.Wraparound}
	if due < l.start {
		t.result.late(l.start.Sub(due))
		c.lateFull += c.full.between(due, l.start)
	}
	l.plan = &l.work.plan
	defer c.workDone(l.work)
	c.running[w.number] = l
	e.Start = l.start
	do(l)
	delete(c.running, w.number)
	c.unlock(t)
	if l.over() {
		e.plan = summaryOf(l.plan)
		e.plan.cost = l.charged
		c.gaveUp(w, t, e, CancelledTable)
		return false
	}
	return true
}

// gaveUp notes that a worker left a table undone.
func (c *live) gaveUp(w *worker, t *liveTable, e RunEvent, how Outcome) {
	switch e.At, e.Outcome = w.thread.Now(), how; {
	case w.killed:
		e.Outcome = KilledWorker
		c.result.Killed++
	case how == SkippedTable:
		t.result.Skipped++
		c.result.Skipped++
	default:
		t.result.Cancelled++
		c.result.Cancelled++
	}
	c.remember(e)
}

// vacuum scans the heap, the indexes and the heap again, and sets what the
// table's statistics and its row of pg_class say.
func (c *live) vacuum(l *liveWork, n need) {
	w, t := l.worker, l.table
	start := w.thread.Now()
	horizon := t.db.horizons.at(start) // OldestXmin: what died since is recently dead
	removable := t.done(horizon).dead
	deadBefore := t.deadRows(start)
	removed := math.Max(float64(t.Dead)+removable-t.removed, 0)
	kept := math.Max(deadBefore-removed, 0)
	t.result.DeadPeak = math.Max(t.result.DeadPeak, deadBefore)
	c.squeeze()
	ages := c.freezeAges(t)
	ages.multiMin = min(ages.multiMin, c.rules.serverMult/2)
	xidAge, multiAge := c.agesAt(t, start)
	aggressive := c.rules.aggressive(ages, xidAge, multiAge)
	work := l.work
	c.intend(work, t, intent{at: start, horizon: horizon, removable: removed, aggressive: aggressive, ages: ages, budget: c.budgetNow(l)})
	in := &work.job.Table
	if c.throttled(l); l.over() {
		return
	}
	end := w.thread.Now()

	// Rows that died during the heap scan on pages that it had not reached are
	// seen, not removable, and stay counted; those behind it are not seen.
	scanned := start.Add(time.Duration(l.plan.ScanShare() * float64(end.Sub(start))))
	seen := kept + math.Max(t.changed(scanned).dead-t.changed(start).dead, 0)/2
	t.vacuumed(horizon, removed, removable)
	if t.leftItems += removed; !l.failsafe && !l.plan.Bypassed {
		t.leftItems = 0
	}
	t.allFrozen = work.wereFrozen + in.Frozen
	t.reltuples, t.classAt, t.hinted = math.Round(t.rows(end)), end, start
	var newXID, newMulti advance
	if work.readAll {
		xid, multi := c.cutoffs(t, start, horizon, ages, t.allFrozen > in.Pages-0.5)
		xid, multi = math.Max(t.frozen, xid), math.Max(t.minMulti, multi)
		newXID, newMulti = advance{xid, xid - t.frozen}, advance{multi, multi - t.minMulti}
		t.frozen, t.minMulti = xid, multi
		w.db.advanced = true
	}
	c.unsure(t)
	c.sys.count.vacuums++
	w.vacuums++
	ring := c.derived.vacuum.Ring
	if l.failsafe && c.derived.from16 {
		ring = 0
	}
	c.result.IO.add(l.plan.Total(), ring)
	c.sys.report(w, report{table: t.id, vacuum: true, live: t.reltuples, dead: seen})
	t.result.vacuumed(start, end, n.wraparound)
	c.result.Durations = append(c.result.Durations, end.Sub(start).Seconds())
	if l.failsafe {
		t.result.Failsafe++
		c.result.Failsafe++
	}
	if n.wraparound && t.ForcedAge != nil && xidAge < leastForcedAge {
		c.result.Needless++
	}
	if kept > removed {
		c.result.HeldBack++
	}
	e := RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: c.nameIfTold(t), Vacuum: true,
		Wraparound: n.wraparound, Reason: n.reason, Removed: removed, Left: seen, Failsafe: l.failsafe, plan: summaryOf(l.plan), rows: t.reltuples, pages: in.Pages,
		read: l.plan.Scanned, deadPages: in.DeadPages, marked: in.Marked, froze: in.Frozen, delayed: l.delayed, delayTimed: c.delayTimed(),
		aggressive: aggressive, cutoff: c.xids(horizon), xidsAtEnd: c.xids(end), newXID: newXID, newMulti: newMulti}
	if l.failsafe {
		e.plan.cost = l.charged
	}
	c.checkpoints.vacuums += l.plan.Total().WALBytes
	t.result.IndexScans += l.plan.IndexScans
	t.result.IndexPages += l.plan.Total().IndexPages
	c.application.vacuumed(e, l.plan)
	c.remember(e)
}

// leastForcedAge is the least autovacuum_freeze_max_age that PostgreSQL allows, from 9.6.
const leastForcedAge = 100_000

// advance is a relfrozenxid or relminmxid that a vacuum sets, in ids used since the
// start, and by how much it is ahead of the one before.
type advance struct{ to, by float64 }

// analyze samples the table: its counts are what is there, dead rows that the
// statistics know nothing of included.
func (c *live) analyze(l *liveWork) {
	w, t := l.worker, l.table
	start := w.thread.Now()
	c.sample(l, t, start).Plan()
	if c.throttled(l); l.over() {
		return
	}
	end := w.thread.Now()
	t.reltuples, t.classAt, t.hinted = math.Round(t.rows(end)), end, start
	c.unsure(t)
	c.sys.report(w, report{table: t.id, analyze: true, live: t.reltuples, dead: t.deadRows(end)})
	t.result.Analyzes++
	w.analyzes++
	c.result.IO.add(l.plan.Total(), c.derived.vacuum.Ring)
	c.remember(RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: c.nameIfTold(t), plan: summaryOf(l.plan),
		rows: t.reltuples, pages: t.Pages(t.reltuples), delayed: l.delayed, delayTimed: c.delayTimed()})
}

// throttled spends what a plan costs: work on the processor, and sleeps for the
// cost limit, which changes as workers come and go. It ends early where the work is
// given up.
func (c *live) throttled(l *liveWork) {
	w := l.worker
	for done := 0.0; done < 1 && !l.over(); {
		done = c.failsafeCheck(l, done)
		b, ok := c.budgetOf(l)
		free := l.failsafe || !ok || b.limit <= 0 || b.delay <= 0
		var sleeps vacuum.Sleep
		if !free {
			sleeps = l.plan.Sleeps(c.spending(b))
		}
		work := l.plan.Working(sleeps.Total)
		part := c.part(l, 1-done, sleeps, work.Total())
		l.progress = workProgress{done: done, part: part, since: w.thread.Now(), takes: time.Duration(part * float64(work.Total()+sleeps.Total)), at: l.spending(c, b, free)}
		w.thread.Work(Vacuuming, time.Duration(part*float64(work.Processor)))
		if wait := time.Duration(part * float64(work.Device)); wait > 0 && !l.over() {
			l.worker.park(IO, wait)
		}
		if !l.failsafe { // VacuumCostActive is off then
			l.charged += part * l.plan.Cost()
			c.result.Charged += part * l.plan.Cost()
		}
		if !free {
			c.sleepOff(l, part)
		}
		done += part
	}
}

// budgetNow is what a vacuum that begins may spend as things are; none for no delay.
func (c *live) budgetNow(l *liveWork) vacuum.Budget {
	if b, ok := c.balance.of(l.worker.number); ok && b.limit > 0 && b.delay > 0 {
		return c.spending(b)
	}
	return vacuum.Budget{}
}

// spending is a worker's budget with what this machine adds to a sleep.
func (c *live) spending(b budget) vacuum.Budget {
	return vacuum.Budget{Limit: b.limit, Delay: b.delay, Slack: c.slack(b.delay) + c.wakeUp}
}

// part is how much of the rest is done in one piece: work and sleeps alternate much
// more finely in PostgreSQL, which shows only where the processors bind. A vacuum of
// fewer sleeps is cut into that many. Where somebody may cancel the work, or failsafe
// may begin, the pieces are of a moment, after which it looks.
func (c *live) part(l *liveWork, rest float64, sleeps vacuum.Sleep, work time.Duration) float64 {
	const most, moment, mostMoments = 8, 50 * time.Millisecond, 20_000
	pieces := min(math.Max(sleeps.Times, 1), most)
	if c.locks[l.table.id] != nil || c.disturbed {
		pieces = max(pieces, min(math.Ceil(float64(work)/float64(moment)), mostMoments))
	}
	return math.Min(rest, 1/pieces)
}

// sleepOff sleeps what a part of a vacuum's cost asks for. A change of the limit
// ends the sleep; what is left of it is slept at the new one.
func (c *live) sleepOff(l *liveWork, part float64) {
	thread := l.worker.thread
	for left := 1.0; left > 0 && !l.over(); {
		b, ok := c.budgetOf(l)
		if !ok {
			return
		}
		sleeps := l.plan.Sleeps(c.spending(b))
		l.table.result.limited(b.limit)
		nap := time.Duration(left * part * float64(sleeps.Total))
		if nap <= 0 {
			return
		}
		begun := thread.Now()
		l.sleeps, l.budget = true, b
		woken := l.worker.park(CostDelay, max(nap-c.wakeUp, 0)) // the last wake-up is the thread's own
		l.sleeps = false
		l.delayed += thread.Now().Sub(begun)
		slept := 1.0
		if woken {
			slept = math.Min(float64(thread.Now().Sub(begun))/float64(nap), 1)
		}
		c.result.CappedSleeps += slept * left * part * sleeps.Capped
		left *= 1 - slept
	}
}

// rebalance lets workers that sleep look at their limit again: from 16 at once,
// to 15 where a worker that starts a table has worked the limits out anew. The
// worker that causes it is awake. Who sleeps since the last time does so at the limit
// that has been since.
func (c *live) rebalance(by *worker) {
	c.tracer.balanced()
	if c.balanced == c.balance.changes && c.balance.favours == nil {
		return
	}
	c.balanced = c.balance.changes
	for _, number := range slices.Sorted(maps.Keys(c.running)) {
		l := c.running[number]
		if !l.sleeps || by != nil && l.worker == by {
			continue
		}
		if b, ok := c.budgetOf(l); ok && b != l.budget {
			l.worker.unpark()
		}
	}
}

// gone is a worker's exit: its share of the limit is free.
func (c *live) gone(w *worker) {
	if w.told && w.db.advanced {
		w.db.advanced, w.db.stale = false, true
		c.resume()
	}
	c.balance.exit(w.number)
	c.rebalance(nil)
}

// nameIfTold is a table's name where somebody is told of events: it is made anew each time.
func (c *live) nameIfTold(t *liveTable) string {
	if c.keep || c.tracer != nil || c.application != nil {
		return c.nameOf(t)
	}
	return ""
}

// remember keeps what happened, where that is asked for: a week of many tables
// has millions.
func (c *live) remember(e RunEvent) {
	c.tracer.worked(e)
	if c.keep {
		c.result.Events = append(c.result.Events, e)
	}
}
