package study

import (
	"math"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
)

// Pairing compares the points of a group, which saw the same random numbers,
// with the first of them.
type Pairing struct {
	group int
	first []experiment.Samples
}

// Fields are those of the last columns, of each figure the ratio to the group's first
// point and the difference, from pairs of replications. Points come in the order of the
// grid. Fields are empty where the group has no first point. Replications in which one
// of the two has no value, and those that only one of them has, are left out.
func (c *Pairing) Fields(group int, first bool, samples []experiment.Samples) (out []string) {
	if first {
		c.group, c.first = group, samples
	}
	for i, x := range samples {
		if c.first == nil || c.group != group || i >= len(c.first) {
			out = append(out, make([]string, 6)...)
			continue
		}
		out = append(out, compare(x, c.first[i])...)
	}
	return out
}

func compare(x, first experiment.Samples) []string {
	var a, b, differences []float64
	for i := range min(len(x), len(first)) {
		if !math.IsNaN(x[i]) && !math.IsNaN(first[i]) {
			a, b, differences = append(a, x[i]), append(b, first[i]), append(differences, x[i]-first[i])
		}
	}
	ratio := interval(sim.PairedRatio(a, b, scheduler.Confidence), true)
	return append(ratio, interval(sim.StudentInterval(differences, scheduler.Confidence), false)...)
}
