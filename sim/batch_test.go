package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// autoregressive fills a stationary AR(1) series x[t] = φ·x[t-1] + noise with
// mean zero.
func autoregressive(r *rand.Rand, phi float64, series []float64) {
	x := r.NormFloat64() / math.Sqrt(1-phi*phi)
	for i := range series {
		series[i] = x
		x = phi*x + r.NormFloat64()
	}
}

func TestBatchMeansCoverageOfACorrelatedSeries(t *testing.T) {
	r := NewStreams(1, 0).Named("batches")
	series := make([]float64, 4000)
	var naive int
	checkCoverage(t, covered(2000, 0, func() Interval {
		autoregressive(r, 0.8, series)
		if i := StudentInterval(series, 0.95); i.Lo <= 0 && 0 <= i.Hi {
			naive++
		}
		return BatchMeans(series, 20, 0.95)
	}))
	// As if independent, the same series have an interval too narrow by
	// √((1+φ)/(1-φ)) = 3, so that 1.96/3 standard deviations cover 49 %.
	if share := float64(naive) / 2000; math.Abs(share-0.487) > 0.035 {
		t.Errorf("taken as independent the series cover in %.1f %%, want 49 %%: is the test series right?", 100*share)
	}
}

func TestBatchMeansByHand(t *testing.T) {
	// The first, which does not divide, is left out; the batch means are 2, 5, 8.
	got := BatchMeans([]float64{1000, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 0.95)
	if want := StudentInterval([]float64{2, 5, 8}, 0.95); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := BatchMeans([]float64{1, 3}, 3, 0.95); got.Known() || got.Mean != 2 {
		t.Errorf("fewer observations than batches: %+v", got)
	}
	if got := BatchMeans(nil, 3, 0.95); got.Known() || !math.IsNaN(got.Mean) {
		t.Errorf("no observations: %+v", got)
	}
}

func TestMSER5(t *testing.T) {
	step := func(high, n int) []float64 {
		series := make([]float64, n)
		for i := range high {
			series[i] = 100
		}
		return series
	}
	ramp := make([]float64, 200)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	for _, c := range []struct {
		what   string
		series []float64
		want   int
	}{
		{"nothing", nil, 0},
		{"less than a batch", []float64{9, 1, 1}, 0},
		{"one batch", []float64{9, 1, 1, 1, 1}, 0},
		{"a constant", step(0, 500), 0},
		{"a step at 50", step(50, 500), 50},
		{"a step within a batch", step(52, 500), 55},
		{"a step at the middle", step(250, 500), 250},
		// The variance of a line over n-d points is about (n-d)²/12, so that
		// MSER(d) falls as far as it is looked at.
		{"a line that never settles", ramp, 100},
	} {
		if got := MSER5(c.series); got != c.want {
			t.Errorf("%s: delete %d, want %d", c.what, got, c.want)
		}
	}
}

// The definition, computed as it is written down.
func mser5ByDefinition(series []float64) int {
	z := make([]float64, len(series)/5)
	for j := range z {
		for _, x := range series[5*j : 5*j+5] {
			z[j] += x / 5
		}
	}
	best, least := 0, math.Inf(1)
	for d := 0; d <= len(z)/2 && d < len(z); d++ {
		n := float64(len(z) - d)
		mean, sum := stat.Mean(z[d:], nil), 0.0
		for _, x := range z[d:] {
			sum += (x - mean) * (x - mean)
		}
		if sum/(n*n) < least {
			best, least = d, sum/(n*n)
		}
	}
	return 5 * best
}

func TestMSER5AgainstItsDefinition(t *testing.T) {
	r := NewStreams(1, 0).Named("mser")
	for trial := range 2000 {
		series := make([]float64, r.IntN(120))
		bias, decay := 20*r.Float64(), r.Float64()
		for i := range series {
			series[i] = bias + r.NormFloat64()
			bias *= decay
		}
		if got, want := MSER5(series), mser5ByDefinition(series); got != want {
			t.Fatalf("trial %d, %d observations: delete %d, want %d", trial, len(series), got, want)
		}
	}
}

// A series that starts ten standard deviations off must lose its bias.
func TestMSER5RemovesTheBias(t *testing.T) {
	var before, after Tally
	for replication := range 200 {
		r := NewStreams(1, replication).Named("bias")
		series := make([]float64, 1000)
		autoregressive(r, 0.5, series)
		for i := range series {
			series[i] += 12 * math.Pow(0.97, float64(i))
		}
		before.Add(stat.Mean(series, nil))
		after.Add(stat.Mean(series[MSER5(series):], nil))
	}
	// The sum of the geometric bias over the length of the series.
	if want := 12 / 0.03 / 1000; math.Abs(before.Mean()-want) > 0.02 {
		t.Errorf("bias before the deletion %v, want %v", before.Mean(), want)
	}
	if after.Mean() > before.Mean()/5 {
		t.Errorf("bias %v after the deletion, %v before", after.Mean(), before.Mean())
	}
}
