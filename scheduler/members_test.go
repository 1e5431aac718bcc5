package scheduler

import "testing"

// TestMemberFreezeThreshold: what MultiXactMemberFreezeThreshold gives, worked out by hand.
func TestMemberFreezeThreshold(t *testing.T) {
	for _, c := range []struct {
		per, inUse float64
		want       int64
	}{
		{2, 1e9, 400e6},               // 2 × 10⁹ members: below half
		{4, 1 << 29, 400e6},           // just half of them
		{8, 1 << 28, 400e6},           // likewise
		{8, 1<<28 + 1<<26, 167772160}, // a quarter beyond, half way to three quarters: half of those in use
		{8, 1<<28 + 1<<27, 0},         // three quarters
		{8, 1 << 29, 0},               // all
	} {
		m := members{per: c.per, max: 400e6}
		if got := m.freezeThreshold(c.inUse); got != c.want {
			t.Errorf("%.0f multixacts of %.0f members: forced at %d, want %d", c.inUse, c.per, got, c.want)
		}
	}
}
