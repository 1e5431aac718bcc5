package scheduler

// shared-stats is PostgreSQL 15 to 18: claim-release, with the cumulative
// statistics in shared memory. There is no collector, no file and no inquiry; a
// recheck is a look-up, and what a vacuum reports is seen at once.
func init() {
	Register(Strategy{
		Name:     "shared-stats",
		Summary:  "claim-release, statistics in shared memory",
		Releases: "15 to 18",
		Choices: Choices{
			Claim: ClaimBeforeRecheck,
			Stats: SharedMemory,
		},
	})
}
