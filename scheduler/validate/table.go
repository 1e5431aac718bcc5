package validate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/recorded"
)

// counterNames are the columns of the counters, recorded and predicted each.
var counterNames = []string{"distinct_tables_per_s", "rechecks_per_s", "wasted_rechecks_per_s", "stats_writes_per_s",
	"stats_write_ms", "workers_cpu_cores", "collector_cpu_cores"}

// Table is the results as a result table, a row per point.
func Table(results []Result, o Options) *experiment.Table {
	t := &experiment.Table{Columns: []string{
		"model_version", "input_hash", "seed", "host", "replications",
		"pg_version", "strategy", "freshness_ms", "tables", "workers", "start", "naptime_seconds", "exhausted",
		"in_summary", "repetitions", "recorded_per_s", "recorded_per_s_lo", "recorded_per_s_hi",
		"predicted_per_s", "predicted_per_s_lo", "predicted_per_s_hi", "error",
	}}
	for _, name := range counterNames {
		t.Columns = append(t.Columns, "recorded_"+name, "predicted_"+name)
	}
	hash := Hash(results, o)
	for _, r := range results {
		t.AppendRow(r.fields(hash, o)...)
	}
	return t
}

func (r Result) fields(hash string, o Options) []string {
	mean, least, greatest := r.Spread(func(row recorded.Row) float64 { return row.Throughput })
	p := r.Predicted.Throughput
	yes := map[bool]string{true: "yes", false: "no"}
	out := []string{
		scheduler.ModelVersion, hash, strconv.FormatUint(o.Seed, 10), o.HostName(), strconv.Itoa(o.Replications),
		r.PGVersion, r.Strategy, freshness(r.Freshness), strconv.Itoa(r.Tables), strconv.Itoa(r.Workers),
		r.Start, number(r.Naptime.Seconds()), r.Exhausted(),
		yes[r.InSummary], strconv.Itoa(len(r.Rows)), number(mean), number(least), number(greatest),
		number(p.Mean), number(math.Max(p.Lo, 0)), number(p.Hi), number(r.Error()),
	}
	counters := map[string]Counter{}
	for _, c := range r.Counters() {
		counters[c.Name] = c
	}
	for _, name := range counterNames {
		c, ok := counters[name]
		if !ok {
			out = append(out, "", "")
			continue
		}
		out = append(out, number(c.Recorded), number(c.Predicted))
	}
	return out
}

// Hash identifies recorded points, host and seed: twelve hexadecimal digits.
func Hash(results []Result, o Options) string {
	h := sha256.New()
	fmt.Fprintf(h, "model %s %s %d %d %s\n", scheduler.ModelVersion, o.Host.Hash(), o.Seed, o.Replications, o.Without)
	for _, r := range results {
		fmt.Fprintf(h, "%+v", r.Key)
		for _, row := range r.Rows {
			fmt.Fprintf(h, " %v %v %v", row.Throughput, row.Window, row.Exhausted)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// HostName is the host, with what was switched off: an ablation is not to be
// taken for the model.
func (o Options) HostName() string {
	if o.Without == 0 {
		return o.Host.Name
	}
	return o.Host.Name + " without " + o.Without.String()
}

// freshness is in milliseconds, empty where the version has none.
func freshness(d time.Duration) string {
	if d == recorded.UnknownFreshness {
		return ""
	}
	return number(float64(d.Microseconds()) / 1e3)
}

func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
