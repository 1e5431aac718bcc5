package scheduler

// claim-release is Jeff Janes' patch to BUG #13750, "increased the throughput
// by a factor of 40": claim the table under the schedule lock, release it,
// then do the expensive recheck, and take the lock again to un-claim where the
// table needs no work. Committed in March 2018 (Tom Lane, 4460964aedaa and
// 38f7831d703b), back-patched to all supported branches: 9.3.23, 9.4.18,
// 9.5.13, 9.6.9, 10.4, and in place to 13.
func init() {
	Register(Strategy{
		Name:     "claim-release",
		Summary:  "claim, release the lock, then recheck",
		Releases: "9.3.23, 9.4.18, 9.5.13, 9.6.9, 10.4 to 13",
		Choices: Choices{
			Claim:     ClaimBeforeRecheck,
			Freshness: WorkerFreshness,
		},
	})
}
