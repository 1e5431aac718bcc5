package scheduler

// scored is PostgreSQL 19: shared-stats, with each worker's list sorted by score
// (commit d7965d65fc5), once, when it is built. All workers still walk the same order.
// The tables of a comparison are equal, so there it is shared-stats.
func init() {
	Register(Strategy{
		Name:     "scored",
		Summary:  "shared-stats, the list sorted by score",
		Releases: "19",
		Choices: Choices{
			Claim: ClaimBeforeRecheck,
			Stats: SharedMemory,
			Order: ScoreOrder,
		},
	})
}
