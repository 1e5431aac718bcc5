package scheduler

import (
	"slices"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// tableLock is what others hold, or want, of a table that conflicts with vacuum and
// analyze.
type tableLock struct {
	until  sim.Time      // held to
	queued bool          // a worker waits for it: who asks now comes after that one
	wanted []lockRequest // of those that wait behind a vacuum or analyze, in their order
}

// lockRequest is a wish for the lock that waits.
type lockRequest struct {
	lock  int // of Obstacles.Locks
	asked sim.Time
	hold  time.Duration
}

// lockRequests lets others ask for their locks.
func (c *live) lockRequests(all []workload.Lock) {
	if len(all) == 0 {
		return
	}
	c.locks = make(map[int32]*tableLock)
	var ask, check sim.HandlerID
	check = c.sys.kernel.Handler(func(table int64) { c.deadlockTimeout(int32(table)) })
	ask = c.sys.kernel.Handler(func(i int64) {
		l := &all[i]
		c.request(c.sys.dbs[l.Database].first+int32(l.Table), lockRequest{int(i), c.sys.kernel.Now(), l.Hold}, check)
		if l.Every > 0 {
			c.sys.kernel.After(l.Every, ask, i)
		}
	})
	for i, l := range all {
		table := c.sys.dbs[l.Database].first + int32(l.Table)
		if c.locks[table] == nil {
			c.locks[table] = &tableLock{}
		}
		c.sys.kernel.At(sim.Time(l.First), ask, int64(i))
	}
}

// request is somebody's wish for the lock. Behind a vacuum or analyze it waits, and
// after deadlock_timeout looks at what it waits for. Who asks again and again does not
// ask while he still waits.
func (c *live) request(table int32, r lockRequest, check sim.HandlerID) {
	lock := c.locks[table]
	if c.at(table) == nil && !lock.queued {
		lock.until = max(lock.until, r.asked).Add(r.hold)
		return
	}
	if slices.ContainsFunc(lock.wanted, func(o lockRequest) bool { return o.lock == r.lock }) {
		return
	}
	lock.wanted = append(lock.wanted, r)
	c.sys.kernel.After(c.settings.Duration("deadlock_timeout"), check, int64(table))
}

// deadlockTimeout is ProcSleep's look at an autovacuum worker that blocks somebody who
// has waited for that long: it is cancelled unless it is at work to prevent wraparound.
func (c *live) deadlockTimeout(table int32) {
	l, timeout := c.at(table), c.settings.Duration("deadlock_timeout")
	if l == nil || l.wraparound {
		return
	}
	for _, r := range c.locks[table].wanted {
		if c.sys.kernel.Now().Sub(r.asked) >= timeout {
			l.cancel()
			c.tracer.instant(TraceCancelled, l.worker, c.sys.kernel.Now(), l.table)
			return
		}
	}
}

// at is the work under way on a table, nil for none.
func (c *live) at(table int32) *liveWork {
	for _, l := range c.running {
		if l.table.id == table {
			return l
		}
	}
	return nil
}

// lock takes the table for a vacuum or analyze. Where others hold it the work is
// left out (SKIP_LOCKED); to prevent wraparound it is waited for.
func (c *live) lock(w *worker, t *liveTable, wraparound bool) bool {
	held := c.locks[t.id]
	if held == nil {
		return true
	}
	if wraparound && held.until > w.thread.Now() {
		asked := w.thread.Now()
		held.queued = true
		w.park(TableLock, held.until.Sub(asked))
		held.queued = false
		c.tracer.slice(TraceLockWait, w, asked, w.thread.Now(), t)
	}
	return !w.killed && held.until <= w.thread.Now()
}

// unlock gives the table to those who wait for it.
func (c *live) unlock(t *liveTable) {
	held := c.locks[t.id]
	if held == nil {
		return
	}
	for _, r := range held.wanted {
		held.until = max(held.until, c.sys.kernel.Now()).Add(r.hold)
	}
	held.wanted = held.wanted[:0]
}

// releaseLocks ends all sessions, and so their locks and wishes.
func (c *live) releaseLocks() {
	for _, held := range c.locks {
		held.until, held.wanted = min(held.until, c.sys.kernel.Now()), held.wanted[:0]
	}
}
