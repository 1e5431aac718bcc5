package scheduler

// shared-queue keeps one list for all workers of a database, from which each takes the
// next: no table is looked at by two of them. The idea comes back in each thread on
// autovacuum's scheduling (Robert Haas, "Autovacuum prioritization", 2022). The launcher
// is in no database, so the list is made by a worker that it sends and that finds the old
// one used up or older than the naptime.
func init() {
	Register(Strategy{
		Name:       "shared-queue",
		Summary:    "shared-stats, one list for all workers of a database",
		Releases:   "proposed in 2022",
		Choices:    Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		SharedList: true,
	})
}
