package scheduler

import (
	"math"

	"avsim/scheduler/foreground"
)

// demand is what a transaction asks for with the tables as at an instant, while a
// phase of a vacuum is under way.
func (f *feeling) demand(place int, s *feltSpan) (foreground.Demand, foreground.Found) {
	m := f.memory()
	if s != nil {
		m.OnceShared, m.OnceOS = s.scans, s.device
	}
	c := f.asked.Costs
	costs := foreground.Costs{Statement: c.Statement, Page: c.Page, Version: c.Version, Copy: c.Copy, LogBytes: c.LogBytes}
	return costs.Of(f.uses(place), m)
}

// memory is where pages may be. The ring of a vacuum is taken off at all times.
func (f *feeling) memory() foreground.Memory {
	shared := f.settings.SharedBuffers
	m := foreground.Memory{Shared: shared - f.settings.Ring, OS: math.Inf(1), PerSecond: f.perSec, ImagesEvery: f.cfg.Settings.Duration("checkpoint_timeout").Seconds() * f.perSec}
	if f.machine.MemoryBytes > 0 {
		m.OS = math.Max(f.machine.MemoryBytes/foreground.PageBytes-shared, 0)
	}
	return m
}

// uses are the tables of the application as at an instant.
func (f *feeling) uses(place int) []foreground.Table {
	out := make([]foreground.Table, len(f.tables))
	for i, id := range f.tables {
		t, s, a := &f.live.tables[id], f.states[place][i], f.asked.Transaction[i]
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
