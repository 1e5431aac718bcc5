package scheduler

// dueAtStart notes which tables are due before anything has happened.
func (c *live) dueAtStart(asked bool) {
	if !asked {
		return
	}
	for i := range c.tables.kept {
		if t := c.lookAt(int32(i)); !t.Temporary && c.dueAt(t, 0) {
			c.retain(t).result.DueAtStart = true
		}
	}
}
