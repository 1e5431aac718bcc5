package vacuum

import "time"

// Logged is what a server's log tells of a VACUUM or an ANALYZE: pages found,
// read and dirtied, and processor time.
type Logged struct {
	Hits, Reads, Dirtied float64
	CPU                  time.Duration
}

// LimitFrom is a cost limit from an instant on.
type LimitFrom struct {
	From  time.Duration // since the start
	Limit int
}

// Elapsed is how long it took, from its start, under limits that follow one
// another, the first from the start on: processor time, and for what it was
// charged sleeps of delay × charges / limit, each longer by slack. A worker
// sleeps when its charges have reached the limit, so after a little more; its
// work and its charges go on side by side. Sleeps of more than four delays,
// which a limit below a quarter of a page's charge makes, are not looked for.
func (l Logged) Elapsed(c PageCosts, limits []LimitFrom, delay, slack time.Duration) time.Duration {
	cost := Usage{Hits: l.Hits, Reads: l.Reads, Dirtied: l.Dirtied}.Cost(c)
	if len(limits) == 0 || limits[0].Limit <= 0 || delay <= 0 || cost <= 0 {
		return l.CPU
	}
	excess := l.excess(c)
	now, left := 0.0, cost
	for i, x := range limits {
		limit := float64(x.Limit)
		each := float64(l.CPU)/cost + float64(delay)/limit + float64(slack)/(limit+excess) // of a unit charged
		if i+1 < len(limits) {
			if lasts := float64(limits[i+1].From) - now; lasts < left*each {
				left -= max(lasts, 0) / each
				now += max(lasts, 0)
				continue
			}
		}
		now += left * each
		break
	}
	return time.Duration(now)
}

// excess is how much more than the limit has been charged, on average, when a
// worker sleeps: of charges c in any order E[c·(c-1)] / 2E[c], the mean excess
// of a renewal process of whole steps. Pages that were read are taken to be
// dirtied first.
func (l Logged) excess(c PageCosts) float64 {
	readDirty := min(l.Reads, l.Dirtied)
	hitDirty := min(l.Hits, l.Dirtied-readDirty)
	var sum, squares float64
	for _, x := range []Charge{
		{Pages: readDirty, Each: c.Miss + c.Dirty}, {Pages: l.Reads - readDirty, Each: c.Miss},
		{Pages: hitDirty, Each: c.Hit + c.Dirty}, {Pages: l.Hits - hitDirty, Each: c.Hit},
	} {
		sum += x.Pages * x.Each
		squares += x.Pages * x.Each * (x.Each - 1)
	}
	return ratio(squares, 2*sum)
}
