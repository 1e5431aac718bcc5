package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/sim"
	"avsim/workload"
)

// TestDueSetAgainstASet: the lists that it lent stay as they were, and the next has what
// was added and not removed since.
func TestDueSetAgainstASet(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const tables = 5000
		first := rapid.Int32Range(0, 100).Draw(r, "first")
		s := dueSet{first: first}
		want := map[int32]bool{}
		type lent struct {
			list [][]int32
			want []int32
		}
		var all []lent
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		for range 2000 {
			id := first + int32(random.IntN(tables))
			switch {
			case random.IntN(50) == 0:
				var others []int32 // that are on this list alone
				for range random.IntN(20) {
					if o := first + int32(random.IntN(tables)); !want[o] && !slices.Contains(others, o) {
						others = append(others, o)
					}
				}
				slices.Sort(others)
				list := others
				for id := range want {
					list = append(list, id)
				}
				slices.Sort(list[len(others):])
				expected := slices.Clone(list)
				slices.Sort(expected)
				all = append(all, lent{s.list(others), expected})
			case want[id]:
				delete(want, id)
				s.remove(id)
			default:
				want[id] = true
				s.add(id, sim.Time(random.IntN(10)))
			}
		}
		for i, l := range all {
			if got := slices.Concat(l.list...); !slices.Equal(got, l.want) {
				r.Fatalf("list %d has %d tables, want %d", i, len(got), len(l.want))
			}
		}
	})
}

// TestManyDueAgainstPolling: thousands of tables, more than a run of the set has, dozens of
// workers, statistics of several ages, a reload: the events are those of a look at every
// table by every worker.
func TestManyDueAgainstPolling(t *testing.T) {
	for _, pg := range []string{"9.5", "13", "14", "16", "19"} {
		var tables []workload.Table
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 2500 {
			x := table("t", 100)
			x.Dead = int64(random.IntN(120))
			if i%3 == 0 {
				x.Activity.Updates = workload.Constant(random.Float64() * 2)
			}
			tables = append(tables, x)
		}
		cfg := runConfig(t, pg, 90*time.Second, oneDatabase(tables...), "autovacuum_naptime=1s", "autovacuum_max_workers=20")
		other := runConfig(t, pg, time.Second, cfg.World, "autovacuum_naptime=2s", "autovacuum_max_workers=20", "autovacuum_vacuum_threshold=20")
		cfg.Changes = []SettingsChange{{At: 40 * time.Second, Settings: other.Settings}}
		fast := mustRun(t, cfg)
		cfg.poll = true
		if diff := sameEvents(fast, mustRun(t, cfg)); diff != "" {
			t.Errorf("PostgreSQL %s: %s", pg, diff)
		}
		if fast.Vacuums < 300 {
			t.Errorf("PostgreSQL %s: %d vacuums only", pg, fast.Vacuums)
		}
	}
}

// TestLeapInOneStep goes where step by step goes.
func TestLeapInOneStep(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.Int32Range(0, 200), rapid.ID).Draw(r, "tables")
		slices.Sort(ids)
		cut := func() (parts [][]int32) {
			for rest := ids; len(rest) > 0; {
				n := rapid.IntRange(1, len(rest)).Draw(r, "part")
				parts, rest = append(parts, rest[:n]), rest[n:]
			}
			return parts
		}
		a, b := new(tableList), new(tableList)
		a.set(cut(), 0)
		b.set(cut(), 0)
		above := rapid.Int32Range(-1, 201).Draw(r, "above")
		a.leap(above, true)
		b.leap(above, false)
		if x, y := slices.Concat(a.parts...), slices.Concat(b.parts...); !slices.Equal(x, y) || len(x) > 0 && x[0] <= above {
			r.Fatalf("above %d: %v in one step, %v step by step", above, x, y)
		}
	})
}
