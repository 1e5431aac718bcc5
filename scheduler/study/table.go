package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
	"avsim/workload/yamlfile"
)

// Columns are those of a result table: a row per point is to come. They bear
// their unit; nothing in a row depends on the machine that ran it. Those that
// compare a row with others come last but for those of the axes.
func (s Contest) Columns(axes []Axis) []string {
	columns := []string{
		"model_version", "input_hash", "seed", "host", "pg", "strategy",
		"tables", "workers", "cpus", "due_share", "start", "autovacuum_naptime_seconds", "settings", "replications",
		"throughput_per_s", "throughput_per_s_lo", "throughput_per_s_hi",
		"distinct_tables_per_s", "distinct_tables_per_s_lo", "distinct_tables_per_s_hi",
		"claim_wait_p50_seconds", "claim_wait_p50_seconds_lo", "claim_wait_p50_seconds_hi",
		"claim_wait_p99_seconds", "claim_wait_p99_seconds_lo", "claim_wait_p99_seconds_hi",
		"exhausted", "window_seconds", "vacuums",
		"rechecks_per_s", "wasted_rechecks_per_s", "skips_per_s", "stats_writes_per_s", "stats_write_seconds",
	}
	for _, share := range scheduler.Shares() {
		columns = append(columns, share.Column)
	}
	columns = append(columns, "verdict", "verdict_share")
	for _, a := range axes {
		columns = append(columns, a.Column)
	}
	return append(columns, columnsOf(s.Compared())...)
}

// Compared is the throughput.
func (s Contest) Compared() []Compared {
	return []Compared{{"throughput_per_s", "ratio_to_first", "difference_to_first_per_s"}}
}

// Fields are a row of a result table up to the columns that compare it with
// others, which a Pairing gives.
func (s Contest) Fields(hash string, p Point, r scheduler.Summary, axes []Axis) []string {
	cfg, _ := s.config(p, 0) // the point was checked before it ran
	row := []string{
		scheduler.ModelVersion, hash, strconv.FormatUint(s.Seed, 10), p.Host.Name, p.PG.String(), p.Strategy.Name,
		strconv.Itoa(p.Tables), strconv.Itoa(p.Workers), strconv.Itoa(p.Host.Cores), number(p.DueShare), string(p.Start),
		number(cfg.Settings.Duration("autovacuum_naptime").Seconds()),
		strings.Join(p.Departures(), " "),
		strconv.Itoa(r.Replications),
	}
	row = append(row, interval(r.Throughput, true)...)
	row = append(row, interval(r.Distinct, true)...)
	row = append(row, interval(r.ClaimWaitP50, true)...)
	row = append(row, interval(r.ClaimWaitP99, true)...)
	row = append(row, string(r.Exhausted), number(r.WindowSeconds), strconv.Itoa(r.Vacuums),
		number(r.RechecksPerS), number(r.WastedRechecksPerS), number(r.SkipsPerS),
		number(r.StatsWritesPerS), number(r.StatsWriteSeconds))
	for _, share := range scheduler.Shares() {
		row = append(row, number(r.TimeShare[share.Column]))
	}
	row = append(row, string(r.Verdict.Constraint), number(r.Verdict.Share))
	for _, a := range axes {
		row = append(row, a.of(p, cfg.Settings))
	}
	return row
}

// Departures are what the command line added to the scenario: settings, fields of its
// file, figures of the host, single choices, without blanks within.
func (p Point) Departures() []string {
	out := slices.Concat([]string{}, p.Settings, p.fields(), p.HostFigures, p.Choices)
	if p.Lasting > 0 {
		out = append(out, "run_for="+yamlfile.FormatDuration(p.Lasting))
	}
	if p.Longest != "" {
		out = append(out, p.Longest)
	}
	for i := range out {
		out[i] = strings.Join(strings.Fields(out[i]), "")
	}
	return out
}

// interval is mean, lower and upper end; the ends are empty where one
// replication tells nothing about them. Rates have no negative ends.
func interval(i sim.Interval, rate bool) []string {
	if rate {
		i.Lo = math.Max(i.Lo, 0)
	}
	return []string{number(i.Mean), number(i.Lo), number(i.Hi)}
}

// number has six significant digits; NaN is empty.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// Table is the results as a result table.
func (s Contest) Table(hash string, axes []Axis, results []Result) *experiment.Table {
	t := &experiment.Table{Columns: s.Columns(axes)}
	var pairs Pairing
	for _, r := range results {
		row := s.Fields(hash, r.Point, r.Summary, axes)
		t.AppendRow(append(row, pairs.Fields(r.Group, r.First, []experiment.Samples{r.Rates()})...)...)
	}
	return t
}
