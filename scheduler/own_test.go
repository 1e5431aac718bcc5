package scheduler

import (
	"math"
	"slices"
	"testing"
	"time"

	"avsim/workload"
)

// TestSmithsRule: of two tables with as many dead rows, the one that costs less comes
// first; of two that cost the same, the one with more dead rows.
func TestSmithsRule(t *testing.T) {
	small := Facts{Table: 0, Pages: 1000, Unseen: 1000, Dead: 5000, Vacuum: true}
	large, more := small, small
	large.Table, large.Pages, large.Unseen = 1, 5000, 5000
	more.Table, more.Dead = 2, 9000
	at := Situation{Naptime: time.Minute, PerSecond: 1e5}
	if got := placesOf(By(smith)([]Facts{large, small, more}, at)); !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("order %v, want 2 0 1", got)
	}
}

// TestLatenessIsBounded: whatever has just come due, at the highest density that a page can
// have, a table that has waited long enough comes before it; so does one whose age has
// come to twice what forces a vacuum.
func TestLatenessIsBounded(t *testing.T) {
	at := Situation{Naptime: time.Minute, PerSecond: 1e5}
	fresh := Facts{Pages: 1e6, Unseen: 1e6, Dead: 291e6, Vacuum: true, FreezeMaxAge: 2e8}
	worst := Facts{Pages: 1e7, Analyze: true, FreezeMaxAge: 2e8} // nothing to gain
	if smith(worst, at) > smith(fresh, at) {
		t.Fatal("the fresh table is to come first at first")
	}
	worst.Wait = 1000 * 24 * time.Hour
	if smith(worst, at) < smith(fresh, at) {
		t.Error("a table waits for ever")
	}
	worst.Wait, worst.XIDAge = 0, 4e8
	if !math.IsInf(smith(worst, at), 1) {
		t.Error("a table at twice autovacuum_freeze_max_age does not come before all")
	}
}

// TestFocusWorksOnOneTable: three equal giants end as one worker that has the whole limit does
// them one after another: no cost is lost or made up. The last is later than with equal
// shares by what the others' work between sleeps had gone on meanwhile, which is little.
func TestFocusWorksOnOneTable(t *testing.T) {
	w := workload.World{Databases: []workload.Database{{Name: "db"}}}
	for _, name := range []string{"a", "b", "c"} {
		x := table(name, 20_000_000)
		x.Dead = 6_000_000
		w.Databases[0].Tables = append(w.Databases[0].Tables, x)
	}
	ends := func(name string, settings ...string) (out []float64) {
		cfg := runConfig(t, "19", 6*time.Hour, w, append(settings, "autovacuum_naptime=1s", "autovacuum_analyze_threshold=1000000000")...)
		cfg.Strategy = mustStrategy(t, name)
		for _, e := range mustRun(t, cfg).Events {
			out = append(out, e.At.Seconds())
		}
		if len(out) != 3 {
			t.Fatalf("%s: vacuums end at %v, want three", name, out)
		}
		return out
	}
	equal, one, alone := ends("shared-stats"), ends("focus"), ends("shared-stats", "autovacuum_max_workers=1")
	for i := range alone {
		if ratio := one[i] / alone[i]; ratio < 0.99 || ratio > 1.08 {
			t.Errorf("giant %d ends at %.3f of the time of one worker for all, want about 1", i+1, ratio)
		}
	}
	if ratio := one[0] / equal[2]; ratio < 0.30 || ratio > 0.38 {
		t.Errorf("the first giant ends at %.2f of the time of all, want about a third", ratio)
	}
	if ratio := one[2] / equal[2]; ratio < 0.99 || ratio > 1.1 {
		t.Errorf("the last giant ends at %.2f of the time with equal shares, want little more than 1", ratio)
	}
	t.Logf("equal shares %.0f, focus %.0f, one worker %.0f s", equal, one, alone)
}

// TestLeapfrogStarves: while a worker is at a giant of the highest oid nobody may claim a
// table below it, however many workers there are (docs/lab.md).
func TestLeapfrogStarves(t *testing.T) {
	var tables []workload.Table
	for _, name := range []string{"a", "b", "c"} {
		x := table(name, 10_000)
		x.Activity.Updates = workload.Constant(100)
		tables = append(tables, x)
	}
	giant := table("giant", 50_000_000)
	giant.Dead = 15_000_000
	cfg := runConfig(t, "9.5", time.Hour, oneDatabase(append(tables, giant)...), "autovacuum_vacuum_cost_delay=2ms")
	meanwhile := func(name string) (n int) {
		cfg.Strategy = mustStrategy(t, name)
		r := mustRun(t, cfg)
		i := slices.IndexFunc(r.Events, func(e RunEvent) bool { return e.Vacuum && e.Table == "giant" })
		if i < 0 {
			t.Fatalf("%s: the giant is not done", name)
		}
		for _, e := range r.Events {
			if e.Table != "giant" && e.Start > r.Events[i].Start && e.Start < r.Events[i].At {
				n++
			}
		}
		return n
	}
	if n := meanwhile("leapfrog"); n != 0 {
		t.Errorf("leapfrog: %d vacuums and analyzes begin while the giant is vacuumed, want none", n)
	}
	if n := meanwhile("claim-release"); n < 6 {
		t.Errorf("claim-release: %d begin meanwhile, want three tables a minute", n)
	}
}

// TestHeldHorizonIsNoTreadmill: while a snapshot is held vacuums are in vain. No strategy
// makes more of them than two a naptime and table.
func TestHeldHorizonIsNoTreadmill(t *testing.T) {
	x := table("orders", 100_000)
	x.Activity.Updates = workload.Constant(100)
	w := oneDatabase(x)
	w.Obstacles.Horizons = []workload.Horizon{{Database: -1, From: 0, To: 2 * time.Hour}}
	for _, s := range Strategies() {
		cfg := runConfig(t, "19", time.Hour, w)
		cfg.Strategy = s
		if r := mustRun(t, cfg); r.Vacuums > 121 {
			t.Errorf("%s: %d vacuums in 60 naptimes", s.Name, r.Vacuums)
		}
	}
}
