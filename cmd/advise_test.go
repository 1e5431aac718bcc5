package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"avsim/scheduler"
)

// advised is what advise --format json tells, as far as tests ask.
type advised struct {
	Found  bool
	Now    advisedPoint
	Advice advisedPoint
	Steps  []advisedPoint `json:"one_step_cheaper"`
	Runs   int
}

type advisedPoint struct {
	Holds   bool
	Slots   int     `json:"worker_slots"`
	Budget  float64 `json:"io_budget_units_per_s"`
	Changes []struct{ Name, Value string }
}

// set is a point as flags of run.
func (p advisedPoint) set() (out []string) {
	for _, c := range p.Changes {
		out = append(out, "--set", c.Name+"="+c.Value)
	}
	return out
}

// TestAdviseSaturated: of the recorded saturated server, imported at half time, the
// settings that are found meet the objective when they are run, and each step cheaper
// does not.
func TestAdviseSaturated(t *testing.T) {
	dir := t.TempDir()
	scenario := filepath.Join(dir, "r2.yaml")
	twin, own := "../workload/recorded/twin/r2/", "../workload/imported/testdata/r2/"
	avsim(t, "import", "csv", twin+"settings.csv", twin+"tables.csv.gz", own+"databases.csv", own+"snapshots.csv.gz", "--host", "epyc-2core", "--for", "90m", "--quiet", "-o", scenario)
	var got advised
	text := avsim(t, "advise", scenario, "--objective", "p99_lateness<1min, dead_share<0.3", "--replications", "3", "--format", "json", "--quiet")
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if !got.Found || got.Now.Holds || len(got.Advice.Changes) == 0 || len(got.Steps) == 0 {
		t.Fatalf("found: %+v", got)
	}
	t.Logf("%d runs: %v, a budget of %v and %d slots instead of %v and %d", got.Runs, got.Advice.Changes, got.Advice.Budget, got.Advice.Slots, got.Now.Budget, got.Now.Slots)
	meets := func(p advisedPoint) bool {
		for _, seed := range []string{"1", "2", "3"} {
			var r struct {
				Summary struct {
					P99  float64 `json:"lateness_p99_seconds"`
					Dead float64 `json:"dead_share"`
				}
			}
			args := append([]string{"run", scenario, "--seed", seed, "--format", "json", "--tables-in-output", "1", "--quiet"}, p.set()...)
			if err := json.Unmarshal([]byte(avsim(t, args...)), &r); err != nil {
				t.Fatal(err)
			}
			if r.Summary.P99 >= 60 || r.Summary.Dead >= 0.3 {
				return false
			}
		}
		return true
	}
	if !meets(got.Advice) {
		t.Errorf("%v does not meet the objective", got.Advice.Changes)
	}
	for _, step := range got.Steps {
		if meets(step) {
			t.Errorf("%v, cheaper, meets the objective too", step.Changes)
		}
	}
}

// busyQueue is a small table that is due at each visit.
const busyQueue = `name: queue
title: a busy small table
pg: "16"
host: generic-4core
run_for: 2h
databases:
  - name: shop
    tables:
      - {name: queue, rows: 1000, row_bytes: 100, activity: {updates: 100/s}}
`

// TestInterruptedAdvice: what was found until an interrupt is printed, and the message
// says so.
func TestInterruptedAdvice(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	afterAdviceRuns = func(n int) {
		if n == 25 {
			cancel()
		}
	}
	defer func() { afterAdviceRuns = nil }()
	var out, errs bytes.Buffer
	dir := t.TempDir()
	scenario := filepath.Join(t.TempDir(), "x.yaml")
	if err := os.WriteFile(scenario, []byte(busyQueue), 0o666); err != nil {
		t.Fatal(err)
	}
	code := run(ctx, []string{"advise", scenario, "--objective", "p99_lateness<30s", "--replications", "2", "--jobs", "1", "-o", dir}, &out, &errs)
	if code != exitInterrupted || !strings.Contains(out.String(), "p99_lateness<30s") || !strings.Contains(errs.String(), "printed is what was found until then") {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), errs.String())
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
		t.Errorf("written: %v", files)
	}
}

// TestWithoutFelt: leaving out what the application felt changes nothing else of a run.
func TestWithoutFelt(t *testing.T) {
	var f runFlags
	sc, cfg, err := f.config("onap-cps")
	if err != nil {
		t.Fatal(err)
	}
	var results [2]*scheduler.RunResult
	for i := range results {
		if cfg.World, err = sc.World(cfg.Seed); err != nil {
			t.Fatal(err)
		}
		cfg.WithoutFelt = i == 1
		if results[i], err = scheduler.Run(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	if results[0].Felt == nil || results[1].Felt != nil {
		t.Fatal("what the application felt is there where it should not be, or not where it should")
	}
	results[0].Felt = nil
	for name, want := range results[0].Figures() {
		if got := results[1].Figures()[name]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, with what the application felt %v", name, got, want)
		}
	}
}
