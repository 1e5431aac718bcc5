package scheduler

import (
	"math"
	"time"

	"avsim/sim"
)

// deadShare looks now and then at how many of all row versions are dead. It changes
// nothing.
type deadShare struct {
	live *live
	sum  float64
	peak float64
	n    int
}

// At how many instants it looks at most, and at how many tables in all: some tenths of
// a second.
const (
	mostDeadLooks  = 200
	mostDeadTables = 5_000_000
)

// watchDead has the share of dead row versions noted from the end of the warm-up on.
func (c *live) watchDead(warmUp, length time.Duration) {
	s := &deadShare{live: c}
	c.dead = s
	n := min(max(mostDeadTables/max(len(c.tables.kept), 1), 1), mostDeadLooks)
	i := 0
	var look sim.HandlerID
	look = c.sys.kernel.Handler(func(int64) {
		s.look()
		if i++; i < n {
			c.sys.kernel.At(sim.Time(warmUp)+sampleTime(i, n, length-warmUp), look, 0)
		}
	})
	c.sys.kernel.At(sim.Time(warmUp), look, 0)
}

func (s *deadShare) look() {
	var dead, live float64
	now := s.live.sys.kernel.Now()
	for i := range s.live.tables.kept {
		if t := s.live.lookAt(int32(i)); !t.dropped {
			d, l := t.onAverage(now)
			dead, live = dead+d, live+l
		}
	}
	share := 0.0
	if dead > 0 {
		share = dead / (dead + live)
	}
	s.sum += share
	s.peak = math.Max(s.peak, share)
	s.n++
}

// waiting is for how many seconds a table has been due, by the statistics of now,
// without a worker at it; 0 for one that is not.
func (c *live) waiting(t *liveTable, at map[*liveTable]bool, now sim.Time) float64 {
	if t.dropped || t.Temporary || t.Partitioned || at[t] || c.quiet[t.id] > now || !c.dueAt(t, now) {
		return 0
	}
	since := t.dueSince
	if since == sim.Forever {
		since = c.since(t, now)
	}
	return math.Max(now.Sub(since).Seconds(), 0)
}

// atWork are the tables that a worker is at.
func (c *live) atWork() map[*liveTable]bool {
	out := make(map[*liveTable]bool)
	for _, l := range c.running {
		out[l.table] = true
	}
	return out
}
