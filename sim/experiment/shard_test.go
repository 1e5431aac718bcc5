package experiment

import (
	"testing"

	"pgregory.net/rapid"
)

// No shard has more than the mean and the dearest point, whatever the costs.
func TestSharesAreBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "shards")
		costs := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 0, 300).Draw(t, "costs")
		shares, again := NewShares(n), NewShares(n)
		loads := make([]float64, n)
		sum, dearest := 0.0, 0.0
		for _, c := range costs {
			shard := shares.Next(c)
			if other := again.Next(c); other != shard {
				t.Fatalf("shards %d and %d of the same point", shard, other)
			}
			loads[shard] += c
			sum, dearest = sum+c, max(dearest, c)
		}
		for shard, load := range loads {
			if load > (sum/float64(n)+dearest)*(1+1e-9) {
				t.Errorf("shard %d of %d has %v of %v, the dearest point is %v", shard, n, load, sum, dearest)
			}
		}
	})
}
