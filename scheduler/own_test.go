package scheduler

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload"
)

// TestSmithsRule: of two tables with as many dead rows, the one that costs less comes
// first; of two that cost the same, the one with more dead rows.
func TestSmithsRule(t *testing.T) {
	small := Facts{Table: 0, Pages: 1000, Blocks: 1000, Unseen: 1000, Dead: 5000, Vacuum: true}
	large, more := small, small
	large.Table, large.Blocks, large.Unseen = 1, 5000, 5000
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
	fresh := Facts{Pages: 1e6, Blocks: 1e6, Unseen: 1e6, Dead: 291e6, Vacuum: true, FreezeMaxAge: 2e8}
	worst := Facts{Pages: 1e7, Blocks: 1e7, Analyze: true, FreezeMaxAge: 2e8} // nothing to gain
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

// TestFocusWorksOnOneTable: of three equal giants the first is done after about a third of
// the time in which all are done with equal shares, the last at the same time: no cost is
// lost, as it is where one worker does all, and none is made up
// (3 % at a limit at which all is done in three minutes, of which the launch takes 3 s).
func TestFocusWorksOnOneTable(t *testing.T) {
	w := workload.World{Databases: []workload.Database{{Name: "db"}}}
	for _, name := range []string{"a", "b", "c"} {
		x := table(name, 20_000_000)
		x.Dead = 6_000_000
		w.Databases[0].Tables.Append(x)
	}
	for _, limit := range []string{"200", "400", "1000"} {
		ends := func(name string, settings ...string) (out []float64) {
			cfg := runConfig(t, "19", 6*time.Hour, w, append(settings, "autovacuum_naptime=1s", "autovacuum_analyze_threshold=1000000000", "autovacuum_vacuum_cost_limit="+limit)...)
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
		if ratio := one[0] / equal[2]; ratio < 0.30 || ratio > 0.40 {
			t.Errorf("limit %s: the first giant ends at %.2f of the time of all, want about a third", limit, ratio)
		}
		if ratio := one[2] / equal[2]; ratio < 0.96 || ratio > 1.02 || one[2] > 1.01*alone[2] {
			t.Errorf("limit %s: the last giant ends at %.3f of the time with equal shares, want 1; one worker ends at %.0f s, focus at %.0f", limit, ratio, alone[2], one[2])
		}
		t.Logf("limit %s: equal shares %.0f, focus %.0f, one worker %.0f s", limit, equal, one, alone)
	}
}

// TestExpectedCost: what a strategy expects a visit to cost is within a factor of two of what
// it is charged, for tables of all kinds: sizes, indexes, few or many dead rows, analyzed with
// or without a vacuum before, and a queue much larger than pg_class knows.
func TestExpectedCost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := table("t", rapid.Int64Range(20_000, 20_000_000).Draw(r, "rows"))
		x.Indexes = rapid.IntRange(0, 4).Draw(r, "indexes")
		x.AllVisible = rapid.Float64Range(0, 1).Draw(r, "visible")
		x.Dead = int64(rapid.Float64Range(0.21, 3).Draw(r, "dead") * float64(x.Rows))
		length := 12 * time.Hour
		if rapid.Bool().Draw(r, "analyze only") {
			x.Rows = max(x.Rows, 3_000_000)
			x.Reltuples, x.Dead, length = float64(x.Rows), 0, 500*time.Second
			x.Activity.Updates = workload.Constant(float64(x.Rows) / 3000)
		}
		cfg := runConfig(t, "19", length, oneDatabase(x), "autovacuum_naptime=1s", "autovacuum_vacuum_insert_threshold=-1")
		expected := 0.0
		cfg.Strategy = mustStrategy(t, "shared-stats")
		cfg.Strategy.Arrange = func(due []Facts, _ Situation) []Facts {
			if expected == 0 && len(due) > 0 {
				expected = due[0].Expected()
			}
			return due
		}
		got := mustRun(t, cfg).Charged
		if ratio := got / expected; ratio < 0.5 || ratio > 2 {
			r.Errorf("%+v: charged %.0f, expected %.0f: %.2f times", x, got, expected, ratio)
		}
	})
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
