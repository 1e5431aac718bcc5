package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func estimate(samples []float64) Estimate {
	mean, deviation := stat.MeanStdDev(samples, nil)
	return Estimate{Mean: mean, StdErr: stat.StdErr(deviation, float64(len(samples))), N: len(samples)}
}

// With equal numbers and variances Welch's interval is that of the pooled t-test,
// of 2(n-1) degrees of freedom: t(8, 97.5 %) = 2.306004 for n = 5.
func TestDifferenceOfEqualVariances(t *testing.T) {
	a, b := Estimate{Mean: 12, StdErr: 0.5, N: 5}, Estimate{Mean: 10, StdErr: 0.5, N: 5}
	d := Difference(a, b, 0.95)
	want := 2.306004 * 0.5 * math.Sqrt2
	if math.Abs(d.Hi-2-want) > 1e-6 || math.Abs(2-d.Lo-want) > 1e-6 {
		t.Errorf("got %+v, want 2 ± %v", d, want)
	}
}

// Over many draws the intervals of difference and ratio of independent means
// cover the truth as often as they say, with unequal variances and numbers.
func TestIndependentIntervalsCover(t *testing.T) {
	const trials = 4000
	r := NewStreams(1, 0).Named("independent")
	draw := func(n int, mean, sigma float64) (out []float64) {
		for range n {
			out = append(out, mean+sigma*r.NormFloat64())
		}
		return out
	}
	differences, ratios := 0, 0
	for range trials {
		a, b := estimate(draw(5, 30, 6)), estimate(draw(12, 20, 2))
		if d := Difference(a, b, 0.95); d.Lo <= 10 && 10 <= d.Hi {
			differences++
		}
		if q := Ratio(a, b, 0.95); q.Lo <= 1.5 && 1.5 <= q.Hi {
			ratios++
		}
	}
	for what, n := range map[string]int{"difference": differences, "ratio": ratios} {
		if share := float64(n) / trials; share < 0.94 || share > 0.965 {
			t.Errorf("the interval of the %s covers the truth in %.1f %% of %d trials, want 95 %%", what, 100*share, trials)
		}
	}
}

// An estimate comes back from its interval.
func TestEstimateOf(t *testing.T) {
	samples := []float64{3, 4, 8, 9, 9.5}
	got, want := EstimateOf(StudentInterval(samples, 0.95), 5, 0.95), estimate(samples)
	if math.Abs(got.StdErr-want.StdErr) > 1e-12 || got.Mean != want.Mean || got.N != want.N {
		t.Errorf("got %+v, want %+v", got, want)
	}
	one := EstimateOf(StudentInterval([]float64{3}, 0.95), 1, 0.95)
	if !math.IsNaN(one.StdErr) || Difference(one, want, 0.95).Known() || Ratio(one, want, 0.95).Known() {
		t.Errorf("one sample has the interval %+v", Difference(one, want, 0.95))
	}
	exact := Estimate{Mean: 2, N: 5}
	if d, q := Difference(exact, exact, 0.95), Ratio(exact, exact, 0.95); d != (Interval{}) || q != (Interval{1, 1, 1}) {
		t.Errorf("equal means without variance differ: %+v, %+v", d, q)
	}
}
