package study

import (
	"math"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
)

// NewTable is an empty result table: a row per point is to come. Columns bear
// their unit; nothing in a row depends on the machine that ran it.
func NewTable() *experiment.Table {
	columns := []string{
		"model_version", "input_hash", "seed", "host", "pg", "strategy",
		"tables", "workers", "cpus", "due_share", "start", "autovacuum_naptime_seconds", "settings", "replications",
		"throughput_per_s", "throughput_per_s_lo", "throughput_per_s_hi",
		"distinct_tables_per_s", "distinct_tables_per_s_lo", "distinct_tables_per_s_hi",
		"exhausted", "window_seconds", "vacuums",
		"rechecks_per_s", "wasted_rechecks_per_s", "skips_per_s", "stats_writes_per_s", "stats_write_seconds",
	}
	for _, share := range scheduler.Shares() {
		columns = append(columns, share.Column)
	}
	return &experiment.Table{Columns: append(columns, "verdict", "verdict_share")}
}

// AppendRow adds a point's result to a table of NewTable.
func (s Study) AppendRow(t *experiment.Table, hash string, p Point, r scheduler.Summary) {
	cfg, _ := s.config(p, 0) // the point was checked before it ran
	row := []string{
		scheduler.ModelVersion, hash, strconv.FormatUint(s.Seed, 10), p.Host.Name, p.PG.String(), p.Strategy.Name,
		strconv.Itoa(p.Tables), strconv.Itoa(p.Workers), strconv.Itoa(p.Host.Cores), number(p.DueShare), string(p.Start),
		number(cfg.Settings.Duration("autovacuum_naptime").Seconds()),
		strings.Join(append(append([]string{}, p.Settings...), p.Choices...), " "),
		strconv.Itoa(r.Replications),
	}
	row = append(row, interval(r.Throughput)...)
	row = append(row, interval(r.Distinct)...)
	row = append(row, string(r.Exhausted), number(r.WindowSeconds), strconv.Itoa(r.Vacuums),
		number(r.RechecksPerS), number(r.WastedRechecksPerS), number(r.SkipsPerS),
		number(r.StatsWritesPerS), number(r.StatsWriteSeconds))
	for _, share := range scheduler.Shares() {
		row = append(row, number(r.TimeShare[share.Column]))
	}
	t.AppendRow(append(row, string(r.Verdict.Constraint), number(r.Verdict.Share))...)
}

// interval is mean, lower and upper end; the ends are empty where one
// replication tells nothing about them. Rates have no negative ends.
func interval(i sim.Interval) []string {
	return []string{number(i.Mean), number(math.Max(i.Lo, 0)), number(i.Hi)}
}

// number has six significant digits; NaN is empty.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
