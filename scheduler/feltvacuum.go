package scheduler

import (
	"math"
	"slices"
	"time"

	"avsim/scheduler/foreground"
	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// doneVacuum is a vacuum that has ended, with its plan.
type doneVacuum struct {
	RunEvent
	phases     []vacuum.Phase
	total      vacuum.Usage
	dead       vacuum.DeadItems
	indexScans int
	cost       float64
}

// vacuumed is told of each vacuum that ended.
func (a *application) vacuumed(e RunEvent, p *vacuum.Plan) {
	if a == nil {
		return
	}
	a.vacuums = append(a.vacuums, doneVacuum{e, slices.Clone(p.Phases), p.Total(), p.Dead, p.IndexScans, p.Cost()})
}

// layVacuum lays the phases of a vacuum out in time.
func (f *feeling) layVacuum(v *doneVacuum) {
	elapsed := v.At.Sub(v.Start).Seconds()
	u, number := v.total, len(f.out.Vacuums)
	f.out.Vacuums = append(f.out.Vacuums, FeltVacuum{Database: v.Database, Table: v.Table, Start: time.Duration(v.Start),
		Alone: inSeconds(f.asked.VacuumTime * elapsed), IndexScans: v.indexScans,
		PeakBytes: v.dead.PeakBytes, LimitBytes: v.dead.LimitBytes, DeadRows: v.dead.Items, DeadPages: v.dead.Pages,
		HeapPages: u.HeapPages, IndexPages: u.IndexPages, Reads: u.Reads, FromDevice: u.FromDevice, Dirtied: u.Dirtied, LogBytes: u.WALBytes})
	f.out.VacuumSeconds += f.asked.VacuumTime * elapsed

	parts := phaseParts(v, elapsed)
	at := v.Start.Seconds()
	for i := range v.phases {
		p := &v.phases[i]
		length := f.asked.VacuumTime * parts[i]
		pages := p.Usage.HeapPages + p.Usage.IndexPages
		if pages >= 1 && length > 0 {
			f.spans = append(f.spans, f.span(p, pages, number, at, length))
		}
		at += length
	}
}

// phaseParts are the seconds of each phase: its work, and of the rest, which are
// sleeps, as much as of the cost.
func phaseParts(v *doneVacuum, elapsed float64) []float64 {
	parts := make([]float64, len(v.phases))
	work := 0.0
	for i := range v.phases {
		work += v.phases[i].Free.Total().Seconds()
	}
	slept := math.Max(elapsed-work, 0)
	sum := 0.0
	for i := range v.phases {
		parts[i] = v.phases[i].Free.Total().Seconds()
		if v.cost > 0 {
			parts[i] += slept * v.phases[i].Cost / v.cost
		}
		sum += parts[i]
	}
	for i := range parts {
		parts[i] *= elapsed / math.Max(sum, 1e-12)
	}
	return parts
}

// span is a phase as the application meets it. What of its time is neither the
// processor's nor the device's it is idle.
func (f *feeling) span(p *vacuum.Phase, pages float64, number int, at, length float64) feltSpan {
	u := p.Usage
	cpu := p.Free.Processor.Seconds()
	idle := math.Max(length-cpu-p.Free.Device.Seconds(), 0)
	s := feltSpan{from: at, to: at + length, vacuum: number, phase: p.Kind.String(), work: foreground.Work{
		CPU: inSeconds(cpu / pages), Idle: inSeconds(idle / pages), Reads: math.Min(u.FromDevice/pages, 1), Writes: math.Min(u.Dirtied/pages, 1),
		LogBytes: u.WALBytes / pages, Ring: f.settings.Ring, Ahead: max(int(f.machine.Device.ReadAhead/vacuum.PageBytes), 1)}}
	s.device = u.FromDevice / length
	if f.settings.Ring <= 0 {
		s.scans = u.Reads / length
	}
	return s
}

// found is what a vacuum finds in memory of a table that the application uses, as the
// application leaves it. Where the run itself has activity on the table, that tells
// better, and ok is false.
func (a *application) found(t *liveTable, at sim.Time) (out found, ok bool) {
	if a == nil || !t.Activity.Idle() {
		return out, false
	}
	for i, id := range a.tables {
		if id != t.id {
			continue
		}
		f := a.feeling
		a.look()
		place := len(a.states) - 1
		uses, m := f.uses(place), f.memory()
		a.states = a.states[:place]
		hits, changes := foreground.HitsOf(uses, m), uses[i].Changes()
		heap := cacheOf(hits[2*i], changes[0]*m.ImagesEvery)
		leaf := cacheOf(hits[2*i+1], changes[1]*m.ImagesEvery)
		return found{dead: heap, marked: heap, rest: heap, index: leaf}, true
	}
	return out, false
}

// cacheOf is what a vacuum finds of pages of which each was changed so often, on
// average, since the last checkpoint.
func cacheOf(h foreground.Hit, changes float64) vacuum.Cache {
	changed := -math.Expm1(-changes)
	return vacuum.Cache{Cached: h.Shared, Dirty: h.Shared * changed, Logged: changed, InOS: h.OS}
}
