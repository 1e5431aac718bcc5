package scheduler_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// BenchmarkWeek simulates a week of the built-in scenario many-tables: 100,000
// tables, 5,000 vacuums an hour, naptime 60 s.
func BenchmarkWeek(b *testing.B) { benchmarkWeek(b, 100_000) }

// BenchmarkWeekOfAMillion has ten times the tables, each with a tenth of the changes:
// as many vacuums an hour.
func BenchmarkWeekOfAMillion(b *testing.B) { benchmarkWeek(b, 1_000_000) }

func benchmarkWeek(b *testing.B, tables int) {
	defer debug.SetGCPercent(debug.SetGCPercent(35)) // as avsim run has it
	text, err := scenario.Text("many-tables")
	if err != nil {
		b.Fatal(err)
	}
	rate := 100_000 / float64(tables)
	changed := strings.NewReplacer("count: 100000", fmt.Sprint("count: ", tables),
		"{min: 1.55/h, max: 5.55/h}", fmt.Sprintf("{min: %g/h, max: %g/h}", 1.55*rate, 5.55*rate)).Replace(string(text))
	file := filepath.Join(b.TempDir(), "week.yaml")
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		b.Fatal(err)
	}
	sc, err := scenario.LoadRun(file)
	if err != nil {
		b.Fatal(err)
	}
	h, err := host.Load(sc.Host)
	if err != nil {
		b.Fatal(err)
	}
	s, err := scheduler.StrategyOf(sc.PG)
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		world, err := sc.World(1)
		if err != nil {
			b.Fatal(err)
		}
		r, err := scheduler.Run(context.Background(), scheduler.RunConfig{
			World: world, Settings: sc.Settings, Strategy: s, Host: h, For: sc.RunFor, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Vacuums)/sc.RunFor.Hours(), "vacuums/h")
	}
}

// BenchmarkPoint is one point of a sweep at 100,000 tables and 30 workers, with a window of
// 60 s.
func BenchmarkPoint(b *testing.B) {
	for _, strategy := range []string{"original", "leapfrog"} {
		b.Run(strategy, func(b *testing.B) {
			for b.Loop() {
				measure(b, strategy, 100_000, time.Minute)
			}
		})
	}
}

// BenchmarkGrowth has all tables due and 30 workers for ten minutes, and tells what an
// event of the engine takes. scripts/growth has the rest.
func BenchmarkGrowth(b *testing.B) {
	for _, strategy := range []string{"claim-release", "shared-stats"} {
		for _, tables := range []int{1_000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", strategy, tables), func(b *testing.B) {
				events := uint64(0)
				for b.Loop() {
					events += measure(b, strategy, tables, 10*time.Minute)
				}
				b.ReportMetric(float64(b.Elapsed())/float64(events), "ns/event")
			})
		}
	}
}

// measure is one measurement with that window; it returns the engine's events.
func measure(b *testing.B, strategy string, tables int, window time.Duration) uint64 {
	b.Helper()
	s, err := scheduler.LookUp(strategy)
	if err != nil {
		b.Fatal(err)
	}
	h, err := host.Load("epyc-2core")
	if err != nil {
		b.Fatal(err)
	}
	settings := guc.Defaults(guc.MustVersion("9.5"))
	for _, a := range []string{"autovacuum_max_workers=30", "autovacuum_naptime=1s", "autovacuum_vacuum_threshold=0", "autovacuum_vacuum_scale_factor=0"} {
		if err := settings.Assign(a); err != nil {
			b.Fatal(err)
		}
	}
	m, err := scheduler.Measure(context.Background(), scheduler.Config{Strategy: s, Settings: settings, Host: h,
		Population: workload.TinyTables(tables, 1), Start: scheduler.Gated, Window: scheduler.Window{Min: window, Max: window}, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return m.KernelEvents
}
