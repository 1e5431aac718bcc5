package scheduler

// dueAtStart notes which tables are due before anything has happened.
func (c *live) dueAtStart(asked bool) {
	for i := range c.tables.kept {
		if t := c.lookAt(int32(i)); asked && !t.Temporary && c.dueAt(t, 0) {
			c.retain(t).result.DueAtStart = true
		}
	}
}
