package lab

// What a run's length bounds: a wait cannot be longer than the run, and where the tables run
// out there are no more vacuums to do. Two strategies that both reach such a bound are not
// alike; the run ended before they could be told apart.

// unfinished is whether something that was due at the start was never done.
func (o *outcome) unfinished() bool {
	for _, t := range o.Tables.Visited() {
		if t.DueAtStart && t.FirstDone < 0 {
			return true
		}
	}
	return false
}

// whole is whether a wait, in seconds, is as long as the run.
func (o *outcome) whole(wait float64) bool {
	return wait > 0 && wait >= o.Simulated.Seconds()*(1-1e-9)
}

// exhausted is whether all that was due has been done, so that nothing waits at the end.
// The number of vacuums is then that of tables which came to be due.
func (o *outcome) exhausted() bool {
	for _, t := range o.Tables.Visited() {
		if t.Waiting > 0 {
			return false
		}
	}
	return !o.unfinished()
}

// mark of the i-th of a column, whose best is the one at best. What the run bounded in a
// replication is at least, or with more to do would be more than, what is shown: it is
// neither the best nor a tie, and neither is what ties with such a best. A wait that is
// longer than the best's beyond chance is worse all the same; a rate that is lower since
// the tables ran out is not.
func mark(cells []Cell, bounds []int, i, best, replications int, m Measure) Mark {
	own, of := bounds[i] > 0, bounds[best] > 0
	tied := i == best || ties(cells[i].Difference)
	switch {
	case m.More && bounds[i] == replications && own:
		return m.Bound()
	case !tied:
		return Worse
	case own || of:
		return m.Bound()
	case i == best:
		return Best
	}
	return Tie
}
