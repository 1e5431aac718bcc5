package scheduler

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"avsim/workload"
	"avsim/workload/host"
)

// TestSkimmingOfMeasurements: tables that a worker looks at in vain are taken in one step
// while nothing else happens. One by one they give the same events at the same instants,
// the same times on every account and the same counts.
func TestSkimmingOfMeasurements(t *testing.T) {
	skimmed := 0
	rapid.Check(t, func(r *rapid.T) {
		all := Strategies()
		s := all[rapid.IntRange(0, len(all)-1).Draw(r, "strategy")]
		cfg := recordedConfig(t, s.Name, rapid.IntRange(1, 400).Draw(r, "tables"), rapid.IntRange(1, 40).Draw(r, "workers"))
		cfg.Host = withCores(cfg.Host, rapid.IntRange(1, 8).Draw(r, "cores"))
		cfg.Start = rapid.SampledFrom([]Start{Gated, Natural}).Draw(r, "start")
		cfg.Seed = rapid.Uint64Range(1, 1000).Draw(r, "seed")
		cfg.Window = Window{Min: time.Second, Max: 3 * time.Second, Vacuums: 100}
		run := func(oneByOne bool) (m Measurement, log []Event) {
			cfg.skimmed = &skimmed
			cfg.oneByOne, cfg.Trace = oneByOne, func(e Event) { log = append(log, e) }
			m, err := Measure(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			return m, log
		}
		fast, events := run(false)
		slow, all1 := run(true)
		if i := firstDifference(events, all1); i >= 0 {
			r.Fatalf("event %d of %d is %v, one by one %v", i, len(all1), events[i:min(i+1, len(events))], all1[i:min(i+1, len(all1))])
		}
		if diff := cmp.Diff(slow, fast, cmpopts.EquateNaNs()); diff != "" {
			r.Fatalf("one by one and in one step (+): %s", diff)
		}
	})
	if skimmed == 0 {
		t.Error("no table was looked at in vain in one step in any case")
	}
}

// TestSkimmingOfRuns is the same of a run: some hundred tables of which some are due at the
// start, and some of them again and again.
func TestSkimmingOfRuns(t *testing.T) {
	skimmed := 0
	rapid.Check(t, func(r *rapid.T) {
		var tables []workload.Table
		for range rapid.IntRange(1, 300).Draw(r, "tables") {
			x := table("t", 100)
			x.Dead = 100
			if rapid.IntRange(0, 3).Draw(r, "busy") == 0 {
				x.Activity.Updates = workload.Constant(float64(rapid.IntRange(1, 50).Draw(r, "updates")))
			}
			tables = append(tables, x)
		}
		pg := rapid.SampledFrom([]string{"9.5", "13", "14", "16", "17", "19"}).Draw(r, "version")
		cfg := runConfig(t, pg, 40*time.Second, oneDatabase(tables...), "autovacuum_naptime=1s", "autovacuum_max_workers=20")
		cfg.Host = withCores(cfg.Host, rapid.IntRange(1, 8).Draw(r, "cores"))
		run := func(oneByOne bool) (*RunResult, []TraceEvent) {
			var log []TraceEvent
			cfg.skimmed = &skimmed
			cfg.oneByOne, cfg.Trace = oneByOne, func(e TraceEvent) { log = append(log, e) }
			return mustRun(t, cfg), log
		}
		fast, events := run(false)
		slow, all := run(true)
		if diff := cmp.Diff(all, events, cmpopts.EquateNaNs()); diff != "" {
			r.Fatalf("PostgreSQL %s: one by one and in one step (+): %s", pg, diff)
		}
		if diff := cmp.Diff(told(slow), told(fast)); diff != "" {
			r.Fatalf("PostgreSQL %s: one by one and in one step (+): %s", pg, diff)
		}
	})
	if skimmed == 0 {
		t.Error("no table was looked at in vain in one step in any case")
	}
}

func withCores(h *host.Profile, cores int) *host.Profile {
	out := *h
	out.Cores = cores
	return &out
}

// firstDifference is where two logs differ, -1 for nowhere.
func firstDifference(a, b []Event) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// TestUntoldChangesOfAStepThatEnds: what was changed before a rate falls to nothing may be
// told after a look. In every phase of the sessions the table is vacuumed as by polling.
func TestUntoldChangesOfAStepThatEnds(t *testing.T) {
	for phase := range 20 {
		var tables []workload.Table
		for range 200 { // each with a phase of its own
			x := table("t", 100)
			x.Activity.Updates = workload.Steps{{From: 0, PerSecond: 7.05}, {From: 10*time.Second + time.Duration(phase)*50*time.Millisecond, PerSecond: 0}}
			tables = append(tables, x)
		}
		cfg := runConfig(t, "14", time.Minute, oneDatabase(tables...), "autovacuum_naptime=1s", "autovacuum_analyze_threshold=1000000")
		fast := mustRun(t, cfg)
		cfg.poll = true
		if diff := sameEvents(fast, mustRun(t, cfg)); diff != "" {
			t.Fatalf("phase %d: %s", phase, diff)
		}
	}
}
