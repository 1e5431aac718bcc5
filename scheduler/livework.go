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
	worker *worker
	table  *liveTable
	plan   vacuumPlan
	start  sim.Time
	parked bool // sleeps for the cost limit, and can be woken when that changes
	budget budget
}

// perform vacuums and analyzes a table, as it needs.
func (c *live) perform(w *worker, table int32, n need) {
	t := &c.tables[table]
	begun := w.thread.Now()
	t.result.late(begun.Sub(min(t.dueSince, begun)))
	c.balance.begin(w.number, t.options)
	c.rebalance(w)
	if n.vacuum {
		c.vacuum(w, t, n)
	}
	if n.analyze {
		c.analyze(w, t)
	}
}

// vacuum scans the heap, the indexes and the heap again, and sets what the
// table's statistics and its row of pg_class say.
func (c *live) vacuum(w *worker, t *liveTable, n need) {
	start := w.thread.Now()
	removable := t.changed(start).dead // those that die later are seen as recently dead
	deadBefore := t.deadRows(start)
	t.result.DeadPeak = math.Max(t.result.DeadPeak, deadBefore)
	ages := c.freezeAges(t)
	xidAge := int64(c.xids(start) - t.frozen)
	aggressive := c.rules.aggressive(ages, xidAge, int64(c.multis(start)-t.minMulti))
	in := c.vacuumInputs(t, start, aggressive)
	plan := planVacuum(in)
	frozen := t.frozenBy(start, c.oldSince(t, start, ages.min), aggressive)
	c.throttled(w, t, plan)
	end := w.thread.Now()

	// Rows that died during the heap scan on pages that it had not reached are
	// seen, not removable, and stay counted; those behind it are not seen.
	scanned := start.Add(time.Duration(plan.heapScanShare * float64(end.Sub(start))))
	seen := (t.changed(scanned).dead - removable) / 2
	wereFrozen := t.stillFrozen(start)
	t.vacuumed(start, removable)
	t.allFrozen = frozen
	t.reltuples = math.Round(t.rows(end))
	if all := in.read+wereFrozen > in.pages-0.5; aggressive || all {
		xid, multi := c.cutoffs(t, start, ages, frozen > in.pages-0.5)
		t.frozen, t.minMulti = math.Max(t.frozen, xid), math.Max(t.minMulti, multi)
		w.froze = true
	}
	c.sys.count.vacuums++
	w.vacuums++
	c.sys.report(w, report{table: t.id, vacuum: true, live: t.reltuples, dead: seen})
	t.result.vacuumed(start, end, n.wraparound)
	c.remember(RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: t.Name, Vacuum: true,
		Wraparound: n.wraparound, Reason: n.reason, Removed: deadBefore, Left: seen, plan: plan.summed(), rows: t.reltuples, pages: in.pages,
		read: in.read, deadPages: in.dead, marked: in.marked, froze: math.Max(frozen-wereFrozen, 0),
		aggressive: aggressive, cutoff: c.xids(start), xidsAtEnd: c.xids(end)})
}

// analyze samples the table: its counts are what is there, dead rows that the
// statistics know nothing of included.
func (c *live) analyze(w *worker, t *liveTable) {
	start := w.thread.Now()
	rows := t.rows(start)
	plan := planAnalyze(analyzeInputs{costs: c.derived.vacuum.costs, pages: t.Pages(rows + t.deadRows(start)), rows: rows, cached: 1})
	c.throttled(w, t, plan)
	end := w.thread.Now()
	t.reltuples = math.Round(t.rows(end))
	c.sys.report(w, report{table: t.id, analyze: true, live: t.reltuples, dead: t.deadRows(end)})
	t.result.Analyzes++
	w.analyzes++
	c.remember(RunEvent{Start: start, At: end, Worker: w.number, Database: w.db.name, Table: t.Name, plan: plan.summed(),
		rows: t.reltuples, pages: t.Pages(t.reltuples)})
}

// cutoffs are the relfrozenxid and relminmxid that a vacuum that read all of a table
// sets, in ids used up: the freeze limits; from 15 the oldest ids that it left, or the
// next ones where none is left. Multixact ids are not followed row by row: with the
// table all frozen there are none.
func (c *live) cutoffs(t *liveTable, at sim.Time, ages freezeAges, allFrozen bool) (xid, multi float64) {
	xid, multi = c.xids(at)-float64(ages.min), c.multis(at)-float64(ages.multiMin)
	if c.derived.from15 {
		xid = math.Max(xid, c.oldestLeft(t, at, ages.min, allFrozen))
		if allFrozen {
			multi = c.multis(at)
		}
	}
	return xid, multi
}

// oldestLeft is the oldest transaction id of a row that a vacuum does not freeze: of
// the first row inserted or updated since the youngest that it may freeze.
func (c *live) oldestLeft(t *liveTable, at sim.Time, minAge int64, allFrozen bool) float64 {
	if allFrozen {
		return c.xids(at)
	}
	old := c.oldSince(t, at, minAge)
	if old < 0 {
		return t.frozen
	}
	written := func(at sim.Time) float64 { x := t.changed(at); return x.inserted + x.updated }
	before := written(old)
	if written(at) < before+1 {
		return c.xids(at)
	}
	low, high := old, at
	for high-low > sim.Time(time.Millisecond) {
		if middle := low + (high-low)/2; written(middle) < before+1 {
			low = middle
		} else {
			high = middle
		}
	}
	return c.xids(low)
}

// oldSince is since when the run has been using transaction ids that are younger
// than a vacuum may freeze: changes until then are old enough. It is below 0 where
// even the rows of the start are too young, as old as relfrozenxid then says.
func (c *live) oldSince(t *liveTable, at sim.Time, minAge int64) sim.Time {
	oldest := c.xids(at) - float64(minAge)
	switch {
	case minAge <= 0:
		return at
	case oldest < -float64(t.XIDAge):
		return -1
	}
	low, high := sim.Time(0), at
	for high-low > sim.Time(time.Millisecond) {
		if middle := low + (high-low)/2; c.xids(middle) <= oldest {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// vacuumInputs are what a vacuum finds in a table: its pages in shared buffers
// and clean, dead rows at random places. It reads the pages that are not
// all-visible, an aggressive one all that are not frozen, and sets those without
// dead rows so.
func (c *live) vacuumInputs(t *liveTable, at sim.Time, aggressive bool) vacuumInputs {
	rows, dead := t.rows(at), t.deadRows(at)
	in := c.derived.vacuum
	in.pages = t.Pages(rows + dead)
	in.dead = math.Min(in.pages*touched(dead, in.pages), dead)
	in.read = math.Max(in.pages-t.stillVisible(at), in.dead)
	in.marked = in.read - in.dead
	if aggressive { // from 9.6 the map tells what is frozen; the last page is always read
		in.read = in.pages
		if c.derived.from96 {
			in.read = math.Max(in.pages-t.stillFrozen(at), math.Max(in.dead+in.marked, 1))
		}
	}
	in.indexes = t.Indexes
	in.indexPages = t.IndexPages(rows + dead)
	in.indexTouched = touched(dead*float64(t.Indexes), in.indexPages)
	in.cached = 1
	in.deadRows = dead
	return in
}

// throttled spends what a plan costs: work on the processor, and sleeps for the
// cost limit, which changes as workers come and go.
func (c *live) throttled(w *worker, t *liveTable, plan vacuumPlan) {
	l := &liveWork{worker: w, table: t, plan: plan, start: w.thread.Now()}
	c.running[w.number] = l
	c.result.charge(plan)
	for done := 0.0; done < 1; {
		b, ok := c.balance.of(w.number)
		if !ok || b.limit <= 0 || b.delay <= 0 {
			w.thread.Work(Vacuuming, time.Duration((1-done)*float64(plan.unthrottled)))
			break
		}
		sleeps := plan.sleeps(b.limit, b.delay, c.slack(b.delay)+c.wakeUp)
		part := math.Min(1-done, 1/min(math.Max(sleeps.times, 1), throttleParts))
		w.thread.Work(Vacuuming, time.Duration(part*float64(plan.working(sleeps.total))))
		c.sleepOff(l, part)
		done += part
	}
	delete(c.running, w.number)
}

// sleepOff sleeps what a part of a vacuum's cost asks for. A change of the limit
// ends the sleep; what is left of it is slept at the new one.
func (c *live) sleepOff(l *liveWork, part float64) {
	thread := l.worker.thread
	for left := 1.0; left > 0; {
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
		l.parked, l.budget = true, b
		woken := thread.ParkFor(CostDelay, max(nap-c.wakeUp, 0)) // the last wake-up is the thread's own
		l.parked = false
		slept := 1.0
		if woken {
			slept = math.Min(float64(thread.Now().Sub(begun))/float64(nap), 1)
		}
		c.result.CappedSleeps += slept * left * part * sleeps.capped
		left *= 1 - slept
	}
}

// throttleParts is into how many pieces of work and sleep a vacuum is cut: work
// and sleeps alternate much more finely in PostgreSQL, which shows only where
// the processors bind. One of fewer sleeps is cut into that many.
const throttleParts = 8.0

// rebalance lets workers that sleep look at their limit again: from 16 at once,
// to 15 where a worker that starts a table has worked the limits out anew. The
// worker that causes it is awake.
func (c *live) rebalance(by *worker) {
	c.tracer.balanced()
	for _, number := range slices.Sorted(maps.Keys(c.running)) {
		l := c.running[number]
		if !l.parked || by != nil && l.worker == by {
			continue
		}
		if b, ok := c.balance.of(l.worker.number); ok && b != l.budget {
			l.parked = false
			l.worker.thread.Unpark(nil)
		}
	}
}

// gone is a worker's exit: its share of the limit is free.
func (c *live) gone(w *worker) {
	if w.froze {
		w.db.stale = true
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
