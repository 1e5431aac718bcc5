package lab

import (
	"context"
	"math"
	"testing"

	"avsim/scheduler"
	"avsim/workload/host"
)

// starved are what Starve found for each strategy with seed 1 and 60 tries: the longest
// wait of a table, that under the strategy which is best in the case, and which that is. (The case
// of leapfrog was found before vacuums cost what they do now.)
var starved = []struct {
	strategy string
	Case
	worst, best float64 // seconds
	by          string
}{
	{"original", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"claim-release", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"leapfrog", Case{2, []CaseTable{{1e8, true, 0}, {1e5, true, 100}, {1e8, true, 0}, {1e8, true, 0}}}, 3379, 1491, "focus"},
	{"stale-first", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"shared-stats", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"scored", Case{1, []CaseTable{{1e8, true, 0}, {1e3, false, 100}, {1e8, true, 0}}}, 2660, 1392, "shared-stats"},
	{"age-first", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"cmu", Case{2, []CaseTable{{1e8, true, 0}, {1e8, true, 0}, {1e8, true, 0}}}, 2553, 1421, "focus"},
	{"focus", Case{2, []CaseTable{{1e8, true, 0}, {1e3, false, 10}, {1e3, false, 10}, {1e6, false, 100}}}, 525, 60, "scored"},
	{"no-pile-up", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"priority", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"random-start", Case{1, []CaseTable{{1e8, true, 0}, {1e6, true, 0}}}, 1376, 73, "cmu"},
	{"rebuild-list", Case{1, []CaseTable{{1e8, true, 0}, {1e7, true, 0}}}, 1377, 192, "cmu"},
	{"shared-queue", Case{1, []CaseTable{{1e3, false, 10}, {1e8, true, 0}, {1e8, true, 0}}}, 2646, 1392, "random-start"},
	{"smallest-first", Case{1, []CaseTable{{1e8, true, 0}, {1e7, true, 0}}}, 1377, 192, "cmu"},
}

func profile(t *testing.T) *host.Profile {
	t.Helper()
	h, err := host.Load("generic-4core")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestStarved: each strategy still does as badly in its case as when it was found, within
// a tenth. One that does better has been mended: search again.
func TestStarved(t *testing.T) {
	wait := func(c Case, name string) float64 {
		s, err := scheduler.LookUp(name)
		if err != nil {
			t.Fatal(err)
		}
		longest, err := c.LongestWait(context.Background(), s, profile(t))
		if err != nil {
			t.Fatal(err)
		}
		return longest
	}
	for _, c := range starved {
		if got := wait(c.Case, c.strategy); math.Abs(got/c.worst-1) > 0.1 {
			t.Errorf("%s in %v: the longest wait is %.0f s, was %.0f", c.strategy, c.Case, got, c.worst)
		}
		if got := wait(c.Case, c.by); math.Abs(got/c.best-1) > 0.1 {
			t.Errorf("%s in %v: the longest wait is %.0f s, was %.0f", c.by, c.Case, got, c.best)
		}
	}
}

// TestStarveIsRepeatable: the same seed finds the same, and it is within bounds.
func TestStarveIsRepeatable(t *testing.T) {
	all := small(t, "shared-stats", "focus").Strategies
	var found [2]Starvation
	for i := range found {
		var err error
		if found[i], err = Starve(context.Background(), all[0], all[1:], profile(t), 3, 5); err != nil {
			t.Fatal(err)
		}
	}
	if found[0].String() != found[1].String() || found[0].Worst != found[1].Worst {
		t.Errorf("%v and %v", found[0], found[1])
	}
	if n := len(found[0].Tables); n > mostCaseTables || found[0].Gap() < 0 {
		t.Errorf("%d tables, a gap of %v s", n, found[0].Gap())
	}
}
