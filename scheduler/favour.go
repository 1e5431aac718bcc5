package scheduler

import "time"

// favours are the workers that have a table, by their number, each with how much that
// deserves the cost limit.
type favours map[int]favoured

// favoured is the favour of a table at the start of the visit, and how much of the vacuum
// or the analyze is done. The less is left, the more that deserves the limit.
type favoured struct {
	favour float64
	done   func() float64
}

func (f favoured) now() float64 { return f.favour / max(1-f.done(), 1e-3) }

// leastShare is which part of its equal share of the cost limit a worker keeps while
// another is favoured, so that no vacuum stands still. It gets it by longer sleeps: with
// a limit below the cost of a page it would go faster than that says.
const leastShare = 20

// budget is a worker's part of the server's, of which so many share: all that is over when
// each has its least share goes to the worker with the highest favour. The parts add up to
// what equal ones would.
func (f favours) budget(worker int, server budget, sharing int) budget {
	equal := max(server.limit/sharing, 1)
	switch {
	case len(f) == 0:
		server.limit = equal
	case worker != f.first():
		server.limit = equal
		server.delay *= leastShare
	default:
		others := float64(equal*(sharing-1)) / leastShare
		server.limit = max(server.limit-int(others+0.999), equal)
	}
	return server
}

// first is the worker with the highest favour, of equal ones the oldest; 0 for none.
func (f favours) first() (worker int) {
	most := 0.0
	for number, one := range f {
		if now := one.now(); worker == 0 || now > most || now == most && number < worker {
			worker, most = number, now
		}
	}
	return worker
}

// highest is the highest favour, 0 for none.
func (f favours) highest() float64 {
	if first := f.first(); first != 0 {
		return f[first].now()
	}
	return 0
}

// budgetOf is the budget of a visit. A worker by itself is charged less in a second than
// several with equal shares: the work between two sleeps, which they do at the same time, comes
// on top of them. Who is favoured therefore sleeps less, such that the visit takes an n-th
// of what it would take at an n-th of the limit, n being how many could be at work: the workers
// that may run, or the tables that were due. Others take longer than at an equal share
// by what leastShare says. So no more is charged in a second than to equal shares.
func (c *live) budgetOf(l *liveWork) (budget, bool) {
	b, ok := c.balance.of(l.worker.number)
	if !ok || len(c.balance.favours) == 0 || b.delay <= 0 || b.limit <= 0 {
		return b, ok
	}
	elapsed := func(b budget) time.Duration { return l.plan.Elapsed(c.spending(b)) }
	delay := c.balance.server.delay
	aim, least, most := elapsed(budget{b.limit, delay})*leastShare, delay, 2*leastShare*delay
	if c.balance.favours.first() == l.worker.number {
		n := max(min(l.worker.wereDue, c.sys.slots), 1)
		aim, least, most = elapsed(budget{max(b.limit/n, 1), delay})/time.Duration(n), delay/4, delay
	}
	for range 2 {
		times := l.plan.Sleeps(c.spending(b)).Times
		if times < 1 {
			break
		}
		b.delay = min(max(b.delay-time.Duration(float64(elapsed(b)-aim)/times), least), most)
	}
	return b, ok
}

// rate is the cost that a budget allows in a second.
func (b budget) rate() float64 { return perMillisecond(b) * float64(time.Second/time.Millisecond) }

// begins gives a worker its favour, where the strategy does not leave the shares of the
// cost limit to PostgreSQL.
func (c *live) begins(w *worker, table int32) {
	of := c.sys.strategy.Favour
	if of == nil {
		return
	}
	if c.balance.favours == nil {
		c.balance.favours = favours{}
	}
	c.balance.favours[w.number] = favoured{of(c.facts(w, table), w.situation()), func() float64 {
		if l := c.running[w.number]; l != nil {
			return l.progress.done
		}
		return 0
	}}
}

// ends takes the favour back, and notes when the table was first done.
func (c *live) ends(w *worker, table int32) {
	if c.balance.favours != nil {
		delete(c.balance.favours, w.number)
		c.rebalance(w)
	}
	if r := c.table(table).result; r.FirstDone < 0 && r.Vacuums+r.Analyzes > 0 {
		r.FirstDone = c.sys.kernel.Now()
	}
}

// Equal tables have equal favour.
func (c *tiny) begins(*worker, int32) {}
func (c *tiny) ends(*worker, int32)   {}
