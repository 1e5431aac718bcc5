package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/foreground"
	"avsim/scheduler/vacuum"
)

// layVacuum plans a vacuum of the run as it finds the table with what the application
// leaves in memory, and lays its phases out in time.
func (f *feeling) layVacuum(e RunEvent) {
	plan := f.plan(e)
	slept := plan.Sleeps(f.budget)
	alone := time.Duration(f.asked.VacuumTime * float64(plan.Elapsed(f.budget)))
	u := plan.Total()
	number := len(f.out.Vacuums)
	f.out.Vacuums = append(f.out.Vacuums, FeltVacuum{Database: e.Database, Table: e.Table, Start: time.Duration(e.Start), Alone: alone,
		IndexScans: plan.IndexScans, PeakBytes: plan.Dead.PeakBytes, LimitBytes: plan.Dead.LimitBytes, DeadRows: plan.Dead.Items, DeadPages: plan.Dead.Pages,
		HeapPages: u.HeapPages, IndexPages: u.IndexPages, Reads: u.Reads, FromDevice: u.FromDevice, Dirtied: u.Dirtied, LogBytes: u.WALBytes})
	f.out.VacuumSeconds += alone.Seconds()

	at := e.Start.Seconds()
	for i := range plan.Phases {
		p := &plan.Phases[i]
		length := f.asked.VacuumTime * phaseSeconds(plan, p, slept.Total)
		pages := p.Usage.HeapPages + p.Usage.IndexPages
		if pages >= 1 && length > 0 {
			f.spans = append(f.spans, f.span(p, pages, number, at, length))
		}
		at += length
	}
}

// phaseSeconds is a phase's part of the elapsed time: of the sleeps as of the cost.
func phaseSeconds(plan *vacuum.Plan, p *vacuum.Phase, slept time.Duration) float64 {
	own := 0.0
	if plan.Cost() > 0 {
		own = float64(slept) * p.Cost / plan.Cost()
	}
	throttled, free := plan.Work()
	asleep := float64(slept) / (float64(slept) + 4*float64(free) + 1)
	if throttled == 0 {
		asleep = 0
	}
	return (own + asleep*float64(p.Work) + (1-asleep)*float64(p.Unthrottled)) / 1e9
}

// span is a phase as the application meets it. What of its time is neither the
// processor's nor the device's it is idle.
func (f *feeling) span(p *vacuum.Phase, pages float64, number int, at, length float64) feltSpan {
	u := p.Usage
	cpu := math.Max((p.Unthrottled - p.Device).Seconds(), 0)
	idle := math.Max(length-cpu-p.Device.Seconds(), 0)
	s := feltSpan{from: at, to: at + length, vacuum: number, phase: p.Kind.String(), work: foreground.Work{
		CPU: inSeconds(cpu / pages), Idle: inSeconds(idle / pages), Reads: math.Min(u.FromDevice/pages, 1), Writes: math.Min(u.Dirtied/pages, 1),
		LogBytes: u.WALBytes / pages, Ring: f.settings.Ring, Ahead: max(int(f.machine.Device.ReadAhead/vacuum.PageBytes), 1)}}
	s.device = u.FromDevice / length
	if f.settings.Ring <= 0 {
		s.scans = u.Reads / length
	}
	return s
}

// plan is the vacuum as the engine has it.
func (f *feeling) plan(e RunEvent) *vacuum.Plan {
	t := f.tableOf(e)
	heap, leaf := f.caches(t, e)
	rows := 1
	if e.pages > 0 {
		rows = int(math.Round(usablePerPage(t)))
	}
	table := vacuum.Table{Pages: e.pages, Skippable: math.Max(e.pages-e.read, 0), Dead: e.Removed, Marked: e.marked,
		RowsPerPage: rows, RowBytes: float64(t.RowBytes), Seed: uint64(t.id) + f.cfg.Seed,
		DeadCache: heap, MarkedCache: heap, RestCache: heap}
	total := t.IndexPages(e.rows + e.Removed)
	for range t.Indexes {
		table.Indexes = append(table.Indexes, vacuum.Index{Pages: total / float64(t.Indexes), Cache: leaf})
	}
	return vacuum.Job{Settings: f.settings, Machine: f.machine, Table: table, Count: true}.Plan()
}

// usablePerPage is how many rows a page of the table has at most.
func usablePerPage(t *liveTable) float64 {
	const many = 1e6
	return math.Min(many/t.Pages(many), 291)
}

// tableOf is the table of an event.
func (f *feeling) tableOf(e RunEvent) *liveTable {
	for i := range f.live.tables {
		if t := &f.live.tables[i]; t.Name == e.Table && t.db.name == e.Database {
			return t
		}
	}
	return nil
}

// caches are what of a table's heap and indexes is in memory: as the application
// leaves it, all of a table that it does not use.
func (f *feeling) caches(t *liveTable, e RunEvent) (heap, leaf vacuum.Cache) {
	heap, leaf = vacuum.All(), vacuum.All()
	place := min(int(e.Start.Seconds()/f.cfg.For.Seconds()*instants), len(f.states)-1)
	for i, id := range f.tables {
		if id != t.id {
			continue
		}
		uses, m := f.uses(place), f.memory()
		hits := foreground.HitsOf(uses, m)
		changes := uses[i].Changes()
		heap = cacheOf(hits[2*i], changes[0]*m.ImagesEvery)
		leaf = cacheOf(hits[2*i+1], changes[1]*m.ImagesEvery)
	}
	return heap, leaf
}

// cacheOf is what a vacuum finds of pages of which each was changed so often, on
// average, since the last checkpoint.
func cacheOf(h foreground.Hit, changes float64) vacuum.Cache {
	changed := -math.Expm1(-changes)
	return vacuum.Cache{Cached: h.Shared, Dirty: h.Shared * changed, Logged: changed, InOS: h.OS}
}
