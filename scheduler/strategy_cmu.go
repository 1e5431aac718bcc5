package scheduler

import "math"

// cmu is one of our own: tables by falling dead rows over expected cost, Smith's rule (the
// cµ rule of queues), with ageing. docs/lab.md derives it.
func init() {
	Register(Strategy{
		Name:     "cmu",
		Summary:  "by dead rows over expected cost, with ageing, the list made anew before each table",
		Releases: "our own",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange: func(due []Facts, at Situation) []Facts {
			return By(smith)(rested(due, at), at)
		},
		Relist:   RelistAlways,
		NoPileUp: true,
	})
}

// smith is the index of Smith's rule under the constraints of wraparound and of bounded
// lateness.
func smith(f Facts, at Situation) float64 { return weight(f) / f.Expected() * urgency(f, at) }

// aside is what a row that was inserted or modified counts against a dead one.
const aside = 1. / 20

// weight is what a visit is worth, in dead rows.
func weight(f Facts) float64 {
	w := f.Dead + aside*(f.Inserted+f.Modified)
	if f.Forced {
		w += aside * f.Rows
	}
	return w + 1
}

// patience is after how many naptimes, twice what tables usually wait, and the time that
// it takes by itself, a table counts twice.
const patience = 3

// urgency grows as a table waits longer than others do, and as its age goes from what forces a
// vacuum to twice that, from where on it comes before all.
func urgency(f Facts, at Situation) float64 {
	patience := patience*math.Max(at.Naptime.Seconds(), 1) + 2*at.UsualWait.Seconds() + f.Expected()/at.PerSecond
	wait := f.Wait.Seconds() / patience
	near := math.Max(over(f.XIDAge, f.FreezeMaxAge), over(f.MultiAge, f.MultiFreezeMaxAge))
	if near >= 1 {
		return math.Inf(1)
	}
	return (1 + wait*wait) / (1 - near)
}

// over is how far an age is beyond a limit, in limits; 0 for below.
func over(age, limit int64) float64 {
	return math.Max(float64(age)/math.Max(float64(limit), 1)-1, 0)
}
