package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

func draws(r *rand.Rand, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = r.Float64()
	}
	return values
}

// The draws were computed apart, by a few lines of Python for SHA-256 and
// PCG-DXSM. A change here changes every result ever published with a seed.
func TestStreamsAreStable(t *testing.T) {
	r := NewStreams(1, 0).Named("arrivals")
	got := []uint64{r.Uint64(), r.Uint64(), r.Uint64()}
	want := []uint64{0x701f2b773871f267, 0x0758abaa1484ac39, 0xc9eb944c1a5e7dc9}
	if !slices.Equal(got, want) {
		t.Errorf("first draws of seed 1, replication 0, %q: %#x, want %#x", "arrivals", got, want)
	}
}

func TestStreamsDoNotDependOnEachOther(t *testing.T) {
	alone := draws(NewStreams(1, 0).Named("b"), 5)

	streams := NewStreams(1, 0)
	a, b, c := streams.Named("a"), streams.Named("b"), streams.Named("c")
	var between []float64
	for range 5 {
		c.Uint64()
		between = append(between, b.Float64())
		a.NormFloat64()
	}
	if !slices.Equal(alone, between) {
		t.Errorf("stream b gives %v alone and %v among others", alone, between)
	}
}

func TestStreamsDiffer(t *testing.T) {
	first := map[uint64]string{}
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		for _, replication := range []int{0, 1, 2, 256} {
			for _, name := range []string{"", "a", "b", "ab", "a\x00", "\x00a"} {
				who := fmt.Sprintf("seed %d, replication %d, %q", seed, replication, name)
				x := NewStreams(seed, replication).Named(name).Uint64()
				if other, ok := first[x]; ok {
					t.Errorf("%s begins like %s", who, other)
				}
				first[x] = who
			}
		}
	}
}

// Pearson's chi-square within one stream and, for the hash that seeds them,
// over the first draws of many streams.
func TestStreamsAreUniform(t *testing.T) {
	var firsts []float64
	for i := range 50_000 {
		firsts = append(firsts, NewStreams(1, i%100).Named(fmt.Sprint("table ", i/100)).Float64())
	}
	for what, values := range map[string][]float64{
		"draws of one stream":         draws(NewStreams(1, 0).Named("arrivals"), 50_000),
		"first draws of many streams": firsts,
	} {
		const bins = 100
		observed, expected := make([]float64, bins), make([]float64, bins)
		for i := range expected {
			expected[i] = float64(len(values)) / bins
		}
		for _, x := range values {
			observed[int(x*bins)]++
		}
		p := distuv.ChiSquared{K: bins - 1}.Survival(stat.ChiSquare(observed, expected))
		if p < 0.001 || p > 0.999 {
			t.Errorf("%s: the chi-square test for uniformity has p = %v", what, p)
		}
	}
}

func TestNeighbouringReplicationsAreUncorrelated(t *testing.T) {
	const n = 10_000
	a, b := draws(NewStreams(1, 0).Named("x"), n), draws(NewStreams(1, 1).Named("x"), n)
	if r := stat.Correlation(a, b, nil); math.Abs(r) > 4/math.Sqrt(n) {
		t.Errorf("correlation of replications 0 and 1 is %v, more than 4 standard errors", r)
	}
}
