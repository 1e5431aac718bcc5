package explain

import (
	"testing"

	"avsim/scheduler"
	"avsim/sim"
)

// TestHolds: what lowers a figure most holds it up, what raises it most holds it down;
// what chance alone may give, or moves less than a twentieth, holds nothing.
func TestHolds(t *testing.T) {
	effect := func(c scheduler.Constraint, base, then float64, differs bool) Effect {
		return Effect{Loosening: Loosening{Constraint: c}, Figures: []Figure{{Name: "late",
			Base: sim.Interval{Mean: base}, Then: sim.Interval{Mean: then}, Change: sim.Interval{Mean: then - base}, Differs: differs}}}
	}
	x := &Explanation{Effects: []Effect{
		effect(scheduler.BoundByDisk, 100, 10, false), // by chance
		effect(scheduler.BoundByCostBudget, 100, 80, true),
		effect(scheduler.BoundByWorkerSlots, 100, 40, true),
		effect(scheduler.BoundByNaptime, 100, 104, true), // too little
	}}
	if h, ok := x.Holds("late", true); !ok || h.Constraint != scheduler.BoundByWorkerSlots {
		t.Errorf("up: %v, %v", h.Constraint, ok)
	}
	if h, ok := x.Holds("late", false); ok {
		t.Errorf("down: %v", h.Constraint)
	}
	if _, ok := x.Holds("early", true); ok {
		t.Error("a figure that is not there is held")
	}
}

// TestOf: figures by their names, of the run, of a table and of a database.
func TestOf(t *testing.T) {
	r := &scheduler.RunResult{Vacuums: 7, Tables: scheduler.ResultsOf(scheduler.TableResult{Database: "db", Name: "t", TableVisits: scheduler.TableVisits{Vacuums: 3}}, scheduler.TableResult{Database: "db", Name: "u", TableVisits: scheduler.TableVisits{Vacuums: 4}})}
	for name, want := range map[string]float64{"total_autovacuum_count": 7, "db.t autovacuum_count": 3, "db.* worker_starts": 0} {
		if got := Of(r, name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := Of(r, "db.v autovacuum_count"); got == got {
		t.Errorf("of no table: %v", got)
	}
}
