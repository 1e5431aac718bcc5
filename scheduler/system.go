package scheduler

import (
	"time"

	"avsim/sim"
	"avsim/workload/guc"
)

// system is one PostgreSQL server under simulation: databases with their
// content, the launcher, the workers, and their shared memory.
type system struct {
	kernel   *sim.Kernel
	cpu      *sim.Processor
	strategy Strategy
	without  Mechanisms
	streams  sim.Streams
	naptime  time.Duration
	version  guc.Version
	// autovacuum_freeze_max_age and autovacuum_multixact_freeze_max_age
	onSlots                   func() // a slot was taken or given back; may be nil
	squeeze                   func() // takes account of multixact members, which move multiMaxAge; may be nil
	freezeMaxAge, multiMaxAge int64
	off                       bool                   // autovacuum or track_counts is off: workers against wraparound only
	xids                      func(sim.Time) float64 // transaction ids used since the start; nil for none
	freeze                    func(*database)        // vac_update_datfrozenxid
	multis                    func(sim.Time) float64 // multixact ids likewise
	clients                   float64                // transactions a second, on average over the run

	scheduleLock   sim.Lock // AutovacuumScheduleLock
	autovacuumLock sim.Lock // AutovacuumLock
	dbs            []*database
	content        content
	collector      *collector
	changed        uint32 // changes to statistics in shared memory
	launcher       *launcher
	workers        []*worker // running ones, in the order of their start
	claims         claimed   // tables that they are at
	skimmed        *int      // counts tables looked at in vain in one step with others, where tests ask
	oneByOne       bool      // see worker.skim: the slow way, which tests hold the other against
	slots          int       // autovacuum_max_workers

	count      counters
	cached     float64 // bytes of their copies of the statistics that workers have read in
	trace      func(Event)
	onDone     func()            // after each vacuum
	onStart    func(w *worker)   // after a worker was launched
	onWasted   func(table int32) // after a worker looked at a table in vain
	onList     func(w *worker)   // after a worker has built its list
	onExit     func(w *worker)
	waitAtGate func(w *worker)          // before a worker begins with its list
	onClaim    func(took time.Duration) // after a worker found its next table
}

// counters count what the recorded runs count.
type counters struct {
	vacuums, distinct       int
	rechecks, wasted, skips int
	freshAtOnce             int
	entriesRead             int64
	freezes                 int
	forcedStarts            int
	statsWrites             int
	statsWriteTime          time.Duration
}

func (c counters) minus(d counters) counters {
	return counters{
		vacuums: c.vacuums - d.vacuums, distinct: c.distinct - d.distinct,
		rechecks: c.rechecks - d.rechecks, wasted: c.wasted - d.wasted, skips: c.skips - d.skips,
		freshAtOnce: c.freshAtOnce - d.freshAtOnce, entriesRead: c.entriesRead - d.entriesRead, freezes: c.freezes - d.freezes, forcedStarts: c.forcedStarts - d.forcedStarts,
		statsWrites: c.statsWrites - d.statsWrites, statsWriteTime: c.statsWriteTime - d.statsWriteTime,
	}
}

// newSystem builds the server with one database of so many tables; nothing runs
// in it yet, and its content is still to be set.
func newSystem(k *sim.Kernel, cpu *sim.Processor, cfg Config) *system {
	s := &system{
		kernel:       k,
		cpu:          cpu,
		strategy:     cfg.Strategy,
		without:      cfg.Without,
		streams:      sim.NewStreams(cfg.Seed, cfg.Replication),
		naptime:      cfg.naptime(),
		version:      cfg.Settings.Version(),
		freezeMaxAge: cfg.Settings.Int("autovacuum_freeze_max_age"),
		off:          !autovacuuming(cfg.Settings),
		multiMaxAge:  cfg.Settings.Int("autovacuum_multixact_freeze_max_age"),
		slots:        cfg.workers(),
		trace:        cfg.Trace,
		oneByOne:     cfg.oneByOne,
		skimmed:      cfg.skimmed,
	}
	return s
}

// addDatabase adds a database with the next n tables.
func (s *system) addDatabase(name string, n int, cost costs) *database {
	var first int32
	if len(s.dbs) > 0 {
		first = s.dbs[len(s.dbs)-1].last
	}
	d := &database{id: len(s.dbs), name: name, first: first, last: first + int32(n), cost: cost,
		written: never, file: snapshot{stamp: never}, lastAutovac: neverVisited}
	s.dbs = append(s.dbs, d)
	return d
}

// report is what a vacuum or analyze says about its table at its end: a message
// to the collector, or at once in shared memory.
func (s *system) report(w *worker, r report) {
	if s.strategy.Stats == SharedMemory {
		s.changed++
		s.content.reported(r, s.changed)
		return
	}
	s.collector.report(w, r)
}

// shared is the state of the statistics in shared memory.
func (s *system) shared() snapshot {
	return snapshot{taken: s.changed, stamp: s.kernel.Now()}
}

// wasted tells who listens that a worker looked at a table in vain: another is at
// it or has done it.
func (s *system) wasted(table int32) {
	if s.onWasted != nil {
		s.onWasted(table)
	}
}
