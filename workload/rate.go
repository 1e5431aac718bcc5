package workload

import (
	"math"
	"sort"
	"time"
)

// Rate is rows a second as a function of time. Total must be exact: counters
// are functions of time, evaluated when someone looks.
type Rate interface {
	// Total is the number of rows from the start of the run to t.
	Total(t time.Duration) float64
	// Most is an upper bound of the rate from t on, rows a second.
	Most(t time.Duration) float64
}

// Constant is the same rate at all times.
type Constant float64

// Total is rate × time.
func (c Constant) Total(t time.Duration) float64 { return float64(c) * t.Seconds() }

// Most is the rate.
func (c Constant) Most(time.Duration) float64 { return float64(c) }

// Step is a rate from an instant on.
type Step struct {
	From      time.Duration
	PerSecond float64
}

// Steps is a piecewise constant rate; zero before the first step. The last one
// goes on.
type Steps []Step

// Total adds up the steps.
func (s Steps) Total(t time.Duration) (sum float64) {
	for i, step := range s {
		if step.From >= t {
			break
		}
		end := t
		if i+1 < len(s) {
			end = min(t, s[i+1].From)
		}
		sum += step.PerSecond * (end - step.From).Seconds()
	}
	return sum
}

// Most is the highest rate of the step at t and those to come.
func (s Steps) Most(t time.Duration) (most float64) {
	i := sort.Search(len(s), func(i int) bool { return s[i].From > t })
	for _, step := range s[max(i-1, 0):] {
		most = math.Max(most, step.PerSecond)
	}
	return most
}

// Wave is a rate that swings about a mean as a sine: a daily rhythm. At
// Mean·(1−Amplitude) it is lowest, half a Period after Peak.
type Wave struct {
	Mean      float64 // rows a second
	Amplitude float64 // 0 to 1
	Period    time.Duration
	Peak      time.Duration // an instant at which it is highest
}

// Total is the closed integral.
func (w Wave) Total(t time.Duration) float64 {
	omega := 2 * math.Pi / w.Period.Seconds()
	at := func(t time.Duration) float64 { return math.Sin(omega * (t - w.Peak).Seconds()) }
	return w.Mean * (t.Seconds() + w.Amplitude/omega*(at(t)-at(0)))
}

// Most is the rate at the peak.
func (w Wave) Most(time.Duration) float64 { return w.Mean * (1 + w.Amplitude) }

// Bursts is a rate for a while, again and again.
type Bursts struct {
	PerSecond float64
	Every     time.Duration
	Length    time.Duration // at most Every
	First     time.Duration
}

// Total counts whole bursts and the one under way.
func (b Bursts) Total(t time.Duration) float64 {
	if t <= b.First {
		return 0
	}
	since := t - b.First
	whole := since / b.Every
	busy := whole*b.Length + min(since-whole*b.Every, b.Length)
	return b.PerSecond * busy.Seconds()
}

// Most is the rate within a burst.
func (b Bursts) Most(time.Duration) float64 { return b.PerSecond }

// Rates is a sum of rates.
type Rates []Rate

// Total adds up the totals.
func (r Rates) Total(t time.Duration) (sum float64) {
	for _, x := range r {
		sum += x.Total(t)
	}
	return sum
}

// Most adds up the bounds.
func (r Rates) Most(t time.Duration) (sum float64) {
	for _, x := range r {
		sum += x.Most(t)
	}
	return sum
}

// Sum is the sum of two rates, either of which may be nil for none.
func Sum(a, b Rate) Rate {
	x, xok := a.(Constant)
	y, yok := b.(Constant)
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case xok && yok:
		return x + y
	}
	return Rates{a, b}
}
