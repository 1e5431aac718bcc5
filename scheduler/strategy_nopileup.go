package scheduler

// no-pile-up keeps the launcher from sending a second worker to a database that is at
// risk of wraparound while one is there (vac_wrap.patch, pgsql-hackers, 2014, attachment
// 35053): to 19 do_start_worker considers nothing else, so all workers go there and other
// databases get none. A database that has a worker is treated like one not at risk.
func init() {
	Register(Strategy{
		Name:     "no-pile-up",
		Summary:  "shared-stats, one worker at a time sent to a database against wraparound",
		Releases: "proposed in 2014",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		NoPileUp: true,
	})
}
