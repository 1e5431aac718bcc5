package scheduler

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// busyTables are tables of many sizes that many workers are at, at once.
func busyTables(n int) workload.World {
	var all []workload.Table
	for i := range n {
		x := table(fmt.Sprintf("t%d", i), int64(50_000+7_000*i))
		x.Dead = int64(110_000 + 700*i)
		x.Activity.Updates = workload.Constant(200)
		all = append(all, x)
	}
	return oneDatabase(all...)
}

// TestEqualInputsEqualRuns: with many workers that share a budget, in each of
// the ways to share it.
func TestEqualInputsEqualRuns(t *testing.T) {
	for _, pg := range []string{"13", "15", "16", "18"} {
		for _, workers := range []int{3, 10} {
			var first *RunResult
			for range 4 {
				r := mustRun(t, runConfig(t, pg, 10*time.Minute, busyTables(60), "autovacuum_naptime=1s", fmt.Sprintf("autovacuum_max_workers=%d", workers)))
				if first == nil {
					first = r
				}
				if !reflect.DeepEqual(first.Events, r.Events) || !reflect.DeepEqual(first.WorkerTime, r.WorkerTime) {
					t.Fatalf("PostgreSQL %s, %d workers: equal inputs give different runs", pg, workers)
				}
			}
		}
	}
}

// TestNeighboursCostNoWorkTwice: workers that come and go while a vacuum sleeps
// change its limit, never what it has to do.
func TestNeighboursCostNoWorkTwice(t *testing.T) {
	measure := func(neighbours int) float64 {
		x := table("big", 20_000_000)
		x.Dead, x.Indexes = 6_000_000, 0
		w := oneDatabase(x)
		for i := range neighbours {
			y := table("small", 10)
			y.Activity.Updates = workload.Constant(100)
			w.Databases = append(w.Databases, workload.Database{Name: fmt.Sprintf("other%d", i), Tables: workload.TablesOf(y)})
		}
		r := mustRun(t, runConfig(t, "16", 20*time.Minute, w, "autovacuum_naptime=1s", "autovacuum_vacuum_cost_limit=2000", "autovacuum_analyze_threshold=1000000000"))
		for _, e := range r.Events {
			if e.Table == "big" {
				return e.At.Sub(e.Start).Seconds()
			}
		}
		t.Fatal("the big table is not vacuumed")
		return 0
	}
	if alone, beside := measure(0), measure(2); beside > 1.2*alone {
		t.Errorf("a vacuum of %.1f s takes %.1f s beside two that take a moment a second", alone, beside)
	}
}

// TestNoStatistics: a table without an entry in the statistics is left alone
// until something is done to it, then it is as any other; counts that the
// statistics would have are not there.
func TestNoStatistics(t *testing.T) {
	later := workload.Steps{{From: 10 * time.Minute, PerSecond: 10}}
	x := table("t", 1000)
	x.NoStats = true
	x.Activity.Updates = later
	r := mustRun(t, runConfig(t, "16", time.Hour, oneDatabase(x)))
	if n := r.Tables.At(0).Vacuums; n < 40 || n > 51 {
		t.Errorf("%d vacuums in the 50 minutes after its first change, want one in each but the first", n)
	}
	y := table("t", 1000)
	y.NoStats, y.Dead = true, 500
	if r := mustRun(t, runConfig(t, "16", time.Hour, oneDatabase(y))); r.Vacuums != 0 {
		t.Errorf("%d vacuums of a table whose dead rows the statistics do not know", r.Vacuums)
	}
}

// TestChanceIsNotOverlooked: a table that comes due by chance sooner than its
// rates say is found at the next visit.
func TestChanceIsNotOverlooked(t *testing.T) {
	for _, threshold := range []int{0, 3} {
		var all []workload.Table
		for i := range 200 {
			x := table(fmt.Sprintf("t%d", i), 1000)
			x.Activity = workload.Activity{Deletes: workload.Constant(1. / 3600), Updates: workload.Constant(3. / 3600), Poisson: true}
			all = append(all, x)
		}
		r := mustRun(t, runConfig(t, "16", 12*time.Hour, oneDatabase(all...), "autovacuum_vacuum_scale_factor=0",
			fmt.Sprintf("autovacuum_vacuum_threshold=%d", threshold), "autovacuum_analyze_threshold=1000000000"))
		var late sim.Tally
		var worst float64
		for _, x := range r.Tables.All() {
			for _, l := range x.Lateness {
				late.Add(l)
				worst = math.Max(worst, l)
			}
		}
		if late.Count() < 100 || worst > 63 {
			t.Errorf("threshold %d: %d visits, the latest %.0f s after a table was due; the naptime is 60 s", threshold, late.Count(), worst)
		}
	}
}

// TestDeadPeak is what the vacuum found that removed it.
func TestDeadPeak(t *testing.T) {
	x := table("t", 1000)
	x.Activity.Updates = workload.Constant(10)
	r := mustRun(t, runConfig(t, "16", time.Hour, oneDatabase(x)))
	if peak := r.Tables.At(0).DeadPeak; math.Abs(peak-601) > 15 {
		t.Errorf("at most %.0f dead rows, with 10 a second and a visit a minute", peak)
	}
}

// TestPagesOfAVacuum: a vacuum reads the pages that changed since the last one,
// marks those without dead rows all-visible, and reads all only where none are.
func TestPagesOfAVacuum(t *testing.T) {
	events := func(x workload.Table, warmUp time.Duration, set ...string) []RunEvent {
		cfg := runConfig(t, "16", 10*time.Hour, oneDatabase(x), append(set, "autovacuum_analyze_threshold=1000000000")...)
		cfg.WarmUp = warmUp
		return mustRun(t, cfg).Events
	}
	x := table("log", 1_000_000)
	x.AllVisible, x.Indexes = 1, 0
	x.Activity.Inserts = workload.Constant(100)
	before := 1_000_000.
	for i, e := range events(x, 0, "autovacuum_vacuum_insert_threshold=10000", "autovacuum_vacuum_insert_scale_factor=0",
		"checkpoint_timeout=70", "checkpoint_completion_target=0") {
		// 61 rows a page; each new page is found, and its space recorded. Those that
		// the last checkpoint has written, with those before it, are dirtied.
		added := e.rows - before
		before = e.rows
		dirty := math.Min(100*math.Mod(e.Start.Seconds(), 70)/added, 1)
		if want := 17 + added/61*(2+20*(1-dirty)); math.Abs(e.Cost()/want-1) > 0.1 {
			t.Errorf("vacuum %d of a log is charged %.0f, want %.0f", i, e.Cost(), want)
		}
	}
	y := table("t", 10_000_000)
	y.AllVisible = 1
	y.Activity.Updates = workload.Constant(1)
	settings := []string{"autovacuum_vacuum_threshold=1000", "autovacuum_vacuum_scale_factor=0"}
	whole, warm := events(y, 0, settings...), events(y, 2*time.Hour, settings...)
	if last, same := whole[len(whole)-1], warm[len(warm)-1]; last.Start != same.Start || last.Cost() != same.Cost() {
		t.Errorf("a run with a warm-up ends with %v at cost %.0f, one without with %v at %.0f", same.Start, same.Cost(), last.Start, last.Cost())
	}
	y.AllVisible = 0
	if fresh := events(y, 0, settings...); fresh[0].Cost() < 5*whole[0].Cost() || math.Abs(fresh[1].Cost()/whole[1].Cost()-1) > 0.05 {
		t.Errorf("a table never vacuumed costs %.0f then %.0f, one all-visible %.0f then %.0f", fresh[0].Cost(), fresh[1].Cost(), whole[0].Cost(), whole[1].Cost())
	}
}

// TestNoMoreDeletedThanThereIs: by chance deletes may outrun inserts.
func TestNoMoreDeletedThanThereIs(t *testing.T) {
	var all []workload.Table
	for i := range 20 {
		x := table(fmt.Sprintf("t%d", i), 0)
		x.Activity = workload.Activity{Inserts: workload.Constant(1), Deletes: workload.Constant(1), Poisson: true}
		all = append(all, x)
	}
	for _, x := range mustRun(t, runConfig(t, "16", 15*time.Minute, oneDatabase(all...))).Tables.All() {
		if x.Deleted > x.Inserted {
			t.Errorf("%s: %.0f rows deleted of %.0f", x.Name, x.Deleted, x.Inserted)
		}
	}
}

// TestChargesOfSharingWorkers: over any window that begins and ends with a vacuum
// each worker charges no more than limit·(T/delay + 1) and a page, and all together no
// more than one limit allows, and a page and a limit's worth each, where no sleep
// is cut at four delays.
func TestChargesOfSharingWorkers(t *testing.T) {
	for _, pg := range []string{"16", "18"} {
		r := mustRun(t, runConfig(t, pg, time.Hour, backlog(30), "autovacuum_max_workers=5", "autovacuum_naptime=1s", "autovacuum_analyze_threshold=1000000000"))
		if r.CappedSleeps > 0 {
			t.Fatalf("%s: %.0f sleeps were cut", pg, r.CappedSleeps)
		}
		for _, from := range r.Events {
			for _, to := range r.Events {
				window := to.At.Sub(from.Start).Seconds()
				var sum float64
				byWorker := map[int]float64{}
				for _, e := range r.Events {
					if e.Start >= from.Start && e.At <= to.At {
						sum += e.Cost()
						byWorker[e.Worker] += e.Cost()
					}
				}
				for worker, own := range byWorker {
					if most := 200*(window/0.002+1) + 22; own > most {
						t.Fatalf("%s: worker %d charged %.0f in %.2f s, at most %.0f fit", pg, worker, own, window, most)
					}
				}
				if most := 200*(window/0.002+5) + 5*22; window > 0 && sum > most {
					t.Fatalf("%s: %.0f charged in %.2f s, at most %.0f fit", pg, sum, window, most)
				}
			}
		}
	}
}

// TestVerdictOfChangedSlots: slots count for as long as they are there.
func TestVerdictOfChangedSlots(t *testing.T) {
	cfg := runConfig(t, "18", 10*time.Minute, backlog(300), "autovacuum_naptime=1s", "autovacuum_worker_slots=10")
	more := cfg.Settings
	if err := more.Set("autovacuum_max_workers", "10"); err != nil {
		t.Fatal(err)
	}
	cfg.Changes = []SettingsChange{{At: 9*time.Minute + 59*time.Second, Settings: more}}
	r := mustRun(t, cfg)
	if r.Verdict.Constraint != BoundByCostBudget || math.Abs(r.Slots.Minutes()-(3*10+7/60.)) > 0.01 {
		t.Errorf("verdict %v, %.2f minutes of slots; want cost-budget and 30.12", r.Verdict, r.Slots.Minutes())
	}
}

// TestHotInATableFilledByTheRun: pages filled to the brim since the start are as
// those filled before it.
func TestHotInATableFilledByTheRun(t *testing.T) {
	x := table("t", 0)
	x.Activity = workload.Activity{HotShare: 1,
		Inserts: workload.Steps{{From: 0, PerSecond: 61_000}, {From: time.Second, PerSecond: 0}},
		Updates: workload.Steps{{From: 10 * time.Second, PerSecond: 100}}}
	r := mustRun(t, runConfig(t, "16", 1010*time.Second, oneDatabase(x), "autovacuum=off"))
	if dead := r.Tables.At(0).DeadRows; math.Abs(dead-1000) > 10 {
		t.Errorf("%.0f dead rows of 100,000 HOT updates of 1,000 full pages, want one a page", dead)
	}
}

// TestUnfrozenShare: from 18 the insert factor counts for pages that are not
// frozen. Where every vacuum freezes what it reads, none is left but those that
// came since, so a table that grows is vacuumed as soon as its inserts exceed the
// threshold; where rows are too young to freeze, 18 does as 17. (The checkpoint is the
// day before, so that no page is frozen since an image of it is written.)
func TestUnfrozenShare(t *testing.T) {
	x := table("log", 1_000_000)
	x.Activity.Inserts = workload.Constant(100)
	vacuums := func(pg string, set ...string) int {
		return mustRun(t, runConfig(t, pg, 24*time.Hour, oneDatabase(x), append(set, "checkpoint_timeout=1d", "max_wal_size=1TB")...)).Vacuums
	}
	old, young := vacuums("17", "vacuum_freeze_min_age=0"), vacuums("18")
	if young != old || young != vacuums("17") {
		t.Errorf("rows too young to freeze: %d vacuums a day on 18, %d on 17", young, old)
	}
	if n := vacuums("18", "vacuum_freeze_min_age=0"); n < 1400-20 {
		t.Errorf("all frozen: %d vacuums a day on 18, want one a minute but for the first 33; %d on 17", n, old)
	}
	x.Indexes = 0
	lt := &liveTable{like: &x, Rows: x.Rows, Dead: x.Dead, Activity: x.Activity, db: &database{}, visible: 10_000, allFrozen: 4_000}
	lt.Activity.Inserts = workload.Constant(61)
	at := func(seconds float64) sim.Time { return sim.Time(seconds * 1e9) }
	lt.Rows, lt.since = 610_000, lt.changed(0)
	// 100 pages came, of which 40 are old enough; an aggressive vacuum reads all.
	if got := lt.frozenBy(at(100), at(40), false); math.Abs(got-4_040) > 1 {
		t.Errorf("%.0f pages frozen, want 4,040", got)
	}
	if got := lt.frozenBy(at(100), at(40), true); math.Abs(got-10_040) > 1 {
		t.Errorf("%.0f pages frozen by an aggressive vacuum, want 10,040", got)
	}
}

// TestWorkersLives: each worker's time and work are told, and add up to the run's.
func TestWorkersLives(t *testing.T) {
	r := mustRun(t, runConfig(t, "16", 30*time.Minute, busyTables(20), "autovacuum_naptime=5s"))
	var sum sim.Account
	var vacuums, analyzes int
	for _, w := range r.Workers {
		sum, vacuums, analyzes = sum.Plus(w.Time), vacuums+w.Vacuums, analyzes+w.Analyzes
	}
	if sum != r.WorkerTime || vacuums != r.Vacuums || analyzes != r.Analyzes || len(r.Workers) != len(r.Starts) {
		t.Errorf("the workers' lives: %v, %d vacuums, %d analyzes of %d; the run: %v, %d, %d of %d",
			sum.Total(), vacuums, analyzes, len(r.Workers), r.WorkerTime.Total(), r.Vacuums, r.Analyzes, len(r.Starts))
	}
}

// TestLogSaysWhatAVacuumDid: pages read, index scans and rows are those of the event.
func TestLogSaysWhatAVacuumDid(t *testing.T) {
	x := table("log", 1_000_000)
	x.AllVisible = 1
	x.Activity.Inserts = workload.Constant(100)
	r := mustRun(t, runConfig(t, "18", 2*time.Hour, oneDatabase(x), "autovacuum_vacuum_insert_scale_factor=0", "autovacuum_analyze_threshold=1000000000"))
	for i, e := range r.Events[1:] {
		l := e.logEvent()
		if l.pagesScanned > 110 || l.pagesScanned < 95 || l.setVisible != l.pagesScanned || l.deadPages != 0 || l.indexScans != 0 || l.bypassed {
			t.Errorf("vacuum %d of 6,000 new rows, 61 a page: %+v", i, l)
		}
	}
	for table, want := range map[string]string{"pg_toast_t": "pg_toast", "pg_proc": "pg_catalog", "t": "public"} {
		if got := schemaOf(table); got != want {
			t.Errorf("%s is in %s, want %s", table, got, want)
		}
	}
}

// TestConserved: a row version too many or too few is an error.
func TestConserved(t *testing.T) {
	r := mustRun(t, runConfig(t, "16", 10*time.Minute, busyTables(3)))
	x := r.Tables.At(1)
	for _, field := range []*float64{&x.LiveRows, &x.Removed, &x.Inserted} {
		*field += 2
		if x.conserved() == nil {
			t.Error("two row versions made up are not noticed")
		}
		*field -= 2
	}
	if err := x.conserved(); err != nil {
		t.Error(err)
	}
}

// atRisk is a server that uses up transaction ids.
func atRisk(xids float64, tables ...workload.Table) workload.World {
	w := oneDatabase(tables...)
	w.Databases[0].XIDsPerSecond = workload.Constant(xids)
	return w
}

// TestNoStormOfWorkers: with autovacuum off the databases at risk get a worker at
// every 65,536 transactions, 66 s here, however long another is at work there.
func TestNoStormOfWorkers(t *testing.T) {
	big := table("big", 2_000_000_000)
	big.AllVisible = 1
	r := mustRun(t, runConfig(t, "17", 60*time.Hour, atRisk(1000, big), "autovacuum=off"))
	most := int(r.Tables.At(0).VacuumSeconds/65.536) + 3
	if n := len(r.Starts); r.Wraparound != 1 || n < 2 || n > most {
		t.Errorf("%d vacuums against wraparound and %d workers after 200 million transactions, want 1 and one a minute while it goes on", r.Wraparound, n)
	}
}

// TestFrozenRowsOfAQueue: rows that live for a short time are never old enough to
// be frozen, so the insert threshold of 18 is that of 17. (The checkpoint is the day
// before.)
func TestFrozenRowsOfAQueue(t *testing.T) {
	x := table("queue", 100_000)
	x.AllVisible = 1
	x.Activity = workload.Activity{Inserts: workload.Constant(50), Deletes: workload.Constant(50)}
	vacuums := func(pg string) int {
		return mustRun(t, runConfig(t, pg, 24*time.Hour, atRisk(1000, x), "checkpoint_timeout=1d", "max_wal_size=1TB")).Vacuums
	}
	old := vacuums("17")
	if n := vacuums("18"); n != old {
		t.Errorf("%d vacuums on 18, %d on 17", n, old)
	}
}

// TestStaticTable: a table that nobody changes is frozen by its first aggressive
// vacuum, at every 150 million transactions after the first 200 to 14, and at every
// 200 million from 15; later ones read its last page only.
func TestStaticTable(t *testing.T) {
	x := table("static", 100_000)
	x.AllVisible, x.Indexes = 1, 0
	for pg, want := range map[string]int{"14": 16, "17": 12} {
		r := mustRun(t, runConfig(t, pg, 10*24*time.Hour, atRisk(3000, x)))
		if r.Wraparound != want {
			t.Errorf("%s: %d vacuums against wraparound in 2.6 billion transactions, want %d", pg, r.Wraparound, want)
		}
		for i, e := range r.Events {
			if read := e.logEvent().pagesScanned; (i == 0) != (read > 1000) || i > 0 && read != 1 {
				t.Errorf("%s: vacuum %d reads %d pages of 1,640", pg, i, read)
			}
		}
	}
}

// TestMultixacts: 200 a second reach autovacuum_multixact_freeze_max_age, 400
// million, in 23.1 days; the vacuum leaves an age of 5 million, so the next is 22.9
// days later.
func TestMultixacts(t *testing.T) {
	w := oneDatabase(table("t", 1000))
	w.Databases[0].MultisPerSecond = workload.Constant(200)
	r := mustRun(t, runConfig(t, "16", 50*24*time.Hour, w))
	if len(r.Events) != 2 || r.Wraparound != 2 {
		t.Fatalf("%d vacuums, %d against wraparound in 50 days, want 2", len(r.Events), r.Wraparound)
	}
	first, gap := r.Events[0].Start.Seconds(), r.Events[1].Start.Sub(r.Events[0].Start).Seconds()
	if math.Abs(first-2e6) > 61 || math.Abs(gap-395e6/200) > 61 || r.Events[0].Reason != multiAgeReason {
		t.Errorf("vacuums at %.0f s and %.0f s later, for %q; want 2,000,000 and 1,975,000", first, gap, r.Events[0].Reason)
	}
}

// TestTemplate: in a template database every vacuum freezes all, so from 14 on the
// next is forced after all 200 million transactions, not 150.
func TestTemplate(t *testing.T) {
	for template, want := range map[bool]float64{false: 150e6, true: 200e6} {
		w := atRisk(3000, table("t", 1000))
		w.Databases[0].Template = template
		r := mustRun(t, runConfig(t, "14", 3*24*time.Hour, w))
		if len(r.Events) < 3 {
			t.Fatalf("%d vacuums", len(r.Events))
		}
		if gap := r.Events[2].Start.Sub(r.Events[1].Start).Seconds() * 3000; math.Abs(gap/want-1) > 0.01 {
			t.Errorf("template %v: %.0f transactions between forced vacuums, want %.0f", template, gap, want)
		}
	}
}

// TestDatabasesAtRiskInTurn: with autovacuum off each vacuum that advances a
// database's age brings a worker to the next at once, whatever the naptime.
func TestDatabasesAtRiskInTurn(t *testing.T) {
	w := atRisk(5000, table("t", 1000))
	for i := range 49 {
		w.Databases = append(w.Databases, workload.Database{Name: fmt.Sprintf("other%d", i), Tables: workload.TablesOf(table("t", 1000))})
	}
	r := mustRun(t, runConfig(t, "16", 12*time.Hour, w, "autovacuum=off", "autovacuum_naptime=1h"))
	if len(r.Events) != 50 {
		t.Fatalf("%d vacuums of 50 tables at risk", len(r.Events))
	}
	first, last := r.Events[0].Start.Seconds(), r.Events[49].At.Seconds()
	if first < 40_000 || first > 40_015 || last > first+60 {
		t.Errorf("at risk at 40,000 s, vacuumed from %.0f to %.0f s", first, last)
	}
}

// TestForcedButNotAggressive: a table's own autovacuum_freeze_max_age below
// vacuum_freeze_table_age forces vacuums that read only what is not all-visible, so
// its age grows until one is aggressive.
func TestForcedButNotAggressive(t *testing.T) {
	x := table("t", 1_000_000)
	x.AllVisible, x.Indexes = 1, 0
	x.Options = map[string]string{"autovacuum_freeze_max_age": "100000000"}
	r := mustRun(t, runConfig(t, "14", 44*time.Hour, atRisk(1000, x), "autovacuum_naptime=10min"))
	for i, e := range r.Events {
		at, cost := e.Start.Seconds(), e.Cost()
		if last := i == len(r.Events)-1; last != (cost > 10_000) || last != (at > 150_000) {
			t.Errorf("vacuum %d at %.0f s costs %.0f; want little until 150,000 s, when it is aggressive, and no more after that", i, at, cost)
		}
	}
}

// TestFrozenStaysFrozen: what was frozen stays so when later rows are too young.
func TestFrozenStaysFrozen(t *testing.T) {
	x := table("t", 610_000)
	x.Activity.Inserts = workload.Constant(61)
	lt := &liveTable{like: &x, Rows: x.Rows, Dead: x.Dead, Activity: x.Activity, db: &database{}, visible: 10_000, allFrozen: 4_000}
	for _, aggressive := range []bool{false, true} {
		if got := lt.frozenBy(sim.Time(100*time.Second), -1, aggressive); got != 4_000 {
			t.Errorf("aggressive %v: %.0f pages are frozen, want the 4,000 that were", aggressive, got)
		}
	}
}

// TestRunTakesAsLongAsThePlan: a vacuum in a run, alone on its processor, takes
// what the formula says that is held against recorded vacuums (package vacuum),
// with and without a cost limit.
func TestRunTakesAsLongAsThePlan(t *testing.T) {
	for _, limit := range []string{"200", "2000", "10000", "off"} {
		for _, rows := range []int64{1000, 100_000, 3_000_000} {
			x := table("t", rows)
			x.Dead = rows/2 + 60
			set := []string{"autovacuum_analyze_threshold=1000000000"}
			if limit == "off" {
				set = append(set, "autovacuum_vacuum_cost_delay=0")
			} else {
				set = append(set, "autovacuum_vacuum_cost_limit="+limit)
			}
			cfg := runConfig(t, "16", 3*time.Hour, oneDatabase(x), set...)
			r := mustRun(t, cfg)
			if len(r.Events) != 1 {
				t.Fatalf("limit %s, %d rows: %d events, want one vacuum", limit, rows, len(r.Events))
			}
			c, err := newLive(newSystem(&sim.Kernel{}, nil, cfg.config()), &cfg.World, cfg.Settings, cfg)
			if err != nil {
				t.Fatal(err)
			}
			var work vacuumWork
			at := r.Events[0].Start
			c.intend(&work, c.table(0), intent{at: at, horizon: at, removable: float64(x.Dead), ages: c.derived.ages})
			b := budget{limit: 200, delay: 2 * time.Millisecond}
			switch limit {
			case "off":
				b.delay = 0
			default:
				fmt.Sscan(limit, &b.limit)
			}
			want := work.plan.Elapsed(c.spending(b))
			took := r.Events[0].At.Sub(r.Events[0].Start)
			if off := took.Seconds()/want.Seconds() - 1; math.Abs(off) > 0.005 && (took-want).Abs() > time.Millisecond { // eight wake-ups at random
				t.Errorf("limit %s, %d rows: takes %v, the plan says %v", limit, rows, took, want)
			}
		}
	}
}

// TestUpdatesOfAnEmptyTable find no row: only those after the first insert leave one
// dead.
func TestUpdatesOfAnEmptyTable(t *testing.T) {
	for _, test := range []struct {
		inserts workload.Rate
		updated float64
	}{
		{nil, 0},
		{workload.Steps{{From: 40 * time.Minute, PerSecond: 100}}, 10 * 20 * 60},
		{workload.Constant(1000), 10 * 60 * 60},
	} {
		x := table("t", 0)
		x.Activity.Updates, x.Activity.Inserts = workload.Constant(10), test.inserts
		r := mustRun(t, runConfig(t, "16", time.Hour, oneDatabase(x))).Tables.At(0)
		if math.Abs(r.Updated-test.updated) > 1 {
			t.Errorf("inserts %v: %.1f rows are updated, want %.0f", test.inserts, r.Updated, test.updated)
		}
	}
}

// TestOldestIDLeft: rows updated after ten hours at 1,000 transactions/s are too young
// to be frozen by a vacuum after 20 with vacuum_freeze_min_age 50 million, whose freeze
// limit is what was used up after 6.1. To 14 that becomes relfrozenxid, which is 200
// million old 61.7 hours after the start; from 15 the oldest id that is left does, and
// it takes 65.6. (The last checkpoint is from before the updates: no page is frozen since
// an image of it is written.)
func TestOldestIDLeft(t *testing.T) {
	for pg, hours := range map[string]float64{"13": 61.67, "14": 61.67, "15": 65.56, "18": 65.56} {
		x := table("t", 100_000)
		x.XIDAge = 128_000_000
		x.Activity.Statements = []workload.Statement{{At: 10 * time.Hour, Updates: 90_000}}
		w := oneDatabase(x)
		w.Databases[0].XIDsPerSecond = workload.Constant(1000)
		r := mustRun(t, runConfig(t, pg, 70*time.Hour, w, "autovacuum_vacuum_threshold=2000000000", "autovacuum_analyze_threshold=2000000000", "checkpoint_timeout=1d", "max_wal_size=1TB"))
		times := r.Tables.At(0).VacuumTimes
		if len(times) != 2 || math.Abs(times[0].Seconds()/3600-20) > 0.05 || math.Abs(times[1].Seconds()/3600-hours) > 0.05 {
			t.Errorf("PostgreSQL %s: forced vacuums at %v, want after 20 and %.1f hours", pg, times, hours)
		}
	}
}

// TestFreezingDirtiesPages: a forced vacuum of old rows that are all visible changes
// every page, as it does where they are not yet.
func TestFreezingDirtiesPages(t *testing.T) {
	for _, pg := range []string{"13", "17"} {
		cost := func(visible float64) float64 {
			x := table("t", 3_000_000)
			x.AllVisible, x.XIDAge = visible, 200_000_001
			return mustRun(t, runConfig(t, pg, time.Hour, oneDatabase(x), "autovacuum_analyze_threshold=1000000000")).Events[0].Cost()
		}
		if frozen, plain := cost(1), cost(0); math.Abs(frozen/plain-1) > 0.02 {
			t.Errorf("PostgreSQL %s: %.0f units where all pages are visible, %.0f where none is", pg, frozen, plain)
		}
	}
}

// TestScored: the worker of 19 begins with the table that is furthest above its
// threshold; an age beyond failsafe goes before all; with all weights 0 the order is
// that of the catalogue, as in 18.
func TestScored(t *testing.T) {
	run := func(pg string, ages bool, set ...string) string {
		var all []workload.Table
		for i, dead := range []int64{3_000, 9_000, 6_000, 12_000} {
			x := table(fmt.Sprint(i), 10_000)
			x.Dead = dead
			all = append(all, x)
		}
		if ages {
			all[2].XIDAge = 2_000_000_000
		}
		order := ""
		for _, e := range mustRun(t, runConfig(t, pg, 2*time.Minute, oneDatabase(all...), set...)).Events {
			order += e.Table
		}
		return order
	}
	none := []string{"autovacuum_freeze_score_weight=0", "autovacuum_multixact_freeze_score_weight=0", "autovacuum_vacuum_score_weight=0",
		"autovacuum_vacuum_insert_score_weight=0", "autovacuum_analyze_score_weight=0"}
	for _, test := range []struct{ what, got, want string }{
		{"18", run("18", false), "0123"},
		{"19", run("19", false), "3120"},
		{"19, an old table", run("19", true), "2310"},
		{"19, no weights", run("19", false, none...), "0123"},
	} {
		if test.got != test.want {
			t.Errorf("%s: the order is %s, want %s", test.what, test.got, test.want)
		}
	}
}

// TestAgeScore: by hand, from the rules of 19.
func TestAgeScore(t *testing.T) {
	for _, test := range []struct{ age, weight, want float64 }{
		{100e6, 1, 0.5},
		{1_600e6 - 1, 1, 8},
		{1_600e6, 1, math.Pow(8, 16)},
		{800e6, 2, 2 * math.Pow(4, 8)},
		{100e6, 0, 0},
	} {
		if got := ageScore(test.age, 200e6, 1600e6, test.weight); math.Abs(got/test.want-1) > 1e-6 && got != test.want {
			t.Errorf("age %.0f, weight %v: score %v, want %v", test.age, test.weight, got, test.want)
		}
	}
}
