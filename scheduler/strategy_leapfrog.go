package scheduler

// leapfrog is David Gould's patch to BUG #13750 (October 2015; never
// committed): "No worker can claim a table with an oid smaller than the
// highest oid claimed by any worker." Lists are sorted by oid, so workers leap
// over each other instead of racing to the same table; and autovacuum workers
// lose their special demand of 10 ms on the statistics. Our reconstruction
// from the post, as recorded on 9.5.13 (workload/recorded).
func init() {
	Register(Strategy{
		Name:     "leapfrog",
		Summary:  "oid order, claim only above the highest oid claimed, then recheck",
		Releases: "David Gould's patch of 2015, not committed",
		Choices: Choices{
			Claim:     ClaimBeforeRecheck,
			Reach:     AboveHighest,
			Order:     OIDOrder,
			Freshness: BackendFreshness,
		},
	})
}
