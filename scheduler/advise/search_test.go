package advise

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"avsim/workload/guc"
)

// load is a made-up server: lateness falls with capacity, at rates of its own, and by
// other settings; dead rows fall with the scale factor, which costs capacity.
type load struct {
	settings                       guc.Settings
	work, slots, naptime, ofFactor float64
}

func (l load) simulate(changes []Change, _ int) one {
	s := l.settings
	for _, c := range changes {
		s.Set(c.Name, c.Value)
	}
	factor := s.Float("autovacuum_vacuum_scale_factor")
	work := l.work * (1 + l.ofFactor/factor)
	late := work/RateOf(s) + l.slots/s.Float("autovacuum_max_workers") + l.naptime*s.Float("autovacuum_naptime")
	return one{terms: []float64{late, factor / (1 + factor)}, visits: 1000, spent: min(work, RateOf(s))}
}

func problemOf(t *rapid.T, free ...string) (*Problem, load) {
	v := guc.MustVersion(rapid.SampledFrom([]string{"9.6", "12", "16", "18"}).Draw(t, "version"))
	l := load{
		settings: guc.Defaults(v),
		work:     math.Pow(10, rapid.Float64Range(2, 8).Draw(t, "work")), slots: math.Pow(10, rapid.Float64Range(-2, 2).Draw(t, "slots")),
		naptime: rapid.SampledFrom([]float64{0, 0.01, 1, 10}).Draw(t, "naptime"), ofFactor: rapid.SampledFrom([]float64{0, 1e-5, 1e-3}).Draw(t, "of factor"),
	}
	list, err := ParseFree(free, v)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{
		Settings: l.settings, Seed: 1, Replications: 3, Free: list, MostRuns: 100_000, Jobs: rapid.IntRange(1, 4).Draw(t, "jobs"),
		GiveBack: rapid.Bool().Draw(t, "give back"),
		Objective: Objective{
			{"late", "", "lateness_p99_seconds", true, true, math.Pow(10, rapid.Float64Range(-1, 3).Draw(t, "late"))},
			{"dead", "", "dead_share", true, true, rapid.Float64Range(0.001, 0.5).Draw(t, "dead")},
		},
		simulate: l.simulate,
	}, l
}

// What is found meets the objective, each step cheaper misses it, and where nothing is
// found the strongest settings miss it as well.
func TestFoundIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, l := problemOf(t, "autovacuum_max_workers", "autovacuum_vacuum_cost_limit", "autovacuum_vacuum_cost_delay", "autovacuum_naptime", "autovacuum_vacuum_scale_factor")
		a, err := Search(context.Background(), p)
		if err != nil || a.Cut != nil {
			t.Fatal(err, a.Cut)
		}
		holds := func(changes []Change) bool {
			for r := range p.Replications {
				for i, x := range l.simulate(changes, r).terms {
					if !p.Objective[i].holds(x) {
						return false
					}
				}
			}
			return true
		}
		if a.Best == nil {
			if a.Nearest == nil || a.Nearest.Holds {
				t.Fatalf("nothing found, nearest %+v", a.Nearest)
			}
			strongest := a.Space.Now()
			for i := range strongest {
				strongest[i] = len(a.Space[i].Levels) - 1
			}
			if holds(a.Space.Changes(strongest)) {
				t.Fatal("nothing found, but the strongest settings hold")
			}
			return
		}
		if !holds(a.Best.Changes) || !a.Final {
			t.Fatalf("found %v, which does not hold, or final is %v", a.Best.Changes, a.Final)
		}
		for i, d := range a.Space {
			least := 0
			if a.Kept && d.Kind != Other {
				least = d.Now
			}
			if a.Best.Point[i] < least {
				t.Fatalf("%s was taken away", d.Name)
			}
			if a.Best.Point[i] > least && holds(a.Space.Changes(with(a.Best.Point, i, a.Best.Point[i]-1))) {
				t.Fatalf("%s one step cheaper holds too: %+v", d.Name, a.Best.Point)
			}
		}
		for i, o := range a.Front {
			if !o.Holds || i > 0 && (o.Slots <= a.Front[i-1].Slots || o.Rate >= a.Front[i-1].Rate) {
				t.Fatalf("the front is none: %+v", a.Front)
			}
		}
	})
}

// With budget and slots alone, the price is the least that there is.
func TestCheapest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, l := problemOf(t, "autovacuum_max_workers", "autovacuum_vacuum_cost_limit")
		p.Replications = 1
		a, err := Search(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		slots, budget := a.Space.of(Slots), a.Space.of(Budget)
		for i := range a.Space[slots].Levels {
			for j := range a.Space[budget].Levels {
				x, y := a.Space[slots], a.Space[budget]
				if a.Kept && (i < x.Now || j < y.Now) || a.Now.Holds && (i > x.Now || j > y.Now) {
					continue
				}
				r := l.simulate(a.Space.Changes(with(a.Space.Now(), slots, i, budget, j)), 0)
				if p.Objective[0].holds(r.terms[0]) && p.Objective[1].holds(r.terms[1]) {
					least = min(least, price(max(y.Levels[j].Rate, r.spent), x.Levels[i].Slots))
				}
			}
		}
		if found := a.Best != nil; found != !math.IsInf(least, 1) || found && a.Best.Price > least {
			t.Fatalf("found %+v, the least price is %v", a.Best, least)
		}
	})
}

// The number of jobs changes nothing, and a search that may not go on tells what it has.
func TestRunsAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := problemOf(t, DefaultFree[:5]...)
		whole, err := Search(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		p.MostRuns = rapid.IntRange(p.Replications, whole.Runs+3*p.Replications).Draw(t, "runs")
		text := ""
		for p.Jobs = 1; p.Jobs < 4; p.Jobs++ {
			a, err := Search(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			if a.Runs > p.MostRuns || a.Now == nil {
				t.Fatalf("%d runs of %d allowed; now is %v", a.Runs, p.MostRuns, a.Now)
			}
			now := fmt.Sprint(a.Runs, a.Cut, a.Final, a.Best, a.Nearest != nil)
			if a.Best != nil {
				now = fmt.Sprint(a.Runs, a.Cut, a.Final, a.Best.Point)
			}
			if text != "" && now != text {
				t.Fatalf("%s with one job, %s with %d", text, now, p.Jobs)
			}
			text = now
		}
	})
}

// A search that is interrupted tells what it has found.
func TestInterrupted(t *testing.T) {
	l := load{settings: guc.Defaults(guc.MustVersion("16")), work: 1e7, slots: 1, naptime: 0.1}
	free, _ := ParseFree(DefaultFree[:4], guc.MustVersion("16"))
	ctx, cancel := context.WithCancel(context.Background())
	runs := 0
	p := &Problem{
		Settings: l.settings, Replications: 2, Free: free, MostRuns: 1000, Jobs: 1,
		Objective: Objective{{"late", "", "lateness_p99_seconds", true, true, 60}},
		simulate: func(changes []Change, replication int) one {
			if runs++; runs == 12 {
				cancel()
			}
			return l.simulate(changes, replication)
		},
	}
	a, err := Search(ctx, p)
	if err != nil || a.Cut == nil || a.Now == nil || a.Best == nil || !a.Best.Holds {
		t.Errorf("%+v, %v", a, err)
	}
}
