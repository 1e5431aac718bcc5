package lab

import (
	"math"

	"avsim/sim"
)

// Results are what the lab gave.
type Results struct {
	*Lab
	values [][][]float64 // by point and replication: each measure, then for each whether the run bounded it (1)
}

// Mark is how a strategy does against the best.
type Mark string

// The marks. Where the interval of the difference to the best contains zero it is a tie.
const (
	Best  Mark = "best"
	Tie   Mark = "tie"
	Worse Mark = "worse"

	// Ended is a wait or makespan as long as the run in a replication or more, which would
	// else be the best or a tie, or what ties with such a one: the run ended first.
	Ended Mark = "end"
	// Exhausted is a rate of vacuums where all that was due was done before the end.
	Exhausted Mark = "exhausted"
)

// confidence of all intervals, of each by itself.
const confidence = 0.95

// Cell is a measure of a scenario under a strategy.
type Cell struct {
	Value sim.Interval
	// Difference is how much it is above the best, over pairs of replications.
	Difference sim.Interval
	Mark       Mark
}

// sample are a measure's values, by replication.
func (r *Results) sample(scenario, strategy, measure int) []float64 {
	runs := r.values[scenario*len(r.Strategies)+strategy]
	out := make([]float64, len(runs))
	for i, values := range runs {
		out[i] = values[measure]
	}
	return out
}

// Column are the cells of a scenario for one measure, by strategy.
func (r *Results) Column(scenario, measure int) []Cell {
	m := Measures()[measure]
	out := make([]Cell, len(r.Strategies))
	bounds := make([]int, len(out))
	best := 0
	for i := range out {
		out[i].Value = sim.StudentInterval(r.sample(scenario, i, measure), confidence)
		bounds[i] = r.bounded(scenario, i, measure)
		if a, b := out[i].Value.Mean, out[best].Value.Mean; m.More && a > b || !m.More && a < b {
			best = i
		}
	}
	for i := range out {
		out[i].Difference = r.difference(scenario, measure, i, best)
	}
	for i := range out {
		out[i].Mark = mark(out, bounds, i, best, len(r.values[scenario*len(out)+i]), m)
	}
	return out
}

// bounded is in how many replications the run bounded a value.
func (r *Results) bounded(scenario, strategy, measure int) (n int) {
	for _, values := range r.values[scenario*len(r.Strategies)+strategy] {
		if values[len(Measures())+measure] != 0 {
			n++
		}
	}
	return n
}

// difference of two strategies, over pairs of replications.
func (r *Results) difference(scenario, measure, a, b int) sim.Interval {
	x, y := r.sample(scenario, a, measure), r.sample(scenario, b, measure)
	for i := range x {
		x[i] -= y[i]
	}
	return sim.StudentInterval(x, confidence)
}

// ties tells whether a difference may be none: its interval contains zero, or is not known.
func ties(d sim.Interval) bool { return !(d.Lo > 0 || d.Hi < 0) }

// Relative is the difference in parts of the best; NaN where that is zero.
func (c Cell) Relative() sim.Interval {
	best := math.Abs(c.Best())
	if best == 0 {
		return sim.Interval{Mean: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	return sim.Interval{Mean: c.Difference.Mean / best, Lo: c.Difference.Lo / best, Hi: c.Difference.Hi / best}
}

// Best is the value of the best of the scenario.
func (c Cell) Best() float64 { return c.Value.Mean - c.Difference.Mean }
