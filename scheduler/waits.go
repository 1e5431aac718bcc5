package scheduler

// dueAtStart notes which tables are due before anything has happened.
func (c *live) dueAtStart(asked bool) {
	for i := range c.tables {
		if t := &c.tables[i]; asked && !t.Temporary {
			t.result.DueAtStart = c.dueAt(t, 0)
		}
	}
}
