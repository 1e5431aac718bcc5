package validate

import (
	"context"
	"testing"

	"avsim/scheduler"
	"avsim/workload/recorded"
)

// TestAblation switches each mechanism off and looks at the recorded points that
// it is there for: the model's error has to double there at least. `go run ./scripts/ablation`
// does the same over all points.
func TestAblation(t *testing.T) {
	for _, c := range []struct {
		off scheduler.Mechanisms
		// already is off in both runs: a wake-up that goes astray desynchronizes
		// workers that the cost of the wake-up call would keep apart anyway.
		already scheduler.Mechanisms
		points  func(recorded.Point) bool
	}{
		{scheduler.WakeUpPlacement, scheduler.WakeUpCall, original(10)},
		{scheduler.WakeUpCall, 0, original(10, 30)},
		{scheduler.ServiceVariation, 0, claimRelease(10_000, 3)},
		{scheduler.ColdCaches, 0, func(p recorded.Point) bool { return p.Tables == 20_000 && p.Workers == 1 && p.PGVersion < "18" }},
		{scheduler.SharedCache, 0, func(p recorded.Point) bool { return p.Tables == 10_000 && p.Workers == 30 && p.Strategy != "original" }},
		{scheduler.FairQueues, 0, original(10)},
		{scheduler.PollSteps, 0, original(1, 3, 10, 30)},
		{scheduler.StampAtStart, 0, claimRelease(100_000, 10, 30)},
		{scheduler.ReportQueue, 0, func(p recorded.Point) bool { return p.Freshness > 10e6 && p.Strategy != "leapfrog" }},
	} {
		t.Run(c.off.String(), func(t *testing.T) {
			with := meanError(t, c.already, c.points)
			without := meanError(t, c.already|c.off, c.points)
			t.Logf("mean |ln(predicted/recorded)| %.3f with it, %.3f without", with, without)
			if without < 2*with {
				t.Errorf("mean |ln(predicted/recorded)| is %.3f with it and %.3f without: want it to double at least", with, without)
			}
		})
	}
}

func original(workers ...int) func(recorded.Point) bool { return strategyAt("original", 0, workers) }

func claimRelease(tables int, workers ...int) func(recorded.Point) bool {
	return strategyAt("claim-release", tables, workers)
}

// strategyAt picks the points of a strategy's own freshness.
func strategyAt(strategy string, tables int, workers []int) func(recorded.Point) bool {
	return func(p recorded.Point) bool {
		if p.Strategy != strategy || p.Freshness > 10e6 || tables != 0 && p.Tables != tables {
			return false
		}
		for _, w := range workers {
			if p.Workers == w {
				return true
			}
		}
		return false
	}
}

func meanError(t *testing.T, without scheduler.Mechanisms, pick func(recorded.Point) bool) float64 {
	t.Helper()
	var points []recorded.Point
	for _, p := range embedded(t) {
		if pick(p) {
			points = append(points, p)
		}
	}
	o := options(t, 3)
	o.Without = without
	results, _, err := Run(context.Background(), points, o)
	if err != nil || len(results) == 0 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	var sum float64
	for _, r := range results {
		sum += r.logError()
	}
	return sum / float64(len(results))
}
