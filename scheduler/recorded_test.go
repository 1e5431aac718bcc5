package scheduler

import (
	"context"
	"math"
	"testing"
	"time"

	"avsim/workload"
	"avsim/workload/host"
)

// recordedConfig is a point of the recorded runs of PostgreSQL 9.5 on two
// cores: gated start, workers 0.11 s apart.
func recordedConfig(t *testing.T, strategy string, tables, workers int) Config {
	t.Helper()
	s, err := LookUp(strategy)
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Strategy: s, Settings: dueAtOnce(t, workers), Host: h, Population: workload.TinyTables(tables, 1),
		Start: Gated, Window: DefaultWindow(s), Naptime: 110 * time.Millisecond, Seed: 1,
	}
}

// measure is the summary of some replications.
func measure(t *testing.T, cfg Config, replications int) Summary {
	t.Helper()
	var runs []Measurement
	for i := range replications {
		cfg.Replication = i
		m, err := Measure(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, m)
	}
	return Summarize(runs)
}

func within(t *testing.T, what string, got, recorded, tolerance float64) {
	t.Helper()
	if off := got/recorded - 1; math.Abs(off) > tolerance || math.IsNaN(off) {
		t.Errorf("%s: %.4g, recorded %.4g: off by %+.0f %%, accepted is ±%.0f %%", what, got, recorded, 100*off, 100*tolerance)
	}
}

// TestRecordedThroughput holds the three strategies to real PostgreSQL 9.5.12,
// 9.5.13 and the patched 9.5.13 (workload/recorded): vacuums a second with 30
// workers.
func TestRecordedThroughput(t *testing.T) {
	for _, c := range []struct {
		strategy  string
		tables    int
		recorded  float64
		tolerance float64
	}{
		{"original", 100_000, 0.982, 0.30},
		{"claim-release", 100_000, 9.379, 0.30},
		{"leapfrog", 100_000, 78.906, 0.30},
		{"original", 10_000, 2.981, 0.35},
		{"claim-release", 10_000, 86.074, 0.35},
		{"leapfrog", 10_000, 1109.252, 0.35},
	} {
		s := measure(t, recordedConfig(t, c.strategy, c.tables, 30), 3)
		within(t, c.strategy+" vacuums/s", s.Throughput.Mean, c.recorded, c.tolerance)
		if c.tables == 10_000 && c.strategy == "claim-release" {
			within(t, "claim-release first-time tables/s", s.Distinct.Mean, 68.038, 0.35)
			if ms := 1e3 * s.StatsWriteSeconds; ms < 1.7/1.3 || ms > 4.3*1.3 {
				t.Errorf("a file write takes %.2f ms with 30 workers, recorded 1.7 to 4.3: the collector does not get its core", ms)
			}
		}
	}
}

// TestMoreWorkersSlower is BUG #13750's title: at 10,000 tables original falls
// with the workers, the schedule lock binds, and all but one worker in W
// recheck in vain.
func TestMoreWorkersSlower(t *testing.T) {
	last := math.Inf(1)
	for _, c := range []struct {
		workers          int
		recorded, wasted float64
	}{{1, 77.809, 0}, {3, 27.882, 54.424}, {10, 8.530, 75.210}, {30, 2.981, 79.633}} {
		s := measure(t, recordedConfig(t, "original", 10_000, c.workers), 3)
		within(t, "vacuums/s", s.Throughput.Mean, c.recorded, 0.25)
		if s.Throughput.Mean >= last {
			t.Errorf("%d workers are not slower than fewer: %.3g vacuums/s after %.3g", c.workers, s.Throughput.Mean, last)
		}
		last = s.Throughput.Mean
		if c.workers < 3 {
			continue
		}
		within(t, "wasted rechecks/s", s.WastedRechecksPerS, c.wasted, 0.25)
		if s.Verdict.Constraint != BoundByScheduleLock {
			t.Errorf("%d workers: verdict %v, want schedule-lock", c.workers, s.Verdict)
		}
	}
}

// TestTwoWorkersDoNotSlowDown: "Two workers do not slow original down: the
// other gets the lock while the first still vacuums, sees the claim and skips."
func TestTwoWorkersDoNotSlowDown(t *testing.T) {
	one := measure(t, recordedConfig(t, "original", 10_000, 1), 3)
	two := measure(t, recordedConfig(t, "original", 10_000, 2), 3)
	if two.Throughput.Mean < 0.95*one.Throughput.Mean {
		t.Errorf("two workers reach %.3g vacuums/s, one %.3g", two.Throughput.Mean, one.Throughput.Mean)
	}
}

// TestVerdicts: where the evidence is plain the verdict follows it.
func TestVerdicts(t *testing.T) {
	if v := measure(t, recordedConfig(t, "leapfrog", 100_000, 30), 1).Verdict; v.Constraint != BoundByProcessors {
		t.Errorf("leapfrog with 30 workers on 2 cores: verdict %v, want processors", v)
	}
	if v := measure(t, recordedConfig(t, "original", 1_000, 1), 1).Verdict; v.Constraint != BoundByStatistics {
		t.Errorf("one worker of original, which polls for each table: verdict %v, want statistics", v)
	}
	cfg := recordedConfig(t, "original", 1_000, 3)
	if err := cfg.Settings.Assign("autovacuum_vacuum_threshold=50"); err != nil {
		t.Fatal(err)
	}
	if v := measure(t, cfg, 1).Verdict; v.Constraint != BoundByThreshold {
		t.Errorf("no table due: verdict %v, want threshold", v)
	}
}

// TestWritePerInquiry: the collector form of 9.3 writes the file once for each
// inquiry, so with many workers it writes more often.
func TestWritePerInquiry(t *testing.T) {
	cfg := recordedConfig(t, "claim-release", 10_000, 10)
	all := measure(t, cfg, 2)
	if err := cfg.Strategy.Override("writes=per-inquiry"); err != nil {
		t.Fatal(err)
	}
	each := measure(t, cfg, 2)
	if each.StatsWritesPerS < 1.2*all.StatsWritesPerS {
		t.Errorf("a write per inquiry: %.4g writes/s, %.4g vacuums/s; one for all: %.4g, %.4g",
			each.StatsWritesPerS, each.Throughput.Mean, all.StatsWritesPerS, all.Throughput.Mean)
	}
}
