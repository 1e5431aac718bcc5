package validate

import (
	"context"
	"math"
	"testing"

	"avsim/scheduler"
	"avsim/workload/host"
	"avsim/workload/recorded"
)

func embedded(t *testing.T) []recorded.Point {
	t.Helper()
	rows, err := recorded.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return recorded.Points(rows)
}

func options(t *testing.T, replications int) Options {
	t.Helper()
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Host: h, Replications: replications, Seed: 1}
}

// TestAgainstRecordings holds the whole model to all recorded runs: the bounds
// are those that the project set itself before the model was run.
func TestAgainstRecordings(t *testing.T) {
	results, warnings, err := Run(context.Background(), embedded(t), options(t, 3))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	s := Summarize(results)
	t.Logf("%+v", s)
	if s.MedianAbsError > 0.12 {
		t.Errorf("median |error| %.3f, accepted is 0.12", s.MedianAbsError)
	}
	if s.P90AbsError > 0.35 {
		t.Errorf("90th percentile of |error| %.3f, accepted is 0.35", s.P90AbsError)
	}
	if s.RankAgreement < 1 {
		t.Errorf("rank agreement %.3f, want 1; in the wrong order: %q", s.RankAgreement, s.Disorder)
	}
}

// TestFourteenOverThirteen is the claim of commit e2ac3fed3b1c: more than three
// times at 20,000 tables and 10 workers (recorded 5.1), and no change at one.
func TestFourteenOverThirteen(t *testing.T) {
	rate := map[string]map[int]float64{"13.23": {}, "14.23": {}}
	var points []recorded.Point
	for _, p := range embedded(t) {
		if p.Tables == 20_000 && rate[p.PGVersion] != nil {
			points = append(points, p)
		}
	}
	results, _, err := Run(context.Background(), points, options(t, 3))
	if err != nil || len(results) != 4 {
		t.Fatal(err, len(results))
	}
	for _, r := range results {
		rate[r.PGVersion][r.Workers] = r.Predicted.Throughput.Mean
	}
	if ratio := rate["14.23"][10] / rate["13.23"][10]; ratio < 3 {
		t.Errorf("with 10 workers 14 is %.2f times 13, the commit says more than three", ratio)
	}
	if ratio := rate["14.23"][1] / rate["13.23"][1]; math.Abs(ratio-1) > 0.05 {
		t.Errorf("with one worker 14 is %.2f times 13, recorded 0.97", ratio)
	}
}

// TestNotModelled: a version or strategy that is not modelled is told by file
// and line, the others run; without any other it is an error.
func TestNotModelled(t *testing.T) {
	points := embedded(t)[:1]
	bad := points[0]
	bad.PGVersion = "8.4"
	worse := points[0]
	worse.Strategy = "telepathy"
	results, warnings, err := Run(context.Background(), []recorded.Point{bad, points[0], worse}, options(t, 1))
	if err != nil || len(results) != 1 || len(warnings) != 2 {
		t.Errorf("%d results, %d warnings, %v; want 1, 2, none", len(results), len(warnings), err)
	}
	if _, _, err := Run(context.Background(), []recorded.Point{bad}, options(t, 1)); err == nil {
		t.Error("no usable point is no error")
	}
}

// TestSummary works the figures of a summary out by hand.
func TestSummary(t *testing.T) {
	point := func(strategy string, recordedRate, predicted float64) Result {
		r := Result{InSummary: true}
		r.PGVersion, r.Strategy, r.Tables, r.Workers, r.Start = "9.5.13", strategy, 5000, 3, "gated"
		s, err := scheduler.LookUp(strategy)
		if err != nil {
			t.Fatal(err)
		}
		r.Freshness = s.Freshness
		r.Rows = []recorded.Row{{Throughput: recordedRate, Exhausted: "no"}}
		r.Predicted.Throughput.Mean = predicted
		return r
	}
	s := Summarize([]Result{
		point("original", 100, 110),      // 1.1 times
		point("claim-release", 105, 105), // exact; within 10 % of original: no pair
		point("leapfrog", 200, 100),      // half; and below both, which is the wrong order
	})
	if s.Points != 3 || s.RankPairs != 2 || s.RankAgreement != 0 || len(s.Disorder) != 2 {
		t.Errorf("%+v: want 3 points and 2 pairs, both in the wrong order", s)
	}
	if math.Abs(s.MedianAbsError-0.1) > 1e-9 {
		t.Errorf("median |error| %v of factors 1, 1.1 and 2, want 0.1", s.MedianAbsError)
	}
	// Of 0, ln 1.1 and ln 2, four fifths of the way from the second to the third.
	if want := math.Exp(0.2*math.Log(1.1)+0.8*math.Log(2)) - 1; math.Abs(s.P90AbsError-want) > 1e-9 {
		t.Errorf("90th percentile of |error| %v of factors 1, 1.1 and 2, want %v", s.P90AbsError, want)
	}
	if math.Abs(s.Within125-2./3) > 1e-9 || math.Abs(s.Within150-2./3) > 1e-9 {
		t.Errorf("within 1.25: %v, within 1.5: %v, want 2/3 each", s.Within125, s.Within150)
	}
}
