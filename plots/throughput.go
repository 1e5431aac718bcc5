package plots

import "avsim/sim/experiment"

// Throughput draws automatic vacuums per second against the number of tables: a
// line per strategy, a panel per number of workers.
//
// It takes the columns throughput_per_s, tables, workers and strategy; the
// intervals throughput_per_s_lo and _hi and exhausted where the table has them.
func Throughput(table *experiment.Table) (*Figure, error) {
	chart, err := newLineChart(table, Spec{
		Name: "throughput",
		X:    "tables", Y: "throughput_per_s", Series: "strategy", Panel: "workers",
		LogX: true, LogY: true,
		XLabel: "tables in the database", YLabel: "automatic vacuums per second",
		PanelNoun: "worker",
		Title:     "automatic vacuums per second by number of tables",
	})
	if err != nil {
		return nil, err
	}
	return chart.figure(throughputFinding(chart, "table")), nil
}
