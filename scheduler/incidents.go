package scheduler

import (
	"avsim/sim"
	"avsim/workload"
)

// incidents lets happen what happens to the server.
func (c *live) incidents(all []workload.Incident) {
	happen := c.sys.kernel.Handler(func(i int64) { c.happen(all[i]) })
	for i, x := range all {
		c.sys.kernel.At(sim.Time(x.At), happen, int64(i))
	}
}

func (c *live) happen(x workload.Incident) {
	c.tracer.server(TraceIncident, TraceArg{"what", string(x.Kind)})
	switch x.Kind {
	case workload.KillWorkers:
		c.killWorkers()
	case workload.ResetStatistics:
		c.resetStatistics(x.Database, c.derived.from15)
	case workload.Restart:
		c.killWorkers()
		c.releaseLocks()
		c.sys.launcher.restart()
	case workload.Crash:
		c.killWorkers()
		c.releaseLocks()
		c.loseStatistics()
		c.sys.launcher.restart()
	}
}

func (c *live) killWorkers() {
	for _, w := range c.sys.workers {
		w.kill()
	}
}

// resetStatistics is pg_stat_reset: from 15 the entries of a database's tables are
// set to zero, before they are dropped.
func (c *live) resetStatistics(database int, keepEntries bool) {
	for _, db := range c.sys.dbs {
		if database >= 0 && db.id != database {
			continue
		}
		for id := db.first; id < db.last; id++ {
			c.resetTable(c.table(id), keepEntries)
		}
	}
}

func (c *live) resetTable(t *liveTable, keepEntry bool) {
	now := c.sys.kernel.Now()
	told := t.changed(c.flushes.last(now, t.id))
	t.dead.set(counter{now, 0, told.dead})
	t.mods.set(counter{now, 0, told.modified()})
	t.inserted.set(counter{now, 0, told.inserted})
	t.entry = t.entry && keepEntry
	c.tables.looked[t.id] = now
	if !c.rules.needs(c.inputs(t, now)).wraparound { // its age is not of the statistics
		t.dueSince = sim.Forever
	}
	c.notBefore(t, 0)
}

// loseStatistics is what a crash does to them. A database whose clients do anything
// has an entry again at once; the others have none, so that no worker goes there,
// until somebody connects, which nobody does here.
func (c *live) loseStatistics() {
	c.resetStatistics(-1, false)
	for i, db := range c.sys.dbs {
		db.lastAutovac = neverVisited
		db.absent = c.world.Databases[i].Idle()
	}
}
