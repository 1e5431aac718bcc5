package scheduler

import (
	"fmt"
	"math"

	"avsim/sim"
)

// halts are the times for which the server hands out no transaction ids, as they
// would wrap around: clients that change anything get an error, and what they would
// have changed is not made up for.
type halts []halt

type halt struct{ from, to sim.Time } // to is Forever while it lasts

// lost is how much of what adds up to f(at) fell into halts.
func (h halts) lost(at sim.Time, f func(sim.Time) float64) (sum float64) {
	for _, x := range h {
		if x.from < at {
			sum += f(min(x.to, at)) - f(x.from)
		}
	}
	return sum
}

// total is how long they lasted, to an instant.
func (h halts) total(at sim.Time) (sum float64) {
	return h.lost(at, func(t sim.Time) float64 { return t.Seconds() })
}

// wrap is how far the next transaction id may be from the oldest (MaxTransactionId / 2).
const wrap = 1<<31 - 1

// idLimits are how many ids before the wrap the server begins to warn, and stops to
// hand them out (SetTransactionIdLimit).
func (c *live) idLimits() (warn, stop float64) {
	switch {
	case c.derived.from19:
		return wrap - 100_000_000, wrap - 3_000_000
	case c.derived.from14:
		return wrap - 40_000_000, wrap - 3_000_000
	}
	return wrap - 11_000_000, wrap - 1_000_000
}

// watchLimits lets the run come upon the limits, if it gets that far.
func (c *live) watchLimits(length sim.Time) {
	c.length = length
	c.onWarn = c.sys.kernel.Handler(func(int64) { c.warnLimit() })
	c.onStop = c.sys.kernel.Handler(func(int64) { c.stopLimit() })
	warn, stop := c.idLimits()
	c.whenUsed(c.oldest()+warn, c.onWarn)
	c.whenUsed(c.oldest()+stop, c.onStop)
}

// oldest is the oldest datfrozenxid, worked out anew.
func (c *live) oldest() float64 {
	oldest := math.Inf(1)
	for _, db := range c.sys.dbs {
		c.freeze(db)
		db.stale = false
		oldest = math.Min(oldest, db.frozenXID)
	}
	return oldest
}

// whenUsed has a handler called when so many ids have been used, if that is within
// the run.
func (c *live) whenUsed(ids float64, h sim.HandlerID) {
	now := c.sys.kernel.Now()
	if math.IsInf(ids, 0) || c.xids(c.length) < ids {
		return
	}
	low, high := now, c.length
	for high-low > 1 {
		if middle := low + (high-low)/2; c.xids(middle) < ids {
			low = middle
		} else {
			high = middle
		}
	}
	c.sys.kernel.At(max(high, now), h, 0)
}

// warnLimit warns where the oldest id is still as old as when the call was planned.
func (c *live) warnLimit() {
	now := c.sys.kernel.Now()
	warn, _ := c.idLimits()
	if at := c.oldest() + warn; c.xids(now) < at {
		c.whenUsed(at, c.onWarn)
		return
	}
	c.warn(fmt.Sprintf("database %q must be vacuumed within %.0f transactions", c.oldestName(), wrap-(c.xids(now)-c.oldest())))
}

// stopLimit stops handing out ids, likewise.
func (c *live) stopLimit() {
	now := c.sys.kernel.Now()
	_, stop := c.idLimits()
	if at := c.oldest() + stop; c.xids(now) < at-1 {
		c.whenUsed(at, c.onStop)
		return
	}
	c.halts = append(c.halts, halt{now, sim.Forever})
	c.warn(fmt.Sprintf("database is not accepting commands that assign new transaction IDs to avoid wraparound data loss in database %q", c.oldestName()))
}

// halted tells whether there are no ids to be had.
func (c *live) halted() bool {
	n := len(c.halts)
	return n > 0 && c.halts[n-1].to == sim.Forever
}

// resume hands out ids again once the oldest is young enough.
func (c *live) resume() {
	if !c.halted() {
		return
	}
	n, now := len(c.halts), c.sys.kernel.Now()
	_, stop := c.idLimits()
	if at := c.oldest() + stop; c.xids(now) < at-1 {
		c.halts[n-1].to = now
		c.whenUsed(at, c.onStop)
	}
}

func (c *live) oldestName() string {
	name, oldest := "", math.Inf(1)
	for _, db := range c.sys.dbs {
		if db.frozenXID < oldest {
			name, oldest = db.name, db.frozenXID
		}
	}
	return name
}

// warn keeps a message of the server, a few of a kind at most.
func (c *live) warn(text string) {
	c.tracer.server(TraceWarning, TraceArg{"text", text})
	const most = 100
	if len(c.result.Warnings) < most {
		c.result.Warnings = append(c.result.Warnings, Warning{c.sys.kernel.Now(), text})
		c.notice("WARNING", text, "")
	}
}

// notice keeps a line of the server's log that is of no vacuum or analyze, and its
// detail, where events are kept.
func (c *live) notice(severity, text, detail string) { c.noticeOf(0, severity, text, detail) }

// noticeOf is one of a worker; 0 for the launcher.
func (c *live) noticeOf(worker int, severity, text, detail string) {
	if c.keep {
		c.result.notices = append(c.result.notices, notice{c.sys.kernel.Now(), worker, severity, text, detail})
	}
}

// noteFailsafe is what a worker logs as failsafe begins.
func (c *live) noteFailsafe(l *liveWork) {
	t := l.table
	c.noticeOf(l.worker.number, "WARNING", fmt.Sprintf("bypassing nonessential maintenance of table \"%s.%s.%s\" as a failsafe after 0 index scans", t.db.name, schemaOf(c.nameOf(t)), c.nameOf(t)),
		"The table's relfrozenxid or relminmxid is too far in the past.")
}
