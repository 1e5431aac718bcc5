package lab

import (
	"math"

	"avsim/sim"
)

// Results are what the lab gave.
type Results struct {
	*Lab
	values [][][]float64 // by point, replication and measure
}

// Mark is how a strategy does against the best.
type Mark string

// The marks. Where the interval of the difference to the best contains zero it is a tie.
const (
	Best  Mark = "best"
	Tie   Mark = "tie"
	Worse Mark = "worse"
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
	more := Measures()[measure].More
	out := make([]Cell, len(r.Strategies))
	best := 0
	for i := range out {
		out[i].Value = sim.StudentInterval(r.sample(scenario, i, measure), confidence)
		if a, b := out[i].Value.Mean, out[best].Value.Mean; more && a > b || !more && a < b {
			best = i
		}
	}
	for i := range out {
		out[i].Difference = r.difference(scenario, measure, i, best)
		switch {
		case i == best:
			out[i].Mark = Best
		case ties(out[i].Difference):
			out[i].Mark = Tie
		default:
			out[i].Mark = Worse
		}
	}
	return out
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
	best := math.Abs(c.Value.Mean - c.Difference.Mean)
	if best == 0 {
		return sim.Interval{Mean: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	return sim.Interval{Mean: c.Difference.Mean / best, Lo: c.Difference.Lo / best, Hi: c.Difference.Hi / best}
}
