package sim

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// BatchMeans estimates the mean of a stationary series of observations that
// depend on their neighbours, such as successive waiting times of one run. The
// series is cut into as many equal batches as asked for; where a batch is long
// against the series' correlation, the means of the batches are all but
// independent and normal, and a t-interval over them holds.
//
// 10 to 30 batches are best, however long the series (Schmeiser, Operations
// Research 30, 1982). What does not divide evenly is left out at the
// beginning, where a rest of the warm-up would be. A series shorter than the
// number of batches has a mean and no interval. Fewer than two batches panic.
func BatchMeans(series []float64, batches int, confidence float64) Interval {
	if batches < 2 {
		panic(fmt.Sprintf("sim: BatchMeans needs two batches or more, not %d", batches))
	}
	checkConfidence(confidence)
	size := len(series) / batches
	if size == 0 {
		return unknown(stat.Mean(series, nil))
	}
	return StudentInterval(batchMeans(series[len(series)-batches*size:], size), confidence)
}

// mserBatch is the 5 of MSER-5: the observations averaged into one before the
// rule is applied.
const mserBatch = 5

// MSER5 tells how many observations at the beginning of a series to delete as
// warm-up: a multiple of 5, at most half of the series. It is the marginal
// standard error rule over batches of five (White, Simulation 69, 1997; White,
// Cobb & Spratt, Winter Simulation Conference 2000): of the b batch means delete
// the d first that minimize
//
//	MSER(d) = 1/(b-d)² · Σ (z[j] - mean of z[d:])² over j ≥ d,
//
// the earliest d on a tie. Only d ≤ b/2 are tried, since a minimum near the end
// of a series is an artefact of the few observations left. An answer of half
// the series says that it is too short to tell.
func MSER5(series []float64) int {
	means := batchMeans(series, mserBatch)
	best, least := 0, math.Inf(1)
	var kept Tally // of means[d:]
	for d := len(means) - 1; d >= 0; d-- {
		kept.Add(means[d])
		n := float64(kept.count)
		if mser := kept.squares / (n * n); d <= len(means)/2 && mser <= least {
			best, least = d, mser
		}
	}
	return best * mserBatch
}

// batchMeans averages every size successive observations; an incomplete last
// batch is left out.
func batchMeans(series []float64, size int) []float64 {
	means := make([]float64, len(series)/size)
	for i := range means {
		means[i] = stat.Mean(series[i*size:(i+1)*size], nil)
	}
	return means
}
