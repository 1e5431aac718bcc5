package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
)

// Columns are those of a result table: a row per point is to come. They bear
// their unit; nothing in a row depends on the machine that ran it. Those that
// compare a row with others come last but for those of the axes.
func Columns(axes []Axis) []string {
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
	columns = append(columns, "verdict", "verdict_share")
	for _, a := range axes {
		columns = append(columns, a.Column)
	}
	return append(columns, pairedColumns...)
}

// pairedColumns compare a row with that of its group's first point.
var pairedColumns = []string{
	"ratio_to_first", "ratio_to_first_lo", "ratio_to_first_hi",
	"difference_to_first_per_s", "difference_to_first_per_s_lo", "difference_to_first_per_s_hi",
}

// Fields are a row of a result table up to the columns that compare it with
// others, which a Pairing gives.
func (s Study) Fields(hash string, p Point, r scheduler.Summary, axes []Axis) []string {
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

// Departures are what the command line added to the scenario: settings, figures
// of the host, single choices.
func (p Point) Departures() []string {
	out := slices.Concat([]string{}, p.Settings, p.HostFigures, p.Choices)
	if p.Longest != "" {
		out = append(out, p.Longest)
	}
	return out
}

// Pairing compares the points of a group, which saw the same random numbers,
// with the first of them.
type Pairing struct {
	group int
	first []float64
}

// Fields are those of the last columns, from the rates of a point's replications.
// Points come in the order of the grid. They are empty where the group has no
// first point. Replications that only one of the two has are left out.
func (c *Pairing) Fields(group int, first bool, rates []float64) []string {
	if first {
		c.group, c.first = group, rates
	}
	if c.first == nil || c.group != group {
		return make([]string, len(pairedColumns))
	}
	n := min(len(rates), len(c.first))
	a, b := rates[:n], c.first[:n]
	differences := make([]float64, n)
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	ratio := sim.PairedRatio(a, b, scheduler.Confidence)
	return append(interval(ratio, true), interval(sim.StudentInterval(differences, scheduler.Confidence), false)...)
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
func (s Study) Table(hash string, axes []Axis, results []Result) *experiment.Table {
	t := &experiment.Table{Columns: Columns(axes)}
	var pairs Pairing
	for _, r := range results {
		row := s.Fields(hash, r.Point, r.Summary, axes)
		t.AppendRow(append(row, pairs.Fields(r.Group, r.First, r.Rates())...)...)
	}
	return t
}
