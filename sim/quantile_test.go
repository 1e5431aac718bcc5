package sim

import (
	"math"
	"testing"
)

// The ranks of the 95 % interval of the median, from the tables of the sign
// test (Conover, Practical Nonparametric Statistics, 3rd ed., table A3).
func TestQuantileIntervalOfTheMedian(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		n              int
		lo, median, hi float64
	}{
		{1, nan, 1, nan},
		{5, nan, 3, nan},
		{6, 1, 3, 6},
		{10, 2, 5, 9},
		{15, 4, 8, 12},
		{20, 6, 10, 15},
	} {
		samples := make([]float64, c.n)
		for i := range samples {
			samples[i] = float64((i*7)%c.n) + 1 // 1 to n out of order
		}
		if c.n%7 == 0 {
			t.Fatalf("%d is a multiple of 7", c.n)
		}
		got := QuantileInterval(samples, 0.5, 0.95)
		if got.Mean != c.median || !near(got.Lo, c.lo) || !near(got.Hi, c.hi) {
			t.Errorf("%d samples: ranks %+v, want %v in %v to %v", c.n, got, c.median, c.lo, c.hi)
		}
	}
}

// The largest of n samples lies above the 99th percentile with probability
// 1-0.99^n, which passes 97.5 % at n = 368.
func TestQuantileIntervalNeedsSamplesInTheTail(t *testing.T) {
	for _, c := range []struct {
		n     int
		known bool
	}{{367, false}, {368, true}} {
		samples := make([]float64, c.n)
		for i := range samples {
			samples[i] = float64(i)
		}
		if got := QuantileInterval(samples, 0.99, 0.95); got.Known() != c.known || math.IsNaN(got.Lo) {
			t.Errorf("99th percentile of %d samples: %+v, an upper end: want %v", c.n, got, c.known)
		}
	}
}

// Order statistics are discrete, so the coverage is at least what was asked
// for, and here not more than 97 %.
func TestQuantileIntervalCoverage(t *testing.T) {
	r := NewStreams(1, 0).Named("exponential")
	samples := make([]float64, 200)
	got := covered(2000, math.Ln10, func() Interval {
		for i := range samples {
			samples[i] = r.ExpFloat64()
		}
		return QuantileInterval(samples, 0.9, 0.95)
	})
	if got < 0.94 || got > 0.98 {
		t.Errorf("the interval of the 90th percentile covers it in %.2f %% of the trials", 100*got)
	}
}

func TestQuantileIntervalWithoutAnAnswer(t *testing.T) {
	for _, samples := range [][]float64{nil, {1, math.NaN(), 3}} {
		if got := QuantileInterval(samples, 0.5, 0.95); got.Known() || !math.IsNaN(got.Mean) {
			t.Errorf("%v: %+v", samples, got)
		}
	}
}

func TestQuantileIntervalLeavesTheSamplesAlone(t *testing.T) {
	samples := []float64{3, 1, 2}
	QuantileInterval(samples, 0.5, 0.95)
	if samples[0] != 3 || samples[1] != 1 || samples[2] != 2 {
		t.Errorf("the samples are now %v", samples)
	}
}
