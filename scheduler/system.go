package scheduler

import (
	"time"

	"avsim/sim"
	"avsim/workload"
)

// system is one PostgreSQL server under simulation: one database, its tables'
// statistics, the launcher, the workers and their shared memory.
type system struct {
	kernel   *sim.Kernel
	cpu      *sim.Processor
	cost     costs
	strategy Strategy
	without  Mechanisms
	streams  sim.Streams
	trigger  trigger
	naptime  time.Duration

	scheduleLock   sim.Lock // AutovacuumScheduleLock
	autovacuumLock sim.Lock // AutovacuumLock
	stats          *statistics
	collector      *collector
	changed        uint32 // changes to statistics in shared memory
	launcher       *launcher
	workers        []*worker // running ones, in the order of their start
	slots          int       // autovacuum_max_workers
	lists          map[uint32][]int32

	count      counters
	cached     float64 // bytes of their copies of the statistics that workers have read in
	vacuums    []int32 // per table, vacuums in this run
	trace      func(Event)
	onDone     func(w *worker, table int32) // after each vacuum
	onList     func(w *worker)              // after a worker has built its list
	onExit     func(w *worker)
	waitAtGate func(w *worker) // before a worker begins with its list
}

// counters count what the recorded runs count.
type counters struct {
	vacuums, distinct       int
	rechecks, wasted, skips int
	freshAtOnce             int
	statsWrites             int
	statsWriteTime          time.Duration
}

func (c counters) minus(d counters) counters {
	return counters{
		vacuums: c.vacuums - d.vacuums, distinct: c.distinct - d.distinct,
		rechecks: c.rechecks - d.rechecks, wasted: c.wasted - d.wasted, skips: c.skips - d.skips,
		freshAtOnce: c.freshAtOnce - d.freshAtOnce,
		statsWrites: c.statsWrites - d.statsWrites, statsWriteTime: c.statsWriteTime - d.statsWriteTime,
	}
}

// newSystem builds the server; nothing runs in it yet.
func newSystem(k *sim.Kernel, cpu *sim.Processor, cost costs, cfg Config, initial []workload.Counts) *system {
	return &system{
		kernel:   k,
		cpu:      cpu,
		cost:     cost,
		strategy: cfg.Strategy,
		without:  cfg.Without,
		streams:  sim.NewStreams(cfg.Seed, cfg.Replication),
		trigger:  newTrigger(cfg.Settings),
		naptime:  cfg.naptime(),
		slots:    cfg.workers(),
		stats:    newStatistics(initial),
		lists:    map[uint32][]int32{},
		vacuums:  make([]int32, len(initial)),
		trace:    cfg.Trace,
	}
}

// dueList is a worker's list: the tables that need work by the statistics of
// its snapshot, in the order of the pg_class scan, which is that of the oids.
// Workers that saw the same statistics share one list.
func (s *system) dueList(snap snapshot) []int32 {
	if list, ok := s.lists[snap.taken]; ok {
		return list
	}
	list := []int32{}
	for table := range int32(len(s.vacuums)) {
		if s.trigger.needsVacuum(s.stats.at(table, snap.taken)) {
			list = append(list, table)
		}
	}
	s.lists[snap.taken] = list
	return list
}

// report is what a vacuum says about its table at its end: a message to the
// collector, or at once in shared memory.
func (s *system) report(w *worker, table int32, c workload.Counts) {
	if s.strategy.Stats == SharedMemory {
		s.changed++
		s.stats.set(table, s.changed, c)
		return
	}
	s.collector.report(w, table, c)
}

// shared is the state of the statistics in shared memory.
func (s *system) shared() snapshot {
	return snapshot{taken: s.changed, stamp: s.kernel.Now()}
}
