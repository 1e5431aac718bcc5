package scheduler

// stale-first is PostgreSQL 14 (e2ac3fed3b1c, December 2020, Tatsuhito
// Kasahara, Fujii Masao): claim-release, but once a refreshed recheck has found
// a table done, the next tables are looked up in that same snapshot first, and
// it is refreshed only for one that still seems to need work. A run of tables
// that others have done costs one refresh and a few look-ups.
func init() {
	Register(Strategy{
		Name:     "stale-first",
		Summary:  "claim-release, the snapshot in hand is asked first",
		Releases: "14",
		Choices: Choices{
			Claim:     ClaimBeforeRecheck,
			Recheck:   RecheckSnapshotFirst,
			Freshness: WorkerFreshness,
		},
	})
}
