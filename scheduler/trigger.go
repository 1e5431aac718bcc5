package scheduler

import (
	"avsim/workload"
	"avsim/workload/guc"
)

// trigger is relation_needs_vacanalyze: whether a table's counts make it due.
type trigger struct {
	base   float64 // autovacuum_vacuum_threshold
	factor float64 // autovacuum_vacuum_scale_factor
}

func newTrigger(s guc.Settings) trigger {
	return trigger{
		base:   float64(s.Int("autovacuum_vacuum_threshold")),
		factor: s.Float("autovacuum_vacuum_scale_factor"),
	}
}

// needsVacuum tells whether the dead rows exceed base + factor × reltuples;
// strictly, as in PostgreSQL.
func (t trigger) needsVacuum(c workload.Counts) bool {
	return float64(c.DeadTuples) > t.base+t.factor*float64(c.LiveTuples)
}
