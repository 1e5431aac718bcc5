package scheduler

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"avsim/sim"
)

// TestFullTimes: as a count second by second gives it.
func TestFullTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := rapid.SliceOfN(rapid.Bool(), 1, 60).Draw(t, "full")
		var f fullTimes
		second := func(i int) sim.Time { return sim.Time(i) * 1e9 }
		for i, x := range full {
			f.note(x, second(i))
		}
		from := rapid.IntRange(0, len(full)).Draw(t, "from")
		to := rapid.IntRange(from, len(full)).Draw(t, "to")
		want := 0.0
		for _, x := range full[from:to] {
			if x {
				want++
			}
		}
		if got := f.between(second(from), second(to)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v from %d to %d: %v, want %v", full, from, to, got, want)
		}
	})
}
