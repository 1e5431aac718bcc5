package scheduler

import (
	"fmt"
	"math"
	"slices"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
)

// live is the content of a run: tables that come due by themselves, and are
// vacuumed and analyzed at a cost that follows from what is in them.
type live struct {
	sys         *system
	world       *workload.World
	settings    guc.Settings
	flushes     flushes
	rules       thresholds
	balance     *balancer
	balanced    int // how often budgets had changed when sleepers last looked
	slack       func(time.Duration) time.Duration
	wakeUp      time.Duration // median, at the end of a sleep
	tables      liveTables
	quiet       []sim.Time // per table, until when it cannot come due; listed for one that is among those due
	looks       []looks    // per database, its tables by that time
	dues        []dueSet   // per database
	poll        bool       // look at every table at every visit: the slow way, which tests hold the other against
	derived     derived    // from the settings
	machine     vacuum.Machine
	pool        bufferPool
	lookBack    lookBack          // of the vacuum that is worked out
	spare       []*vacuumWork     // memory of vacuums that are over
	running     map[int]*liveWork // work under way, by worker
	result      *RunResult
	keep        bool    // events
	tracer      *tracer // nil for none
	dead        *deadShare
	sampler     *sampler      // nil for none
	application *application  // nil for none
	slotTime    time.Duration // of all worker slots, until slotsAt
	slotsAt     sim.Time

	memoryPages float64 // of the machine; 0 for as many as it takes
	checkpoints checkpoints

	xidsUsed, multisUsed idUse
	members              members

	locks          map[int32]*tableLock // by table
	disturbed      bool                 // work may be given up, or failsafe begin, at any time
	halts          halts
	full           fullTimes
	lateFull       float64  // seconds that tables which were visited had waited while no slot was free
	length         sim.Time // of the run
	onWarn, onStop sim.HandlerID
	haltedBefore   time.Duration // in the warm-up
	// membersOutBefore likewise.
	membersOutBefore time.Duration
}

// newLive makes the tables of a world, in databases of the system.
func newLive(sys *system, world *workload.World, settings guc.Settings, cfg RunConfig) (*live, error) {
	c := &live{
		sys: sys, world: world, settings: settings,
		flushes: flushesOf(settings.Version()),
		rules:   newThresholds(settings),
		balance: newBalancer(settings),
		slack:   cfg.Host.SleepSlack.At,
		wakeUp:  cfg.Host.WakeLatency.P50,
		running: map[int]*liveWork{},
		result:  &RunResult{},
		keep:    cfg.Events,
		poll:    cfg.poll,
		derived: derive(settings),
		machine: vacuum.MachineOf(cfg.Host),

		memoryPages: cfg.Host.MemoryBytes / vacuum.PageBytes,
		checkpoints: checkpointsOf(settings),
	}
	for i := range world.Databases {
		c.xidsUsed.add(world.Databases[i].XIDsPerSecond)
		c.multisUsed.add(world.Databases[i].MultisPerSecond)
	}
	n := world.Tables()
	c.tables = liveTables{kept: make([]*liveTable, n), looked: make([]sim.Time, n), options: map[optionsOf]tableOptions{}}
	c.quiet = make([]sim.Time, n)
	c.length = sim.Time(cfg.For)
	held := sessionsEnd(world.Obstacles.Horizons, world.Obstacles.Incidents, sim.Time(cfg.For))
	for i := range world.Databases {
		d := &world.Databases[i]
		db := sys.addDatabase(d.Name, d.Tables.Len(), cfg.config().costs(d.Tables.Len(), d.StatsEntries()))
		db.template, db.connect = d.Template, d.ConnectTime
		db.horizons, db.halts = newHorizons(held, i), &c.halts
		db.held = db.horizons.spans()
		if err := c.checkTables(db); err != nil {
			return nil, err
		}
	}
	c.members = members{created: c.multisUsed.most(0) > 0, per: membersOf(world, sim.Time(cfg.For)), most: mostMultis(c.derived.from14), max: settings.Int("autovacuum_multixact_freeze_max_age")}
	if c.derived.from19 { // wider offsets
		c.members.per = 0
	}
	c.looks = make([]looks, len(sys.dbs))
	c.dues = make([]dueSet, len(sys.dbs))
	for i, db := range sys.dbs {
		c.dues[i].first = db.first
	}
	c.lookAgain()
	for _, db := range sys.dbs {
		c.freeze(db)
	}
	sys.content, sys.xids, sys.multis, sys.freeze = c, c.xids, c.multis, c.freeze
	sys.squeeze = c.squeeze
	sys.onSlots = func() { c.full.note(len(sys.workers) >= sys.slots, sys.kernel.Now()) }
	return c, nil
}

// newLiveTable is a table as it is at the start.
// What it has in common with others it has of common.
func newLiveTable(t, common *workload.Table, db *database, id int32, options tableOptions) liveTable {
	initial := func(n int64) history {
		if t.NoStats {
			n = 0
		}
		return history{now: counter{at: never, value: float64(n)}}
	}
	pages := t.Pages(float64(t.Rows + t.Dead))
	return liveTable{
		like: common, Rows: t.Rows, Dead: t.Dead, Activity: t.Activity,
		id: id, db: db, options: options,
		reltuples: t.Reltuples, classAt: never,
		visible:   t.AllVisible * pages,
		allFrozen: t.AllFrozen * pages,
		frozen:    -float64(t.XIDAge),
		minMulti:  -float64(t.MultiAge),
		dead:      initial(t.Dead),
		mods:      initial(t.ModsSinceAnalyze),
		inserted:  initial(t.InsertsSinceVacuum),
		dueSince:  sim.Forever,
	}
}

// lookAgain makes every table be looked at anew.
func (c *live) lookAgain() {
	clear(c.quiet)
	for _, db := range c.sys.dbs {
		c.looks[db.id].fill(db.first, db.last)
		c.dues[db.id].clear()
	}
}

// settle notes which tables are due under rules that end now, and since when. Those
// that are not may be from now on, but not before.
func (c *live) settle() {
	now := c.sys.kernel.Now()
	for i := range c.tables.kept {
		id := int32(i)
		switch t := c.lookAt(id); {
		case c.tables.looked[id] >= now || !c.dueAt(t, now):
			c.tables.looked[id] = now
		case t.dueSince == sim.Forever:
			t = c.retain(t)
			t.dueSince = c.since(t, now)
			c.tracer.due(t, c.rules.needs(c.inputs(t, now)))
		}
	}
}

// flushesOf is how often clients of a release tell their changes.
func flushesOf(v guc.Version) flushes {
	if v.AtLeast(guc.MustVersion("15.0")) {
		return flushes{every: sim.Time(time.Second)}
	}
	return flushes{every: sim.Time(500 * time.Millisecond)}
}

// xids are the transaction ids used since the start of the run, multis the
// multixact ids.
func (c *live) xids(at sim.Time) float64 { return c.xidsUsed.at(at, c.halts) }
func (c *live) multis(at sim.Time) float64 {
	used := c.multisUsed.at(at, c.halts)
	if len(c.members.out) > 0 {
		used -= c.members.out.lost(at, c.multisUsed.total)
	}
	return used
}

// freeze is vac_update_datfrozenxid: a database is as old as its oldest table.
func (c *live) freeze(db *database) {
	frozen, multi := math.Inf(1), math.Inf(1)
	for id := db.first; id < db.last; id++ {
		if xid, minMulti, counts := c.frozenOf(db, id); counts {
			frozen = math.Min(frozen, xid)
			multi = math.Min(multi, minMulti)
		}
	}
	if db.tables() > 0 {
		db.frozenXID, db.minMulti = frozen, multi
	}
}

// inputs are what a snapshot and pg_class say of a table.
func (c *live) inputs(t *liveTable, stamp sim.Time) needInputs {
	now := c.sys.kernel.Now()
	dead, mods, inserted := t.statistics(c.flushes, stamp)
	return needInputs{
		reltuples: t.reltuples,
		relpages:  int64(t.Pages(math.Max(t.reltuples, 0))), relallfrozen: int64(t.allFrozen),
		dead: dead, mods: mods, inserted: inserted,
		hasStats: t.entry || dead+mods+inserted > 0,
		isToast:  t.ToastOf >= 0,
		xidAge:   int64(c.xids(now) - t.frozen),
		multiAge: int64(c.multis(now) - t.minMulti),
		options:  t.options,
	}
}

// due are the tables of the worker's database that need something. Only those
// whose time has come are looked at.
func (c *live) due(w *worker) [][]int32 {
	c.squeeze()
	list := c.dueAtAll(w, c.sys.kernel.Now())
	if c.sys.strategy.Order == ScoreOrder && c.derived.scoring.sorts() {
		sorted := slices.Concat(list...)
		c.byScore(sorted, w)
		return [][]int32{sorted}
	}
	return list
}

// listed is the time of a table that is in the set of those due: it is not to be looked
// at before something is told of it.
const listed = sim.Time(-1)

// dueAtAll are those tables in the order of the catalogue. What was due stays so until
// something is told of it: counts and ages grow, but for the rows that pruning takes away
// when a snapshot is given back, and limits stay, but for those that go by multixact
// members.
func (c *live) dueAtAll(w *worker, now sim.Time) [][]int32 {
	if c.poll {
		return [][]int32{c.dueOfAll(w, now)}
	}
	coming, set := &c.looks[w.db.id], &c.dues[w.db.id]
	stamp := w.snapshot.stamp
	unsteady := len(w.db.horizons) > 0 || c.members.per > 0
	var others []int32
	for _, id := range set.doubtful(coming.take(now, c.quiet), stamp, unsteady) {
		t := c.lookAt(id)
		if !c.look(t, stamp, now).any() {
			continue
		}
		if c.tables.kept[id].toldBy(stamp) {
			set.add(id, stamp)
			c.quiet[id] = listed
			continue
		}
		others = append(others, id)
		c.quiet[id] = now // what was told since may show it as done
		coming.put(now, id)
	}
	return set.list(others)
}

// dueOfAll is due by a look at each table.
func (c *live) dueOfAll(w *worker, now sim.Time) (list []int32) {
	for id := w.db.first; id < w.db.last; id++ {
		if c.look(c.lookAt(id), w.snapshot.stamp, now).any() {
			list = append(list, id)
		}
	}
	return list
}

// look tells what a table needs, and takes note of since when or, where it needs
// nothing, of how long that will last at least.
func (c *live) look(t *liveTable, stamp, now sim.Time) need {
	switch {
	case t.Temporary:
		return c.lookAtTemporary(t)
	case t.Partitioned:
		return need{}
	}
	in := c.inputs(t, stamp)
	n := c.rules.needs(in)
	if n.any() {
		if t.dueSince == sim.Forever {
			t = c.retain(t)
			t.dueSince = c.since(t, now)
			c.tracer.due(t, n)
		}
		return n
	}
	t.dueSince = sim.Forever
	c.tables.looked[t.id] = now
	if !c.poll {
		c.tables.looked[t.id] = max(now, c.notBefore(t, c.quietUntil(t, in, min(stamp, now))))
	}
	return n
}

// lookAtTemporary leaves a temporary table alone, but drops one whose session is gone
// (the first scan of do_autovacuum collects those).
func (c *live) lookAtTemporary(t *liveTable) need {
	if t.Orphaned && !t.dropped && !c.halted() { // which takes a transaction id
		t.dropped, t.db.advanced = true, true
		c.tracer.instant(TraceDropped, nil, c.sys.kernel.Now(), t)
		c.notice("LOG", fmt.Sprintf("autovacuum: dropping orphan temp table \"%s.pg_temp.%s\"", t.db.name, c.nameOf(t)), "")
	}
	return need{}
}

// quietUntil is until when a table that needs nothing by what was told to now cannot
// come to need anything, whatever its rates do.
func (c *live) quietUntil(t *liveTable, in needInputs, now sim.Time) sim.Time {
	a, at := &t.Activity, time.Duration(now)
	most := func(r workload.Rate) float64 {
		if r == nil {
			return 0
		}
		return r.Most(max(at-time.Duration(c.flushes.every), 0)) // what was done since may not have been told
	}
	i, u, d := most(a.Inserts), most(a.Updates), most(a.Deletes)
	if d > 0 {
		d = math.Max(d, i) // deletes that have waited for a row go with the inserts
	}
	until := sim.Forever
	in.hasStats = true // from the first change on
	if wait, ok := c.rules.nextDue(in, rates{dead: u + d + t.deadOfInserts(i), inserted: i, mods: i + u + d, xids: c.xidsUsed.most(now), multis: c.multisUsed.most(now)}); ok {
		until = now.Add(wait)
		if a.Poisson { // chance may be faster than the rate
			until, _ = c.firstDue(t, now, until)
		}
	}
	if next, ok := a.NextStatement(at - time.Duration(c.flushes.every)); ok {
		until = min(until, sim.Time(next))
	}
	until = min(until, c.safeUntil(now, c.multisUsed.most(now)))
	// What is under way to the statistics may arrive at once.
	return until - c.flushes.every
}

// since finds when the statistics first said that a table is due, between the last
// instant at which it was not and now. Counts change when sessions tell theirs, so
// it is one of those instants, and mostly one of the first; ages change in between.
func (c *live) since(t *liveTable, now sim.Time) sim.Time {
	looked := c.tables.looked[t.id]
	if c.dueAt(t, looked) {
		return looked
	}
	every := c.flushes.every
	low, step := c.flushes.last(looked, t.id), every
	for low+step < now && !c.dueAt(t, low+step) {
		low, step = low+step, 2*step
	}
	for step > every {
		step /= 2
		if !c.dueAt(t, low+step) {
			low += step
		}
	}
	high := min(low+every, now)
	if c.dueBefore(t, high) {
		_, high = c.firstDue(t, max(low, looked), high)
	}
	return high
}

// dueBefore tells whether a table is due just before an instant, by its age.
func (c *live) dueBefore(t *liveTable, at sim.Time) bool { return c.dueAt(t, at-1) }

// dueAt tells whether a table needs something by the statistics of an instant,
// past or to come, if no vacuum or analyze comes in between.
func (c *live) dueAt(t *liveTable, at sim.Time) bool {
	in := c.inputs(t, at)
	in.xidAge, in.multiAge = int64(c.xids(at)-t.frozen), int64(c.multis(at)-t.minMulti)
	return c.rules.needs(in).any()
}

// firstDue finds by bisection, to a millisecond, when a table that is not due at
// low comes to be: low when it is not yet, high when it is. One that is not by
// high gives high twice.
func (c *live) firstDue(t *liveTable, low, high sim.Time) (sim.Time, sim.Time) {
	if !c.dueAt(t, high) {
		return high, high
	}
	for high-low > sim.Time(time.Millisecond) {
		middle := low + (high-low)/2
		if c.dueAt(t, middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return low, high
}

// unsure has a table looked at anew after its row of pg_class has changed.
func (c *live) unsure(t *liveTable) {
	if c.quiet[t.id] == listed {
		c.notBefore(t, 0)
	}
}

func (c *live) needs(w *worker, table int32) need {
	return c.look(c.table(table), w.snapshot.stamp, c.sys.kernel.Now())
}

// done: a look has found that no rate of the table or of ids ever makes it due.
func (c *live) done(table int32) bool { return c.quiet[table] > noTime }

// reported is the effect of a vacuum's or analyze's report on the statistics:
// the counters that it sets, to which what clients tell from now on adds.
func (c *live) reported(r report, _ uint32) {
	t := c.table(r.table)
	now := c.sys.kernel.Now()
	told := t.changed(c.flushes.last(now, t.id))
	t.dead.set(counter{now, r.dead, told.dead})
	if r.vacuum {
		t.inserted.set(counter{now, 0, told.inserted})
	}
	if r.analyze {
		t.mods.set(counter{now, 0, told.modified()})
	}
	t.entry = true
	c.tables.looked[t.id], t.dueSince = now, sim.Forever
	c.notBefore(t, 0)
}

// notBefore notes from when on a table may need something.
func (c *live) notBefore(t *liveTable, at sim.Time) sim.Time {
	if c.quiet[t.id] == listed {
		c.dues[t.db.id].remove(t.id)
	}
	c.quiet[t.id] = at
	c.looks[t.db.id].put(at, t.id)
	return at
}
