package sim

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a mean of independent samples, of which the samples themselves are
// not at hand.
type Estimate struct {
	Mean   float64
	StdErr float64 // NaN for fewer than two samples
	N      int
}

// EstimateOf takes an estimate back from the interval that StudentInterval gave.
func EstimateOf(i Interval, n int, confidence float64) Estimate {
	return Estimate{Mean: i.Mean, StdErr: (i.Hi - i.Mean) / studentQuantile(n-1, confidence), N: n}
}

// Difference estimates the mean of a less that of b, which are independent, with
// Welch's interval (Biometrika 34, 1947): the variances may differ. Where one of
// them is unknown so are the ends.
func Difference(a, b Estimate, confidence float64) Interval {
	d := a.Mean - b.Mean
	half := welchQuantile(a, b, 1, confidence) * math.Hypot(a.StdErr, b.StdErr)
	if a.StdErr == 0 && b.StdErr == 0 {
		half = 0
	}
	return Interval{Mean: d, Lo: d - half, Hi: d + half}
}

// Ratio estimates the mean of a to that of b, which are independent, with
// Fieller's interval without a covariance, and Welch's degrees of freedom at the
// estimate. Where b does not differ from zero the ends are NaN.
func Ratio(a, b Estimate, confidence float64) Interval {
	checkConfidence(confidence)
	r := a.Mean / b.Mean
	if b.Mean == 0 {
		return unknown(math.NaN())
	}
	if a.StdErr == 0 && b.StdErr == 0 {
		return Interval{Mean: r, Lo: r, Hi: r}
	}
	t := welchQuantile(a, b, r, confidence) / b.Mean
	varA, varB := a.StdErr*a.StdErr, b.StdErr*b.StdErr
	room := 1 - t*t*varB
	if !(room > 0) {
		return unknown(r)
	}
	half := math.Abs(t) * math.Sqrt(max(0, varA+r*r*varB-t*t*varA*varB)) / room
	return Interval{Mean: r, Lo: r/room - half, Hi: r/room + half}
}

// welchQuantile is the factor of an interval for a - r·b.
func welchQuantile(a, b Estimate, r, confidence float64) float64 {
	checkConfidence(confidence)
	if a.N < 2 || b.N < 2 {
		return math.NaN()
	}
	x, y := a.StdErr*a.StdErr, r*r*b.StdErr*b.StdErr
	degrees := (x + y) * (x + y) / (x*x/float64(a.N-1) + y*y/float64(b.N-1))
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}.Quantile((1 + confidence) / 2)
}
