package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A histogram's quantiles are those of the samples themselves, to 0.6 %.
func TestLogHistogramQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Map(rapid.Float64Range(-8.9, 6.9), func(e float64) float64 { return math.Pow(10, e) }), 1, 300).Draw(t, "seconds")
		p := rapid.Float64Range(0.001, 1).Draw(t, "p")
		var h LogHistogram
		for _, x := range xs {
			h.Add(x)
		}
		slices.Sort(xs)
		want := xs[max(int(math.Ceil(p*float64(len(xs))))-1, 0)]
		if got := h.Quantile(p); math.Abs(got/want-1) > LogHistogramError {
			t.Errorf("the %v quantile of %v is %v, want %v", p, xs, got, want)
		}
	})
}

func TestLogHistogramEnds(t *testing.T) {
	var h LogHistogram
	if !math.IsNaN(h.Quantile(0.5)) {
		t.Error("an empty histogram has a median")
	}
	for range 3 {
		h.Add(0)
	}
	h.Add(1e30)
	if h.Quantile(0.5) != 0 || h.Quantile(1) < 9e6 || h.N() != 4 {
		t.Errorf("median %v, maximum %v", h.Quantile(0.5), h.Quantile(1))
	}
	if h.Reset(); h.N() != 0 || !math.IsNaN(h.Quantile(0.5)) {
		t.Error("not empty after Reset")
	}
}
