package host

import (
	"math"
	"sort"
	"time"
)

// Curve is a cost as a function of a number of tables or entries: Base +
// PerEntry·n or, when there are Points, piecewise linear between them.
type Curve struct {
	Base     time.Duration
	PerEntry float64 // nanoseconds; a tenth of one weighs at a million entries
	Points   []Point // at least two, by rising N
}

// Point is a measured cost.
type Point struct {
	N    int
	Cost time.Duration
}

// Linear is a size that grows with a number of entries, in bytes.
type Linear struct{ Base, PerEntry float64 }

// At returns the size for n entries.
func (l Linear) At(n int) int64 { return int64(math.Round(l.Base + l.PerEntry*float64(max(n, 0)))) }

// At returns the cost of n tables or entries, never below zero. Below the first
// point the first segment goes on down to n = 0, where it is cut off at zero;
// beyond the last point the last one goes on, but never down: measured costs
// are noisy, real ones do not fall.
func (c Curve) At(n int) time.Duration {
	x := float64(max(n, 0))
	if len(c.Points) == 0 {
		return toDuration(float64(c.Base) + c.PerEntry*x)
	}
	return toDuration(c.interpolate(x))
}

func (c Curve) interpolate(x float64) float64 {
	last := len(c.Points) - 1
	i := sort.Search(last+1, func(i int) bool { return float64(c.Points[i].N) >= x })
	switch {
	case i == 0:
		first := c.Points[0]
		if first.N == 0 {
			return float64(first.Cost)
		}
		origin := Point{0, toDuration(line(first, c.Points[1], 0))}
		return line(origin, first, x)
	case i > last:
		return max(line(c.Points[last-1], c.Points[last], x), float64(c.Points[last].Cost))
	}
	return line(c.Points[i-1], c.Points[i], x)
}

// line is the straight line through a and b, at x.
func line(a, b Point, x float64) float64 {
	slope := float64(b.Cost-a.Cost) / float64(b.N-a.N)
	return float64(a.Cost) + slope*(x-float64(a.N))
}

// toDuration rounds to a nanosecond and keeps within what a Duration holds.
func toDuration(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(max(ns, 0)))
}

// Slack is by how much a sleep overshoots, by the length asked for.
type Slack []SlackPoint

// SlackPoint is the median overshoot of a sleep of one length.
type SlackPoint struct{ Sleep, Over time.Duration }

// At returns the overshoot of a sleep of length d: linear between the points,
// and that of the nearest point outside them.
func (s Slack) At(d time.Duration) time.Duration {
	i := sort.Search(len(s), func(i int) bool { return s[i].Sleep >= d })
	switch {
	case len(s) == 0:
		return 0
	case i == 0:
		return s[0].Over
	case i == len(s):
		return s[i-1].Over
	}
	a, b := s[i-1], s[i]
	share := float64(d-a.Sleep) / float64(b.Sleep-a.Sleep)
	return a.Over + toDuration(share*float64(b.Over-a.Over))
}
