package scheduler

import (
	"math"

	"avsim/sim"
	"avsim/workload"
)

// members is the space of multixact members: each multixact has as many as transactions
// share the row, and all since the oldest multixact in use are kept. To 18 a member is
// addressed by 32 bits, so that they run out by their number, whatever the ages are
// (multixact.c). From 19 on offsets have 64 bits.
type members struct {
	per float64 // of a multixact, on average; 0 where they are not followed
	max int64   // autovacuum_multixact_freeze_max_age as it is set
	out halts   // while there are no more: no multixact is created
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

// squeeze takes account of the members in use now: in the age that forces a vacuum, and,
// where all are used up, by stopping who creates more.
func (c *live) squeeze() {
	m := &c.members
	if m.per <= 0 {
		return
	}
	now := c.sys.kernel.Now()
	inUse := c.multisInUse(now)
	limit := m.freezeThreshold(inUse)
	c.rules.multiMaxAge, c.rules.serverMult, c.sys.multiMaxAge = limit, limit, limit
	n := len(m.out)
	switch stopped := n > 0 && m.out[n-1].to == sim.Forever; {
	case !stopped && inUse*m.per >= mostMembers:
		m.out = append(m.out, halt{now, sim.Forever})
		c.warn("multixact \"members\" limit exceeded: commands that create a multixact fail")
	case stopped && inUse*m.per < mostMembers:
		m.out[n-1].to = now
	}
}

// safeUntil is until when members cannot reach the number from which on they matter, at
// most so many multixacts a second.
func (c *live) safeUntil(now sim.Time, perSecond float64) sim.Time {
	m := &c.members
	if m.per <= 0 || perSecond <= 0 {
		return sim.Forever
	}
	left := safeMembers/m.per - c.multisInUse(now)
	if left <= 0 {
		return now
	}
	return now.Add(inSeconds(left / perSecond))
}
