package study

import (
	"math"
	"slices"
	"time"

	"avsim/scheduler"
	"avsim/sim"
)

// Replica is what one run of a scenario gave, by the names of figures; NaN for what it
// did not give.
type Replica struct {
	figures map[string]float64
	tables  int
	visits  int // that latenesses are known of
	vacuums int // that durations are known of
	time    sim.Account
	verdict scheduler.Verdict
}

// runFigure is a column of the result of runs.
type runFigure struct {
	name     string
	interval bool // whether _lo and _hi stand beside it
	compared bool // whether points are compared by it
	rare     int  // of how many visits or vacuums one is beyond it; 0 for all others
	of       func(*runWatch, *scheduler.RunResult) float64
}

// runFigures are those of every scenario; feltFigures come on top where there is an
// application.
var runFigures = func() []runFigure {
	type (
		watch  = *runWatch
		result = *scheduler.RunResult
	)
	count := func(name string, of func(r result) int) runFigure {
		return runFigure{name: name, of: func(_ watch, r result) float64 { return float64(of(r)) }}
	}
	quantile := func(name string, p float64, of func(w watch) []float64) runFigure {
		return runFigure{name: name, interval: true, rare: int(math.Round(1 / (1 - p))), of: func(w watch, _ result) float64 { return quantileOf(of(w), p) }}
	}
	late := func(w watch) []float64 { return w.lateness }
	took := func(w watch) []float64 { return w.durations }
	return []runFigure{
		{name: "lateness_mean_seconds", interval: true, compared: true, of: func(w watch, _ result) float64 { return meanOf(w.lateness) }},
		quantile("lateness_p50_seconds", 0.5, late),
		quantile("lateness_p90_seconds", 0.9, late),
		compared(quantile("lateness_p99_seconds", 0.99, late)),
		{name: "visits", of: func(_ watch, r result) (sum float64) {
			for _, t := range r.Tables.Visited() {
				sum += float64(len(t.Lateness))
			}
			return sum
		}},
		{name: "vacuum_duration_mean_seconds", interval: true, of: func(w watch, _ result) float64 { return meanOf(w.durations) }},
		quantile("vacuum_duration_p50_seconds", 0.5, took),
		quantile("vacuum_duration_p90_seconds", 0.9, took),
		quantile("vacuum_duration_p99_seconds", 0.99, took),
		{name: "dead_share", interval: true, compared: true, of: func(_ watch, r result) float64 { return r.DeadShare }},
		{name: "dead_rows_mean", interval: true, of: func(w watch, _ result) float64 { return w.dead / float64(w.samples) }},
		{name: "dead_row_seconds", interval: true, compared: true, of: func(w watch, r result) float64 { return w.dead / float64(w.samples) * r.Simulated.Seconds() }},
		{name: "dead_rows_end", of: func(_ watch, r result) (sum float64) {
			for _, t := range r.Tables.All() {
				sum += t.DeadRows
			}
			return sum
		}},
		{name: "tables_due_mean", interval: true, compared: true, of: func(w watch, _ result) float64 { return w.due / float64(w.samples) }},
		{name: "oldest_xid_age_peak", of: func(w watch, _ result) float64 { return w.oldest }},
		{name: "avg_autovacuum_workers", interval: true, compared: true, of: func(_ watch, r result) float64 { return r.AverageWorkers() }},
		{name: "slots_busy_share", interval: true, of: func(_ watch, r result) float64 { return float64(r.WorkerTime.Total()) / float64(r.Slots) }},
		{name: "total_autovacuum_count", interval: true, compared: true, of: func(_ watch, r result) float64 { return float64(r.Vacuums) }},
		{name: "total_autoanalyze_count", interval: true, of: func(_ watch, r result) float64 { return float64(r.Analyzes) }},
		count("total_anti_wraparound_autovacuum_count", func(r result) int { return r.Wraparound }),
		count("worker_starts", func(r result) int { return len(r.Starts) }),
		count("skips", func(r result) int { return r.Skips }),
		count("wasted_rechecks", func(r result) int { return r.WastedRechecks }),
		count("skipped", func(r result) int { return r.Skipped }),
		count("cancelled", func(r result) int { return r.Cancelled }),
		count("failsafe", func(r result) int { return r.Failsafe }),
		{name: "cost_charged", of: func(_ watch, r result) float64 { return r.Charged }},
	}
}()

func compared(f runFigure) runFigure { f.compared = true; return f }

// feltFigures are what the application felt.
var feltFigures = func() (out []runFigure) {
	intervals := []string{"vacuum_loaded_seconds", "foreground_throughput_drop_share", "foreground_latency_p99_ratio", "foreground_latency_p99_seconds", "foreground_latency_p99_vacuum_seconds"}
	comparedBy := intervals[:3]
	for i, f := range scheduler.FeltFigures() {
		name := f.Name
		if f.OfApplication {
			name = "foreground_" + name
		}
		out = append(out, runFigure{
			name: name, interval: slices.Contains(intervals, name), compared: slices.Contains(comparedBy, name),
			of: func(_ *runWatch, r *scheduler.RunResult) float64 { return r.Felt.Figures()[i] },
		})
	}
	return out
}()

// figures are those of the study's scenario.
func (s Runs) figures() []runFigure {
	if s.Base.Foreground == nil {
		return runFigures
	}
	return slices.Concat(runFigures, feltFigures)
}

// mostLooks and mostLooked bound how often, and at how many tables in all, a run is
// looked at for the means over its time.
const (
	mostLooks  = 400
	leastLooks = 50
	mostLooked = 20_000_000
)

// runWatch gathers what a run's result does not hold.
type runWatch struct {
	warmUp              sim.Time
	end                 sim.Time
	samples             int
	dead, due, oldest   float64 // sums over the samples; of the oldest the peak
	lateness, durations []float64
}

// watch has a run looked at, at instants spread over it.
func watch(cfg *scheduler.RunConfig) *runWatch {
	w := &runWatch{warmUp: sim.Time(cfg.WarmUp), end: sim.Time(cfg.For)}
	tables := 1
	for i := range cfg.World.Databases {
		tables += cfg.World.Databases[i].Tables.Len()
	}
	// As many looks at what is left of the run without its warm-up.
	looks := min(max(mostLooked/tables, leastLooks), mostLooks)
	share := float64(cfg.For) / float64(max(cfg.For-cfg.WarmUp, time.Nanosecond))
	cfg.Samples = int(math.Min(float64(looks)*share, 100*float64(looks)))
	cfg.Sample = w.see
	return w
}

func (w *runWatch) see(x scheduler.Sample) {
	if x.At < w.warmUp || x.At >= w.end && w.samples > 0 { // the last look is no part of the mean
		return
	}
	w.samples++
	w.dead += x.Dead
	w.due += float64(x.Due)
	for _, age := range x.OldestXID {
		w.oldest = math.Max(w.oldest, age)
	}
}

// replica is what is kept of a run.
func (w *runWatch) replica(cfg scheduler.RunConfig, r *scheduler.RunResult) *Replica {
	w.lateness = r.AllLateness() // as run tells it: with what still waits at the end
	w.durations = slices.Clone(r.Durations)
	slices.Sort(w.durations)
	out := &Replica{figures: map[string]float64{}, tables: r.Tables.Len(), visits: len(w.lateness), vacuums: len(w.durations),
		time: r.WorkerTime, verdict: r.Verdict}
	for _, f := range runFigures {
		out.figures[f.name] = finite(f.of(w, r))
	}
	if r.Felt != nil {
		for _, f := range feltFigures {
			out.figures[f.name] = finite(f.of(w, r))
		}
	}
	return out
}

func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

func meanOf(xs []float64) float64 {
	var t sim.Tally
	for _, x := range xs {
		t.Add(x)
	}
	return t.Mean()
}

// quantileOf is the smallest of sorted samples that a share p of them does not exceed.
func quantileOf(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[max(int(math.Ceil(p*float64(len(sorted))))-1, 0)]
}

// samplesOf is a figure of each replication.
func samplesOf(runs []*Replica, name string) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		x, ok := r.figures[name]
		if out[i] = x; !ok {
			out[i] = math.NaN()
		}
	}
	return out
}

// known are the samples that have a value.
func known(samples []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(samples), math.IsNaN)
}
