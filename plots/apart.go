package plots

import (
	"cmp"
	"slices"
)

// apart moves places as little as it can (least squares) so that any two are
// at least gap apart and all lie between lo and hi, which must leave room.
// The order is kept.
//
// With the i-th smallest place lowered by i gaps, the condition is that the
// places ascend: an isotonic regression, solved by pooling neighbours that
// violate it (Ayer et al., 1955).
func apart(places []float64, gap, lo, hi float64) []float64 {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })

	type pool struct{ sum, n float64 }
	mean := func(p pool) float64 { return p.sum / p.n }
	var pools []pool
	for i, at := range order {
		pools = append(pools, pool{places[at] - float64(i)*gap, 1})
		for n := len(pools); n > 1 && mean(pools[n-2]) > mean(pools[n-1]); n = len(pools) {
			pools[n-2].sum += pools[n-1].sum
			pools[n-2].n += pools[n-1].n
			pools = pools[:n-1]
		}
	}

	moved := make([]float64, len(places))
	highest := hi - float64(len(places)-1)*gap
	i := 0
	for _, p := range pools {
		for range int(p.n) {
			moved[order[i]] = max(lo, min(mean(p), highest)) + float64(i)*gap
			i++
		}
	}
	return moved
}
