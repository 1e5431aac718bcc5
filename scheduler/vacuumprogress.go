package scheduler

import (
	"cmp"
	"slices"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// VacuumProgress is a vacuum under way at an instant, as pg_stat_progress_vacuum
// shows it.
type VacuumProgress struct {
	At              sim.Time
	PID             int // of the worker, as in the log
	Database, Table string
	vacuum.Progress
	// Delayed is the time slept for the cost limit, sleeps that are over: the
	// view has it from 18 on, with track_cost_delay_timing.
	Delayed    time.Duration
	DelayTimed bool
}

// workProgress is how far a vacuum is, in parts of its time: so much is done, and a
// part is under way since an instant, that takes so long at a budget.
type workProgress struct {
	done, part float64
	since      sim.Time
	takes      time.Duration
	at         vacuum.Budget
}

// by is how much is done by an instant.
func (p workProgress) by(at sim.Time) float64 {
	if p.takes <= 0 {
		return p.done
	}
	return p.done + p.part*min(float64(at.Sub(p.since))/float64(p.takes), 1)
}

// spending is the budget of the work, none where it does not sleep.
func (l *liveWork) spending(c *live, b budget, free bool) vacuum.Budget {
	if free {
		return vacuum.Budget{}
	}
	return c.spending(b)
}

// delayTimed is track_cost_delay_timing, of 18.
func (c *live) delayTimed() bool { return c.derived.delayTimed }

// noteProgress notes the vacuums under way at some instants.
func (c *live) noteProgress(at []time.Duration) {
	note := c.sys.kernel.Handler(func(int64) {
		now := c.sys.kernel.Now()
		first := len(c.result.Progress)
		for _, l := range c.running {
			if l.vacuum {
				c.result.Progress = append(c.result.Progress, c.progressOf(l, now))
			}
		}
		slices.SortFunc(c.result.Progress[first:], func(a, b VacuumProgress) int { return cmp.Compare(a.PID, b.PID) })
	})
	for _, x := range at {
		c.sys.kernel.At(sim.Time(x), note, 0)
	}
}

func (c *live) progressOf(l *liveWork, now sim.Time) VacuumProgress {
	return VacuumProgress{At: now, PID: firstPID + l.worker.number, Database: l.worker.db.name, Table: c.nameOf(l.table),
		Progress: l.plan.Progress(&l.work.job, l.progress.by(now), l.progress.at),
		Delayed:  l.delayed, DelayTimed: c.delayTimed()}
}

// IOTotals are pages by context, as pg_stat_io counts them from 16 on: through the
// ring, and otherwise.
type IOTotals struct{ Normal, Vacuum IOContext }

// IOContext are pages found, read, and written out to make room in the ring; those
// that took a page of shared buffers, and those that took the ring's own again.
type IOContext struct{ Hits, Reads, Writes, Evictions, Reuses float64 }

// add adds what a vacuum or analyze did. Without a ring all is normal.
func (t *IOTotals) add(u vacuum.Usage, ring float64) {
	t.Normal.Hits += u.Beside
	to := &t.Vacuum
	if ring <= 0 {
		to = &t.Normal
	}
	to.Hits += u.Hits - u.Beside
	to.Reads += u.Reads
	to.Writes += u.RingWrites
	to.Evictions += u.Reads - u.Reuses
	to.Reuses += u.Reuses
}
