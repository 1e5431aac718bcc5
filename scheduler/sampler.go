package scheduler

import (
	"math"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// Sample is the state of all tables at an instant of a run.
type Sample struct {
	At            sim.Time
	Due           int // tables that need a vacuum or an analyze by the statistics of that instant
	Running       int // workers
	Slots         int
	Dead, Live    float64   // row versions, whatever the statistics say
	OldestXID     []float64 // age of the oldest relfrozenxid, a database each
	FreezeLimits  FreezeLimits
	AutovacuumOff bool
}

// FreezeLimits are the ages of relfrozenxid from which on something happens.
type FreezeLimits struct {
	FreezeMinAge   int64 // rows are frozen
	FreezeTableAge int64 // vacuums read all that is not frozen
	FreezeMaxAge   int64 // a vacuum is forced
	FailsafeAge    int64 // vacuums drop everything but freezing; 0 before 14
}

// sampler looks at all tables at some instants of a run, and changes nothing.
type sampler struct {
	live  *live
	tell  func(Sample)
	rules thresholds // by which due was found
	due   []sim.Time // per table, when it was last found due; never where it was not
}

// sampled has tell told the state of all tables at n instants and at the end.
func (c *live) sampled(n int, length time.Duration, tell func(Sample)) {
	if tell == nil || n <= 0 {
		return
	}
	s := &sampler{live: c, tell: tell, due: make([]sim.Time, len(c.tables.kept))}
	c.sampler = s
	i := 0
	var look sim.HandlerID
	look = c.sys.kernel.Handler(func(int64) {
		s.look()
		if i++; i < n {
			c.sys.kernel.At(sampleTime(i, n, length), look, 0)
		}
	})
	c.sys.kernel.At(0, look, 0)
}

// sampleTime is the i-th of n instants: one in each n-th part of the run, at
// places within it that are spread as evenly as can be (multiples of the golden
// section), so that no rhythm of the run is always met at the same beat.
func sampleTime(i, n int, length time.Duration) sim.Time {
	_, place := math.Modf(float64(i) * (math.Sqrt(5) - 1) / 2)
	return sim.Time((float64(i) + place) / float64(n) * float64(length))
}

// finish looks a last time.
func (s *sampler) finish() {
	if s != nil {
		s.look()
	}
}

// look looks at all tables.
func (s *sampler) look() {
	c := s.live
	now := c.sys.kernel.Now()
	if s.rules != c.rules {
		s.rules = c.rules
		for i := range s.due {
			s.due[i] = never
		}
	}
	out := Sample{At: now, Running: len(c.sys.workers), Slots: c.sys.slots, FreezeLimits: c.freezeLimits(), AutovacuumOff: c.sys.off}
	xids := c.xids(now)
	for _, db := range c.sys.dbs {
		frozen := math.Inf(1)
		for id := db.first; id < db.last; id++ {
			t := c.lookAt(id)
			if t.dropped {
				continue
			}
			frozen = math.Min(frozen, t.frozen)
			dead, live := t.onAverage(now)
			out.Dead += dead
			out.Live += live
			if s.isDue(t, now) {
				out.Due++
			}
		}
		out.OldestXID = append(out.OldestXID, math.Max(xids-frozen, 0))
	}
	s.tell(out)
}

// isDue tells whether a table is due. One that cannot be costs a comparison, as
// does one that was found due and of which no vacuum or analyze has told since.
func (s *sampler) isDue(t *liveTable, now sim.Time) bool {
	c := s.live
	if c.quiet[t.id] > now {
		return false
	}
	if s.due[t.id] > max(t.dead.now.at, t.mods.now.at, t.inserted.now.at, t.classAt) {
		return true
	}
	s.due[t.id] = never
	if !c.dueAt(t, now) {
		return false
	}
	s.due[t.id] = now
	return true
}

// onAverage is how many dead and live row versions a table has, of rows that come
// at random as many as are expected: what chance adds is costly to work out, and
// hardly shows in the sum over tables.
func (t *liveTable) onAverage(at sim.Time) (dead, live float64) {
	sum := t.changedBy((*workload.Activity).Expected, at)
	dead = math.Max(float64(t.Dead)+sum.dead-t.removed, 0)
	return dead, math.Max(float64(t.Rows)+sum.inserted-sum.deleted, 0)
}

// freezeLimits are those of the settings, storage parameters apart.
func (c *live) freezeLimits() FreezeLimits {
	ages := newFreezeAges(c.settings, nil, false)
	out := FreezeLimits{FreezeMinAge: ages.min, FreezeTableAge: ages.table, FreezeMaxAge: c.settings.Int("autovacuum_freeze_max_age")}
	out.FreezeTableAge = min(out.FreezeTableAge, int64(0.95*float64(out.FreezeMaxAge)))
	if c.settings.Has("vacuum_failsafe_age") {
		out.FailsafeAge = max(c.settings.Int("vacuum_failsafe_age"), int64(1.05*float64(out.FreezeMaxAge)))
	}
	return out
}
