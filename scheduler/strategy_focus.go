package scheduler

import (
	"math"
	"slices"
)

// focus is one of our own: cmu, and the cost limit to one table at a time. The worker at
// the table of the highest index, of which what is left to do counts, gets the limit, and
// another table is begun only where it would get it: a vacuum removes what had died when
// it began, so that one which is begun and then waits removes less for the same cost. The
// first worker of a database may begin with what is forced, and where there is no cost
// limit there is nothing to share. docs/lab.md derives it.
func init() {
	Register(Strategy{
		Name:     "focus",
		Summary:  "cmu, and the cost limit to the table with the highest index",
		Releases: "our own",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange: func(due []Facts, at Situation) []Facts {
			due = slices.DeleteFunc(rested(due, at), func(f Facts) bool {
				return !math.IsInf(at.PerSecond, 1) && smith(f, at) < at.Highest && !(f.Forced && at.Before == 0)
			})
			return By(smith)(due, at)
		},
		Relist:   RelistAlways,
		NoPileUp: true,
		Favour:   smith,
	})
}
