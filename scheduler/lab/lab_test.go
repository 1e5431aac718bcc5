package lab

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/workload/scenario"
)

// results are made up: one scenario, a value for each strategy and replication.
func results(measure int, values ...[]float64) *Results {
	l := &Lab{Scenarios: make([]*scenario.Run, 1), Strategies: make([]scheduler.Strategy, len(values))}
	r := &Results{Lab: l}
	for _, runs := range values {
		var all [][]float64
		for _, x := range runs {
			row := make([]float64, 2*len(Measures()))
			row[measure] = x
			all = append(all, row)
		}
		r.values = append(r.values, all)
	}
	return r
}

// TestMarks: differences are paired, so that what all replications agree on is no tie
// however much they differ from each other, and what they do not agree on is one.
func TestMarks(t *testing.T) {
	r := results(5, []float64{100, 200, 300, 400}, []float64{101, 201.1, 300.9, 401}, []float64{90, 210, 310, 395})
	c := r.Column(0, 5)
	for i, want := range []Mark{Best, Worse, Tie} {
		if c[i].Mark != want {
			t.Errorf("strategy %d is %s, want %s: %+v", i, c[i].Mark, want, c[i].Difference)
		}
	}
	if d := c[1].Difference; math.Abs(d.Mean-1) > 1e-9 || math.Abs(c[1].Relative().Mean-1./250) > 1e-9 {
		t.Errorf("the second is %v above the best, want 1 of 250", d)
	}
	if more := results(0, []float64{1, 2}, []float64{2, 3}).Column(0, 0); more[1].Mark != Best {
		t.Error("of vacuums a second, more is better")
	}
}

// TestDeadIntegral: rows die at 10 a second for 100 s; a vacuum at 40 s removes 400, one
// at 70 s 200. By hand: 100²/2·10 - 400·60 - 200·30 = 20,000, whatever the samples.
func TestDeadIntegral(t *testing.T) {
	at := func(s float64) sim.Time { return sim.Time(s * 1e9) }
	events := []scheduler.RunEvent{{At: at(40), Removed: 400}, {At: at(70), Removed: 200}}
	for _, times := range [][]float64{{0, 100}, {0, 33, 40, 41, 99, 100}} {
		var samples []scheduler.Sample
		for _, s := range times {
			dead := 10 * s
			for _, e := range events {
				if e.At <= at(s) {
					dead -= e.Removed
				}
			}
			samples = append(samples, scheduler.Sample{At: at(s), Dead: dead})
		}
		o := newOutcome(&scheduler.RunResult{Simulated: 100 * time.Second, Events: events}, samples)
		if got := o.deadIntegral(); math.Abs(got-20_000) > 1e-6 {
			t.Errorf("sampled at %v: %v, want 20,000", times, got)
		}
	}
}

// TestDeadUse: by hand, two tables of which one is used; 10 rows a second die in it, and a
// vacuum at 40 s of 100 removes 400: 10 a second times 100²/2·10 - 400·60.
func TestDeadUse(t *testing.T) {
	o := newOutcome(&scheduler.RunResult{Simulated: 100 * time.Second,
		Events: []scheduler.RunEvent{{At: 40e9, Database: "d", Table: "a", Removed: 400}},
		Tables: scheduler.ResultsOf(scheduler.TableResult{Database: "d", Name: "a", Updated: 900, Deleted: 100, DeadRows: 600, Removed: 400},
			scheduler.TableResult{Database: "d", Name: "b", DeadAtStart: 50, DeadRows: 50})}, nil)
	if got := o.deadUse(); math.Abs(got-260_000) > 1e-6 {
		t.Errorf("%v, want 260,000", got)
	}
}

// TestIndexPasses: a run's passes are those that its vacuums tell of.
func TestIndexPasses(t *testing.T) {
	l := small(t, "scored")
	r, err := l.Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	j := slices.IndexFunc(Measures(), func(m Measure) bool { return m.Name == "index_passes_per_million" })
	cfg, err := l.config(point{l.Scenarios[0], l.Strategies[0]}, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := scheduler.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	passes, removed := 0, 0.0
	for _, e := range run.Events {
		if e.Vacuum && e.Removed > 0 { // all have indexes, and enough dead rows not to leave them out
			passes, removed = passes+1, removed+e.Removed
		}
	}
	if got, want := r.values[0][0][j], float64(passes)/removed*1e6; passes == 0 || math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v, want %v: one for each of %d vacuums", got, want, passes)
	}
}

// TestLatenessAndFairness by hand: tables that have waited 1, 3 and 8 s on average, of
// which the last waits still; Jain's index is 12²/(3·(1+9+64)).
func TestLatenessAndFairness(t *testing.T) {
	o := newOutcome(&scheduler.RunResult{Simulated: time.Minute, Tables: scheduler.ResultsOf([]scheduler.TableResult{
		{TableVisits: scheduler.TableVisits{Lateness: []float64{1, 1}, DueAtStart: true, FirstDone: 5e9}},
		{TableVisits: scheduler.TableVisits{Lateness: []float64{2, 4}, DueAtStart: true, FirstDone: 9e9}},
		{TableVisits: scheduler.TableVisits{Waiting: 8, FirstDone: -1}}, {TableVisits: scheduler.TableVisits{FirstDone: -1}}}...)}, nil)
	for name, want := range map[string]float64{"lateness_mean_seconds": 16. / 5, "lateness_p99_seconds": 8, "wait_max_seconds": 8,
		"fairness_jain": 144. / (3 * 74), "makespan_seconds": 9} {
		for _, m := range Measures() {
			if got := m.of(o); m.Name == name && math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

// small is two scenarios of the panel, shortened, under some strategies.
func small(t *testing.T, names ...string) *Lab {
	t.Helper()
	l := &Lab{Seed: 7, Share: 0.05, Replications: 3}
	for _, name := range []string{"lab-giants", "lab-databases"} {
		sc, err := scenario.LoadRun(name)
		if err != nil {
			t.Fatal(err)
		}
		l.Scenarios = append(l.Scenarios, sc)
	}
	for _, name := range names {
		s, err := scheduler.LookUp(name)
		if err != nil {
			t.Fatal(err)
		}
		l.Strategies = append(l.Strategies, s)
	}
	return l
}

// TestJobsChangeNothing: the same bytes with one job and with four.
func TestJobsChangeNothing(t *testing.T) {
	l := small(t, "shared-stats", "focus", "random-start")
	var out [2]bytes.Buffer
	for i, jobs := range []int{1, 4} {
		r, err := l.Run(context.Background(), Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Table().WriteCSV(&out[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out[0].Bytes(), out[1].Bytes()) {
		t.Error("one job and four give different results")
	}
}

// TestSameTablesForAll: a strategy against itself, under another name, differs in nothing.
func TestSameTablesForAll(t *testing.T) {
	l := small(t, "scored", "scored")
	r, err := l.Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Scenarios {
		for j, m := range Measures() {
			if d := r.Column(i, j)[1].Difference; d.Mean != 0 || d.Hi != 0 {
				t.Errorf("%s, %s: %v between a strategy and itself", l.Scenarios[i].Name, m.Name, d)
			}
		}
	}
}

// TestInterrupted: nothing comes of a run that is ended.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := small(t, "scored").Run(ctx, Options{}); r != nil || err == nil {
		t.Errorf("results %v, error %v", r, err)
	}
}
