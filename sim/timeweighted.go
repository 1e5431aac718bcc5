package sim

import (
	"fmt"
	"math"
)

// nanosecondsPerSecond converts Time, which counts nanoseconds, to seconds.
const nanosecondsPerSecond = 1e9

// TimeWeighted follows a quantity that is constant between changes, such as
// the length of a queue, and averages it over time. The zero value is the
// quantity 0 observed from time 0 on.
//
// Times must not decrease from call to call; a step back is an error of the
// model and panics.
type TimeWeighted struct {
	start Time    // beginning of the observation
	last  Time    // up to which area is complete
	value float64 // since last
	area  float64 // integral of the value from start to last, in value x ns
}

// Set gives the quantity a new value from now on.
func (w *TimeWeighted) Set(now Time, value float64) {
	w.advance(now)
	w.value = value
}

// Add changes the quantity by delta from now on.
func (w *TimeWeighted) Add(now Time, delta float64) {
	w.advance(now)
	w.value += delta
}

// Restart forgets the past, as at the end of a warm-up, and observes from now
// on. The quantity keeps its value.
func (w *TimeWeighted) Restart(now Time) {
	w.advance(now)
	w.start, w.area = now, 0
}

// Value is the quantity's present value.
func (w *TimeWeighted) Value() float64 { return w.value }

// Integral is the area under the quantity from the beginning of the
// observation until now, in units of the quantity times seconds.
func (w *TimeWeighted) Integral(now Time) float64 {
	w.advance(now)
	return w.area / nanosecondsPerSecond
}

// Mean is the time-weighted mean from the beginning of the observation until
// now, NaN where no time has passed.
func (w *TimeWeighted) Mean(now Time) float64 {
	w.advance(now)
	if now == w.start {
		return math.NaN()
	}
	return w.area / float64(now-w.start)
}

// advance completes the area up to now.
func (w *TimeWeighted) advance(now Time) {
	if now < w.last {
		panic(fmt.Sprintf("sim: TimeWeighted at %d ns was last observed at %d ns", int64(now), int64(w.last)))
	}
	w.area += w.value * float64(now-w.last)
	w.last = now
}
