package scheduler_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"avsim/scheduler"
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
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as avsim run has it
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
