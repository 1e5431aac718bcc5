package scheduler

import (
	"avsim/sim"
	"avsim/workload"
)

// tiny is the content of a measurement: equal tables of one page, of which some
// are due at the start and nothing changes but by vacuums. A vacuum is one
// measured cost.
type tiny struct {
	sys     *system
	trigger trigger
	stats   *statistics
	lists   map[uint32][]int32 // workers that saw the same statistics share one list
	vacuums []int32            // per table, in this run
}

func newTiny(sys *system, t trigger, initial []workload.Counts) *tiny {
	return &tiny{sys: sys, trigger: t, stats: newStatistics(initial), lists: map[uint32][]int32{}, vacuums: make([]int32, len(initial))}
}

func (c *tiny) due(w *worker) [][]int32 { return [][]int32{c.list(w.snapshot)} }

func (c *tiny) list(snap snapshot) []int32 {
	if list, ok := c.lists[snap.taken]; ok {
		return list
	}
	list := make([]int32, 0, len(c.vacuums))
	for table := range int32(len(c.vacuums)) {
		if c.trigger.needsVacuum(c.stats.at(table, snap.taken)) {
			list = append(list, table)
		}
	}
	c.lists[snap.taken] = list
	return list
}

func (c *tiny) needs(w *worker, table int32) need {
	return need{vacuum: c.trigger.needsVacuum(c.stats.at(table, w.snapshot.taken))}
}

func (c *tiny) done(table int32) bool {
	return !c.trigger.needsVacuum(c.stats.at(table, c.sys.changed))
}

func (c *tiny) perform(w *worker, table int32, _ need) {
	w.thread.WorkCost(Vacuuming, w.effort(w.db.cost.vacuum))
	c.sys.report(w, report{table: table, vacuum: true, live: float64(c.stats.initial[table].LiveTuples)})
	c.sys.count.vacuums++
	if c.vacuums[table] == 0 {
		c.sys.count.distinct++
	}
	c.vacuums[table]++
}

func (c *tiny) reported(r report, taken uint32) {
	c.stats.set(r.table, taken, workload.Counts{LiveTuples: int64(r.live)})
}

// trigger is relation_needs_vacanalyze for tables that are only ever vacuumed
// for their dead rows.
type trigger struct {
	base   float64 // autovacuum_vacuum_threshold
	factor float64 // autovacuum_vacuum_scale_factor
}

// needsVacuum tells whether the dead rows exceed base + factor × reltuples;
// strictly, as in PostgreSQL.
func (t trigger) needsVacuum(c workload.Counts) bool {
	return float64(c.DeadTuples) > t.base+t.factor*float64(c.LiveTuples)
}

// startTiny makes the one database of a measurement.
func (s *system) startTiny(cfg Config, streams sim.Streams) *tiny {
	initial := cfg.Population.Counts(streams.Named("due tables"))
	t := newTiny(s, trigger{
		base:   float64(cfg.Settings.Int("autovacuum_vacuum_threshold")),
		factor: cfg.Settings.Float("autovacuum_vacuum_scale_factor"),
	}, initial)
	s.content = t
	return t
}
