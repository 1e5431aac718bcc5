package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

func newSweep() *cobra.Command {
	var f pointFlags
	var o outputFlags
	c := &cobra.Command{
		Use:   "sweep",
		Short: "A grid of tables, workers, strategies and settings: CSV and figures",
		Long: `sweep measures every point of a grid. With -o DIR it writes

  sweep.csv        a row per point
  throughput.png   throughput against tables (or the axis that is swept)
  workers.png      throughput against workers
  time.png         what the workers do with their time

and each figure's data beside it (throughput.csv and so on). Without -o the
rows go to standard output. A list or range makes an axis; lists of --set too.
When interrupted, the points that are finished are kept in sweep.csv.`,
		Example: `  avsim sweep -o out
  avsim sweep --tables 1000..100000/log10x3 --workers 1,10 -o out
  avsim sweep --tables 10000 --workers 10 --cpus 1..16 --format csv
  avsim sweep --tables 10000 --set autovacuum_naptime=5s,15s,60s --start natural -o out`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return sweep(c, &f, &o) },
	}
	f.register(c.Flags(), true)
	o.register(c.Flags(), "table", "folder to write sweep.csv and the figures to")
	return c
}

func sweep(c *cobra.Command, f *pointFlags, o *outputFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.out != "" && c.Flags().Changed("format") {
		return usagef("--format is for standard output: -o writes sweep.csv and figures, 'avsim plot' figures in other formats")
	}
	st, points, err := f.grid(c.Flags(),
		func(s *scenario.Scenario) string { return s.Sweep.Tables },
		func(s *scenario.Scenario) string { return s.Sweep.Workers })
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := experiment.CheckDir(o.out); err != nil {
			return err
		}
	}
	hash := st.Hash(points)
	var results []study.Result
	runErr := st.Run(c.Context(), points, study.Options{Jobs: o.jobs, Progress: o.progress(c.Context(), c.ErrOrStderr())},
		func(r study.Result) error {
			r.Runs = nil // the row is all that is needed of them
			results = append(results, r)
			if afterPoints != nil {
				afterPoints(len(results))
			}
			return nil
		})
	table := tableOf(st, hash, results)
	if runErr != nil {
		return keep(o, table, runErr, len(points))
	}
	warn(c.ErrOrStderr(), o.quiet, f.set, results)
	if o.out != "" {
		return writeSweep(c, o, table)
	}
	return printSweep(c.OutOrStdout(), o.format, table)
}

// afterPoints, if a test has set it, sees how many points a sweep has finished.
var afterPoints func(n int)

// keep writes what is finished of a sweep that ended early.
func keep(o *outputFlags, table *experiment.Table, err error, total int) error {
	if o.out == "" || len(table.Rows) == 0 {
		return interrupted(err, len(table.Rows), total, "nothing was written")
	}
	path := filepath.Join(o.out, "sweep.csv")
	if _, serr := os.Stat(path); serr == nil { // a finished result is not given up for a part of another
		path = filepath.Join(o.out, "sweep.partial.csv")
	}
	if werr := experiment.WriteFile(path, table.WriteCSV); werr != nil {
		return errors.Join(werr, err)
	}
	return interrupted(err, len(table.Rows), total, "kept in "+path)
}

// figureSet are the figures of a sweep.
var figureSet = []struct {
	file string
	draw func(*experiment.Table) (*plots.Figure, error)
}{
	{"throughput", plots.Throughput},
	{"workers", plots.Workers},
	{"time", func(t *experiment.Table) (*plots.Figure, error) { return plots.TimeShare(t) }},
}

// writeSweep writes the table, then the figures. A figure that has nothing to
// show is told and left out, and one of that name from an earlier sweep goes.
func writeSweep(c *cobra.Command, o *outputFlags, table *experiment.Table) error {
	path := filepath.Join(o.out, "sweep.csv")
	if err := experiment.WriteFile(path, table.WriteCSV); err != nil {
		return err
	}
	os.Remove(filepath.Join(o.out, "sweep.partial.csv"))
	fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", path, plural(len(table.Rows), "point"))
	for _, f := range figureSet {
		if c.Context().Err() != nil {
			return fmt.Errorf("interrupted while the figures were drawn, %s is whole: %w", path, context.Canceled)
		}
		path := filepath.Join(o.out, f.file+".png")
		figure, err := f.draw(table)
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "avsim: warning: %s was not drawn: %v\n", path, err)
			os.Remove(path)
			os.Remove(filepath.Join(o.out, f.file+".csv"))
			continue
		}
		if err := figure.Save(path); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", path, figure.Title())
	}
	return nil
}

func printSweep(w io.Writer, format string, table *experiment.Table) error {
	switch format {
	case "csv":
		return table.WriteCSV(w)
	case "json":
		return sweepJSON(w, table)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := []string{"tables", "workers", "cpus", "due_share", "settings", "strategy", "throughput_per_s",
		"throughput_per_s_lo", "throughput_per_s_hi", "distinct_tables_per_s", "exhausted", "verdict"}
	for _, name := range columns {
		fmt.Fprintf(t, "%s\t", name)
	}
	fmt.Fprintln(t)
	for i := range table.Rows {
		for _, name := range columns {
			fmt.Fprintf(t, "%s\t", table.Text(i, name))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// sweepJSON writes an object per row, numbers as numbers.
func sweepJSON(w io.Writer, table *experiment.Table) error {
	rows := make([]map[string]any, len(table.Rows))
	for i := range table.Rows {
		rows[i] = map[string]any{}
		for _, name := range table.Columns {
			text := table.Text(i, name)
			if _, err := table.Float(i, name); err == nil && !textColumn[name] {
				rows[i][name] = json.Number(text)
			} else {
				rows[i][name] = text
			}
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}

// textColumn are the columns whose fields may look like numbers and are none.
var textColumn = map[string]bool{"model_version": true, "input_hash": true, "pg": true, "host": true}
