package scheduler

// dueAtStart notes which tables are due before anything has happened.
func (c *live) dueAtStart(asked bool) {
	for i := range c.tables {
		if t := &c.tables[i]; asked && !t.Temporary {
			t.result.DueAtStart = c.dueAt(t, 0)
		}
	}
}

// dueAtEnd notes for how long tables have been due that nobody is at.
func (c *live) dueAtEnd(asked bool) {
	if !asked {
		return
	}
	now := c.sys.kernel.Now()
	at := map[int32]bool{}
	for _, l := range c.running {
		at[l.table.id] = true
	}
	for i := range c.tables {
		t := &c.tables[i]
		if t.Temporary || t.dropped || at[t.id] || !c.dueAt(t, now) {
			continue
		}
		since := t.dueSince
		if since > now {
			since = c.since(t, now)
		}
		t.result.Waiting = now.Sub(since).Seconds()
	}
}
