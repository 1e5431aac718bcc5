package lab

import (
	"slices"

	"avsim/scheduler"
	"avsim/sim"
)

// TableWait is what became of a table in a run of a case.
type TableWait struct {
	Vacuums, Analyzes int
	Longest           float64  // seconds for which it waited at the most, the end of the run included
	Waits             bool     // whether that is the wait in which the run ended
	FirstDone         sim.Time // when the first visit that did something ended; -1 for none
}

// TableWaits are those of a case's run, in the order of its tables.
func (c Case) TableWaits(r *scheduler.RunResult) []TableWait {
	out := make([]TableWait, len(c.Tables))
	for i := range out {
		out[i].FirstDone = -1
	}
	for _, t := range r.Tables.All() {
		i := slices.Index(c.names(), t.Name)
		if i < 0 {
			continue
		}
		w := TableWait{Vacuums: t.Vacuums, Analyzes: t.Analyzes, FirstDone: t.FirstDone, Longest: t.Waiting, Waits: t.Waiting > 0}
		for _, late := range t.Lateness {
			if late > w.Longest {
				w.Longest, w.Waits = late, false
			}
		}
		out[i] = w
	}
	return out
}

// LongWork are a run's vacuums and analyzes of a minute or more, in the order in which
// they began.
func LongWork(r *scheduler.RunResult) (out []scheduler.RunEvent) {
	for _, e := range r.Events {
		if e.At.Sub(e.Start).Minutes() >= 1 {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b scheduler.RunEvent) int { return int(a.Start - b.Start) })
	return out
}
