package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/scheduler/validate"
	"avsim/sim/experiment"
	"avsim/workload/host"
	"avsim/workload/recorded"
)

type validateFlags struct {
	twin         string
	windows      []string
	data         string
	host         string
	without      []string
	seed         uint64
	replications int
	out          outputFlags
}

func newValidate() *cobra.Command {
	var f validateFlags
	c := &cobra.Command{
		Use:   "validate",
		Short: "The model against recorded runs of real PostgreSQL",
		Long: `validate simulates recorded points as the recordings were made (same window,
ramp-up, naptime, start) and prints, point by point, recorded, predicted and
error: of the throughput, and where they were recorded of tables vacuumed for
the first time, rechecks, collector writes and processor use; then a summary.

Errors in the summary are |ln(predicted/recorded)| turned back into a share.
Rows that agree in all keys are repetitions: compared with their mean, shown
with their spread. With -o DIR the table and two figures are written.`,
		Example: `  avsim validate
  avsim validate --data recordings/ --host my.yaml -o out
  avsim validate --without fair-queues --format json
  avsim validate --twin recordings/r1 --format json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case f.twin != "":
				return validateTwin(c, &f)
			case len(f.windows) > 0:
				return usagef("--window goes with --twin only")
			}
			return validateRun(c, &f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.data, "data", "", "folder with throughput.csv files (default: the recordings that are embedded)")
	fs.StringVar(&f.host, "host", "epyc-2core", "host profile of the machine that was recorded")
	fs.StringVar(&f.twin, "twin", "", "folder of one recorded run: settings, tables, workload, events, workers")
	fs.StringSliceVar(&f.windows, "window", nil, "with --twin: a part of the run to compare apart, such as 15s-185s (repeatable)")
	fs.StringSliceVar(&f.without, "without", nil, "switch mechanisms of the model off ("+strings.Join(mechanismNames(), ", ")+")")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of all random numbers")
	fs.IntVar(&f.replications, "replications", 5, "independent runs per point")
	f.out.register(fs, "table", "folder to write points.csv and the figures to")
	return c
}

func mechanismNames() (names []string) {
	for _, m := range scheduler.AllMechanisms() {
		names = append(names, m.String())
	}
	return names
}

func validateRun(c *cobra.Command, f *validateFlags) error {
	o, err := f.options(c.Context(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.out.out != "" && c.Flags().Changed("format") {
		return usagef("--format is for standard output: -o writes points.csv and figures")
	}
	warn := func(warnings []string) {
		for _, w := range warnings {
			if !f.out.quiet {
				fmt.Fprintln(c.ErrOrStderr(), "avsim: warning: "+w)
			}
		}
	}
	points, warnings, err := f.points()
	warn(warnings)
	if err != nil {
		return inputError{err}
	}
	if f.out.out != "" {
		if err := experiment.CheckDir(f.out.out); err != nil {
			return err
		}
	}
	results, warnings, err := validate.Run(c.Context(), points, o)
	warn(warnings)
	switch {
	case err != nil && len(results) == 0 && c.Context().Err() == nil:
		return inputError{err}
	case err != nil:
		return interrupted(err, len(results), len(points), "nothing was written")
	}
	if f.out.out != "" {
		return writeValidation(c.OutOrStdout(), f.out.out, results, o)
	}
	return printValidation(c.OutOrStdout(), f.out.format, results, o)
}

func (f *validateFlags) options(ctx context.Context, stderr io.Writer) (validate.Options, error) {
	o := validate.Options{Seed: f.seed, Replications: f.replications, Jobs: f.out.jobs, Progress: f.out.progress(ctx, stderr)}
	if err := f.out.check(); err != nil {
		return o, err
	}
	if f.replications < 1 || f.replications > 10_000 {
		return o, usagef("--replications %d: accepted is 1 to 10000", f.replications)
	}
	for _, name := range f.without {
		m, err := scheduler.ParseMechanism(name)
		if err != nil {
			return o, usagef("--without: %v", err)
		}
		o.Without |= m
	}
	h, err := host.Load(f.host)
	if err != nil {
		return o, inputError{err}
	}
	o.Host = h
	return o, nil
}

func (f *validateFlags) points() (points []recorded.Point, warnings []string, err error) {
	var rows []recorded.Row
	if f.data == "" {
		rows, err = recorded.Embedded()
	} else {
		rows, warnings, err = recorded.ReadDir(f.data)
	}
	return recorded.Points(rows), warnings, err
}

func printValidation(w io.Writer, format string, results []validate.Result, o validate.Options) error {
	switch format {
	case "csv":
		return validate.Table(results, o).WriteCSV(w)
	case "json":
		return validationJSON(w, results, o)
	}
	return validationTable(w, results)
}

func validationTable(w io.Writer, results []validate.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "pg\tstrategy\tfreshness\ttables\tworkers\tstart\trecorded/s\tpredicted/s\terror\tfirst-time\twasted\twrites\tms a write\tcpu\t")
	for _, r := range results {
		mean, least, greatest := r.Spread(func(row recorded.Row) float64 { return row.Throughput })
		rec := figure(mean)
		if len(r.Rows) > 1 {
			rec = fmt.Sprintf("%s (%s-%s)", rec, figure(least), figure(greatest))
		}
		mark := ""
		if !r.InSummary {
			mark = " *"
		}
		counters := map[string]string{}
		for _, c := range r.Counters() {
			counters[c.Name] = signed(c.Error())
		}
		cell := func(name string) string { return or(counters[name], "") }
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s%s\t%s\t%s\t%s\t%s\t%s\t\n",
			r.PGVersion, r.Strategy, freshnessText(r.Freshness), thousands(r.Tables), r.Workers, r.Start, rec, figure(r.Predicted.Throughput.Mean),
			signed(r.Error()), mark, cell("distinct_tables_per_s"), cell("wasted_rechecks_per_s"), cell("stats_writes_per_s"),
			cell("stats_write_ms"), cell("workers_cpu_cores"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", summaryLine(validate.Summarize(results)))
	return err
}

func summaryLine(s validate.Summary) string {
	line := fmt.Sprintf("%s that count%s: median |error| %s, 90th percentile %s, within 1.25 times %s, within 1.5 times %s; "+
		"strategies in the right order in %.0f %% of %d pairs.\n* not counted: ran out of tables during the ramp, or leapfrog over 1,000 tables and fewer.",
		plural(s.Points, "point"), singular(s.Points), percent(s.MedianAbsError), percent(s.P90AbsError), percent(s.Within125), percent(s.Within150),
		100*s.RankAgreement, s.RankPairs)
	for _, d := range s.Disorder {
		line += "\nin the wrong order: " + d
	}
	return line
}

// freshnessText is what a worker demands of the file, - where there is none.
func freshnessText(d time.Duration) string {
	if d == recorded.UnknownFreshness {
		return "-"
	}
	return d.String()
}

// singular is the ending of a verb after one.
func singular(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}

// signed writes an error as +12 %.
func signed(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return fmt.Sprintf("%+.0f %%", 100*x)
}

// The JSON form of validate; docs/output.md describes it.
type (
	validationPoint struct {
		PGVersion      string                       `json:"pg_version"`
		Strategy       string                       `json:"strategy"`
		FreshnessMS    *float64                     `json:"freshness_ms"`
		Tables         int                          `json:"tables"`
		Workers        int                          `json:"workers"`
		Start          string                       `json:"start"`
		NaptimeSeconds float64                      `json:"naptime_seconds"`
		Exhausted      string                       `json:"exhausted"`
		InSummary      bool                         `json:"in_summary"`
		Repetitions    int                          `json:"repetitions"`
		Recorded       float64                      `json:"recorded"`
		RecordedLo     float64                      `json:"recorded_lo"`
		RecordedHi     float64                      `json:"recorded_hi"`
		Predicted      float64                      `json:"predicted"`
		Error          float64                      `json:"error"`
		Counters       map[string]validationCounter `json:"counters"`
	}
	validationCounter struct {
		Recorded  float64  `json:"recorded"`
		Predicted float64  `json:"predicted"`
		Error     *float64 `json:"error"`
	}
)

func validationJSON(w io.Writer, results []validate.Result, o validate.Options) error {
	out := struct {
		ModelVersion string            `json:"model_version"`
		InputHash    string            `json:"input_hash"`
		Host         string            `json:"host"`
		Seed         uint64            `json:"seed"`
		Replications int               `json:"replications"`
		Points       []validationPoint `json:"points"`
		Summary      validate.Summary  `json:"summary"`
	}{scheduler.ModelVersion, validate.Hash(results, o), o.HostName(), o.Seed, o.Replications, nil, validate.Summarize(results)}
	for _, r := range results {
		mean, least, greatest := r.Spread(func(row recorded.Row) float64 { return row.Throughput })
		p := validationPoint{
			PGVersion: r.PGVersion, Strategy: r.Strategy,
			Tables: r.Tables, Workers: r.Workers, Start: r.Start, NaptimeSeconds: r.Naptime.Seconds(), Exhausted: r.Exhausted(),
			InSummary: r.InSummary, Repetitions: len(r.Rows), Recorded: mean, RecordedLo: least, RecordedHi: greatest,
			Predicted: r.Predicted.Throughput.Mean, Error: r.Error(), Counters: map[string]validationCounter{},
		}
		if r.Freshness != recorded.UnknownFreshness {
			ms := float64(r.Freshness.Microseconds()) / 1e3
			p.FreshnessMS = &ms
		}
		for _, c := range r.Counters() {
			v := validationCounter{Recorded: c.Recorded, Predicted: c.Predicted}
			if e := c.Error(); !math.IsNaN(e) {
				v.Error = &e
			}
			p.Counters[c.Name] = v
		}
		out.Points = append(out.Points, p)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func writeValidation(stdout io.Writer, dir string, results []validate.Result, o validate.Options) error {
	table := validate.Table(results, o)
	path := filepath.Join(dir, "points.csv")
	if err := experiment.WriteFile(path, table.WriteCSV); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s\n", path, plural(len(table.Rows), "point"))
	for _, f := range []struct {
		name string
		draw func(*experiment.Table) (*plots.Figure, error)
	}{{"validation", plots.Validation}, {"residuals", plots.Residuals}} {
		figure, err := f.draw(table)
		if err != nil {
			return fmt.Errorf("%s.png: %w", f.name, err)
		}
		path := filepath.Join(dir, f.name+".png")
		if err := figure.Save(path); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %s\n", path, figure.Title())
	}
	fmt.Fprintln(stdout, summaryLine(validate.Summarize(results)))
	return nil
}
