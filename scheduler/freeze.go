package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// cutoffs are the relfrozenxid and relminmxid that a vacuum that read all of a table
// sets, in ids used up: the freeze limits; from 15 the oldest ids that it left, or the
// next ones where none is left. Multixact ids are not followed row by row: with the
// table all frozen there are none.
func (c *live) cutoffs(t *liveTable, at, horizon sim.Time, ages freezeAges, allFrozen bool) (xid, multi float64) {
	base := c.ageBase(at, horizon)
	xid, multi = c.xids(base)-float64(ages.min), c.multis(base)-float64(ages.multiMin)
	if c.derived.from15 {
		xid = math.Max(xid, c.oldestLeft(t, at, ages.min, allFrozen))
		if allFrozen {
			multi = c.multis(at)
		}
	}
	return math.Min(xid, c.xids(horizon)), math.Min(multi, c.multis(horizon))
}

// ageBase is from where the least ages of freezing count: the next ids from 16 on, what the
// oldest snapshot sees before (vacuum_set_xid_limits, vacuum_get_cutoffs).
func (c *live) ageBase(at, horizon sim.Time) sim.Time {
	if c.derived.from16 {
		return at
	}
	return horizon
}

// agesAt are the ages of relfrozenxid and relminmxid that decide whether a vacuum is
// aggressive. They count from the next ids in every version.
func (c *live) agesAt(t *liveTable, at sim.Time) (xid, multi int64) {
	return int64(c.xids(at) - t.frozen), int64(c.multis(at) - t.minMulti)
}

// failsafeCheck switches failsafe on where the table has become too old (lazy_check_
// wraparound_failsafe): from then on there is no cost delay, indexes are left alone,
// and what is left is the rest of the heap scan. It returns how much is done, of
// what there is to do then.
func (c *live) failsafeCheck(l *liveWork, done float64) float64 {
	if l.failsafe || !l.vacuum || !c.beyondFailsafe(l.table, l.worker.thread.Now()) {
		return done
	}
	l.failsafe = true
	c.tracer.instant(TraceFailsafe, l.worker, l.worker.thread.Now(), l.table)
	c.noteFailsafe(l)
	scanned := math.Min(done/math.Max(l.plan.ScanShare(), 1e-9), 1)
	l.work.job.Failsafe, l.work.job.Budget = true, vacuum.Budget{}
	l.work.job.Plan()
	return scanned
}

// beyondFailsafe tells whether a table is older than failsafe allows: the setting, and
// at least 105 % of the age that forces a vacuum (vacuum_xid_failsafe_check).
func (c *live) beyondFailsafe(t *liveTable, at sim.Time) bool {
	return c.tooOld(t.frozen, t.minMulti, at)
}

func (c *live) tooOld(frozen, minMulti float64, at sim.Time) bool {
	d := c.derived
	return d.from14 && (c.xids(at)-frozen > d.failsafeAge || c.multis(at)-minMulti > d.failsafeMulti)
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
