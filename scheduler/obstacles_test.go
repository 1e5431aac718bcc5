package scheduler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// TestHeldHorizon: a snapshot held for t seconds leaves rate × t dead rows, whatever
// the naptime and the limit; nothing that died since can be removed, HOT or not.
func TestHeldHorizon(t *testing.T) {
	const rate = 50.0
	for _, pg := range []string{"9.6", "14", "17"} {
		for _, naptime := range []string{"5s", "60s"} {
			for _, limit := range []string{"50", "10000"} {
				for _, hot := range []float64{0, 1} {
					x := table("t", 100_000)
					x.Fillfactor = 80
					x.Activity.Updates, x.Activity.HotShare = workload.Constant(rate), hot
					w := oneDatabase(x)
					w.Obstacles.Horizons = []workload.Horizon{{Database: 0, From: time.Hour, To: 3 * time.Hour}}
					// To the end of the run: it is held there too.
					r := mustRun(t, runConfig(t, pg, 3*time.Hour, w, "autovacuum_naptime="+naptime,
						"autovacuum_vacuum_cost_limit="+limit, "autovacuum_vacuum_scale_factor=0.01"))
					// The last vacuum before may leave what died during it and since.
					got, want := r.Tables.At(0).DeadRows, rate*2*3600
					if got < want-1 || got > want+(rate*61+1000)*1.1 {
						t.Errorf("PostgreSQL %s, naptime %s, limit %s, HOT share %.0f: %.0f dead rows, want %.0f and what came before", pg, naptime, limit, hot, got, want)
					}
					if r.Verdict.Constraint != BoundByHorizon {
						t.Errorf("the verdict is %s", r.Verdict.Constraint)
					}
				}
			}
		}
	}
}

// TestAfterTheHorizon: when the snapshot is gone the next vacuum removes all, and
// another database never knew of it.
func TestAfterTheHorizon(t *testing.T) {
	x := table("t", 100_000)
	x.Activity.Updates = workload.Constant(50)
	w := oneDatabase(x)
	w.Databases = append(w.Databases, workload.Database{Name: "other", Tables: workload.TablesOf(x)})
	w.Obstacles.Horizons = []workload.Horizon{{Database: 0, From: time.Hour, To: 3 * time.Hour}}
	r := mustRun(t, runConfig(t, "17", 4*time.Hour, w))
	most := 50 + 0.2*100_000 + 50*130 // due, a naptime of each database, and the vacuum
	if got := r.Tables.At(0); got.DeadRows > most || got.DeadPeak < 50*7200 {
		t.Errorf("%.0f dead rows at the end, want %.0f at most; %.0f at the peak", got.DeadRows, most, got.DeadPeak)
	}
	if got := r.Tables.At(1); got.DeadPeak > most {
		t.Errorf("%.0f dead rows in a database without a snapshot", got.DeadPeak)
	}
}

// TestHorizonsAgainstADumbOne: the oldest of the snapshots held, by a look at each.
func TestHorizonsAgainstADumbOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var all []workload.Horizon
		for range r.IntN(8) {
			from := time.Duration(r.IntN(50))
			all = append(all, workload.Horizon{Database: r.IntN(3) - 1, From: from, To: from + 1 + time.Duration(r.IntN(30))})
		}
		steps := newHorizons(all, 1)
		for at := range sim.Time(90) {
			want := at
			for _, h := range all {
				if (h.Database < 0 || h.Database == 1) && sim.Time(h.From) <= at && at < sim.Time(h.To) {
					want = min(want, sim.Time(h.From))
				}
			}
			if got := steps.at(at); got != want {
				t.Fatalf("%v at %d: held since %d, want %d", all, at, got, want)
			}
		}
	}
}

// lockedTable is a table whose vacuum takes about so long and which is due all the time.
func lockedTable(t *testing.T, seconds float64) (workload.World, RunConfig) {
	x := table("t", 1_000_000)
	x.Dead, x.Indexes = 400_000, 0
	x.Activity.Updates = workload.Constant(20)
	w := oneDatabase(x)
	cfg := runConfig(t, "16", 6*time.Hour, w, "autovacuum_analyze_threshold=1000000000")
	e := mustRun(t, cfg).Events[0]
	limit := 200 * e.At.Sub(e.Start).Seconds() / seconds
	return w, runConfig(t, "16", 6*time.Hour, w, "autovacuum_analyze_threshold=1000000000", fmt.Sprintf("autovacuum_vacuum_cost_limit=%.0f", limit))
}

// TestCancelledAgainAndAgain: where a lock is asked for every L seconds and a vacuum
// takes longer than L and deadlock_timeout, it never gets to its end; where it takes
// less than L, most do.
func TestCancelledAgainAndAgain(t *testing.T) {
	for _, test := range []struct {
		every     time.Duration
		completes bool
	}{{20 * time.Second, false}, {28 * time.Second, false}, {10 * time.Minute, true}} {
		w, cfg := lockedTable(t, 30)
		w.Obstacles.Locks = []workload.Lock{{First: time.Second, Every: test.every, Hold: 10 * time.Millisecond}}
		cfg.World = w
		r := mustRun(t, cfg)
		if done := r.Vacuums > 0; done != test.completes {
			t.Errorf("a lock every %v: %d vacuums end, %d are cancelled", test.every, r.Vacuums, r.Cancelled)
		}
		if !test.completes && (r.Cancelled < 100 || r.Tables.At(0).Removed != 0 || r.Verdict.Constraint != BoundByTableLock) {
			t.Errorf("a lock every %v: %d cancelled, %.0f rows removed, verdict %s", test.every, r.Cancelled, r.Tables.At(0).Removed, r.Verdict.Constraint)
		}
		for _, e := range r.Events {
			if e.Outcome != CancelledTable {
				continue
			}
			// A request comes every L from the first second on, and waits one second.
			late := (e.At - sim.Time(2*time.Second)) % sim.Time(test.every)
			if late > sim.Time(60*time.Millisecond) {
				t.Fatalf("cancelled at %v, %v after a request's deadlock_timeout", e.At, time.Duration(late))
			}
		}
	}
}

// TestToPreventWraparoundItIsNotCancelled, whoever wants the lock; who wants it waits
// for the end.
func TestToPreventWraparoundItIsNotCancelled(t *testing.T) {
	w, cfg := lockedTable(t, 30)
	w.Databases[0].Tables = w.Databases[0].Tables.Changed(func(_ int, x *workload.Table) { x.XIDAge = 200_000_001 })
	w.Databases[0].XIDsPerSecond = workload.Constant(10)
	w.Obstacles.Locks = []workload.Lock{{First: time.Second, Every: 20 * time.Second, Hold: 10 * time.Millisecond}}
	cfg.World = w
	r := mustRun(t, cfg)
	if r.Wraparound != 1 || r.Events[0].Outcome != "" || r.Events[0].Wraparound != true {
		t.Errorf("%d vacuums to prevent wraparound, the first event is %+v", r.Wraparound, r.Events[0])
	}
	if r.Vacuums != 1 || r.Cancelled < 100 {
		t.Errorf("%d vacuums end and %d are cancelled, want the forced one alone to end", r.Vacuums, r.Cancelled)
	}
}

// TestLockedTable: a table that cannot be locked is tried once a naptime; for
// wraparound the lock is waited for.
func TestLockedTable(t *testing.T) {
	for _, age := range []int64{0, 200_000_001} {
		x := table("t", 1000)
		x.Dead, x.XIDAge = 1000, age
		w := oneDatabase(x)
		w.Obstacles.Locks = []workload.Lock{{First: time.Second, Hold: 2 * time.Hour}}
		r := mustRun(t, runConfig(t, "16", 3*time.Hour, w, "autovacuum_analyze_threshold=1000000000"))
		held := sim.Time(2*time.Hour + time.Second)
		if age == 0 {
			if r.Skipped < 118 || r.Skipped > 121 || r.Vacuums != 1 || r.Tables.At(0).FirstVacuum < held || r.Tables.At(0).FirstVacuum > held.Add(61*time.Second) {
				t.Errorf("%d tries in vain, %d vacuums, the first at %v; want a try a minute for two hours, then one vacuum", r.Skipped, r.Vacuums, r.Tables.At(0).FirstVacuum)
			}
			continue
		}
		if waited := r.WorkerTime[TableLock]; r.Skipped != 0 || r.Tables.At(0).FirstVacuum < held || r.Tables.At(0).FirstVacuum > held.Add(time.Second) || waited < 2*time.Hour-2*time.Minute {
			t.Errorf("for wraparound: %d tries in vain, first vacuum at %v, %v spent waiting", r.Skipped, r.Tables.At(0).FirstVacuum, waited)
		}
	}
}

// TestAtRiskTakesEveryLaunch: while a database is at risk no other gets a worker. Its
// table is locked, so it stays at risk until the lock is gone.
func TestAtRiskTakesEveryLaunch(t *testing.T) {
	x := table("t", 1000)
	y := x
	y.XIDAge = 200_000_001
	w := workload.World{Databases: []workload.Database{
		{Name: "risk", Tables: workload.TablesOf(y)}, {Name: "a", Tables: workload.TablesOf(x)}, {Name: "b", Tables: workload.TablesOf(x)},
	}}
	w.Obstacles.Locks = []workload.Lock{{First: 0, Hold: 2 * time.Hour}}
	r := mustRun(t, runConfig(t, "16", 3*time.Hour, w))
	before, after := map[string]int{}, map[string]int{}
	for _, s := range r.Starts {
		if s.At < sim.Time(2*time.Hour) {
			before[s.Database]++
		} else if s.At > sim.Time(2*time.Hour+5*time.Minute) {
			after[s.Database]++
		}
	}
	if before["a"]+before["b"] != 0 || before["risk"] == 0 {
		t.Errorf("while a database is at risk workers start in %v", before)
	}
	if after["a"] < 50 || after["b"] < 50 {
		t.Errorf("afterwards workers start in %v", after)
	}
}

// TestFailsafe begins at the greater of vacuum_failsafe_age and 105 % of
// autovacuum_freeze_max_age, from 14, also in the middle of a vacuum: then there are no
// sleeps and no index scans.
func TestFailsafe(t *testing.T) {
	for _, test := range []struct {
		pg       string
		age      int64
		set      []string
		failsafe bool
	}{
		{"13", 1_700_000_000, nil, false},
		{"14", 1_600_000_000, nil, false},
		{"14", 1_600_000_001, nil, true},
		{"17", 210_000_000, []string{"vacuum_failsafe_age=0"}, false},
		{"17", 210_000_001, []string{"vacuum_failsafe_age=0"}, true},
		{"17", 500_000_001, []string{"vacuum_failsafe_age=500000000"}, true},
	} {
		x := table("t", 1_000_000)
		x.Dead, x.XIDAge = 300_000, test.age
		cfg := runConfig(t, test.pg, time.Hour, oneDatabase(x), append(test.set, "autovacuum_vacuum_cost_limit=400")...)
		e := mustRun(t, cfg).Events[0]
		if e.Failsafe != test.failsafe || (e.plan.indexScans == 0) != test.failsafe {
			t.Errorf("PostgreSQL %s, age %d: failsafe %v, %d index scans, want failsafe %v", test.pg, test.age, e.Failsafe, e.plan.indexScans, test.failsafe)
		}
	}
	// At 1,000 ids a second the age is passed ten seconds after the vacuum's start.
	x := table("t", 5_000_000)
	x.Dead = 1_200_000
	slow := mustRun(t, runConfig(t, "17", 3*time.Hour, oneDatabase(x))).Events[0]
	x.XIDAge = 1_600_000_000 - 10_000 - 1000*60
	w := oneDatabase(x)
	w.Databases[0].XIDsPerSecond = workload.Constant(1000)
	e := mustRun(t, runConfig(t, "17", 3*time.Hour, w)).Events[0]
	if took := e.At.Sub(e.Start); !e.Failsafe || took < 10*time.Second || took > slow.At.Sub(slow.Start)/2 {
		t.Errorf("failsafe %v after %v, without it %v", e.Failsafe, took, slow.At.Sub(slow.Start))
	}
}

// TestLimits: three million ids before the wrap (one million to 13) clients are shut
// out, and in again once the oldest database is vacuumed, here when a lock is gone;
// what they would have changed meanwhile is not done.
func TestLimits(t *testing.T) {
	for pg, reserve := range map[string]float64{"13": 1_000_000, "17": 3_000_000} {
		x := table("t", 1000)
		x.XIDAge = 2_100_000_000
		x.Activity.Inserts = workload.Constant(10)
		w := oneDatabase(x)
		w.Databases[0].XIDsPerSecond = workload.Constant(10_000)
		shut := (float64(1<<31-1) - reserve - 2_100_000_000) / 10_000 // seconds
		w.Obstacles.Locks = []workload.Lock{{First: 0, Hold: 3 * time.Hour}}
		r := mustRun(t, runConfig(t, pg, 4*time.Hour, w))
		if want := 3*3600 - shut; math.Abs(r.Halted.Seconds()-want) > 5 {
			t.Errorf("PostgreSQL %s: halted for %v, want %.0f s", pg, r.Halted, want)
		}
		if got, want := r.Tables.At(0).Inserted, 10*(4*3600-r.Halted.Seconds()); math.Abs(got-want) > 1 {
			t.Errorf("PostgreSQL %s: %.0f rows inserted, want %.0f", pg, got, want)
		}
		if len(r.Warnings) != 2 || r.Verdict.Constraint != BoundByWraparound {
			t.Errorf("PostgreSQL %s: warnings %v, verdict %s", pg, r.Warnings, r.Verdict.Constraint)
		}
	}
}

// TestMultixactIDs: as many before the wrap no multixact is created, in every version, until
// the oldest database is vacuumed; members are not followed here. It is seen when the
// launcher looks, once a naptime.
func TestMultixactIDs(t *testing.T) {
	for pg, reserve := range map[string]float64{"13": 100, "17": 3_000_000, "19": 3_000_000} {
		x := table("t", 1000)
		x.MultiAge = 2_100_000_000
		w := oneDatabase(x)
		w.Databases[0].MultisPerSecond = workload.Constant(10_000)
		shut := (float64(1<<31-1) - reserve - 2_100_000_000) / 10_000 // seconds
		w.Obstacles.Locks = []workload.Lock{{First: 0, Hold: 3 * time.Hour}}
		r := mustRun(t, runConfig(t, pg, 4*time.Hour, w))
		if want := 3*3600 - shut; math.Abs(r.MembersOut.Seconds()-want) > 61 {
			t.Errorf("PostgreSQL %s: none created for %v, want %.0f s", pg, r.MembersOut, want)
		}
		if len(r.Warnings) != 1 || r.Verdict.Constraint != BoundByWraparound {
			t.Errorf("PostgreSQL %s: warnings %v, verdict %s", pg, r.Warnings, r.Verdict.Constraint)
		}
	}
}

// TestHorizonHoldsTheAge: with a snapshot held no vacuum can advance relfrozenxid
// beyond it, so that forced ones come one after the other.
func TestHorizonHoldsTheAge(t *testing.T) {
	x := table("t", 100_000)
	w := oneDatabase(x)
	w.Databases[0].XIDsPerSecond = workload.Constant(10_000)
	w.Obstacles.Horizons = []workload.Horizon{{Database: -1, From: time.Hour, To: 24 * time.Hour}}
	r := mustRun(t, runConfig(t, "17", 12*time.Hour, w))
	// 200 million ids after 36 million were used: 6.6 h; then about one a minute.
	first := r.Tables.At(0).VacuumTimes[1].Seconds() / 3600
	if r.Wraparound < 300 || math.Abs(r.Tables.At(0).FirstVacuum.Seconds()/3600-5.56) > 0.03 || first < 6.5 {
		t.Errorf("%d forced vacuums, the first at %v, the second after %.2f h", r.Wraparound, r.Tables.At(0).FirstVacuum, first)
	}
}

// TestIncidents: what is killed is not done; lost statistics make nothing due until
// enough is changed anew; a crash makes idle databases be left alone.
func TestIncidents(t *testing.T) {
	x := table("t", 10_000)
	x.Activity.Updates = workload.Constant(1) // due every 2051 s
	still := table("still", 10)
	run := func(pg string, length time.Duration, incidents ...workload.Incident) *RunResult {
		w := workload.World{Databases: []workload.Database{{Name: "busy", Tables: workload.TablesOf(x)}, {Name: "idle", Tables: workload.TablesOf(still)}}}
		w.Obstacles.Incidents = incidents
		return mustRun(t, runConfig(t, pg, length, w, "autovacuum_analyze_threshold=1000000000"))
	}
	for _, pg := range []string{"13", "17"} {
		plain := run(pg, 2*time.Hour)
		reset := run(pg, 2*time.Hour, workload.Incident{At: 2000 * time.Second, Kind: workload.ResetStatistics, Database: -1})
		if p, q := plain.Tables.At(0).FirstVacuum.Seconds(), reset.Tables.At(0).FirstVacuum.Seconds(); p < 2050 || p > 2115 || q < 4050 || q > 4115 {
			t.Errorf("PostgreSQL %s: first vacuum after %.0f s, with statistics reset after 2000 s %.0f s; want 2051 and 4051 and a naptime at most", pg, p, q)
		}
		for kind, visited := range map[workload.IncidentKind]bool{workload.Restart: true, workload.Crash: false} {
			r := run(pg, 2*time.Hour, workload.Incident{At: time.Hour, Kind: kind, Database: -1})
			later := 0
			for _, s := range r.Starts {
				if s.Database == "idle" && s.At > sim.Time(time.Hour) {
					later++
				}
			}
			if (later > 50) != visited || later > 0 && !visited {
				t.Errorf("PostgreSQL %s: after a %s %d workers start in the idle database", pg, kind, later)
			}
		}
	}
	big := table("t", 5_000_000)
	big.Dead = 2_000_000
	w := oneDatabase(big)
	w.Obstacles.Incidents = []workload.Incident{{At: 90 * time.Second, Kind: workload.KillWorkers}}
	r := mustRun(t, runConfig(t, "16", time.Hour, w))
	if first := r.Events[0]; first.Outcome != KilledWorker || first.At.Sub(sim.Time(90*time.Second)) > 100*time.Millisecond || r.Killed != 1 || r.Vacuums != 1 {
		t.Errorf("the first event is %+v, %d killed, %d vacuums; want the vacuum killed at 90 s and done later", first, r.Killed, r.Vacuums)
	}
}

// TestTemporaryTables are never vacuumed, but make their database old, until they are
// dropped, if their session is gone.
func TestTemporaryTables(t *testing.T) {
	for _, orphaned := range []bool{false, true} {
		x := table("t", 1000)
		temp := table("temp", 1000)
		temp.Temporary, temp.Orphaned, temp.Dead, temp.XIDAge = true, orphaned, 100_000, 199_000_000
		w := workload.World{Databases: []workload.Database{{Name: "a", Tables: workload.TablesOf(x, temp)}, {Name: "b", Tables: workload.TablesOf(x)}}}
		w.Databases[0].XIDsPerSecond = workload.Constant(1000)
		r := mustRun(t, runConfig(t, "16", 2*time.Hour, w))
		if r.Tables.At(1).Vacuums != 0 {
			t.Errorf("%d vacuums of a temporary table", r.Tables.At(1).Vacuums)
		}
		late := 0
		for _, s := range r.Starts {
			if s.Database == "b" && s.At > sim.Time(20*time.Minute) {
				late++
			}
		}
		if starved := late == 0; starved == orphaned {
			t.Errorf("orphaned %v: %d workers start in the other database once the temporary table is too old", orphaned, late)
		}
	}
}

// TestHotUpdatesUnderAHorizon have room for as many versions as the fillfactor leaves:
// 100,000 rows at 80 % are 48 on each of 2,084 pages, with room for 13 more. Beyond that
// they are not HOT, and what they leave is removed by a vacuum, not by pruning.
func TestHotUpdatesUnderAHorizon(t *testing.T) {
	x := table("t", 100_000)
	x.Fillfactor = 80
	x.Activity.Updates, x.Activity.HotShare = workload.Constant(50), 1
	w := oneDatabase(x)
	w.Obstacles.Horizons = []workload.Horizon{{Database: 0, From: time.Hour, To: 5 * time.Hour}}
	r := mustRun(t, runConfig(t, "16", 6*time.Hour, w)).Tables.At(0)
	const room = 13 * 2084
	want := 50.0*4*3600 - room
	if math.Abs(r.Removed/want-1) > 0.05 {
		t.Errorf("%.0f rows are removed by vacuums, want %.0f", r.Removed, want)
	}
	if r.DeadPeak < 50*(4*3600-61) { // as the last vacuum before the end found it
		t.Errorf("%.0f dead rows at the peak", r.DeadPeak)
	}
}

// TestAggressiveUnderAHorizon: whether a vacuum is aggressive goes by the next id in
// every version; what relfrozenxid becomes goes by the snapshot, less freeze_min_age to
// 15: 120 million ids at its start.
func TestAggressiveUnderAHorizon(t *testing.T) {
	for pg, frozen := range map[string]float64{"12": 70e6, "14": 70e6, "16": 120e6} {
		x := table("t", 100_000)
		w := oneDatabase(x)
		w.Databases[0].XIDsPerSecond = workload.Constant(10_000)
		w.Obstacles.Horizons = []workload.Horizon{{Database: 0, From: 12_000 * time.Second, To: 24 * time.Hour}}
		r := mustRun(t, runConfig(t, pg, 6*time.Hour, w))
		first := r.Events[0]
		if !first.Wraparound || !first.aggressive || math.Abs(first.newXID.to-frozen) > 1e6 {
			t.Errorf("PostgreSQL %s: the first vacuum is aggressive: %v; relfrozenxid becomes %.0f, want %.0f", pg, first.aggressive, first.newXID.to, frozen)
		}
	}
}

// TestTwoWaitForTheTable: both who wait behind a vacuum have the lock after it, one
// after the other.
func TestTwoWaitForTheTable(t *testing.T) {
	w, cfg := lockedTable(t, 30)
	w.Obstacles.Locks = []workload.Lock{{First: 70 * time.Second, Hold: 5 * time.Second}, {First: 70500 * time.Millisecond, Hold: time.Hour}}
	cfg.World = w
	r := mustRun(t, cfg)
	if r.Cancelled != 1 || r.Skipped < 58 || r.Skipped > 62 {
		t.Errorf("%d cancelled and %d tries in vain, want one and one a minute for an hour", r.Cancelled, r.Skipped)
	}
}

// TestAnalyzeAfterAForcedVacuum can be cancelled, as its vacuum cannot.
func TestAnalyzeAfterAForcedVacuum(t *testing.T) {
	x := table("t", 3_000_000)
	x.XIDAge, x.ModsSinceAnalyze = 200_000_001, 2_000_000
	w := oneDatabase(x)
	w.Obstacles.Locks = []workload.Lock{{First: time.Second, Every: 2 * time.Second}}
	r := mustRun(t, runConfig(t, "16", 30*time.Minute, w, "autovacuum_vacuum_cost_limit=10"))
	if first := r.Events[0]; !first.Vacuum || first.Outcome != "" || r.Wraparound != 1 {
		t.Errorf("the forced vacuum: %+v", first)
	}
	if r.Analyzes != 0 || r.Cancelled < 5 {
		t.Errorf("%d analyzes end, %d are cancelled", r.Analyzes, r.Cancelled)
	}
}

// TestLatenessUnderALock is to the start of work, and there is none for a try in vain.
func TestLatenessUnderALock(t *testing.T) {
	for _, age := range []int64{0, 200_000_001} {
		x := table("t", 1000)
		x.Dead, x.XIDAge = 1000, age
		w := oneDatabase(x)
		w.Obstacles.Locks = []workload.Lock{{First: 0, Hold: 2 * time.Hour}}
		r := mustRun(t, runConfig(t, "16", 3*time.Hour, w, "autovacuum_analyze_threshold=1000000000")).Tables.At(0)
		if len(r.Lateness) != 1 || math.Abs(r.Lateness[0]-7200) > 61 {
			t.Errorf("late by %v, want 7,200 s once", r.Lateness)
		}
	}
}

// TestFailsafeLeavesItems: what failsafe leaves to an index scan the next vacuum has to
// scan the indexes for.
func TestFailsafeLeavesItems(t *testing.T) {
	x := table("t", 1_000_000)
	x.Dead, x.XIDAge = 300_000, 1_600_000_001
	x.Activity.Statements = []workload.Statement{{At: time.Hour, Deletes: 250_000}}
	r := mustRun(t, runConfig(t, "17", 2*time.Hour, oneDatabase(x)))
	if len(r.Events) < 2 || !r.Events[0].Failsafe {
		t.Fatalf("events %+v", r.Events)
	}
	if l := r.Events[0].logEvent(); l.deadItems != 300_000 || l.deadPages < 15_000 {
		t.Errorf("failsafe leaves %d identifiers on %d pages", l.deadItems, l.deadPages)
	}
	var second RunEvent
	for _, e := range r.Events[1:] {
		if e.Vacuum {
			second = e
			break
		}
	}
	if second.plan.indexScans != 1 || second.deadPages < 15_000 {
		t.Errorf("the next vacuum scans the indexes %d times, for dead rows on %.0f pages", second.plan.indexScans, second.deadPages)
	}
}

// TestOrphanAtTheLimit: a temporary table cannot be dropped without a transaction id, so
// that the outage lasts; a vacuum would end it.
func TestOrphanAtTheLimit(t *testing.T) {
	x := table("temp", 1000)
	x.Temporary, x.Orphaned, x.XIDAge = true, true, 2_144_483_600
	w := oneDatabase(table("t", 10), x)
	w.Databases[0].XIDsPerSecond = workload.Constant(1000)
	r := mustRun(t, runConfig(t, "17", 2*time.Hour, w))
	if r.Halted < 2*time.Hour-time.Minute || r.Tables.At(1).Dropped {
		t.Errorf("halted for %v, dropped: %v", r.Halted, r.Tables.At(1).Dropped)
	}
}

// TestRestartEndsSessions: their snapshots and locks; what holds all databases back goes
// on.
func TestRestartEndsSessions(t *testing.T) {
	x := table("t", 10_000)
	x.Activity.Updates = workload.Constant(10)
	for database, released := range map[int]bool{0: true, -1: false} {
		w := oneDatabase(x)
		w.Obstacles.Horizons = []workload.Horizon{{Database: database, From: time.Minute, To: 10 * time.Hour}}
		w.Obstacles.Incidents = []workload.Incident{{At: time.Hour, Kind: workload.Restart}}
		r := mustRun(t, runConfig(t, "16", 2*time.Hour, w))
		if got := r.Tables.At(0).DeadRows < 10_000; got != released {
			t.Errorf("a snapshot of database %d: %.0f dead rows after a restart", database, r.Tables.At(0).DeadRows)
		}
	}
	x.Dead = 5000
	w := oneDatabase(x)
	w.Obstacles.Locks = []workload.Lock{{First: 0, Hold: 10 * time.Hour}}
	w.Obstacles.Incidents = []workload.Incident{{At: time.Hour, Kind: workload.Crash}}
	if r := mustRun(t, runConfig(t, "16", 2*time.Hour, w)); r.Tables.At(0).FirstVacuum < sim.Time(time.Hour) || r.Vacuums == 0 {
		t.Errorf("a lock outlasts a crash: %d vacuums, the first at %v", r.Vacuums, r.Tables.At(0).FirstVacuum)
	}
}
