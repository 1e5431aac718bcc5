package scheduler

// favours are how much the table at which each worker is deserves the cost limit, by
// the number of the worker.
type favours map[int]float64

// leastShare is what a worker keeps of its equal share of the cost limit while another
// is favoured: a fifth, so that no vacuum stands still.
const leastShare = 5

// limit is a worker's part of the server's limit, of which so many share: all that is
// over when each has its least share goes to the worker with the highest favour, the
// first of several. The parts add up to no more than equal ones would.
func (f favours) limit(worker, server, sharing int) int {
	least := max(server/sharing/leastShare, 1)
	if worker != f.first() {
		if len(f) == 0 {
			return max(server/sharing, 1)
		}
		return least
	}
	return max(server-(sharing-1)*least, 1)
}

// first is the worker with the highest favour, of equal ones the oldest; 0 for none.
func (f favours) first() (worker int) {
	for number, favour := range f {
		if worker == 0 || favour > f[worker] || favour == f[worker] && number < worker {
			worker = number
		}
	}
	return worker
}

// begins gives a worker its favour, where the strategy does not leave the shares of the
// cost limit to PostgreSQL.
func (c *live) begins(w *worker, table int32) {
	if of := c.sys.strategy.Favour; of != nil {
		if c.balance.favours == nil {
			c.balance.favours = favours{}
		}
		c.balance.favours[w.number] = of(c.facts(w, table), w.situation())
	}
}

// ends takes the favour back, and notes when the table was first done.
func (c *live) ends(w *worker, table int32) {
	if c.balance.favours != nil {
		delete(c.balance.favours, w.number)
		c.rebalance(w)
	}
	if r := c.tables[table].result; r.FirstDone < 0 && r.Vacuums+r.Analyzes > 0 {
		r.FirstDone = c.sys.kernel.Now()
	}
}

// Equal tables have equal favour.
func (c *tiny) begins(*worker, int32) {}
func (c *tiny) ends(*worker, int32)   {}
