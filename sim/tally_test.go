package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// near tells whether two numbers agree to a relative 1e-12, or are both NaN.
func near(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b))
}

func checkTally(t *testing.T, tally *Tally, count int, sum, mean, variance, least, most float64) {
	t.Helper()
	if tally.Count() != count {
		t.Errorf("count %d, want %d", tally.Count(), count)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"sum", tally.Sum(), sum},
		{"mean", tally.Mean(), mean},
		{"variance", tally.Variance(), variance},
		{"standard deviation", tally.StdDev(), math.Sqrt(variance)},
		{"minimum", tally.Min(), least},
		{"maximum", tally.Max(), most},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestTallyOfFewObservations(t *testing.T) {
	nan := math.NaN()
	var tally Tally
	checkTally(t, &tally, 0, 0, nan, nan, nan, nan)
	tally.Add(-3)
	checkTally(t, &tally, 1, -3, -3, nan, -3, -3)
	tally.Add(5)
	checkTally(t, &tally, 2, 2, 1, 32, -3, 5)
}

// The numbers 1 to n have the mean (n+1)/2 and the sample variance n(n+1)/12.
func TestTallyOfConsecutiveNumbers(t *testing.T) {
	var tally Tally
	const n = 10_000
	for i := range n {
		tally.Add(float64(i + 1))
	}
	checkTally(t, &tally, n, n*(n+1)/2, (n+1)/2.0, n*(n+1)/12.0, 1, n)
}

// 4, 7, 13 and 16 have the variance 30, wherever they are moved to; a sum of
// squares has lost it at 1e9.
func TestTallyKeepsPrecisionFarFromZero(t *testing.T) {
	var tally Tally
	for _, x := range []float64{4, 7, 13, 16} {
		tally.Add(1e9 + x)
	}
	checkTally(t, &tally, 4, 4e9+40, 1e9+10, 30, 1e9+4, 1e9+16)
}

func TestTallyAgreesWithGonum(t *testing.T) {
	r := NewStreams(1, 0).Named("tally")
	var tally Tally
	var samples []float64
	for range 1000 {
		x := r.ExpFloat64()
		samples = append(samples, x)
		tally.Add(x)
	}
	mean, variance := stat.MeanVariance(samples, nil)
	if !near(tally.Mean(), mean) || !near(tally.Variance(), variance) {
		t.Errorf("mean %v, variance %v; gonum has %v, %v", tally.Mean(), tally.Variance(), mean, variance)
	}
}

func TestTallyAddDoesNotAllocate(t *testing.T) {
	var tally Tally
	if n := testing.AllocsPerRun(100, func() { tally.Add(1) }); n != 0 {
		t.Errorf("Add allocates %v times", n)
	}
}

func BenchmarkTallyAdd(b *testing.B) {
	var tally Tally
	for b.Loop() {
		tally.Add(1)
	}
}
