package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

const shop = `
name: shop
title: two tables for half an hour
pg: "16"
host: epyc-2core
run_for: 30m
warm_up: 5m
databases:
  - name: shop
    xids_per_second: 5/s
    tables:
      - {name: orders, rows: 1000, row_bytes: 100, activity: {updates: 5/s, poisson: true}}
      - {name: items, rows: 2000, row_bytes: 100, activity: {updates: {lognormal: {median: 10, sigma: 1}}}}
`

// shopGrid is a grid of naptimes and numbers of rows, with three replications.
func shopGrid(t *testing.T) (Runs, *Grid) {
	t.Helper()
	sc, err := scenario.ParseRun([]byte(shop), "shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	st := NewRuns(sc)
	st.Common = Common{Scenario: "shop", Seed: 3, Replications: 3}
	ok := must(t)
	versions := ok(Versions("16", true, true))
	g, err := NewGrid([]Axis{ok(Hosts("epyc-2core", host.Load)), versions, ok(Setting("autovacuum_naptime", "10s,60s", versions)),
		ok(FieldAxis(sc, "databases[shop].tables[orders].rows", "1000,5000"))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return st, g
}

func recordsOf(t *testing.T, st Runs, g *Grid, jobs int) (out []experiment.Record) {
	t.Helper()
	points := func(yield func(GridPoint) bool) {
		for p, err := range g.Points() {
			if err != nil {
				t.Error(err)
				return
			}
			if !yield(p) {
				return
			}
		}
	}
	err := st.Measure(t.Context(), points, Options{Jobs: jobs}, Tabled{Hash: "hash", Axes: g.Columns()}, func(p GridPoint, r experiment.Record) error {
		r.Point, r.Group, r.First = p.Index, p.Group, p.First
		out = append(out, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRunsDoNotDependOnJobs: any number of jobs gives the same rows, each with a field
// for every column, and their figures are those of the runs themselves.
func TestRunsDoNotDependOnJobs(t *testing.T) {
	st, g := shopGrid(t)
	one, four := recordsOf(t, st, g, 1), recordsOf(t, st, g, 4)
	columns := st.Columns(g.Columns())
	if len(one) != 4 || fmt.Sprint(one) != fmt.Sprint(four) {
		t.Errorf("%d points; one job\n%v\nfour\n%v", len(one), one, four)
	}
	for p, err := range g.Points() {
		if err != nil {
			t.Fatal(err)
		}
		var lateness, workers, vacuums, dead []float64
		for r := range 3 {
			cfg, err := st.config(p.Point, r)
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Seed != 3+uint64(r) || cfg.Replication != 0 {
				t.Errorf("replication %d has the seed %d, replication %d", r, cfg.Seed, cfg.Replication)
			}
			result, err := scheduler.Run(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			told := result.Figures() // as avsim run tells them
			lateness, dead = append(lateness, told["lateness_mean_seconds"]), append(dead, told["dead_share"])
			workers, vacuums = append(workers, result.AverageWorkers()), append(vacuums, float64(result.Vacuums))
			if len(result.Durations) != result.Vacuums {
				t.Errorf("%d durations of %d vacuums", len(result.Durations), result.Vacuums)
			}
		}
		row := one[p.Index].Row
		for column, of := range map[string][]float64{"lateness_mean_seconds": lateness, "dead_share": dead, "avg_autovacuum_workers": workers, "total_autovacuum_count": vacuums} {
			got, err := strconv.ParseFloat(row[slices.Index(columns, column)], 64)
			if want := meanOf(of); err != nil || math.Abs(got-want) > 1e-5*want {
				t.Errorf("point %d, %s: %v, the runs themselves have %v", p.Index, column, got, want)
			}
		}
		if want := len(columns) - 6*len(st.Compared()); len(row) != want || len(one[p.Index].Samples) != len(st.Compared()) {
			t.Errorf("a row of %d fields, %d samples; want %d, %d", len(row), len(one[p.Index].Samples), want, len(st.Compared()))
		}
	}
}

// TestRunsPair: points are compared with the first of the last axis of several values,
// with the same tables; dead rows over time are between none and all.
func TestRunsPair(t *testing.T) {
	st, g := shopGrid(t)
	var pairs Pairing
	columns := st.Columns(g.Columns())
	text := func(row []string, name string) string { return row[slices.Index(columns, name)] }
	for i, r := range recordsOf(t, st, g, 2) {
		row := append(slices.Clone(r.Row), pairs.Fields(r.Group, r.First, r.Samples)...)
		if len(row) != len(columns) {
			t.Fatalf("%d fields for %d columns", len(row), len(columns))
		}
		if r.First != (i%2 == 0) || r.First && text(row, "dead_share_ratio_to_first") != "1" || r.First && text(row, "lateness_p99_seconds_difference_to_first") != "0" {
			t.Errorf("point %d: first %v, %q", i, r.First, text(row, "dead_share_ratio_to_first"))
		}
		if share, err := strconv.ParseFloat(text(row, "dead_share"), 64); err != nil || share <= 0 || share >= 1 {
			t.Errorf("point %d: a dead share of %q", i, text(row, "dead_share"))
		}
		if !strings.Contains(text(row, "settings"), "autovacuum_naptime=") || text(row, "databases_shop_tables_orders_rows") != []string{"1000", "5000"}[i%2] {
			t.Errorf("point %d: settings %q, rows %q", i, text(row, "settings"), text(row, "databases_shop_tables_orders_rows"))
		}
	}
}

// TestRunsHash: whatever changes a result changes the hash.
func TestRunsHash(t *testing.T) {
	st, g := shopGrid(t)
	points := pointsOf(t, g)
	base := Hash(st, []Point{points[0].Point})
	other, err := scenario.ParseRun([]byte(strings.Replace(shop, "2000", "2001", 1)), "shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Runs, *Point){
		"setting":  func(_ *Runs, p *Point) { p.Settings = []string{"autovacuum_naptime=2s"} },
		"field":    func(_ *Runs, p *Point) { p.Fields = []Field{{"run_for", "1h"}} },
		"length":   func(_ *Runs, p *Point) { p.Lasting = 1 },
		"workers":  func(_ *Runs, p *Point) { p.Workers = 4 },
		"variant":  func(_ *Runs, p *Point) { p.Variant = "x" },
		"seed":     func(s *Runs, _ *Point) { s.Seed++ },
		"cpus":     func(_ *Runs, p *Point) { p.Host = p.Host.WithCores(9) },
		"scenario": func(s *Runs, _ *Point) { s.Base = other },
		"choice":   func(_ *Runs, p *Point) { p.Strategy.Recheck = scheduler.RecheckNone },
	} {
		s, p := st, points[0].Point
		change(&s, &p)
		if Hash(s, []Point{p}) == base {
			t.Errorf("another %s has the same hash", what)
		}
	}
}
