package lab

import (
	"math"
	"slices"

	"avsim/scheduler"
	"avsim/sim"
)

// Measure is something that a run is judged by.
type Measure struct {
	Name  string // with its unit, as a column
	Title string
	More  bool // more is better; otherwise less is
	of    func(*outcome) float64
	bound func(*outcome) bool // whether the run bounded the value, nil for never
}

// Bound is the mark of values that the run bounded; none for a measure that it bounds never.
func (m Measure) Bound() Mark {
	switch {
	case m.bound == nil:
		return ""
	case m.More:
		return Exhausted
	}
	return Ended
}

// outcome is a run with what was seen of it on the way.
type outcome struct {
	*scheduler.RunResult
	samples []scheduler.Sample
	late    []float64 // seconds, of all visits and of tables that wait at the end; sorted
}

// Measures are all of them, in the order in which they are shown.
func Measures() []Measure {
	return []Measure{
		{"vacuums_per_s", "vacuums a second", true, func(o *outcome) float64 { return float64(o.Vacuums) / o.Simulated.Seconds() }, (*outcome).exhausted},
		{"makespan_seconds", "time until all that was due at the start is done once, s", false, (*outcome).makespan, (*outcome).unfinished},
		{"lateness_mean_seconds", "mean lateness, s", false, func(o *outcome) float64 { return mean(o.late) }, nil},
		{"lateness_p99_seconds", "lateness, 99th percentile, s", false, func(o *outcome) float64 { return quantile(o.late, 0.99) }, func(o *outcome) bool { return o.whole(quantile(o.late, 0.99)) }},
		{"wait_max_seconds", "longest wait, s", false, func(o *outcome) float64 { return quantile(o.late, 1) }, func(o *outcome) bool { return o.whole(quantile(o.late, 1)) }},
		{"dead_tuple_seconds", "integral of dead tuples over time", false, (*outcome).deadIntegral, nil},
		{"wasted_rechecks_per_s", "looks at tables in vain, a second", false, func(o *outcome) float64 {
			return float64(o.WastedRechecks+o.Skips) / o.Simulated.Seconds()
		}, nil},
		{"index_passes_per_million", "passes over indexes for a million dead rows removed", false, (*outcome).indexPasses, nil},
		{"dead_tuple_use", "integral of dead tuples, by changes a second of their table", false, (*outcome).deadUse, nil},
		{"age_max_transactions", "oldest table, transactions", false, (*outcome).worstAge, nil},
		{"fairness_jain", "fairness (Jain) of tables' mean lateness", true, (*outcome).fairness, nil},
		{"lock_wait_seconds", "workers' time waiting for the schedule lock, s", false, func(o *outcome) float64 {
			return o.WorkerTime[scheduler.ScheduleLock].Seconds()
		}, nil},
	}
}

func newOutcome(r *scheduler.RunResult, samples []scheduler.Sample) *outcome {
	o := &outcome{RunResult: r, samples: samples}
	for _, t := range r.Tables.Visited() {
		o.late = append(o.late, t.Lateness...)
		if t.Waiting > 0 {
			o.late = append(o.late, t.Waiting)
		}
	}
	slices.Sort(o.late)
	return o
}

// makespan is the length of the run where something is not done by then.
func (o *outcome) makespan() float64 {
	last := 0.0
	for _, t := range o.Tables.Visited() {
		switch {
		case !t.DueAtStart:
		case t.FirstDone < 0:
			return o.Simulated.Seconds()
		default:
			last = max(last, t.FirstDone.Seconds())
		}
	}
	return last
}

// deadIntegral is exact but for one thing. What vacuums remove they remove at instants
// that are known: each takes what it removed times the time that was left off the integral
// of what would be there without vacuums. That one, which hardly depends on the strategy,
// is taken by trapezoids between samples: exact for constant rates, as all of the panel are.
func (o *outcome) deadIntegral() float64 {
	var sum, removed float64
	end := o.Simulated
	next := 0
	gross := func(s scheduler.Sample) float64 {
		for ; next < len(o.Events) && o.Events[next].At <= s.At; next++ {
			removed += o.Events[next].Removed
		}
		return s.Dead + removed
	}
	var before scheduler.Sample
	var was float64
	for i, s := range o.samples {
		is := gross(s)
		if i > 0 {
			sum += (was + is) / 2 * s.At.Sub(before.At).Seconds()
		}
		before, was = s, is
	}
	for _, e := range o.Events {
		sum -= e.Removed * (end.Seconds() - e.At.Seconds())
	}
	return sum
}

// indexPasses are how often vacuums went through their table's indexes, for a million of
// dead rows that they removed; 0 where none were.
func (o *outcome) indexPasses() float64 {
	passes, removed := 0, 0.0
	for _, e := range o.Events {
		passes, removed = passes+e.IndexScans(), removed+e.Removed
	}
	if removed == 0 {
		return 0
	}
	return float64(passes) / (removed / 1e6)
}

// deadUse is bloat times use: the integral of each table's dead rows over time, times the
// rows that are updated and deleted in it in a second. Dead rows are taken to come at a
// constant rate, as in the panel.
func (o *outcome) deadUse() float64 {
	type name struct{ database, table string }
	length := o.Simulated.Seconds()
	taken := map[name]float64{} // dead row seconds that vacuums saved
	for _, e := range o.Events {
		if e.Removed > 0 {
			taken[name{e.Database, e.Table}] += e.Removed * (length - e.At.Seconds())
		}
	}
	var sum float64
	for _, t := range o.Tables.All() {
		came := t.DeadRows + t.Removed - t.DeadAtStart
		sum += (t.Updated + t.Deleted) / length * ((t.DeadAtStart+came/2)*length - taken[name{t.Database, t.Name}])
	}
	return sum
}

// worstAge is the greatest age of a database's oldest table, at the instants of samples.
func (o *outcome) worstAge() float64 {
	worst := 0.0
	for _, s := range o.samples {
		worst = max(worst, slices.Max(s.OldestXID))
	}
	return worst
}

// fairness is Jain's index over the tables that were due: 1 where all have waited alike,
// 1/n where one of n has waited alone.
func (o *outcome) fairness() float64 {
	var n, sum, squares float64
	for _, t := range o.Tables.Visited() {
		late := t.Lateness
		if t.Waiting > 0 {
			late = append(slices.Clip(late), t.Waiting)
		}
		if len(late) == 0 {
			continue
		}
		x := mean(late)
		n, sum, squares = n+1, sum+x, squares+x*x
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (n * squares)
}

// mean is 0 of nothing.
func mean(xs []float64) float64 {
	var t sim.Tally
	for _, x := range xs {
		t.Add(x)
	}
	if t.Count() == 0 {
		return 0
	}
	return t.Mean()
}

// quantile of sorted values, 0 of none: the least that so large a share do not exceed.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(share*float64(len(sorted)))), 1)-1]
}
