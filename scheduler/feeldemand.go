package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/foreground"
)

// demand is what a transaction asks for with the tables as at an instant, while a
// phase of a vacuum is under way.
func (f *feeling) demand(place int, s *feltSpan) (foreground.Demand, foreground.Found) {
	m := f.memory()
	uses, beside := f.uses(place), 0.0
	if s != nil {
		m.OnceShared, m.OnceOS = s.scans, s.device
		beside = s.log
	}
	m.ImagesEvery = f.perSec * f.checkpointsApart(uses, beside).Seconds()
	return f.costs().Of(uses, m)
}

func (f *feeling) costs() foreground.Costs {
	c := f.asked.Costs
	return foreground.Costs{Statement: c.Statement, Page: c.Page, Version: c.Version, Copy: c.Copy, LogBytes: c.LogBytes}
}

// checkpointsApart is how long it is between two of them, with so much log a second besides
// the application's.
func (f *feeling) checkpointsApart(uses []foreground.Table, beside float64) time.Duration {
	k := checkpointsOf(f.cfg.Settings)
	costs := f.costs()
	return k.interval(func(seconds float64) float64 {
		n := f.perSec * seconds
		return beside*seconds + n*costs.Log(uses, n)
	}).Sub(0)
}

// log is how many bytes of log the application writes in so many seconds to tables of
// which the run itself knows no changes.
func (a *application) log() func(seconds float64) float64 {
	if a == nil || a.feeling == nil {
		return func(float64) float64 { return 0 }
	}
	f := a.feeling
	a.look()
	place := len(a.states) - 1
	uses := f.uses(place)
	a.states = a.states[:place]
	var idle []foreground.Table
	for i, id := range a.tables {
		if a.live.table(id).Activity.Idle() {
			idle = append(idle, uses[i])
		}
	}
	costs := f.costs()
	return func(seconds float64) float64 {
		n := f.perSec * seconds
		return n * costs.Log(idle, n)
	}
}

// memory is where pages may be. The ring of a vacuum is taken off at all times.
func (f *feeling) memory() foreground.Memory {
	shared := f.settings.SharedBuffers
	m := foreground.Memory{Shared: shared - f.settings.Ring, OS: math.Inf(1), PerSecond: f.perSec}
	if f.machine.MemoryBytes > 0 {
		m.OS = math.Max(f.machine.MemoryBytes/foreground.PageBytes-shared, 0)
	}
	return m
}

// uses are the tables of the application as at an instant.
func (f *feeling) uses(place int) []foreground.Table {
	out := make([]foreground.Table, len(f.tables))
	for i, id := range f.tables {
		t, s, a := f.live.table(id), f.states[place][i], f.asked.Transaction[i]
		out[i] = foreground.Table{Reads: a.Reads, Updates: a.Updates, Inserts: a.Inserts, Scans: a.Scans, HotShare: t.Activity.HotShare,
			Live: s.live, Dead: s.dead, Pages: s.pages, Indexes: t.Indexes, IndexPages: s.indexPages}
	}
	return out
}

// bloat is what the tables are like, over all that are used: heap pages a live row,
// and versions a look-up.
func (f *feeling) bloat(place int) (pagesPerRow, versions float64) {
	var pages, rows, looks, gone float64
	for _, t := range f.uses(place) {
		pages += t.Pages
		rows += t.Live
		looks += t.Reads + t.Updates
		gone += (t.Reads + t.Updates) * t.VersionsPerLook()
	}
	if looks == 0 {
		looks, gone = 1, 1
	}
	return pages / math.Max(rows, 1), gone / looks
}
