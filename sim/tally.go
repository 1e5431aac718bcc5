package sim

import "math"

// Tally summarizes observations one at a time in constant memory. The zero
// value is empty and ready to use.
//
// Mean and variance follow Welford's recurrence (Technometrics 4, 1962), which
// keeps its precision where a sum of squares loses it. For observations at
// hand in a slice use gonum/stat; for a quantity that holds its value over
// time, TimeWeighted.
type Tally struct {
	count    int
	mean     float64
	squares  float64 // sum of squared deviations from the mean
	sum      float64
	min, max float64
}

// Add counts one observation. It allocates nothing.
func (t *Tally) Add(x float64) {
	if t.count == 0 {
		t.min, t.max = x, x
	}
	t.count++
	t.sum += x
	t.min, t.max = min(t.min, x), max(t.max, x)
	deviation := x - t.mean
	t.mean += deviation / float64(t.count)
	t.squares += deviation * (x - t.mean)
}

// Count is the number of observations.
func (t *Tally) Count() int { return t.count }

// Sum is the sum of the observations, 0 if there are none.
func (t *Tally) Sum() float64 { return t.sum }

// Mean is the arithmetic mean, NaN if there are no observations.
func (t *Tally) Mean() float64 { return t.atLeast(1, t.mean) }

// Min is the smallest observation, NaN if there are none.
func (t *Tally) Min() float64 { return t.atLeast(1, t.min) }

// Max is the largest observation, NaN if there are none.
func (t *Tally) Max() float64 { return t.atLeast(1, t.max) }

// Variance is the unbiased sample variance (divisor n-1), NaN for fewer than
// two observations.
func (t *Tally) Variance() float64 {
	return t.atLeast(2, t.squares/float64(t.count-1))
}

// StdDev is the square root of Variance.
func (t *Tally) StdDev() float64 { return math.Sqrt(t.Variance()) }

// atLeast returns x, or NaN where n observations have not been made.
func (t *Tally) atLeast(n int, x float64) float64 {
	if t.count < n {
		return math.NaN()
	}
	return x
}
