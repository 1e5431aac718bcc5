package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A scale maps the values of an axis to a length.
type scale struct {
	log      bool
	zero     bool    // log, with a place for zero below a break of the axis
	min, max float64 // of the axis, min < max, above zero if log
	ticks    []plot.Tick
}

// scaleMargin is left free at either end of an axis, as a share of its length.
const scaleMargin = 0.04

// Where zero stands on a logarithmic axis that shows it: how far above the axis'
// lower end, as are the break and the logarithmic part.
const (
	zeroPlace  vg.Length = 7
	breakPlace vg.Length = 15
	zeroSpace  vg.Length = 22
)

// newScale returns a scale that shows all values, at least one. If log, they are
// zero, which then has a place of its own, or more, at least one of them.
func newScale(log bool, values []float64) scale {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	s := scale{log: log}
	if log && values[0] == 0 && len(values) > 1 {
		s.zero = true
		values = values[1:]
	}
	s.min, s.max = values[0], values[len(values)-1]
	s.widen()
	s.ticks = s.makeTicks()
	if s.zero {
		s.ticks = append([]plot.Tick{{Value: 0, Label: number(0)}}, s.ticks...)
	}
	return s
}

// widen adds the margins and makes room around a single value.
func (s *scale) widen() {
	lo, hi := s.forward(s.min), s.forward(s.max)
	if hi-lo < 1e-9*max(1, math.Abs(hi)) {
		step := 0.3 * max(1, math.Abs(hi))
		if s.log {
			step = 0.5
		}
		lo, hi = lo-step, hi+step
	}
	margin := scaleMargin * (hi - lo)
	if !s.log && s.min >= 0 && s.min < 0.4*s.max {
		lo, margin = 0, scaleMargin*s.max
		hi += margin
	} else {
		lo, hi = lo-margin, hi+margin
	}
	s.min, s.max = s.backward(lo), s.backward(hi)
}

func (s scale) forward(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

func (s scale) backward(v float64) float64 {
	if s.log {
		return math.Pow(10, v)
	}
	return v
}

// at returns the place of v between lo and hi, held within them.
func (s scale) at(v float64, lo, hi vg.Length) vg.Length {
	switch {
	case s.zero && v <= 0:
		return lo + zeroPlace
	case s.zero:
		lo += zeroSpace
	case s.log && v <= 0:
		return lo
	}
	from, to := s.forward(s.min), s.forward(s.max)
	share := (s.forward(v) - from) / (to - from)
	return lo + vg.Length(min(max(share, 0), 1))*(hi-lo)
}

// makeTicks returns the ticks of an axis.
func (s scale) makeTicks() []plot.Tick {
	if !s.log {
		return s.linearTicks()
	}
	decades := math.Log10(s.max / s.min)
	switch {
	case decades >= 1.7:
		return s.logTicks(1)
	case decades >= 0.8:
		return s.logTicks(1, 2, 5)
	}
	return s.linearTicks()
}

// linearTicks returns evenly spaced ticks at round values.
func (s scale) linearTicks() []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(s.min, s.max)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = number(ticks[i].Value)
		}
	}
	return ticks
}

// maxDecades is how many powers of ten an axis has room to label.
const maxDecades = 7

// logTicks returns ticks at 1 to 9 times each power of ten, and labels those at
// the given multiples.
func (s scale) logTicks(labelled ...int) []plot.Tick {
	first, last := int(math.Floor(math.Log10(s.min))), int(math.Ceil(math.Log10(s.max)))
	every := 1 + (last-first)/(maxDecades+1)
	var ticks []plot.Tick
	for exponent := first; exponent <= last; exponent++ {
		for i := 1; i <= 9; i++ {
			tick := plot.Tick{Value: float64(i) * math.Pow10(exponent)}
			if tick.Value < s.min || tick.Value > s.max {
				continue
			}
			if slices.Contains(labelled, i) && exponent%every == 0 {
				tick.Label = number(tick.Value)
			}
			if i == 1 || every == 1 {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

// How many distinct values make better ticks than round numbers. On a linear
// axis they are spaced evenly.
const (
	maxValueTicks       = 8
	maxLinearValueTicks = 24
)

// useValues puts the ticks at the given values, if those are few and width of
// each label leaves them apart on an axis of the given length.
func (s *scale) useValues(values []float64, length vg.Length, width func(string) vg.Length) {
	values = slices.Clone(values)
	slices.SortFunc(values, cmp.Compare[float64])
	values = slices.Compact(values)
	most := maxValueTicks
	if !s.log {
		most = maxLinearValueTicks
	}
	if len(values) > most {
		return
	}
	ticks := make([]plot.Tick, len(values))
	end := vg.Length(math.Inf(-1))
	for i, v := range values {
		ticks[i] = plot.Tick{Value: v, Label: number(v)}
		at, half := s.at(v, 0, length), width(ticks[i].Label)/2
		if at-half < end+6 {
			return
		}
		end = at + half
	}
	s.ticks = ticks
}
