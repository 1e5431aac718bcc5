package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// A timeUnit is what a time axis counts in.
type timeUnit struct {
	name    string
	seconds float64
	steps   []float64 // of the ticks, to choose from
}

var timeUnits = []timeUnit{
	{"days", 86400, []float64{1, 2, 7, 14, 28, 100, 365}},
	{"hours", 3600, []float64{0.5, 1, 2, 3, 6, 12, 24}},
	{"minutes", 60, []float64{0.5, 1, 2, 5, 10, 20, 30, 60}},
	{"seconds", 1, []float64{1, 2, 5, 10, 20, 30, 60}},
}

// leastUnits is how many of a unit a time axis has at least.
const leastUnits = 2.5

// unitOf returns the unit for times up to so many seconds.
func unitOf(seconds float64) timeUnit {
	for _, u := range timeUnits {
		if seconds >= leastUnits*u.seconds {
			return u
		}
	}
	return timeUnits[len(timeUnits)-1]
}

// maxTimeTicks is how many ticks a time axis has at most.
const maxTimeTicks = 12

// newTimeScale returns the axis from one time to a later one, both in seconds,
// without margins, and its unit. What it maps are seconds.
func newTimeScale(from, to float64) (scale, timeUnit) {
	u := unitOf(to)
	if to <= from {
		to = from + u.seconds
	}
	s := scale{min: from, max: to}
	step := 0.0
	for _, step = range u.steps {
		if (to-from)/u.seconds/step <= maxTimeTicks {
			break
		}
	}
	for (to-from)/u.seconds/step > maxTimeTicks {
		step *= 2
	}
	for i := math.Ceil(from / u.seconds / step); i*step*u.seconds <= to*(1+1e-12); i++ {
		s.ticks = append(s.ticks, plot.Tick{Value: i * step * u.seconds, Label: number(i * step)})
	}
	return s, u
}

// title is the axis' title.
func (u timeUnit) title() string { return "simulated time, " + u.name }

// span words a length of time: "7 days", "1 minute", "37.5 minutes".
func span(seconds float64) string {
	u := unitOf(seconds)
	n := math.Round(seconds/u.seconds*10) / 10
	if u.name == "seconds" {
		n, _ = strconv.ParseFloat(strconv.FormatFloat(seconds, 'g', 3, 64), 64)
	}
	if n == 1 {
		return "1 " + u.name[:len(u.name)-1]
	}
	return number(n) + " " + u.name
}
