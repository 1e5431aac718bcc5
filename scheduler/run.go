package scheduler

import (
	"context"
	"math"
	"time"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// RunConfig is everything that a run of a scenario depends on.
type RunConfig struct {
	World       workload.World
	Settings    guc.Settings
	Strategy    Strategy
	Host        *host.Profile
	Changes     []SettingsChange // in the order of time
	For         time.Duration
	WarmUp      time.Duration // of it, at the start, of which nothing is told
	Seed        uint64
	Replication int
	// FirstVisits, if not nil, is when each database is due for its first worker,
	// negative where the launcher decides: the state of one that has been running.
	FirstVisits []time.Duration
	Events      bool // whether each vacuum and analyze is kept in the result
	Waits       bool // whether the result tells which tables were due at the start
	poll        bool // see live.poll
	oneByOne    bool // see system.oneByOne
	skimmed     *int // likewise
	// Progress, if not nil, is told how far the run is, now and then.
	Progress func(now time.Duration)
	// Trace, if not nil, is told what happens, as it happens.
	Trace func(TraceEvent)
	// Sample, if not nil, is told the state of all tables at so many instants,
	// spread over the run, and at its end.
	Sample  func(Sample)
	Samples int
	// Foreground, if not nil, is the application whose speed is told.
	Foreground *workload.Foreground
	// WithoutFelt leaves out working out what it felt, which takes longer than the run:
	// the result has no Felt then. Nothing else changes.
	WithoutFelt bool

	// ProgressAt are instants at which the vacuums under way are noted.
	ProgressAt []time.Duration

	// Scores, if not nil, is told at an instant the scores of all tables.
	Scores   func([]TableScores)
	ScoresAt time.Duration

	inside func(*live) // for tests: gets the run before it starts
}

// SettingsChange is a reload of the configuration during a run.
type SettingsChange struct {
	At       time.Duration
	Settings guc.Settings // as they are from then on
}

// config is the part of the configuration that measurements have too.
func (c RunConfig) config() Config {
	return Config{Strategy: c.Strategy, Settings: c.Settings, Host: c.Host, Seed: c.Seed, Replication: c.Replication, oneByOne: c.oneByOne, skimmed: c.skimmed}
}

// Run runs a scenario.
func Run(ctx context.Context, cfg RunConfig) (*RunResult, error) {
	k := &sim.Kernel{}
	defer k.Close()
	streams := sim.NewStreams(cfg.Seed, cfg.Replication)
	sys := newSystem(k, processor(k, cfg.Host, streams, 0), cfg.config())
	content, err := newLive(sys, &cfg.World, cfg.Settings, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Strategy.Stats == CollectorFile {
		sys.startCollector()
	}
	var gone sim.Account
	sys.slots = slotsOf(cfg.Settings)
	sys.clients = content.clients(cfg.For)
	sys.onStart = func(w *worker) {
		content.result.Starts = append(content.result.Starts, WorkerStart{k.Now(), w.db.name})
	}
	sys.onExit = func(w *worker) {
		content.gone(w)
		gone = gone.Plus(w.thread.Account())
		content.took(w)
	}
	sys.onWasted = func(table int32) { content.table(table).result.Wasted++ }
	if cfg.inside != nil {
		cfg.inside(content)
	}
	content.traced(cfg.Trace)
	content.dueAtStart(cfg.Waits)
	content.scoresAt(cfg.ScoresAt, cfg.Scores)
	content.sampled(cfg.Samples, cfg.For, cfg.Sample)
	content.watchDead(cfg.WarmUp, cfg.For)
	if err := content.follow(ctx, cfg); err != nil {
		return nil, err
	}
	content.noteProgress(cfg.ProgressAt)
	sys.startLauncher(cfg.FirstVisits)
	content.schedule(cfg.Changes)
	content.obstruct(&cfg.World.Obstacles, sim.Time(cfg.For))
	before := content.warmUp(cfg.WarmUp, &gone)
	asked := sys.watch(ctx)
	sys.tell(cfg.Progress, cfg.For)
	if !*asked {
		k.Run(sim.Time(cfg.For))
	}
	if *asked {
		return nil, ctx.Err()
	}
	content.sampler.finish()
	content.tracer.finish()
	result, err := content.finish(gone.Minus(*before), cfg.For-cfg.WarmUp)
	if err != nil {
		return nil, err
	}
	if !cfg.WithoutFelt {
		if result.Felt, err = content.application.felt(ctx); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// obstruct lets happen what stands in the workers' way.
func (c *live) obstruct(o *workload.Obstacles, length sim.Time) {
	c.lockRequests(o.Locks)
	c.incidents(o.Incidents)
	c.watchLimits(length)
	c.disturbed = len(o.Incidents) > 0
	for _, db := range c.sys.dbs { // as old as it can get
		for id := db.first; id < db.last && !c.disturbed; id++ {
			frozen, minMulti, _ := c.frozenOf(db, id)
			c.disturbed = c.tooOld(frozen, minMulti, length)
		}
	}
}

// warmUp forgets at its end what was counted until then; it returns what the
// workers' account will have been by then.
func (c *live) warmUp(length time.Duration, gone *sim.Account) *sim.Account {
	before := new(sim.Account)
	if length <= 0 {
		return before
	}
	over := c.sys.kernel.Handler(func(int64) {
		*before = *gone
		for _, w := range c.sys.workers {
			*before = before.Plus(w.thread.Account())
		}
		c.result = &RunResult{Progress: c.result.Progress}
		c.haltedBefore = time.Duration(c.halts.total(c.sys.kernel.Now()) * 1e9)
		c.membersOutBefore = time.Duration(c.members.out.total(c.sys.kernel.Now()) * 1e9)
		c.countSlots()
		c.slotTime, c.lateFull = 0, 0
		c.sys.count = counters{}
		for _, t := range c.tables.kept {
			if t != nil {
				t.result.reset()
			}
		}
	})
	c.sys.kernel.At(sim.Time(length), over, 0)
	return before
}

// took remembers a worker's life.
func (c *live) took(w *worker) {
	c.result.Workers = append(c.result.Workers, WorkerResult{Number: w.number, Database: w.db.name,
		End: c.sys.kernel.Now(), Time: w.thread.Account(), Vacuums: w.vacuums, Analyzes: w.analyzes})
}

// clients is how many transactions a second they make, on average: as many as use
// transaction ids, or one for each row that is changed where the scenario says nothing
// of ids.
func (c *live) clients(length time.Duration) (sum float64) {
	if used := c.xidsUsed.total(sim.Time(length)); used > 0 {
		return used / length.Seconds()
	}
	for i := range c.tables.kept {
		all := c.lookAt(int32(i)).Activity.Expected(length)
		sum += all.Inserted + all.Updated + all.Deleted
	}
	return sum / length.Seconds()
}

// slotsOf is how many workers may run: from 18 no more than there are slots,
// which a restart alone can change.
func slotsOf(s guc.Settings) int {
	n := int(s.Int("autovacuum_max_workers"))
	if s.Has("autovacuum_worker_slots") {
		n = min(n, int(s.Int("autovacuum_worker_slots")))
	}
	return n
}

// schedule makes the changes of settings happen.
func (c *live) schedule(changes []SettingsChange) {
	apply := c.sys.kernel.Handler(func(i int64) { c.reload(changes[i].Settings) })
	for i, change := range changes {
		c.sys.kernel.At(sim.Time(change.At), apply, int64(i))
	}
}

// reload takes over changed settings: thresholds at once, the cost limit as the
// version has it, the number of workers from 18 on.
func (c *live) reload(s guc.Settings) {
	c.settle()
	c.settings = s
	c.rules = newThresholds(s)
	c.derived = derive(s)
	c.checkpoints.again(s, c.sys.kernel.Now())
	c.pool.until = 0
	c.balance.reload(s)
	c.rebalance(nil)
	c.tracer.server(TraceReload)
	c.lookAgain()
	c.sys.off = !autovacuuming(s)
	c.sys.freezeMaxAge = s.Int("autovacuum_freeze_max_age")
	c.sys.multiMaxAge = s.Int("autovacuum_multixact_freeze_max_age")
	c.members.max = c.sys.multiMaxAge
	c.squeeze()
	c.sys.naptime = s.Duration("autovacuum_naptime")
	if s.Has("autovacuum_worker_slots") { // from 18 a reload is enough
		c.countSlots()
		c.sys.slots = slotsOf(s)
		c.sys.onSlots()
	}
	c.sys.launcher.reload()
}

// nextForced is when, from now on, a table's age forces a vacuum at the mean rates of
// ids so far; negative for never, or not within 292 years.
func (c *live) nextForced(t *liveTable, now sim.Time) time.Duration {
	if t.dropped || t.Temporary || t.Partitioned || now <= 0 {
		return -1
	}
	rules := c.rules.with(t.options)
	next := math.Inf(1)
	for _, id := range []struct{ used, frozen, most float64 }{
		{c.xids(now), t.frozen, float64(rules.freezeMaxAge)}, {c.multis(now), t.minMulti, float64(rules.multiMaxAge)},
	} {
		if rate := id.used / now.Seconds(); rate > 0 {
			next = math.Min(next, math.Max(id.most-(id.used-id.frozen), 0)/rate)
		}
	}
	if next*1e9 > math.MaxInt64 {
		return -1
	}
	return time.Duration(next * 1e9)
}

// countSlots adds the time of all slots since it was last added.
func (c *live) countSlots() {
	now := c.sys.kernel.Now()
	c.slotTime += time.Duration(c.sys.slots) * now.Sub(c.slotsAt)
	c.slotsAt = now
}

// finish takes stock.
func (c *live) finish(gone sim.Account, length time.Duration) (*RunResult, error) {
	r, now := c.result, c.sys.kernel.Now()
	r.Simulated = length
	r.WorkerTime = gone
	for _, w := range c.sys.workers {
		r.WorkerTime = r.WorkerTime.Plus(w.thread.Account())
		c.took(w)
	}
	for _, l := range c.running { // what is under way
		l.table.result.underWay(l, now)
	}
	c.countSlots()
	r.Slots = c.slotTime
	r.Skips, r.WastedRechecks, r.Rechecks = c.sys.count.skips, c.sys.count.wasted, c.sys.count.rechecks
	r.ForcedStarts = c.sys.count.forcedStarts
	r.StatsWrites, r.StatsEntriesRead, r.FreezeScans = c.sys.count.statsWrites, c.sys.count.entriesRead, c.sys.count.freezes
	r.DeadShare, r.DeadSharePeak = c.dead.sum/float64(max(c.dead.n, 1)), c.dead.peak
	err := c.tablesAtEnd(now)
	r.Halted = time.Duration(c.halts.total(now)*1e9) - c.haltedBefore
	r.MembersOut = time.Duration(c.members.out.total(now)*1e9) - c.membersOutBefore
	r.Verdict = c.verdict(r)
	return r, err
}
