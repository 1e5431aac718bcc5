package scheduler

import (
	"maps"
	"math"
	"slices"
	"time"

	"avsim/sim"
)

// liveWork is a vacuum or an analyze under way.
type liveWork struct {
	worker     *worker
	table      *liveTable
	plan       vacuumPlan
	start      sim.Time
	wraparound bool
	failsafe   bool // switched on: no cost delay, no more indexes
	cancelled  bool // by somebody who wants the table
	sleeps     bool // for the cost limit, and can be woken when that changes
	budget     budget
	done       float64 // share of the vacuum or analyze that is done
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
	t := &c.tables[table]
	begun := w.thread.Now()
	t.result.late(begun.Sub(min(t.dueSince, begun)))
	c.balance.begin(w.number, t.options)
	c.rebalance(w)
	if n.vacuum && !c.locked(w, t, n.wraparound, true, func(l *liveWork) { c.vacuum(l, n) }) {
		return
	}
	if n.analyze {
		c.locked(w, t, n.wraparound, false, c.analyze)
	}
}

// locked does work on a table under its lock, if that is to be had. It returns false
// where the worker is to leave the table.
func (c *live) locked(w *worker, t *liveTable, wraparound, vacuum bool, work func(*liveWork)) bool {
	e := RunEvent{Start: w.thread.Now(), Worker: w.number, Database: w.db.name, Table: t.Name, Vacuum: vacuum, Wraparound: wraparound}
	if !c.lock(w, t, wraparound) {
		c.gaveUp(w, t, e, SkippedTable)
		return !w.killed
	}
	l := &liveWork{worker: w, table: t, start: w.thread.Now(), wraparound: wraparound}
	c.running[w.number] = l
	e.Start = l.start
	work(l)
	delete(c.running, w.number)
	c.unlock(t)
	if l.over() {
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
	ages := c.freezeAges(t)
	xidAge, multiAge := c.agesAt(t, start, horizon)
	aggressive := c.rules.aggressive(ages, xidAge, multiAge)
	in := c.vacuumInputs(t, start, horizon, removed, aggressive)
	frozen := t.frozenBy(start, min(c.oldSince(t, start, ages.min), horizon), aggressive)
	wereFrozen := t.stillFrozen(start)
	in.marked = math.Min(math.Max(in.marked, frozen-wereFrozen), in.read-in.dead) // freezing changes a page, all-visible or not
	l.plan = planVacuum(in)
	if c.throttled(l); l.over() {
		return
	}
	end := w.thread.Now()

	// Rows that died during the heap scan on pages that it had not reached are
	// seen, not removable, and stay counted; those behind it are not seen.
	scanned := start.Add(time.Duration(l.plan.heapScanShare * float64(end.Sub(start))))
	seen := kept + math.Max(t.changed(scanned).dead-t.changed(start).dead, 0)/2
	t.vacuumed(horizon, removed, removable)
	t.allFrozen = frozen
	t.reltuples, t.classAt = math.Round(t.rows(end)), end
	var newXID, newMulti advance
	if all := in.read+wereFrozen > in.pages-0.5; aggressive || all {
		xid, multi := c.cutoffs(t, start, horizon, ages, frozen > in.pages-0.5)
		xid, multi = math.Max(t.frozen, xid), math.Max(t.minMulti, multi)
		newXID, newMulti = advance{xid, xid - t.frozen}, advance{multi, multi - t.minMulti}
		t.frozen, t.minMulti = xid, multi
		w.db.advanced = true
	}
	c.sys.count.vacuums++
	w.vacuums++
	c.sys.report(w, report{table: t.id, vacuum: true, live: t.reltuples, dead: seen})
	t.result.vacuumed(start, end, n.wraparound)
	if l.failsafe {
		t.result.Failsafe++
		c.result.Failsafe++
	}
	if kept > removed {
		c.result.HeldBack++
	}
	c.remember(RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: t.Name, Vacuum: true,
		Wraparound: n.wraparound, Reason: n.reason, Removed: removed, Left: seen, Failsafe: l.failsafe, plan: l.plan.summed(), rows: t.reltuples, pages: in.pages,
		read: in.read, deadPages: in.dead, marked: in.marked, froze: math.Max(frozen-wereFrozen, 0),
		aggressive: aggressive, cutoff: c.xids(horizon), xidsAtEnd: c.xids(end), newXID: newXID, newMulti: newMulti})
}

// advance is a relfrozenxid or relminmxid that a vacuum sets, in ids used since the
// start, and by how much it is ahead of the one before.
type advance struct{ to, by float64 }

// analyze samples the table: its counts are what is there, dead rows that the
// statistics know nothing of included.
func (c *live) analyze(l *liveWork) {
	w, t := l.worker, l.table
	start := w.thread.Now()
	rows := t.rows(start)
	l.plan = planAnalyze(analyzeInputs{costs: c.derived.vacuum.costs, pages: t.Pages(rows + t.deadRows(start)), rows: rows, cached: 1})
	if c.throttled(l); l.over() {
		return
	}
	end := w.thread.Now()
	t.reltuples, t.classAt = math.Round(t.rows(end)), end
	c.sys.report(w, report{table: t.id, analyze: true, live: t.reltuples, dead: t.deadRows(end)})
	t.result.Analyzes++
	w.analyzes++
	c.remember(RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: t.Name, plan: l.plan.summed(),
		rows: t.reltuples, pages: t.Pages(t.reltuples)})
}

// vacuumInputs are what a vacuum finds in a table: its pages in shared buffers
// and clean, dead rows at random places, so many of them removable. It reads the
// pages that are not all-visible, an aggressive one all that are not frozen, and sets
// those so that have neither dead rows nor any that are younger than the horizon.
func (c *live) vacuumInputs(t *liveTable, at, horizon sim.Time, removable float64, aggressive bool) vacuumInputs {
	rows, dead := t.rows(at), t.deadRows(at)
	in := c.derived.vacuum
	in.pages = t.Pages(rows + dead)
	in.dead = math.Min(in.pages*touched(removable, in.pages), removable)
	in.read = math.Max(in.pages-t.stillVisible(at), in.dead)
	in.marked = in.read - in.dead
	if horizon < at {
		in.marked = math.Max(in.marked-in.pages*touched(dead-removable+t.added(at)-t.added(horizon), in.pages), 0)
	}
	if aggressive { // from 9.6 the map tells what is frozen; the last page is always read
		in.read = in.pages
		if c.derived.from96 {
			in.read = math.Max(in.pages-t.stillFrozen(at), math.Max(in.dead+in.marked, 1))
		}
	}
	in.indexes = t.Indexes
	in.indexPages = t.IndexPages(rows + dead)
	in.indexTouched = touched(removable*float64(t.Indexes), in.indexPages)
	in.cached = 1
	in.deadRows = removable
	return in
}

// throttled spends what a plan costs: work on the processor, and sleeps for the
// cost limit, which changes as workers come and go. It ends early where the work is
// given up.
func (c *live) throttled(l *liveWork) {
	w := l.worker
	for done := 0.0; done < 1 && !l.over(); {
		done = c.failsafeCheck(l, done)
		b, ok := c.balance.of(w.number)
		free := l.failsafe || !ok || b.limit <= 0 || b.delay <= 0
		var sleeps sleep
		work := l.plan.unthrottled
		if !free {
			sleeps = l.plan.sleeps(b.limit, b.delay, c.slack(b.delay)+c.wakeUp)
			work = l.plan.working(sleeps.total)
		}
		part := c.part(l, 1-done, sleeps, work)
		w.thread.Work(Vacuuming, time.Duration(part*float64(work)))
		c.result.Charged += part * l.plan.cost
		if !free {
			c.sleepOff(l, part)
		}
		done += part
		l.done = done
	}
}

// part is how much of the rest is done in one piece: work and sleeps alternate much
// more finely in PostgreSQL, which shows only where the processors bind. A vacuum of
// fewer sleeps is cut into that many. Where somebody may cancel the work, or failsafe
// may begin, the pieces are of a moment, after which it looks.
func (c *live) part(l *liveWork, rest float64, sleeps sleep, work time.Duration) float64 {
	const most, moment, mostMoments = 8, 50 * time.Millisecond, 20_000
	pieces := min(math.Max(sleeps.times, 1), most)
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
		b, ok := c.balance.of(l.worker.number)
		if !ok {
			return
		}
		sleeps := l.plan.sleeps(b.limit, b.delay, c.slack(b.delay)+c.wakeUp)
		nap := time.Duration(left * part * float64(sleeps.total))
		if nap <= 0 {
			return
		}
		begun := thread.Now()
		l.sleeps, l.budget = true, b
		woken := l.worker.park(CostDelay, max(nap-c.wakeUp, 0)) // the last wake-up is the thread's own
		l.sleeps = false
		slept := 1.0
		if woken {
			slept = math.Min(float64(thread.Now().Sub(begun))/float64(nap), 1)
		}
		c.result.CappedSleeps += slept * left * part * sleeps.capped
		left *= 1 - slept
	}
}

// rebalance lets workers that sleep look at their limit again: from 16 at once,
// to 15 where a worker that starts a table has worked the limits out anew. The
// worker that causes it is awake.
func (c *live) rebalance(by *worker) {
	c.tracer.balanced()
	for _, number := range slices.Sorted(maps.Keys(c.running)) {
		l := c.running[number]
		if !l.sleeps || by != nil && l.worker == by {
			continue
		}
		if b, ok := c.balance.of(l.worker.number); ok && b != l.budget {
			l.worker.unpark()
		}
	}
}

// gone is a worker's exit: its share of the limit is free.
func (c *live) gone(w *worker) {
	if w.db.advanced && !w.killed {
		w.db.advanced, w.db.stale = false, true
		c.resume()
	}
	c.balance.exit(w.number)
	c.rebalance(nil)
}

// remember keeps what happened, where that is asked for: a week of many tables
// has millions.
func (c *live) remember(e RunEvent) {
	c.tracer.worked(e)
	if c.keep {
		c.result.Events = append(c.result.Events, e)
	}
}
