package scheduler

import "slices"

// smallest-first is "autovacuum next steps, take 2" (Alvaro Herrera, pgsql-hackers,
// 26 February 2007, 20070226231144.GO19104@alvh.no-ip.org): while the first worker of a
// database goes through all tables, another one there takes only tables that it can
// finish within a naptime, the smallest first. How long a table takes is told here by
// what it is expected to be charged at an equal share of the limit for two.
func init() {
	Register(Strategy{
		Name:     "smallest-first",
		Summary:  "shared-stats, further workers take what fits into a naptime, the smallest first",
		Releases: "proposed in 2007",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange:  smallestFirst,
	})
}

func smallestFirst(due []Facts, at Situation) []Facts {
	if at.Before == 0 {
		return due
	}
	budget := at.PerSecond / 2 * at.Naptime.Seconds()
	due = slices.DeleteFunc(due, func(f Facts) bool { return f.Expected() > budget })
	return ranked(due, func(f Facts) float64 { return -f.Pages })
}
