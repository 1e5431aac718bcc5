package cmd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// mostOverTime is of how many variants the figure over time has lines.
const mostOverTime = 4

// variantFigureFiles are the pictures of a scenario with variants.
var variantFigureFiles = []string{"variants", "foreground"}

// tryVariantFigures finds out before the runs whether their figures can be written.
func tryVariantFigures(dir string) error {
	if dir == "" {
		return nil
	}
	for _, name := range variantFigureFiles {
		if err := plots.CheckSave(filepath.Join(dir, name+".png")); err != nil {
			return err
		}
	}
	return nil
}

// writeVariantFigures draws the variants side by side, and over time those that lose
// most.
func writeVariantFigures(c *cobra.Command, f *runFlags, sc *scenario.Run, results []variantResult) error {
	if f.figures == "" {
		return nil
	}
	losers := slices.Clone(results)
	lost := func(v variantResult) float64 { return v.result.Felt.Summary().Lost }
	slices.SortStableFunc(losers, func(a, b variantResult) int { return cmp.Compare(lost(b), lost(a)) })
	over := feltTable()
	for _, v := range losers[:min(mostOverTime, len(losers))] {
		addFelt(over, newRunInputs(v.sc, v.cfg), v.name, v.result.Felt)
	}
	for i, draw := range []func() (*plots.Figure, error){
		func() (*plots.Figure, error) { return plots.Variants(variantsTable(results)) },
		func() (*plots.Figure, error) { return plots.Foreground(over) },
	} {
		figure, err := draw()
		if err != nil {
			return err
		}
		path := filepath.Join(f.figures, variantFigureFiles[i]+".png")
		if err := figure.Save(path); err != nil {
			return err
		}
		if f.out.format == "table" {
			fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", path, figure.Title())
		}
	}
	return nil
}

// feltTable is an empty table of what an application felt over time.
func feltTable() *experiment.Table {
	return &experiment.Table{Columns: slices.Concat(inputColumns, []string{"scenario", "pg", "host", "variant", "from_seconds", "to_seconds", "phase", "vacuum_share",
		"vacuum_stretch", "throughput_per_s", "throughput_without_per_s", "throughput_with_per_s", "latency_p50_seconds", "latency_p95_seconds", "latency_p99_seconds",
		"latency_p50_without_seconds", "latency_p95_without_seconds", "latency_p99_without_seconds",
		"heap_pages_per_row", "versions_per_look", "shared_hit_share", "os_hit_share"})}
}

// addFelt adds a row for each interval. Latencies are those with the vacuum where one
// is at work for most of the interval.
func addFelt(t *experiment.Table, in runInputs, variant string, felt *scheduler.Felt) {
	for _, x := range felt.Intervals {
		now := x.Without
		if x.Share > 0.5 {
			now = x.With
		}
		t.AppendRow(append(in.columns(), in.Scenario, in.PG, in.Host, variant, decimal(x.From.Seconds()), decimal(x.To.Seconds()), x.Phase, decimal(x.Share),
			decimal(x.Stretch), decimal(x.Throughput()), decimal(x.Without.Throughput), decimal(x.With.Throughput),
			decimal(now.P50.Seconds()), decimal(now.P95.Seconds()), decimal(now.P99.Seconds()),
			decimal(x.Without.P50.Seconds()), decimal(x.Without.P95.Seconds()), decimal(x.Without.P99.Seconds()),
			decimal(x.PagesPerRow), decimal(x.Versions), decimal(x.InShared), decimal(x.InOS))...)
	}
}
