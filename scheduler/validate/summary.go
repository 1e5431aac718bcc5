package validate

import (
	"math"
	"slices"

	"avsim/scheduler"
	"avsim/workload/recorded"
)

// Summary tells how far the model is off over the points that count. Errors
// are |ln(predicted/recorded)| turned back into a share: 0.1 is a factor of 1.1
// either way.
type Summary struct {
	Points         int     `json:"points"`
	MedianAbsError float64 `json:"median_abs_error"`
	P90AbsError    float64 `json:"p90_abs_error"`
	Within125      float64 `json:"within_1_25"`
	Within150      float64 `json:"within_1_5"`
	// RankAgreement is the share of pairs of strategies that come out in the
	// order in which they were recorded, of the pairs at equal tables, workers,
	// start and version family, each with its own freshness, whose recorded
	// throughputs differ by more than 10 %.
	RankAgreement float64 `json:"rank_agreement"`
	RankPairs     int     `json:"rank_pairs"`
	// Disorder lists the pairs that do not.
	Disorder []string `json:"disorder,omitempty"`
}

// Summarize sums up the results that count.
func Summarize(results []Result) Summary {
	var errors []float64
	s := Summary{}
	for _, r := range results {
		if !r.InSummary {
			continue
		}
		e := r.logError()
		errors = append(errors, e)
		if e <= math.Log(1.25) {
			s.Within125++
		}
		if e <= math.Log(1.5) {
			s.Within150++
		}
	}
	s.Points = len(errors)
	if s.Points > 0 {
		slices.Sort(errors)
		s.MedianAbsError = math.Expm1(quantile(errors, 0.5))
		s.P90AbsError = math.Expm1(quantile(errors, 0.9))
		s.Within125 /= float64(s.Points)
		s.Within150 /= float64(s.Points)
	}
	s.rank(results)
	return s
}

// quantile interpolates between order statistics so that the middle of an odd
// number of values is their median (type 7 of Hyndman and Fan 1996, the default
// of R and NumPy; gonum has types 1 and 4 only).
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// rankDifference is the recorded difference from which on an order counts.
const rankDifference = 0.10

// rank counts the pairs in the right order.
func (s *Summary) rank(results []Result) {
	right := 0
	for i, a := range results {
		for _, b := range results[i+1:] {
			if !rankable(a, b) {
				continue
			}
			ra, rb := a.Recorded(), b.Recorded()
			if math.Max(ra, rb)/math.Min(ra, rb) <= 1+rankDifference {
				continue
			}
			s.RankPairs++
			if (ra > rb) == (a.Predicted.Throughput.Mean > b.Predicted.Throughput.Mean) {
				right++
				continue
			}
			s.Disorder = append(s.Disorder, a.Key.String()+" / "+b.Key.String())
		}
	}
	s.RankAgreement = 1
	if s.RankPairs > 0 {
		s.RankAgreement = float64(right) / float64(s.RankPairs)
	}
}

// rankable tells whether two points compare strategies and nothing else.
func rankable(a, b Result) bool {
	return a.InSummary && b.InSummary && a.Strategy != b.Strategy &&
		a.Tables == b.Tables && a.Workers == b.Workers && a.Start == b.Start &&
		a.Family() == b.Family() && ownFreshness(a) && ownFreshness(b)
}

// ownFreshness tells whether a point is no ablation of the freshness.
func ownFreshness(r Result) bool {
	s, err := scheduler.LookUp(r.Strategy)
	return err == nil && (r.Freshness == recorded.UnknownFreshness || s.Freshness == r.Freshness)
}
