package plots

import "avsim/sim/experiment"

// Throughput draws automatic vacuums per second against the number of tables: a
// line per strategy, a panel per number of workers.
//
// If the table has one number of tables only, the x axis is the first of
// workers, cpus, due_share and autovacuum_naptime_seconds that has more; if it
// has one number of workers only, the panels are of the next column that has
// more. What else differs makes lines of their own.
//
// It takes the columns throughput_per_s, tables, workers and strategy; the
// intervals throughput_per_s_lo and _hi, exhausted and the settings' columns
// where the table has them. If no rate is above zero, the error is
// [ErrNothingToDraw].
func Throughput(table *experiment.Table) (*Figure, error) {
	chart, err := rateChart(table, "throughput", xColumns...)
	if err != nil {
		return nil, err
	}
	return chart.figure(throughputFinding(chart)), nil
}
