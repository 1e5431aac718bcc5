package scheduler

// age-first sorts the list by the age of relfrozenxid, the oldest first: the first
// version of "another autovacuum scheduling thread" (Nathan Bossart, pgsql-hackers,
// October 2025), and Alvaro Herrera's wraparound-first of 2013 for those that are forced.
func init() {
	Register(Strategy{
		Name:     "age-first",
		Summary:  "shared-stats, the list sorted by age, the oldest first",
		Releases: "proposed in 2013 and 2025",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange: By(func(f Facts, _ Situation) float64 {
			return max(float64(f.XIDAge)/float64(max(f.FreezeMaxAge, 1)), float64(f.MultiAge)/float64(max(f.MultiFreezeMaxAge, 1)))
		}),
	})
}
