package scheduler

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload"
)

var looksChecked = flag.Int("looks", 1000, "number of random scenarios of TestLooksAgainstPolling")

// TestLooksAgainstPolling: a table is looked at only from the moment on at which
// it can be due. The slow way, a look at every table at every visit, gives the same
// events, whatever the tables, what is done to them, the version and the settings.
func TestLooksAgainstPolling(t *testing.T) {
	for seed := range uint64(*looksChecked) {
		cfg := rapid.Custom(anyRun(t)).Example(int(seed))
		fast := mustRun(t, cfg)
		cfg.poll = true
		slow := mustRun(t, cfg)
		if diff := sameEvents(fast, slow); diff != "" {
			t.Fatalf("scenario %d, PostgreSQL %v: %s", seed, cfg.Settings.Version(), diff)
		}
	}
}

// TestDeletesThatWaited go as fast as rows come, faster than their own rate: a table of
// ten rows whose deletes have waited loses each row that is inserted, so that the rows
// changed come to the analyze threshold within 50/(4+4+0.6) = 5.8 s of the last analyze.
func TestDeletesThatWaited(t *testing.T) {
	x := table("t", 10)
	x.Activity.Inserts = workload.Steps{{From: 0, PerSecond: 0.4}, {From: 53 * time.Second, PerSecond: 4}}
	x.Activity.Updates, x.Activity.Deletes = workload.Constant(0.6), workload.Constant(1.5)
	cfg := runConfig(t, "16", 2*time.Minute, oneDatabase(x), "autovacuum_naptime=1s")
	fast := mustRun(t, cfg)
	cfg.poll = true
	if diff := sameEvents(fast, mustRun(t, cfg)); diff != "" {
		t.Error(diff)
	}
}

func sameEvents(a, b *RunResult) string {
	for i := range min(len(a.Events), len(b.Events)) {
		x, y := a.Events[i], b.Events[i]
		if x.Start != y.Start || x.At != y.At || x.Table != y.Table || x.Vacuum != y.Vacuum || x.Reason != y.Reason || x.Removed != y.Removed ||
			x.Outcome != y.Outcome || x.Worker != y.Worker || x.Wraparound != y.Wraparound || x.Failsafe != y.Failsafe || x.Cost() != y.Cost() {
			return fmt.Sprintf("event %d is %+v, %+v by polling", i, x, y)
		}
	}
	if len(a.Events) != len(b.Events) {
		return fmt.Sprintf("%d events, %d by polling", len(a.Events), len(b.Events))
	}
	for i := range a.Tables.Len() {
		x, y := a.Tables.At(i), b.Tables.At(i)
		near := func(p, q float64) bool { return math.Abs(p-q) <= 0.0021 }
		if !slices.EqualFunc(x.Lateness, y.Lateness, near) {
			return fmt.Sprintf("%s is late by %v, %v by polling", x.Name, x.Lateness, y.Lateness)
		}
	}
	return ""
}

// anyRun draws a small scenario: up to three databases of up to five tables.
func anyRun(t *testing.T) func(*rapid.T) RunConfig {
	return func(r *rapid.T) RunConfig {
		set := []string{
			"autovacuum_naptime=" + rapid.SampledFrom([]string{"3s", "10s", "30s"}).Draw(r, "naptime"),
			"autovacuum_vacuum_scale_factor=" + rapid.SampledFrom([]string{"0", "0.01", "0.2"}).Draw(r, "scale"),
			"autovacuum_max_workers=" + rapid.SampledFrom([]string{"2", "3"}).Draw(r, "workers"),
		}
		var w workload.World
		for i := range rapid.IntRange(1, 3).Draw(r, "databases") {
			d := workload.Database{Name: fmt.Sprintf("d%d", i)}
			if rapid.Bool().Draw(r, "uses ids") {
				d.XIDsPerSecond = anyRate(r, 1000)
			}
			for j := range rapid.IntRange(1, 4).Draw(r, "tables") {
				d.Tables.Append(anyTable(r, fmt.Sprintf("t%d", j)))
			}
			if rapid.Bool().Draw(r, "toast") {
				toast := anyTable(r, "toast")
				toast.ToastOf = 0
				d.Tables.Append(toast)
			}
			d.Template = rapid.SampledFrom([]bool{false, false, true}).Draw(r, "template")
			if rapid.Bool().Draw(r, "uses multixact ids") {
				d.MultisPerSecond = anyRate(r, 1000)
			}
			w.Databases = append(w.Databases, d)
		}
		w.Obstacles = anyObstacles(r, &w)
		pg := rapid.SampledFrom([]string{"9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"}).Draw(r, "version")
		cfg := runConfig(t, pg, 2*time.Minute, w, set...)
		cfg.Seed = rapid.Uint64Range(1, 1000).Draw(r, "seed")
		if rapid.Bool().Draw(r, "reload") {
			other := runConfig(t, pg, time.Minute, w, append(set, "autovacuum_vacuum_threshold=5", "autovacuum_analyze_scale_factor=0.5")...)
			cfg.Changes = []SettingsChange{{At: time.Duration(rapid.Int64Range(0, int64(2*time.Minute)).Draw(r, "reload at")), Settings: other.Settings}}
		}
		return cfg
	}
}

func anyObstacles(r *rapid.T, w *workload.World) (o workload.Obstacles) {
	at := func(name string) time.Duration {
		return time.Duration(rapid.Int64Range(0, int64(2*time.Minute)).Draw(r, name))
	}
	anywhere := func() int { return rapid.IntRange(-1, len(w.Databases)-1).Draw(r, "database") }
	for range rapid.IntRange(0, 2).Draw(r, "horizons") {
		from := at("from")
		o.Horizons = append(o.Horizons, workload.Horizon{Database: anywhere(), From: from, To: from + 1 + at("length")})
	}
	if rapid.Bool().Draw(r, "lock") {
		db := rapid.IntRange(0, len(w.Databases)-1).Draw(r, "database")
		o.Locks = []workload.Lock{{Database: db, Table: rapid.IntRange(0, w.Databases[db].Tables.Len()-1).Draw(r, "table"),
			First: at("first"), Every: time.Second + at("every"), Hold: at("hold") / 4}}
	}
	if kind := rapid.SampledFrom([]workload.IncidentKind{"", "", workload.KillWorkers, workload.ResetStatistics, workload.Restart, workload.Crash}).Draw(r, "incident"); kind != "" {
		o.Incidents = []workload.Incident{{At: at("incident at"), Kind: kind, Database: anywhere()}}
	}
	return o
}

func anyTable(r *rapid.T, name string) workload.Table {
	x := table(name, rapid.SampledFrom([]int64{0, 10, 1000, 300_000}).Draw(r, "rows"))
	x.NoStats = rapid.Bool().Draw(r, "no statistics")
	x.Dead = rapid.Int64Range(0, 100).Draw(r, "dead")
	x.XIDAge = rapid.SampledFrom([]int64{0, 0, 0, 0, 0, 0, 199_800_000, 199_990_000, 200_000_001, 1_599_990_000, 2_144_470_000}).Draw(r, "age")
	x.MultiAge = rapid.SampledFrom([]int64{0, 0, 0, 0, 0, 0, 399_990_000, 400_000_001}).Draw(r, "multixact age")
	switch rapid.IntRange(0, 29).Draw(r, "temporary") {
	case 0:
		x.Temporary = true
	case 1:
		x.Temporary, x.Orphaned = true, true
	}
	if rapid.Bool().Draw(r, "own thresholds") {
		x.Options = map[string]string{"autovacuum_vacuum_threshold": "7", "autovacuum_analyze_threshold": "20"}
	}
	a := &x.Activity
	a.Poisson = rapid.Bool().Draw(r, "poisson")
	a.HotShare = rapid.SampledFrom([]float64{0, 0.5}).Draw(r, "hot")
	a.Inserts, a.Updates, a.Deletes = anyRate(r, 20), anyRate(r, 20), anyRate(r, 5)
	if at := rapid.Int64Range(0, int64(3*time.Minute)).Draw(r, "statement at"); at > int64(30*time.Second) {
		a.Statements = []workload.Statement{{At: time.Duration(at), Inserts: 500, Updates: 300}}
	}
	return x
}

func anyRate(r *rapid.T, most float64) workload.Rate {
	rate := rapid.Float64Range(0, most).Draw(r, "rate")
	at := time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(r, "at"))
	switch rapid.IntRange(0, 4).Draw(r, "form") {
	case 0:
		return nil
	case 1:
		return workload.Constant(rate)
	case 2:
		return workload.Steps{{From: 0, PerSecond: rate / 10}, {From: at, PerSecond: rate}}
	case 3:
		return workload.Wave{Mean: rate, Amplitude: 0.9, Period: at + time.Second, Peak: at / 2}
	}
	return workload.Bursts{PerSecond: rate, Every: at + time.Second, Length: at / 3, First: at / 2}
}
