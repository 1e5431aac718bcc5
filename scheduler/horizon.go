package scheduler

import (
	"cmp"
	"slices"
	"time"

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

// heldSpan is a time for which some snapshot was held throughout.
type heldSpan struct{ from, to sim.Time }

// spans are the times for which any is.
func (h horizons) spans() (out []heldSpan) {
	for i, step := range h {
		to := sim.Forever
		if i+1 < len(h) {
			to = h[i+1].from
		}
		switch last := len(out) - 1; {
		case step.held == sim.Forever:
		case last >= 0 && out[last].to == step.from:
			out[last].to = to
		default:
			out = append(out, heldSpan{step.from, to})
		}
	}
	return out
}

// sessionsEnd are the snapshots as they are where the server restarts: those of one
// database are of its sessions, which end then; what holds all of them back is taken to
// be a standby or a slot, and goes on. One that lasts to the end of the run is held
// there too.
func sessionsEnd(all []workload.Horizon, incidents []workload.Incident, length sim.Time) []workload.Horizon {
	out := slices.Clone(all)
	for i := range out {
		h := &out[i]
		for _, x := range incidents {
			if restarts := x.Kind == workload.Restart || x.Kind == workload.Crash; restarts && h.Database >= 0 && h.From < x.At && x.At < h.To {
				h.To = x.At
			}
		}
		if sim.Time(h.To) >= length {
			h.To = time.Duration(sim.Forever)
		}
	}
	return out
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
