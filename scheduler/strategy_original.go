package scheduler

// original is autovacuum from 2007 to February 2018 (modelled from 9.3: to
// 9.3.22, 9.4.17, 9.5.12, 9.6.8 and 10.3): a worker takes
// AutovacuumScheduleLock, looks whether another worker is at the table,
// rechecks the statistics with the lock held, and claims the table only when
// it still needs work. The recheck waits for the statistics collector in polls
// of 10 ms, and all workers wait for the lock. BUG #13750.
func init() {
	Register(Strategy{
		Name:     "original",
		Summary:  "recheck under the schedule lock, then claim",
		Releases: "9.3.0-22, 9.4.0-17, 9.5.0-12, 9.6.0-8, 10.0-3",
		Choices: Choices{
			Claim:     ClaimAfterRecheck,
			Freshness: WorkerFreshness,
		},
	})
}
