package scheduler

import (
	"time"

	"avsim/sim"
)

// database is one database of the server, with its part of the tables.
type database struct {
	id          int
	name        string
	first, last int32 // its tables are first to last-1 of the system's
	cost        costs
	requested   bool     // a reader waits for its statistics file
	written     sim.Time // when the last write of its file began
	file        snapshot // its file, as readers see it
	lastAutovac sim.Time // last_autovac_time of its statistics; neverVisited before the first worker
	frozenXID   float64  // datfrozenxid, in transaction ids used since the start; below 0: before it
	minMulti    float64  // datminmxid, likewise
	stale       bool     // the two may be higher by now: they are worked out where they matter
	advanced    bool     // a relfrozenxid was; the next worker that ends tells of it
	connect     time.Duration
	template    bool       // or one that takes no connections
	shared      *tableList // of a strategy whose workers share it
	absent      bool       // has no statistics: nobody has connected since they were lost
	horizons    horizons
	held        []heldSpan // when any of them is
	halts       *halts
}

// ages are those of datfrozenxid and datminmxid when so many transaction and multixact ids
// have been used since the start.
func (d *database) ages(xids, multis float64) (xid, multi int64) {
	return int64(xids - d.frozenXID), int64(multis - d.minMulti)
}

// tables is the number of tables.
func (d *database) tables() int { return int(d.last - d.first) }

// halted are the times without transaction ids; none where nobody keeps them.
func (d *database) halted() halts {
	if d.halts == nil {
		return nil
	}
	return *d.halts
}
