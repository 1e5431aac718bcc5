package sim

import (
	"math"
	"testing"
)

const testSecond Time = 1e9

// A stair that is k during its k-th second, k from 1 to n, has the integral
// n(n+1)/2 and the mean (n+1)/2.
func TestTimeWeightedMeanOfAStair(t *testing.T) {
	var w TimeWeighted
	const n = 1000
	for k := range n {
		w.Add(Time(k)*testSecond, 1)
	}
	if got, want := w.Integral(n*testSecond), float64(n*(n+1)/2); got != want {
		t.Errorf("integral %v, want %v", got, want)
	}
	if got, want := w.Mean(n*testSecond), (n+1)/2.0; got != want {
		t.Errorf("mean %v, want %v", got, want)
	}
	if w.Value() != n {
		t.Errorf("value %v, want %v", w.Value(), n)
	}
}

// Little's law holds path by path: over a time that begins and ends empty, the
// integral of the number present is the sum of the times that each was there.
func TestTimeWeightedIntegralIsTheSumOfStays(t *testing.T) {
	r := NewStreams(1, 0).Named("stays")
	var w TimeWeighted
	var stays, now Time
	for range 10_000 {
		now += Time(r.IntN(5)) // several changes at one instant are usual
		a, b := Time(r.IntN(1000)), Time(r.IntN(1000))
		w.Add(now, 1)
		w.Add(now+min(a, b), 1)
		w.Add(now+max(a, b), -1)
		now += 1000
		w.Add(now, -1)
		stays += 1000 + max(a, b) - min(a, b)
	}
	if got, want := w.Mean(now)*float64(now), float64(stays); !near(got, want) {
		t.Errorf("integral %v ns, sum of stays %v ns", got, want)
	}
}

func TestTimeWeightedRestartForgetsThePast(t *testing.T) {
	var w TimeWeighted
	w.Set(0, 100)
	w.Set(5*testSecond, 2)
	w.Restart(10 * testSecond)
	w.Set(11*testSecond, 4)
	if got := w.Mean(13 * testSecond); !near(got, (1*2+2*4)/3.0) {
		t.Errorf("mean %v after a restart, want 10/3", got)
	}
}

func TestTimeWeightedMeanOfNoTimeIsUnknown(t *testing.T) {
	var w TimeWeighted
	w.Set(0, 7)
	if got := w.Mean(0); !math.IsNaN(got) {
		t.Errorf("mean over no time is %v, want NaN", got)
	}
}

func TestTimeWeightedRefusesToGoBack(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a step back in time did not panic")
		}
	}()
	var w TimeWeighted
	w.Set(2, 1)
	w.Set(1, 1)
}
