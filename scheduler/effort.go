package scheduler

import (
	"math"
	"math/rand/v2"
	"time"

	"avsim/sim"
)

// effort is what an activity costs a worker at this moment: the host's figure,
// moved from hot towards cold by the share of the worker's memory that others
// have driven out of the cache, and varied from one execution to the next.
func (w *worker) effort(c sim.Cost) sim.Cost {
	hot := float64(c.Hot) + w.displaced*float64(max(c.Cold-c.Hot, 0))
	f := variation(w.random, w.db.cost.variation)
	return sim.Cost{
		Hot:  time.Duration(hot * f),
		Cold: time.Duration(float64(c.Cold) * f),
	}
}

// variation draws a factor from the log-normal distribution with mean 1.
func variation(r *rand.Rand, sigma float64) float64 {
	if sigma == 0 {
		return 1
	}
	return math.Exp(sigma*r.NormFloat64() - sigma*sigma/2)
}

// hashOverheadBytes is what one table takes in a backend's own copy of the
// statistics beyond PgStat_StatTabEntry: the hash element's header of 16 and its
// bucket of 8.
const hashOverheadBytes = 16 + 8

// displace works out, before a read, which share of the worker's copy of the
// statistics is no longer in the last-level cache: since its last read others
// have brought in their own copies, and a line survives k insertions into a
// cache of N lines, replaced at random, with probability exp(-k/N).
func (w *worker) displace() {
	s := w.sys
	if w.db.cost.cacheBytes == 0 {
		return
	}
	size := w.db.cost.entryBytes * float64(w.db.tables())
	byOthers := min(s.cached-w.cached, size*float64(len(s.workers)-1))
	w.displaced = 1 - math.Exp(-byOthers/w.db.cost.cacheBytes)
	s.cached += size
	w.cached = s.cached
}
