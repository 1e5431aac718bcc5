package sim

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is an estimate with its confidence interval. An end that the data
// cannot give is NaN; in JSON it is null.
type Interval struct {
	Mean float64 // the estimate: a mean, a ratio of means, a quantile
	Lo   float64 // lower end
	Hi   float64 // upper end
}

// Known tells whether both ends of the interval are known.
func (i Interval) Known() bool {
	return isFinite(i.Lo) && isFinite(i.Hi)
}

// unknown is an estimate without an interval.
func unknown(estimate float64) Interval {
	return Interval{Mean: estimate, Lo: math.NaN(), Hi: math.NaN()}
}

// StudentInterval estimates the mean of a population from independent samples,
// such as the results of replications, with the t-interval
//
//	mean ± t(n-1, (1+confidence)/2) · s/√n.
//
// Its coverage is exact for normal samples and, by the central limit theorem,
// close for others where n is large or their distribution symmetric. It is
// wrong for samples that depend on each other, such as successive observations
// of one run: for those see BatchMeans.
//
// One sample has no interval (Lo and Hi are NaN), none has no mean either.
// The confidence is a share, 0.95 as a rule; outside (0, 1) it panics.
func StudentInterval(samples []float64, confidence float64) Interval {
	t := studentQuantile(len(samples)-1, confidence)
	if len(samples) < 2 {
		return unknown(stat.Mean(samples, nil))
	}
	mean, deviation := stat.MeanStdDev(samples, nil)
	half := t * stat.StdErr(deviation, float64(len(samples)))
	return Interval{Mean: mean, Lo: mean - half, Hi: mean + half}
}

// PairedRatio estimates mean(a)/mean(b) where a[i] and b[i] come from the same
// replication, as under common random numbers, with Fieller's interval (J. R.
// Statist. Soc. B 16, 1954): all ratios r for which a t-test does not reject
// that a - r·b has mean zero.
//
// It is exact for jointly normal pairs and makes use of their correlation.
// Unlike an interval over the logarithms of a[i]/b[i] it admits zeros and
// estimates the ratio of the means that stand beside it, not the geometric mean
// of the ratios. It is not symmetric about the estimate. Where the mean of b
// does not differ from zero at that confidence the ratio is unbounded, and Lo
// and Hi are NaN, as they are for fewer than two pairs; with a mean of b of
// zero so is the estimate.
//
// Slices of different length panic, and so does a confidence outside (0, 1).
func PairedRatio(a, b []float64, confidence float64) Interval {
	if len(a) != len(b) {
		panic(fmt.Sprintf("sim: PairedRatio of %d and %d samples", len(a), len(b)))
	}
	t := studentQuantile(len(a)-1, confidence)
	meanA, meanB := stat.Mean(a, nil), stat.Mean(b, nil)
	if len(a) < 2 || meanB == 0 {
		return unknown(finiteOrNaN(meanA / meanB))
	}

	// The ends are the roots r of (meanA - r·meanB)² = t²·Var(a - r·b)/n,
	// written about the estimate so that small variances do not cancel.
	ratio := meanA / meanB
	residuals := make([]float64, len(a))
	for i := range a {
		residuals[i] = a[i] - ratio*b[i]
	}
	scale := t * t / (meanB * meanB * float64(len(a)))
	varA, varB, varResidual := stat.Variance(a, nil), stat.Variance(b, nil), stat.Variance(residuals, nil)
	cov := stat.Covariance(a, b, nil)
	room := 1 - scale*varB
	if !(room > 0) {
		return unknown(ratio)
	}
	centre := (ratio - scale*cov) / room
	half := math.Sqrt(max(0, scale*(varResidual-scale*(varA*varB-cov*cov)))) / room
	return Interval{Mean: ratio, Lo: centre - half, Hi: centre + half}
}

// studentQuantile is the factor of a two-sided t-interval. It checks the
// confidence for every interval in this package that uses it.
func studentQuantile(degrees int, confidence float64) float64 {
	checkConfidence(confidence)
	if degrees < 1 {
		return math.NaN()
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(degrees)}.Quantile((1 + confidence) / 2)
}

func checkConfidence(confidence float64) {
	if !(confidence > 0 && confidence < 1) {
		panic(fmt.Sprintf("sim: a confidence of %v is not between 0 and 1", confidence))
	}
}

// intervalJSON is an Interval as JSON has it: no NaN, no infinity.
type intervalJSON struct {
	Mean *float64 `json:"mean"`
	Lo   *float64 `json:"lo"`
	Hi   *float64 `json:"hi"`
}

// MarshalJSON writes {"mean":…,"lo":…,"hi":…}, with null for what is not a
// finite number.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(intervalJSON{orNull(i.Mean), orNull(i.Lo), orNull(i.Hi)})
}

// UnmarshalJSON reads what MarshalJSON writes. A null or a missing member
// becomes NaN.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var from intervalJSON
	if err := json.Unmarshal(text, &from); err != nil {
		return err
	}
	*i = Interval{Mean: orNaN(from.Mean), Lo: orNaN(from.Lo), Hi: orNaN(from.Hi)}
	return nil
}

func orNull(x float64) *float64 {
	if !isFinite(x) {
		return nil
	}
	return &x
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func finiteOrNaN(x float64) float64 {
	if !isFinite(x) {
		return math.NaN()
	}
	return x
}

func isFinite(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}
