package plots

import (
	"fmt"
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// runYs are the figures of a sweep over a scenario of run, by their names.
var runYs = map[string]struct{ column, label string }{
	"lateness": {"lateness_mean_seconds", "mean lateness of visits, seconds"},
	"dead":     {"dead_share", "share of row versions that are dead"},
	"busy":     {"avg_autovacuum_workers", "workers at work on average"},
}

// RunSweep draws a figure of a sweep over a scenario of run, lateness, dead or busy,
// against the first column that the sweep varies and that is of numbers: a line per
// strategy, variant or version.
//
// It takes the columns of the result of such a sweep. Where nothing of numbers is varied,
// the error is [ErrNothingToDraw].
func RunSweep(table *experiment.Table, name string) (*Figure, error) {
	y := runYs[name]
	if err := requireColumns(table, y.column, "strategy"); err != nil {
		return nil, err
	}
	var rows []int
	for row := range table.Rows {
		rows = append(rows, row)
	}
	x := variedNumbers(table, rows)
	if x == "" {
		return nil, fmt.Errorf("plots: %s: %w", name, drawless{"nothing to compare: the sweep varies no number"})
	}
	series := "strategy"
	for _, column := range []string{"strategy", "variant", "pg"} {
		if _, ok := table.Column(column); ok && column != x && len(distinctSorted(table, rows, column)) > 1 {
			series = column
			break
		}
	}
	chart, err := newLineChart(table, Spec{
		X: x, Y: y.column, Series: series, XLabel: axisTitle(x), YLabel: y.label, Name: name,
		LogX: spacedByFactors(table, rows, x),
	})
	if err != nil {
		return nil, err
	}
	return chart.figure(chart.spec.Title), nil
}

// variedNumbers is the first column that a sweep varies, of numbers alone; "" for none.
func variedNumbers(table *experiment.Table, rows []int) string {
	known := []string{"workers", "cpus", naptimeColumn, "run_for_seconds"}
	axes := axisColumns(table)
	for _, column := range slices.Concat(axes, known, []string{"pg"}) {
		if _, ok := table.Column(column); !ok {
			continue
		}
		values := distinctSorted(table, rows, column)
		if len(values) > 1 && !slices.ContainsFunc(values, func(s string) bool { _, ok := parse(s); return !ok }) {
			return column
		}
	}
	return ""
}

// axisColumns are those of the axes that not every result has: between the verdict and
// the columns that compare rows.
func axisColumns(table *experiment.Table) []string {
	first, ok := table.Column("verdict_replications")
	if !ok {
		return nil
	}
	var out []string
	for _, column := range table.Columns[first+1:] {
		if strings.Contains(column, "_to_first") {
			break
		}
		out = append(out, column)
	}
	return out
}

// spacedByFactors tells whether the values of a column lie by factors rather than by
// steps, all above zero.
func spacedByFactors(table *experiment.Table, rows []int, column string) bool {
	values := distinctSorted(table, rows, column)
	first, _ := parse(values[0])
	last, _ := parse(values[len(values)-1])
	return first > 0 && last/first >= 8
}
