package scheduler

// random-start begins the list of each worker at a random place and goes round: "Introduce
// some randomness" (Junwang Zhao, pgsql-hackers, April 2025,
// CAEG8a3LvTV4fRcckidTd21Tjm3JHzZHUn97vbP9z817-T8JZ=Q). Workers no longer meet at the
// same tables, and a worker that is killed always at the same table does not starve
// those behind it.
func init() {
	Register(Strategy{
		Name:     "random-start",
		Summary:  "shared-stats, the list begun at a random place",
		Releases: "proposed in 2025",
		Choices:  Choices{Claim: ClaimBeforeRecheck, Stats: SharedMemory},
		Arrange:  randomStart,
	})
}

func randomStart(due []Facts, at Situation) []Facts {
	if len(due) == 0 {
		return due
	}
	start := at.Random.IntN(len(due))
	return append(append(make([]Facts, 0, len(due)), due[start:]...), due[:start]...)
}
