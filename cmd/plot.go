package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/sim/experiment"
	"avsim/workload/guc"
)

func newPlot() *cobra.Command {
	var spec plots.Spec
	var figureName, log, out string
	c := &cobra.Command{
		Use:   "plot FILE.csv",
		Short: "A figure from a result file",
		Long: `plot draws a figure from the sweep.csv of a sweep: one of its own figures
(--figure throughput, workers or time), or any column against another. The
ending of the output file says the format: .png, .svg or .pdf; the figure's
data is written beside it as CSV.`,
		Example: `  avsim plot out/sweep.csv --figure throughput -o throughput.svg
  avsim plot out/sweep.csv --x workers --y wasted_rechecks_per_s --series strategy --panel tables --log x,y -o wasted.png`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("plot takes one result file, got %d (see 'avsim plot --help')", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			draw, err := plotKind(c, figureName, log, spec)
			if err != nil {
				return err
			}
			return plot(c, args[0], draw, out)
		},
	}
	f := c.Flags()
	f.StringVar(&figureName, "figure", "throughput", "throughput, workers or time")
	f.StringVar(&spec.X, "x", "", "column along the x axis, instead of --figure")
	f.StringVar(&spec.Y, "y", "throughput_per_s", "column along the y axis")
	f.StringVar(&spec.Series, "series", "strategy", "column with a line for each value")
	f.StringVar(&spec.Panel, "panel", "", "column with a panel for each value")
	f.StringVar(&log, "log", "x,y", "logarithmic axes: x, y, x,y or none")
	f.StringVarP(&out, "output", "o", "", "file to write (required)")
	return c
}

func plotKind(c *cobra.Command, name, log string, spec plots.Spec) (func(*experiment.Table) (*plots.Figure, error), error) {
	if spec.X == "" {
		for _, f := range figureSet {
			if f.file == name {
				return f.draw, nil
			}
		}
		return nil, oneOf("figure", name, "throughput", "workers", "time")
	}
	if c.Flags().Changed("figure") {
		return nil, usagef("--figure and --x exclude each other")
	}
	if err := oneOf("log", log, "x,y", "y,x", "x", "y", "none"); err != nil {
		return nil, err
	}
	spec.LogX = slices.Contains([]string{"x,y", "y,x", "x"}, log)
	spec.LogY = slices.Contains([]string{"x,y", "y,x", "y"}, log)
	return func(t *experiment.Table) (*plots.Figure, error) {
		if err := knownColumns(t, spec); err != nil {
			return nil, err
		}
		return plots.Lines(t, spec)
	}, nil
}

// knownColumns checks the names that were given against those of the file.
func knownColumns(t *experiment.Table, spec plots.Spec) error {
	for _, f := range [][2]string{{"x", spec.X}, {"y", spec.Y}, {"series", spec.Series}, {"panel", spec.Panel}} {
		if _, ok := t.Column(f[1]); !ok && f[1] != "" {
			hint := ""
			if near := guc.Nearest(f[1], t.Columns); near != "" {
				hint = fmt.Sprintf(", did you mean %s?", near)
			}
			return usagef("--%s: the file has no column %q%s", f[0], f[1], hint)
		}
	}
	return nil
}

func plot(c *cobra.Command, file string, draw func(*experiment.Table) (*plots.Figure, error), out string) error {
	if out == "" {
		return usagef("plot needs -o FILE, a name that ends in .png, .svg or .pdf")
	}
	table, err := readTable(file)
	if err != nil {
		return err
	}
	figure, err := draw(table)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return err
	case err != nil:
		return inputError{fmt.Errorf("%s: %w", file, err)}
	}
	if ext := filepath.Ext(out); !slices.Contains([]string{".png", ".svg", ".pdf"}, ext) {
		return usagef("-o %s: the ending %q is no format: accepted are .png, .svg and .pdf", out, ext)
	}
	if err := figure.Save(out); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", out, figure.Title())
	return nil
}

// readTable reads a result file.
func readTable(name string) (*experiment.Table, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, inputError{err}
	}
	table, err := experiment.ReadCSV(bytes.NewReader(data), name)
	if err != nil {
		return nil, inputError{err}
	}
	if _, ok := table.Column("figure"); ok {
		return nil, inputError{fmt.Errorf("%s: is the data of a figure: accepted is a sweep.csv", name)}
	}
	return table, nil
}
