package lab

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload/scenario"
)

// TestCaseIsAScenario: what is written of a case is read as the case: as many tables, rows,
// dead rows, changes and workers, in their order.
func TestCaseIsAScenario(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 50 {
		c := randomCase(r)
		sc, err := scenario.ParseRun([]byte(c.YAML("x: y", "a title", "a comment")), "x.yaml")
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		w, err := sc.World(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := int(sc.Settings.Int("autovacuum_max_workers")); sc.Name != "x: y" || got != c.Workers || sc.RunFor != caseLength || w.Tables() != len(c.Tables) {
			t.Fatalf("%s, %d workers, %v, %d tables of %v", sc.Name, got, sc.RunFor, w.Tables(), c)
		}
		for i, want := range c.Tables {
			got := w.Databases[0].Tables.At(i)
			dead := int64(0)
			if want.Dead {
				dead = want.Rows / 3
			}
			updates := 0.0
			if got.Activity.Updates != nil {
				updates = got.Activity.Updates.Total(time.Second)
			}
			if got.Rows != want.Rows || got.Dead != dead || updates != float64(want.Updates) {
				t.Errorf("table %d: %d rows, %d dead, %v updates a second; want %+v", i+1, got.Rows, got.Dead, updates, want)
			}
		}
	}
}

// TestTableWaits: the longest wait of the tables is that of the case, under each strategy,
// and each is counted at its place.
func TestTableWaits(t *testing.T) {
	c := Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e3, false, 0}}}
	for _, name := range []string{"shared-stats", "focus"} {
		s, err := scheduler.LookUp(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Run(context.Background(), s, profile(t))
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.LongestWait(context.Background(), s, profile(t))
		if err != nil {
			t.Fatal(err)
		}
		waits, longest, vacuums := c.TableWaits(r), 0.0, 0
		for _, w := range waits {
			longest, vacuums = max(longest, w.Longest), vacuums+w.Vacuums
		}
		if longest != want || vacuums != r.Vacuums {
			t.Errorf("%s: %v s and %d vacuums, want %v and %d", name, longest, vacuums, want, r.Vacuums)
		}
		if w := waits[2]; w.Vacuums != 0 || w.FirstDone >= 0 || w.Longest != 0 {
			t.Errorf("%s: of a table with nothing to do %+v", name, w)
		}
		if long := LongWork(r); len(long) != 1 || long[0].Table != "t2" {
			t.Errorf("%s: %v took a minute, want the vacuum of t2", name, long)
		}
	}
}

// TestSearchJobs: with one job and with three, alone and with others, the same is found, and
// progress comes to its end.
func TestSearchJobs(t *testing.T) {
	all := small(t, "random-start", "smallest-first").Strategies
	find := func(jobs int, of ...scheduler.Strategy) string {
		x := NewSearch(profile(t))
		x.Jobs = jobs
		last, end := 0, 0
		x.Progress = func(done, total int) {
			if done < last {
				t.Errorf("progress goes back from %d to %d", last, done)
			}
			last, end = done, total
		}
		found, err := x.StarveAll(context.Background(), of, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		if last != end || end == 0 {
			t.Errorf("progress ends at %d of %d", last, end)
		}
		return found[len(found)-1].YAML("a", "b") + found[len(found)-1].By
	}
	if a, b := find(1, all...), find(3, all[1]); a != b {
		t.Errorf("%s\nand\n%s", a, b)
	}
}
