package scheduler

import (
	"sort"

	"avsim/sim"
)

// fullTimes are the times for which no slot was free: what comes due then waits for a
// slot, not for the launcher's next round.
type fullTimes struct {
	over  []fullTime // in order
	since sim.Time   // when the one began that lasts
	lasts bool
}

type fullTime struct {
	from, to sim.Time
	before   float64 // seconds of those before it
}

// note takes that from now on no slot is free, or that one is.
func (f *fullTimes) note(full bool, now sim.Time) {
	switch {
	case full && !f.lasts:
		f.since, f.lasts = now, true
	case !full && f.lasts:
		f.lasts = false
		if now > f.since {
			f.over = append(f.over, fullTime{f.since, now, f.until(f.since)})
		}
	}
}

// until is for how many seconds no slot was free, up to an instant that is not to come.
func (f *fullTimes) until(t sim.Time) float64 {
	n := sort.Search(len(f.over), func(i int) bool { return f.over[i].from >= t })
	sum := 0.0
	if n > 0 {
		x := f.over[n-1]
		sum = x.before + min(x.to, t).Sub(x.from).Seconds()
	}
	if f.lasts && t > f.since {
		sum += t.Sub(f.since).Seconds()
	}
	return sum
}

// between is that of the time between two instants.
func (f *fullTimes) between(from, to sim.Time) float64 { return f.until(to) - f.until(from) }
