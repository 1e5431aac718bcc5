package sim

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileInterval estimates the p-quantile, 0 < p < 1, of a population from
// independent samples: the smallest sample that a share p of the samples does
// not exceed, between two order statistics. The number of samples below the
// true quantile is binomial whatever the distribution, so the interval
//
//	x(l) … x(u), P(Bin(n,p) < l) ≤ α/2, P(Bin(n,p) ≥ u) ≤ α/2, α = 1-confidence
//
// covers it with at least the confidence asked for (David & Nagaraja, Order
// Statistics, section 7.1).
//
// An end for which there are too few samples is NaN: a 99th percentile at 95 %
// has an upper end from 368 samples on. NaN among the samples makes all of it
// NaN. A p or a confidence outside (0, 1) panics.
func QuantileInterval(samples []float64, p, confidence float64) Interval {
	checkConfidence(confidence)
	if !(p > 0 && p < 1) {
		panic(fmt.Sprintf("sim: a quantile of %v is not between 0 and 1", p))
	}
	n := len(samples)
	if n == 0 || floats.HasNaN(samples) {
		return unknown(math.NaN())
	}
	sorted := slices.Sorted(slices.Values(samples))
	interval := unknown(stat.Quantile(p, stat.Empirical, sorted, nil))

	// With below(k) = P(Bin(n,p) < k), l is the last k with below(k) ≤ α/2 and
	// u the first with below(k) ≥ 1-α/2.
	binomial := distuv.Binomial{N: float64(n), P: p}
	below := func(k int) float64 { return binomial.CDF(float64(k - 1)) }
	tail := (1 - confidence) / 2
	if l := sort.Search(n+1, func(k int) bool { return below(k) > tail }) - 1; l >= 1 {
		interval.Lo = sorted[l-1]
	}
	if u := sort.Search(n+1, func(k int) bool { return below(k) >= 1-tail }); u <= n {
		interval.Hi = sorted[u-1]
	}
	return interval
}
