package scheduler

import (
	"math"

	"avsim/sim"
	"avsim/workload"
)

// members is the space of multixact members: each multixact has as many as transactions
// share the row, and all since the oldest multixact in use are kept. To 18 a member is
// addressed by 32 bits, so that they run out by their number, whatever the ages are
// (multixact.c). From 19 on offsets have 64 bits. Multixacts themselves have ids of 32 bits
// in every version, and run out as transaction ids do.
type members struct {
	created bool    // multixacts are
	per     float64 // of a multixact, on average; 0 where they are not followed
	most    float64 // multixacts that there may be from the oldest in use on
	max     int64   // autovacuum_multixact_freeze_max_age as it is set
	out     halts   // while there are no more members, or ids: no multixact is created
}

// Numbers of members (multixact.c): beyond half of 2^32 vacuums are forced at ever lower
// ages (MULTIXACT_MEMBER_SAFE_THRESHOLD), down to any at three quarters
// (MULTIXACT_MEMBER_DANGER_THRESHOLD).
const (
	mostMembers   = 1 << 32
	safeMembers   = mostMembers / 2
	dangerMembers = mostMembers - mostMembers/4
)

// membersOf is the mean over all databases, by the multixacts that each creates.
func membersOf(w *workload.World, length sim.Time) (per float64) {
	multis, all := 0.0, 0.0
	for i := range w.Databases {
		d := &w.Databases[i]
		var u idUse
		u.add(d.MultisPerSecond)
		n := u.total(length)
		multis, all = multis+n, all+n*d.MembersPerMulti
	}
	if multis == 0 {
		return 0
	}
	return all / multis
}

// multisInUse are the multixacts from the oldest that is in use, by the ages of databases.
func (c *live) multisInUse(now sim.Time) float64 {
	oldest := math.Inf(1)
	for _, db := range c.sys.dbs {
		if db.stale {
			c.freeze(db)
			db.stale = false
		}
		oldest = math.Min(oldest, db.minMulti)
	}
	return math.Max(c.multis(now)-oldest, 0)
}

// freezeThreshold is MultiXactMemberFreezeThreshold: the age of a multixact that forces a
// vacuum, which falls with the members in use.
func (m *members) freezeThreshold(inUse float64) int64 {
	used := inUse * m.per
	if used <= safeMembers {
		return m.max
	}
	victims := inUse * (used - safeMembers) / (dangerMembers - safeMembers)
	if victims > inUse {
		return 0
	}
	return min(int64(inUse-victims), m.max)
}

// mostMultis is how many multixacts there may be from the oldest in use on, of 2^31
// (SetMultiXactIdLimit): as many ids before the wrap no more are created.
func mostMultis(from14 bool) float64 {
	if from14 {
		return wrap - 3_000_000
	}
	return wrap - 100
}

// squeeze takes account of the members in use now in the age that forces a vacuum, and,
// where all of them or of the ids are used up, stops who creates more.
func (c *live) squeeze() {
	m := &c.members
	if !m.created {
		return
	}
	now := c.sys.kernel.Now()
	inUse := c.multisInUse(now)
	if m.per > 0 {
		limit := m.freezeThreshold(inUse)
		c.rules.multiMaxAge, c.rules.serverMult, c.sys.multiMaxAge = limit, limit, limit
	}
	n := len(m.out)
	none, ids := inUse*m.per >= mostMembers, inUse >= m.most
	switch stopped := n > 0 && m.out[n-1].to == sim.Forever; {
	case !stopped && ids:
		m.out = append(m.out, halt{now, sim.Forever})
		c.warn("database is not accepting commands that assign new MultiXactIds to avoid wraparound data loss")
	case !stopped && none:
		m.out = append(m.out, halt{now, sim.Forever})
		c.warn("multixact \"members\" limit exceeded: commands that create a multixact fail")
	case stopped && !none && !ids:
		m.out[n-1].to = now
	}
}

// safeUntil is until when members, or ids, cannot reach the number from which on they
// matter, at most so many multixacts a second.
func (c *live) safeUntil(now sim.Time, perSecond float64) sim.Time {
	m := &c.members
	if !m.created || perSecond <= 0 {
		return sim.Forever
	}
	most := m.most
	if m.per > 0 {
		most = math.Min(most, safeMembers/m.per)
	}
	left := most - c.multisInUse(now)
	if left <= 0 {
		return now
	}
	return now.Add(inSeconds(left / perSecond))
}
