package scheduler

import (
	"math"
	"slices"
	"time"

	"avsim/sim"
)

// workerFigures are those of the workers' lives.
func (r *RunResult) workerFigures(out map[string]float64) {
	out["worker_starts"] = float64(len(r.Starts))
	out["worker_starts_per_s"] = float64(len(r.Starts)) / r.Simulated.Seconds()
	out["worker_ramp_seconds"] = r.ramp()
	out["visits_per_worker"] = r.visitsPerWorker()
}

// tableFigures are those of all tables together.
func (r *RunResult) tableFigures(out map[string]float64) {
	s := r.tableSums()
	first, forced, last := sim.Forever, sim.Forever, sim.Time(-1)
	var starts []float64
	for _, t := range r.Tables.Visited() {
		if t.FirstVacuum >= 0 {
			first = min(first, t.FirstVacuum)
			starts = append(starts, t.FirstVacuum.Seconds())
		}
		if len(t.WraparoundTimes) > 0 {
			forced = min(forced, t.WraparoundTimes[0])
		}
		last = max(last, t.LastVacuumEnd)
	}
	out["removed_rows"], out["dead_rows_end"], out["live_rows_end"] = s.removed, s.dead, s.live
	out["index_pages_scanned"], out["index_scans"], out["vacuum_seconds"] = s.indexPages, float64(s.indexScans), s.vacuuming
	out["oldest_xid_age_end"] = s.oldest
	out["first_vacuum_mean_seconds"] = meanOf(starts)
	out["first_vacuum_seconds"], out["first_anti_wraparound_seconds"], out["last_vacuum_end_seconds"] = instant(first), instant(forced), instant(last)
}

// DatabaseFigures are those of the workers of one database.
func (r *RunResult) DatabaseFigures(database string) map[string]float64 {
	var at []sim.Time
	for _, s := range r.Starts {
		if s.Database == database {
			at = append(at, s.At)
		}
	}
	interval := math.NaN()
	if n := len(at) - 1; n >= 1 {
		interval = at[n].Sub(at[0]).Seconds() / float64(n)
	}
	return map[string]float64{"worker_starts": float64(len(at)), "start_interval_seconds": interval}
}

// visitsPerWorker are vacuums and analyzes of each worker that had any; no number without
// one.
func (r *RunResult) visitsPerWorker() float64 {
	visits, workers := 0, 0
	for i := range r.Workers {
		if n := r.Workers[i].Vacuums + r.Workers[i].Analyzes; n > 0 {
			visits, workers = visits+n, workers+1
		}
	}
	return float64(visits) / float64(workers)
}

// ramp is how long after the first worker the one starts with which as many run at a time
// as ever do.
func (r *RunResult) ramp() float64 {
	if len(r.Starts) == 0 {
		return math.NaN()
	}
	ends := make([]sim.Time, 0, len(r.Workers))
	for i := range r.Workers {
		ends = append(ends, r.Workers[i].End)
	}
	slices.Sort(ends)
	most, ramp, gone := 0, 0.0, 0
	for n, s := range r.Starts {
		for gone < len(ends) && ends[gone] <= s.At {
			gone++
		}
		if running := n + 1 - gone; running > most {
			most, ramp = running, s.At.Sub(r.Starts[0].At).Seconds()
		}
	}
	return ramp
}

// instant is a time in seconds; no number for one that never came.
func instant(t sim.Time) float64 {
	if t < 0 || t == sim.Forever {
		return math.NaN()
	}
	return time.Duration(t).Seconds()
}
