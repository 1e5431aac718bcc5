package validate

import (
	"math"

	"avsim/workload/recorded"
)

// Counter is a figure that was recorded beside the throughput.
type Counter struct {
	Name                string // as in tables and JSON, with its unit
	Recorded, Predicted float64
}

// Error is predicted/recorded − 1; NaN where nothing was recorded.
func (c Counter) Error() float64 {
	if c.Recorded == 0 {
		return math.NaN()
	}
	return c.Predicted/c.Recorded - 1
}

// Counters are those figures of a point that were recorded: tables vacuumed for
// the first time, wasted rechecks, file writes, the time of one, and processor
// use.
func (r Result) Counters() (out []Counter) {
	p := r.Predicted
	for _, c := range []struct {
		name      string
		of        func(recorded.Row) float64
		predicted float64
	}{
		{"distinct_tables_per_s", func(r recorded.Row) float64 { return r.Distinct }, p.Distinct.Mean},
		{"rechecks_per_s", func(r recorded.Row) float64 { return r.Rechecks }, p.RechecksPerS},
		{"wasted_rechecks_per_s", func(r recorded.Row) float64 { return r.WastedRechecks }, p.WastedRechecksPerS},
		{"stats_writes_per_s", func(r recorded.Row) float64 { return r.StatsWrites }, p.StatsWritesPerS},
		{"stats_write_ms", func(r recorded.Row) float64 { return r.StatsWriteMillis }, 1e3 * p.StatsWriteSeconds},
		{"workers_cpu_cores", func(r recorded.Row) float64 { return r.WorkersCores }, p.WorkersCPUCores},
		{"collector_cpu_cores", func(r recorded.Row) float64 { return r.CollectorCores }, p.CollectorCPUCores},
	} {
		if mean, _, _ := r.Spread(c.of); !math.IsNaN(mean) {
			out = append(out, Counter{c.name, mean, c.predicted})
		}
	}
	return out
}
