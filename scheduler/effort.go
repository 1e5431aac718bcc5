package scheduler

import (
	"math"
	"math/rand/v2"
	"time"

	"avsim/sim"
)

// effort is what an activity costs a worker at this moment: the host's figure,
// moved from hot towards cold by the share of the workers' memory that the
// last-level cache does not hold, and varied from one execution to the next.
func (w *worker) effort(c sim.Cost) sim.Cost {
	miss := w.sys.cacheMiss()
	hot := float64(c.Hot) + miss*float64(max(c.Cold-c.Hot, 0))
	f := variation(w.random, w.sys.cost.variation)
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

// hashEntryBytes is what one table takes in a backend's copy of the statistics:
// sizeof(PgStat_StatTabEntry), 168 to PostgreSQL 12, the hash element's header
// of 16 and its bucket of 8.
const hashEntryBytes = 168 + 16 + 8

// cacheMiss is the share of what the workers and the collector have in memory
// that the last-level cache cannot hold at the same time.
func (s *system) cacheMiss() float64 {
	if s.cost.cacheBytes == 0 || s.strategy.Stats != CollectorFile {
		return 0
	}
	copies := float64(len(s.workers) + 1)
	footprint := s.cost.fileBytes + copies*hashEntryBytes*float64(len(s.vacuums))
	return max(0, 1-s.cost.cacheBytes/footprint)
}
