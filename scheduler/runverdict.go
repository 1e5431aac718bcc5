package scheduler

import (
	"math"
	"time"

	"avsim/sim"
)

// verdict reads the verdict of a run off what happened. Where clients were shut out,
// that comes first; then that a worker waits for the lock on a table, that most visits
// were forced by an age limit that is met again at once, found the table locked or were
// cancelled, or could remove little; then that most workers are needed where ids run out.
// Where slots are mostly free nothing keeps the workers, unless some table is being
// vacuumed most of the time or databases are not visited as often as they should be.
// Otherwise it is what the workers' time goes into. Where workers and launcher keep up,
// what is left is how long tables wait, from one vacuum to the next: to be due, or, once
// they are, for the next visit.
func (c *live) verdict(r *RunResult) Verdict {
	visits := float64(r.Vacuums + r.Skipped + r.Cancelled)
	undone := float64(r.Skipped + r.Cancelled)
	switch {
	case r.Halted > 0:
		return Verdict{Constraint: BoundByWraparound, Share: float64(r.Halted) / float64(r.Simulated)}
	case r.MembersOut > 0:
		return Verdict{BoundByWraparound, float64(r.MembersOut) / float64(r.Simulated), "the time in which no multixact could be created"}
	case r.WorkerTime[TableLock] > r.Simulated/2:
		return Verdict{BoundByTableLock, float64(r.WorkerTime[TableLock]) / float64(r.Simulated), "the time a worker waits for the lock on a table"}
	case visits > 0 && float64(r.Needless) > visits/2:
		return Verdict{BoundByThreshold, float64(r.Needless) / visits, "the visits are forced by an age limit below what PostgreSQL allows"}
	case visits > 0 && undone > visits/2:
		return Verdict{Constraint: BoundByTableLock, Share: undone / visits}
	case visits > 0 && float64(r.HeldBack) > visits/2:
		return Verdict{Constraint: BoundByHorizon, Share: float64(r.HeldBack) / visits}
	case len(c.sys.dbs) > 1 && 2*r.ForcedStarts > len(r.Starts):
		return Verdict{BoundByWraparound, float64(r.ForcedStarts) / float64(len(r.Starts)), "the workers are started in a database that is at risk"}
	case r.Slots <= 0:
		return Verdict{Constraint: Unbound}
	}
	busy := float64(r.WorkerTime.Total()) / float64(r.Slots)
	if busy >= 0.5 || r.alwaysAtOne() {
		v := verdictOf(r.WorkerTime, max(r.Vacuums, 1), 0)
		if v.Constraint == BoundByWorkerSlots && busy < 0.5 { // others are free: it is the work of one vacuum
			return Verdict{BoundByProcessors, v.Share, "the workers' time, the work of single vacuums while slots are free"}
		}
		return v
	}
	if missed := c.missedVisits(r); missed > 1./3 {
		return Verdict{Constraint: BoundByLauncher, Share: missed}
	}
	return r.waiting(1-busy, c.lateFull)
}

// waiting tells what tables wait for where nobody keeps the workers: those with dead rows,
// or that are changed, to be due, or since they are, for a visit, of which for so many seconds
// no slot was free. Where there are none slots are free so much of the time.
func (r *RunResult) waiting(free, full float64) Verdict {
	s := r.tableSums()
	late, all := s.late, s.waits
	switch {
	case all <= 0:
		return Verdict{Constraint: Unbound, Share: free}
	case late > all/2 && full > late/2:
		return Verdict{BoundByWorkerSlots, math.Min(late/all, 1), "the time tables are due and wait, most of it while no slot is free"}
	case late > all/2:
		return Verdict{Constraint: BoundByNaptime, Share: math.Min(late/all, 1)}
	}
	return Verdict{Constraint: BoundByThreshold, Share: 1 - late/all}
}

// alwaysAtOne tells whether a table has a worker at it more than half of the time.
func (r *RunResult) alwaysAtOne() bool {
	for _, t := range r.Tables.Visited() {
		if t.VacuumSeconds > r.Simulated.Seconds()/2 {
			return true
		}
	}
	return false
}

// missedVisits is the share of the visits, one to each database in a naptime, that are
// not made: where there are more databases than the launcher's shortest sleep, or the
// time that a worker takes to start, allows.
func (c *live) missedVisits(r *RunResult) float64 {
	databases := 0
	for _, db := range c.sys.dbs {
		if !db.absent {
			databases++
		}
	}
	wanted := float64(databases) * float64(r.Simulated) / float64(max(c.sys.naptime, time.Second))
	if c.sys.off || databases < 2 || wanted < 1 {
		return 0
	}
	return math.Max(1-float64(len(r.Starts))/wanted, 0)
}

// underWay counts the time of a vacuum that the end of the run finds at work.
func (t *TableVisits) underWay(l *liveWork, now sim.Time) {
	if l.vacuum {
		t.VacuumSeconds += now.Sub(l.start).Seconds()
	}
}
