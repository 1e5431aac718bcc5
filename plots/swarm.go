package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// swarm returns how far to move each of some marks sideways, at most so far,
// so that none covers another: in their order, each by as little as it can.
// Where there is no room, the place farthest from all others is taken.
func swarm(heights []vg.Length, most vg.Length) []vg.Length {
	const step = 0.5
	apart := 2*markRadius + 0.8
	offsets := make([]vg.Length, len(heights))
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	for n, i := range order {
		nearest := func(offset vg.Length) vg.Length {
			least := vg.Length(math.Inf(1))
			for _, j := range order[:n] {
				least = min(least, vg.Length(math.Hypot(float64(offset-offsets[j]), float64(heights[i]-heights[j]))))
			}
			return least
		}
		best := nearest(0)
		for k := 1; best < apart && vg.Length(k)*step <= most; k++ {
			for _, offset := range []vg.Length{vg.Length(k) * step, -vg.Length(k) * step} {
				if distance := nearest(offset); distance > best && best < apart {
					offsets[i], best = offset, distance
				}
			}
		}
	}
	return offsets
}
