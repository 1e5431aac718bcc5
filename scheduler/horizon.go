package scheduler

import (
	"cmp"
	"slices"

	"avsim/sim"
	"avsim/workload"
)

// horizons is which snapshot holds a database's vacuums back, at any time: steps in
// the order of time. Nil holds nothing back.
type horizons []horizonStep

type horizonStep struct {
	from sim.Time // the step goes on to the next
	held sim.Time // since when the oldest snapshot has been held; Forever for none
}

// newHorizons are the steps of a database, given by its place.
func newHorizons(all []workload.Horizon, db int) horizons {
	var mine []workload.Horizon
	var turns []sim.Time
	for _, h := range all {
		if h.Database < 0 || h.Database == db {
			mine = append(mine, h)
			turns = append(turns, sim.Time(h.From), sim.Time(h.To))
		}
	}
	slices.SortFunc(mine, func(a, b workload.Horizon) int { return cmp.Compare(a.From, b.From) })
	slices.Sort(turns)
	var out horizons
	for _, at := range slices.Compact(turns) {
		for len(mine) > 0 && sim.Time(mine[0].To) <= at {
			mine = mine[1:]
		}
		step := horizonStep{from: at, held: sim.Forever}
		if len(mine) > 0 && sim.Time(mine[0].From) <= at {
			step.held = sim.Time(mine[0].From)
		}
		out = append(out, step)
	}
	return out
}

// at is OldestXmin at an instant, as an instant: what died before is removable.
func (h horizons) at(t sim.Time) sim.Time {
	n, found := slices.BinarySearchFunc(h, t, func(s horizonStep, t sim.Time) int { return cmp.Compare(s.from, t) })
	if !found {
		n--
	}
	if n < 0 {
		return t
	}
	return min(h[n].held, t)
}
