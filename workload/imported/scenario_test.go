package imported

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload/guc"
	"avsim/workload/pgexport"
	"avsim/workload/pglog"
	"avsim/workload/scenario"
)

var (
	first = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	last  = first.Add(time.Hour)
)

func made(t require, e *pgexport.Export, log *Log, single int) (*Scenario, *scenario.Run) {
	t.Helper()
	s, err := Make(e, log, Options{Name: "x", Host: "generic-4core", RunFor: time.Hour, MostSingle: single})
	if err != nil {
		t.Fatal(err)
	}
	run, err := scenario.ParseRun(s.Text, "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s, run
}

type require interface {
	Helper()
	Fatal(args ...any)
}

// exported is an export of one database by way of the reader.
func exported(t require, rows func(write func(at time.Time, name string, fields ...int64))) *pgexport.Export {
	t.Helper()
	var b strings.Builder
	b.WriteString("time,db,nspname,relname,relkind,class_place,reltuples,relpages,n_indexes,n_tup_ins,n_tup_upd,n_tup_del,n_live_tup,n_dead_tup,n_mod_since_analyze\n")
	place := 0
	rows(func(at time.Time, name string, f ...int64) {
		place++
		fmt.Fprintf(&b, "%s,shop,public,\"%s\",r,%d", at.Format(time.RFC3339), strings.ReplaceAll(name, `"`, `""`), place)
		for _, x := range f {
			fmt.Fprintf(&b, ",%d", x)
		}
		b.WriteString("\n")
	})
	e := new(pgexport.Export)
	for _, text := range []string{"name,setting\nserver_version,16.3\n", b.String()} {
		if _, err := e.Read(strings.NewReader(text), "x.csv"); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	return e
}

// Groups have as many tables as there are, and as many rows, dead rows and changes in
// all.
func TestGroupsKeepTotals(t *testing.T) {
	const tables = 3000
	var rows, dead, updates float64
	e := exported(t, func(write func(time.Time, string, ...int64)) {
		for _, at := range []time.Time{first, last} {
			rows, dead, updates = 0, 0, 0
			for i := range int64(tables) {
				n, d, u := 10+i*i*7919%50000, i*104729%300, i*i%997
				if at == first {
					write(at, fmt.Sprint("t", i), n, n/50+1, i%4, n, 0, 0, n, d, 0)
				} else {
					write(at, fmt.Sprint("t", i), n, n/50+1, i%4, n, u, 0, n, d, 0)
				}
				rows, dead, updates = rows+float64(n), dead+float64(d), updates+float64(u)
			}
		}
	})
	s, run := made(t, e, nil, 200)
	w, err := run.World(1)
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Tables(); n != tables || s.Tables != tables || s.Entries > 200+mostGroups {
		t.Errorf("%d tables in %d entries, exported are %d", n, s.Entries, tables)
	}
	var gotRows, gotDead, gotUpdates float64
	for _, x := range w.Databases[0].Tables.All() {
		gotRows, gotDead = gotRows+float64(x.Rows), gotDead+float64(x.Dead)
		gotUpdates += x.Activity.Expected(time.Hour).Updated
	}
	for what, x := range map[string][2]float64{"rows": {gotRows, rows}, "dead rows": {gotDead, dead}, "updates": {gotUpdates, updates}} {
		if math.Abs(x[0]/x[1]-1) > 0.03 {
			t.Errorf("%s: %.0f in the scenario, %.0f exported", what, x[0], x[1])
		}
	}
}

// Whatever stands in an export, what is made of it is a scenario, and the same each
// time.
func TestAnythingIsAScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.String(), 1, 20).Draw(t, "names")
		number := rapid.Int64Range(-1, 1e12)
		var seen = make(map[string]bool)
		e := exported(t, func(write func(time.Time, string, ...int64)) {
			for _, name := range names {
				if name == "" || seen[name] || strings.ContainsAny(name, "\r") {
					name = fmt.Sprint("t", len(seen))
				}
				seen[name] = true
				for _, at := range []time.Time{first, last} {
					f := make([]int64, 9)
					for i := range f {
						f[i] = number.Draw(t, "figure")
					}
					f[2] = f[2] & 15
					write(at, name, f...)
				}
			}
		})
		single := rapid.IntRange(1, 20).Draw(t, "single")
		a, _ := made(t, e, nil, single)
		b, _ := made(t, e, nil, single)
		if string(a.Text) != string(b.Text) {
			t.Fatal("two scenarios of one export differ")
		}
	})
}

// Where the export tells no rates, the log's vacuums do.
func TestRatesOfTheLog(t *testing.T) {
	e := exported(t, func(write func(time.Time, string, ...int64)) { write(last, "orders", 1000, 20, 1, 0, 0, 0, 1000, 0, 0) })
	log := new(Log)
	for i := range 60 { // one a minute
		log.Add(&pglog.Event{Kind: pglog.Vacuum, Name: "shop.public.orders", Database: "shop", At: first.Add(time.Duration(i) * time.Minute), Complete: true})
	}
	_, run := made(t, e, log, 10)
	w, err := run.World(1)
	if err != nil {
		t.Fatal(err)
	}
	// 250 dead rows, and what comes in half a naptime of 60 s.
	const want = 60 * 250.0 / (59*60 - 60*30)
	x := w.Databases[0].Tables.At(0)
	if got := x.Activity.Expected(time.Second).Updated; math.Abs(got/want-1) > 0.01 {
		t.Errorf("%v updates a second, want %v", got, want)
	}
}

// What export and log say differently is told.
func TestContradictions(t *testing.T) {
	e := exported(t, func(write func(time.Time, string, ...int64)) { write(last, "t", 1000, 20, 1, 0, 0, 0, 1000, 0, 0) })
	log := new(Log)
	for i := range 200 {
		// Two workers, each 4 s of 5 at work, that come every 5 s and spend 100,000 a
		// second each: ten times what 200 a 2 ms... allow with naptime 60 s.
		at := first.Add(time.Duration(i/2*5) * time.Second)
		log.Add(&pglog.Event{Kind: pglog.Vacuum, Name: "shop.public.t", Database: "shop", At: at.Add(4 * time.Second), PID: 100 + i, Elapsed: 4 * time.Second,
			Hits: 400_000, HasBuffers: true, Complete: true, From: 180})
	}
	log.Add(&pglog.Event{Kind: pglog.Setting, Text: "autovacuum_naptime", Value: "5", At: last})
	s, _ := made(t, e, log, 10)
	all := strings.Join(s.Warnings, "\n")
	for _, want := range []string{"the log is of PostgreSQL 18", "workers come to a database every 5 s", "workers spend 200000 cost units/s by the log, the settings of the export allow 100000"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not told:\n%s", want, all)
		}
	}
}

// Where the statistics count more vacuums than the log has, or fewer, it is told.
func TestUnloggedVacuums(t *testing.T) {
	for logged, want := range map[int]string{10: "the log has 10 of them", 100: "", 200: "the statistics count 100"} {
		e := exported(t, func(write func(time.Time, string, ...int64)) {
			write(first, "t", 1000, 20, 1, 0, 0, 0, 1000, 0, 0)
			write(last, "t", 1000, 20, 1, 0, 7200, 0, 1000, 0, 0)
		})
		x := e.Databases[0].Tables[0]
		x.First.Autovacuums, x.Last.Autovacuums = 300, 400
		log := new(Log)
		for i := range logged {
			log.Add(&pglog.Event{Kind: pglog.Vacuum, Name: "shop.public.t", Database: "shop", At: first.Add(time.Duration(i+1) * time.Hour / time.Duration(logged+1)), Complete: true, From: 160, To: 160})
		}
		log.First, log.Last = first, last
		s, _ := made(t, e, log, 10)
		all := strings.Join(s.Warnings, "\n")
		if told := strings.Contains(all, "the statistics count"); told != (want != "") || !strings.Contains(all, want) {
			t.Errorf("%d logged, 100 counted; want %q:\n%s", logged, want, all)
		}
	}
}

// The log's version, where it is not told, is that of the form of its messages.
func TestLogVersion(t *testing.T) {
	for _, x := range []struct {
		from, to int
		want     string
	}{{0, 94, "9.4"}, {96, 96, "9.6"}, {100, 120, "12"}, {150, 170, "17"}, {180, 0, "18"}, {190, 0, "19"}} {
		l := new(Log)
		l.Add(&pglog.Event{Kind: pglog.Vacuum, From: x.from, To: x.to})
		if v, told, ok := l.Version(); v != guc.MustVersion(x.want) || told || !ok {
			t.Errorf("%d to %d: %s", x.from, x.to, v)
		}
	}
}

func TestRateText(t *testing.T) {
	for rate, want := range map[float64]string{250: "250/s", 0.1: "0.1/s", 0.01: "0.6/min", 1.0 / 3600: "1/h", 1.0 / 86400: "1/d", 12345678: "12345678/s"} {
		if got := rateText(rate); got != want {
			t.Errorf("%v is written %s, want %s", rate, got, want)
		}
	}
}
