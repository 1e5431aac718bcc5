package scheduler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload"
)

// mustStrategy is a registered strategy.
func mustStrategy(t *testing.T, name string) Strategy {
	t.Helper()
	s, err := LookUp(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// placesOf are the tables of a list, in its order.
func placesOf(due []Facts) (out []int) {
	for _, f := range due {
		out = append(out, f.Table)
	}
	return out
}

// TestProposedOrders: what each proposal makes of four tables, by hand. Table 3 is to be
// vacuumed against wraparound; table 1 has a priority; table 2 is the smallest.
func TestProposedOrders(t *testing.T) {
	due := []Facts{
		{Table: 0, Pages: 5e6, Blocks: 5e6, Unseen: 5e6, Dead: 1e6, Vacuum: true, XIDAge: 10, FreezeMaxAge: 200},
		{Table: 1, Pages: 300, Blocks: 300, Unseen: 300, Dead: 1e3, Vacuum: true, XIDAge: 30, FreezeMaxAge: 200, Priority: 3},
		{Table: 2, Pages: 100, Blocks: 100, Unseen: 100, Dead: 1e3, Vacuum: true, XIDAge: 20, FreezeMaxAge: 200},
		{Table: 3, Pages: 200, Blocks: 200, Unseen: 200, Vacuum: true, Forced: true, XIDAge: 210, FreezeMaxAge: 200},
	}
	first, second := Situation{Naptime: time.Minute, PerSecond: 1e5}, Situation{Naptime: time.Minute, PerSecond: 1e5, Before: 1}
	for _, c := range []struct {
		strategy string
		at       Situation
		want     []int
	}{
		{"age-first", first, []int{3, 1, 2, 0}},
		{"priority", first, []int{3, 1, 0, 2}},
		{"smallest-first", first, []int{0, 1, 2, 3}},
		{"smallest-first", second, []int{2, 3, 1}}, // 3 million units fit; the large table takes 210 million
	} {
		got := placesOf(mustStrategy(t, c.strategy).Arrange(slices.Clone(due), c.at))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.strategy, got, c.want)
		}
	}
}

// TestArrangedListsLoseNothing: whatever the tables, an order is a permutation of what is
// due, but that smallest-first leaves large tables to the first worker.
func TestArrangedListsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		due := make([]Facts, rapid.IntRange(0, 30).Draw(t, "tables"))
		for i := range due {
			due[i] = Facts{Table: i, Pages: rapid.Float64Range(0, 1e7).Draw(t, "pages"), Blocks: rapid.Float64Range(0, 1e7).Draw(t, "blocks"), Dead: rapid.Float64Range(0, 1e8).Draw(t, "dead"),
				Vacuum: rapid.Bool().Draw(t, "vacuum"), Analyze: rapid.Bool().Draw(t, "analyze"), Forced: rapid.Bool().Draw(t, "forced"),
				XIDAge: rapid.Int64Range(0, 2e9).Draw(t, "age"), FreezeMaxAge: 2e8,
				Wait: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "wait")), SinceVacuum: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "since"))}
		}
		at := Situation{Naptime: time.Minute, PerSecond: 1e5, Random: rand.New(rand.NewPCG(1, 2))}
		for _, s := range Strategies() {
			if s.Arrange == nil {
				continue
			}
			got := placesOf(s.Arrange(slices.Clone(due), at))
			slices.Sort(got)
			if !slices.Equal(got, placesOf(due)) {
				t.Errorf("%s: %d tables due, in the list are %v", s.Name, len(due), got)
			}
		}
	})
}

// TestRandomStartIsFair: over many workers each table comes first about as often.
func TestRandomStartIsFair(t *testing.T) {
	at := Situation{Random: rand.New(rand.NewPCG(1, 2))}
	var first [5]int
	for range 10_000 {
		due := randomStart([]Facts{{Table: 0}, {Table: 1}, {Table: 2}, {Table: 3}, {Table: 4}}, at)
		first[due[0].Table]++
		for i, f := range due {
			if f.Table != (due[0].Table+i)%5 {
				t.Fatalf("%v does not go round", placesOf(due))
			}
		}
	}
	for table, n := range first {
		if math.Abs(float64(n)-2000) > 5*math.Sqrt(1600) {
			t.Errorf("table %d comes first %d times of 10,000, want about 2,000", table, n)
		}
	}
}

// TestFavouredBudgets: the budgets of all workers add up to no more than the server's, the
// favoured one has the most, and nobody has none.
func TestFavouredBudgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "workers")
		server := budget{rapid.IntRange(n, 10000).Draw(t, "limit"), 2 * time.Millisecond}
		f, sum := favours{}, 0.0
		for i := 1; i <= n; i++ {
			done := rapid.Float64Range(0, 1).Draw(t, "done")
			f[i] = favoured{rapid.Float64Range(0, 10).Draw(t, "favour"), func() float64 { return done }}
		}
		most := f.budget(f.first(), server, n).rate()
		for i := 1; i <= n; i++ {
			rate := f.budget(i, server, n).rate()
			if sum += rate; rate <= 0 || rate > most {
				t.Fatalf("worker %d of %d has %v a second, the favoured one %v", i, n, rate, most)
			}
		}
		if sum > server.rate()*(1+1e-9)+float64(n) {
			t.Fatalf("%d workers have %v a second, the server %v", n, sum, server.rate())
		}
	})
}

// TestSharedQueueWastesLittle: workers that take from one list meet only at tables that
// one of them is still at when the list is made anew.
func TestSharedQueueWastesLittle(t *testing.T) {
	cfg := runConfig(t, "19", 2*time.Hour, backlog(30), "autovacuum_naptime=10s", "autovacuum_analyze_threshold=1000000000")
	skips := func(name string) int {
		cfg.Strategy = mustStrategy(t, name)
		r := mustRun(t, cfg)
		if r.Vacuums != 30 {
			t.Errorf("%s: %d vacuums of 30 tables", name, r.Vacuums)
		}
		return r.Skips + r.WastedRechecks
	}
	one, many := skips("shared-queue"), skips("shared-stats")
	if one > many/3 || many == 0 {
		t.Errorf("%d looks in vain with one list, %d with one for each worker: want a third at most", one, many)
	}
}

// TestNoPileUp: with one database at risk, all workers go there; where the launcher does
// not pile them up, the other database gets one within two naptimes.
func TestNoPileUp(t *testing.T) {
	w := workload.World{}
	for i := range 2 {
		d := backlog(6).Databases[0]
		d.Name = fmt.Sprintf("db%d", i)
		d.Tables = d.Tables.Changed(func(_ int, x *workload.Table) {
			x.Rows, x.Dead = 20*x.Rows, 20*x.Dead
			if i == 0 {
				x.XIDAge = 300_000_000
			}
		})
		w.Databases = append(w.Databases, d)
	}
	cfg := runConfig(t, "18", 10*time.Minute, w)
	visited := func(name string) bool {
		cfg.Strategy = mustStrategy(t, name)
		return slices.ContainsFunc(mustRun(t, cfg).Starts, func(s WorkerStart) bool {
			return s.Database == "db1" && s.At.Seconds() < 120
		})
	}
	if visited("shared-stats") || !visited("no-pile-up") {
		t.Error("want the database that is not at risk visited within two minutes by no-pile-up alone")
	}
}

// TestRebuiltListsFindNewTables: a worker that is long at a large table goes on, with a
// new list, to one that has come due meanwhile; with its old list it does not know it.
func TestRebuiltListsFindNewTables(t *testing.T) {
	giant, next, late := table("giant", 50_000_000), table("next", 1000), table("late", 1000)
	giant.Dead, next.Dead = 15_000_000, 900
	late.Activity.Statements = []workload.Statement{{At: 2 * time.Minute, Updates: 900}}
	cfg := runConfig(t, "18", time.Hour, oneDatabase(giant, late, next), "autovacuum_max_workers=1",
		"autovacuum_vacuum_cost_delay=10ms")
	first := func(name string) (worker []int) {
		cfg.Strategy = mustStrategy(t, name)
		for _, e := range mustRun(t, cfg).Events {
			if e.Vacuum && e.Table == "late" {
				worker = append(worker, e.Worker)
			}
		}
		return worker
	}
	if got := first("shared-stats"); !slices.Equal(got, []int{2}) {
		t.Errorf("shared-stats: late is vacuumed by workers %v, want the second", got)
	}
	if got := first("rebuild-list"); !slices.Equal(got, []int{1}) {
		t.Errorf("rebuild-list: late is vacuumed by workers %v, want the first", got)
	}
}
