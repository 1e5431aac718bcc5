package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim"
	"avsim/workload/scenario"
)

func newCompare() *cobra.Command {
	var f pointFlags
	var o outputFlags
	var figure string
	c := &cobra.Command{
		Use:   "compare [OLD NEW]",
		Short: "Strategies side by side at one point, or two result files",
		Long: `compare measures the strategies at one point (tables, workers, processors)
and prints throughput, its ratio to the first strategy, what the workers do
with their time, and the constraint that binds (read off the account of the
workers' time). All strategies see the same tables and random numbers.

With two files, the results of two sweeps (sweep.csv, .jsonl, .json or .parquet),
nothing is measured: compare shows what changed between them, point by point, with the
interval of the ratio of throughputs, or of another figure (--figure), and whether it is
significant (Welch's test at 95 %).
Points are matched by all that they were measured at. What is the same within
each file and differs between them, such as pg, is what the comparison is about.
The files hold no replications, so these count as independent; where both had the
same seed the intervals are wider than they need be.`,
		Example: `  avsim compare --tables 100000 --workers 30
  avsim compare --tables 10000 --workers 10 --strategy claim-release,stale-first --format json
  avsim compare --strategy original --choice writes=per-inquiry --host generic-4core
  avsim compare old/sweep.csv new/sweep.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) == 2 && looksLikeFile(args) {
				return nil
			}
			if len(args) == 1 && looksLikeFile(args) {
				return usagef("compare takes two result files, got one (see 'avsim compare --help')")
			}
			return noArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if len(args) == 0 && figure != "" {
				return usagef("--figure is for two result files")
			}
			if len(args) == 2 {
				return compareFiles(c, &o, figure, args)
			}
			return compare(c, &f, &o)
		},
	}
	f.register(c.Flags(), false)
	c.Flags().StringVar(&figure, "figure", "", "with two files, the column to compare (default throughput_per_s, of a scenario of run lateness_mean_seconds)")
	o.register(c.Flags(), "table", "file to write to instead of standard output")
	return c
}

// looksLikeFile tells the names of files from words that were left over.
func looksLikeFile(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return filepath.Ext(a) == "" && !strings.ContainsRune(a, filepath.Separator) })
}

func compare(c *cobra.Command, f *pointFlags, o *outputFlags) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	st, g, err := f.contest(c.Flags(), func(s *scenario.Scenario) (string, string) { return itoa(s.Compare.Tables), itoa(s.Compare.Workers) })
	if err != nil {
		return err
	}
	if err := onePlace(g); err != nil {
		return err
	}
	var points []study.GridPoint
	survey, err := f.survey(st, g, func(p study.GridPoint, _ time.Duration) error { points = append(points, p); return nil })
	if err != nil {
		return err
	}
	if err := o.tryOut(); err != nil {
		return err
	}
	var results []study.Result
	opts := study.Options{Jobs: o.jobs, Total: survey.Cost, Progress: o.costProgress(c.Context(), c.ErrOrStderr())}
	err = st.Run(c.Context(), slices.Values(points), opts, func(r study.Result) error { results = append(results, r); return nil })
	if err != nil {
		return interrupted(err, len(results), len(points), "nothing was written")
	}
	table := st.Table(survey.Hash, nil, results)
	newWarnings(st.Until, "throughput_per_s").of(table).say(c.ErrOrStderr(), o.quiet, f.set)
	return o.write(c.OutOrStdout(), func(w io.Writer) error {
		switch o.format {
		case "json":
			return compareJSON(w, st, survey.Hash, results)
		case "csv":
			return table.WriteCSV(w)
		}
		return compareTable(w, st, results)
	})
}

// onePlace refuses a list or range but of strategies: that is sweep's.
func onePlace(g *study.Grid) error {
	for _, name := range swept(g) {
		if name != "strategy" {
			return usagef("compare measures at one point, a list or range of %s makes several: use 'avsim sweep'", name)
		}
	}
	return nil
}

func compareTable(w io.Writer, st study.Contest, results []study.Result) error {
	p := results[0].Point
	fmt.Fprintf(w, "%s: %s, %s, %s (%s), %s due, %s start, PostgreSQL %v settings, %s, seed %d\n\n",
		st.Scenario, plural(p.Tables, "table"), plural(p.Workers, "worker"), plural(p.Host.Cores, "cpu"), p.Host.Name,
		percent(p.DueShare), p.Start, p.PG, plural(st.Replications, "replication"), st.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "strategy\tvacuums/s\tfirst-time tables/s\tratio\trechecks/s\twasted/s\tskips/s\tfile writes/s\tverdict\t")
	for _, r := range results {
		s := r.Summary
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s %s\t\n", r.Point.Strategy.Name,
			withDoubt(s.Throughput), withDoubt(s.Distinct), figure(ratio(results[0], r).Mean),
			figure(s.RechecksPerS), figure(s.WastedRechecksPerS), figure(s.SkipsPerS), figure(s.StatsWritesPerS),
			s.Verdict.Constraint, percent(s.Verdict.Share))
	}
	t.Flush()
	fmt.Fprintln(w, "\nshare of the workers' time")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, r := range results {
		fmt.Fprintf(t, "\t%s", r.Point.Strategy.Name)
	}
	fmt.Fprintln(t, "\t")
	for _, share := range scheduler.Shares() {
		if !anyShare(results, share.Column) {
			continue
		}
		fmt.Fprint(t, share.Label)
		for _, r := range results {
			fmt.Fprintf(t, "\t%s", percent(r.Summary.TimeShare[share.Column]))
		}
		fmt.Fprintln(t, "\t")
	}
	return t.Flush()
}

func anyShare(results []study.Result, column string) bool {
	for _, r := range results {
		if r.Summary.TimeShare[column] >= 0.0005 {
			return true
		}
	}
	return false
}

// ratio is the throughput of r to that of the first strategy, from pairs of
// replications that saw the same random numbers.
func ratio(first, r study.Result) sim.Interval {
	return sim.PairedRatio(r.Rates(), first.Rates(), scheduler.Confidence)
}

// The JSON form of compare; docs/output.md describes it.
type (
	comparePoint struct {
		Scenario     string   `json:"scenario"`
		Tables       int      `json:"tables"`
		Workers      int      `json:"workers"`
		CPUs         int      `json:"cpus"`
		Host         string   `json:"host"`
		PG           string   `json:"pg"`
		DueShare     float64  `json:"due_share"`
		Start        string   `json:"start"`
		Settings     []string `json:"settings"`
		Choices      []string `json:"choices"`
		Seed         uint64   `json:"seed"`
		Replications int      `json:"replications"`
		ModelVersion string   `json:"model_version"`
		InputHash    string   `json:"input_hash"`
	}
	compareResult struct {
		Strategy           string             `json:"strategy"`
		Throughput         sim.Interval       `json:"throughput_per_s"`
		Distinct           sim.Interval       `json:"distinct_tables_per_s"`
		Exhausted          string             `json:"exhausted"`
		Ratio              *float64           `json:"ratio_to_first"`
		RatioInterval      sim.Interval       `json:"ratio_to_first_interval"`
		WindowSeconds      float64            `json:"window_seconds"`
		Vacuums            int                `json:"vacuums"`
		RechecksPerS       float64            `json:"rechecks_per_s"`
		WastedRechecksPerS float64            `json:"wasted_rechecks_per_s"`
		SkipsPerS          float64            `json:"skips_per_s"`
		FreshFileShare     float64            `json:"fresh_file_share"`
		StatsWritesPerS    float64            `json:"stats_writes_per_s"`
		StatsWriteSeconds  float64            `json:"stats_write_seconds"`
		WorkersCPUCores    float64            `json:"workers_cpu_cores"`
		CollectorCPUCores  float64            `json:"collector_cpu_cores"`
		TimeShare          map[string]float64 `json:"time_share"`
		Verdict            scheduler.Verdict  `json:"verdict"`
	}
	compareOutput struct {
		Point   comparePoint    `json:"point"`
		Results []compareResult `json:"results"`
	}
)

func compareJSON(w io.Writer, st study.Contest, hash string, results []study.Result) error {
	p := results[0].Point
	out := compareOutput{Point: comparePoint{
		Scenario: st.Scenario, Tables: p.Tables, Workers: p.Workers, CPUs: p.Host.Cores, Host: p.Host.Name,
		PG: p.PG.String(), DueShare: p.DueShare, Start: string(p.Start),
		Settings: slices.Concat([]string{}, st.Settings, p.Settings, p.HostFigures), Choices: append([]string{}, p.Choices...),
		Seed: st.Seed, Replications: st.Replications,
		ModelVersion: scheduler.ModelVersion, InputHash: hash,
	}}
	for _, r := range results {
		s := r.Summary
		to := ratio(results[0], r)
		res := compareResult{
			Strategy: r.Point.Strategy.Name, Throughput: s.Throughput, Distinct: s.Distinct, Exhausted: string(s.Exhausted),
			RatioInterval: to, WindowSeconds: s.WindowSeconds, Vacuums: s.Vacuums,
			RechecksPerS: s.RechecksPerS, WastedRechecksPerS: s.WastedRechecksPerS, SkipsPerS: s.SkipsPerS,
			FreshFileShare: s.FreshFileShare, StatsWritesPerS: s.StatsWritesPerS, StatsWriteSeconds: s.StatsWriteSeconds,
			WorkersCPUCores: s.WorkersCPUCores, CollectorCPUCores: s.CollectorCPUCores,
			TimeShare: s.TimeShare, Verdict: s.Verdict,
		}
		if to.Mean == to.Mean { // not NaN
			res.Ratio = &to.Mean
		}
		out.Results = append(out.Results, res)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
