package scheduler

// priority sorts the list by a storage parameter, autovacuum_table_priority, 0 unless
// given, the highest first, and lets tables against wraparound come before all: the patch
// of 2018 (pgsql-hackers, attachment 58546).
func init() {
	Register(Strategy{
		Name:     "priority",
		Summary:  "shared-stats, the list sorted by autovacuum_table_priority",
		Releases: "proposed in 2018",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange: By(func(f Facts, _ Situation) float64 {
			if f.Forced {
				return 11
			}
			return float64(f.Priority)
		}),
	})
}
