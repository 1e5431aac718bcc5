package scheduler

// rebuild-list makes a worker's list anew once it is older than the naptime: a worker of
// PostgreSQL never does, so that one that was long at a large table goes on with tables
// that others have done meanwhile, and knows nothing of those that have come due. (Jim
// Nasby's remedy was to kill such a worker: 3FC6C2F2-8A47-44C0-B997-28830B5716D0@amazon.com.)
func init() {
	Register(Strategy{
		Name:     "rebuild-list",
		Summary:  "shared-stats, the list made anew once it is older than the naptime",
		Releases: "proposed",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Relist:   RelistStale,
	})
}
