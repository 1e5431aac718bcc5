package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/sim/experiment"
)

// plotFlags are those of plot.
type plotFlags struct {
	figure, kind             string
	x, y, z, series, panel   string
	log, ratioTo, where, out string
}

func newPlot() *cobra.Command {
	var p plotFlags
	c := &cobra.Command{
		Use:   "plot FILE.csv",
		Short: "A figure from a result file",
		Long: `plot draws a figure from the sweep.csv of a sweep: one of its own figures
(--figure throughput, workers or time), or any column against another, as lines
(--x, --y) or as a heat map (--kind heatmap --x --y --z). The ending of the output
file says the format: .png, .svg or .pdf; the figure's data is written beside it
as CSV.

--ratio-to draws y as a ratio to that of one of the series (for a heat map z, to
that of one of the panels). The intervals are those of pairs of replications where
the file has them: of throughput_per_s, to the first strategy of the sweep.

--where keeps the rows for which a condition on the columns holds: those of which
every field is a number or empty are numbers, the others texts.`,
		Example: `  avsim plot out/sweep.csv --figure throughput -o throughput.svg
  avsim plot out/sweep.csv --x workers --y wasted_rechecks_per_s --series strategy --panel tables --log x,y -o wasted.png
  avsim plot out/sweep.csv --x tables --ratio-to original --panel workers -o ratio.png
  avsim plot out/sweep.csv --kind heatmap --x tables --y workers --panel strategy -o heat.png`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("plot takes one result file, got %d (see 'avsim plot --help')", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			draw, err := p.drawing(c)
			if err != nil {
				return err
			}
			return plot(c, args[0], p.where, draw, p.out)
		},
	}
	f := c.Flags()
	f.StringVar(&p.figure, "figure", "throughput", "throughput, workers or time")
	f.StringVar(&p.kind, "kind", "lines", "with --x, lines or heatmap")
	f.StringVar(&p.x, "x", "", "column along the x axis, instead of --figure")
	f.StringVar(&p.y, "y", "", "column along the y axis (default: throughput_per_s, of a heat map workers)")
	f.StringVar(&p.z, "z", "throughput_per_s", "column that gives a heat map its colours")
	f.StringVar(&p.series, "series", "strategy", "column with a line for each value")
	f.StringVar(&p.panel, "panel", "", "column with a panel for each value (of a heat map, default strategy)")
	f.StringVar(&p.log, "log", "", "logarithmic axes: x, y, x,y, z or none (default x,y, of a heat map z)")
	f.StringVar(&p.ratioTo, "ratio-to", "", "draw the ratio to this value of --series, such as original")
	f.StringVar(&p.where, "where", "", "draw the rows for which this holds, such as 'workers >= 10 and strategy != \"original\"'")
	f.StringVarP(&p.out, "output", "o", "", "file to write (required)")
	return c
}

// drawing is what the flags ask for.
func (p *plotFlags) drawing(c *cobra.Command) (func(*experiment.Table) (*plots.Figure, error), error) {
	if err := oneOf("kind", p.kind, "lines", "heatmap"); err != nil {
		return nil, err
	}
	if p.x == "" {
		return p.ownFigure(c)
	}
	if c.Flags().Changed("figure") {
		return nil, usagef("--figure and --x exclude each other")
	}
	if p.kind == "heatmap" {
		return p.heatMap(c)
	}
	if c.Flags().Changed("z") {
		return nil, usagef("--z is for --kind heatmap")
	}
	p.y, p.log = or(p.y, "throughput_per_s"), or(p.log, "x,y")
	if err := oneOf("log", p.log, "x,y", "y,x", "x", "y", "none"); err != nil {
		return nil, err
	}
	return p.lines, nil
}

// ownFigure is one of a sweep's own figures, which take no columns.
func (p *plotFlags) ownFigure(c *cobra.Command) (func(*experiment.Table) (*plots.Figure, error), error) {
	for _, name := range []string{"kind", "y", "z", "series", "panel", "log", "ratio-to"} {
		if c.Flags().Changed(name) {
			return nil, usagef("--%s needs --x, the column along the x axis", name)
		}
	}
	for _, f := range figureSet {
		if f.file == p.figure {
			return f.draw, nil
		}
	}
	return nil, oneOf("figure", p.figure, "throughput", "workers", "time")
}

func (p *plotFlags) lines(t *experiment.Table) (*plots.Figure, error) {
	spec := plots.Spec{
		X: p.x, Y: p.y, Series: p.series, Panel: p.panel,
		LogX: strings.Contains(p.log, "x"), LogY: strings.Contains(p.log, "y"),
	}
	if err := knownColumns(t, [][2]string{{"x", p.x}, {"y", p.y}, {"series", p.series}, {"panel", p.panel}}); err != nil {
		return nil, err
	}
	if p.ratioTo == "" {
		return plots.Lines(t, spec)
	}
	t, err := p.ratios(t, "series", p.y, p.series)
	if err != nil {
		return nil, err
	}
	spec.Y, spec.YLabel = p.y+"_ratio", p.y+", ratio to "+p.ratioTo
	return plots.Lines(t, spec)
}

func (p *plotFlags) heatMap(c *cobra.Command) (func(*experiment.Table) (*plots.Figure, error), error) {
	if c.Flags().Changed("series") {
		return nil, usagef("--series is for lines: a heat map has panels, --panel")
	}
	p.y, p.panel, p.log = or(p.y, "workers"), or(p.panel, "strategy"), or(p.log, "z")
	if err := oneOf("log", p.log, "z", "none"); err != nil {
		return nil, err
	}
	return p.cells, nil
}

func (p *plotFlags) cells(t *experiment.Table) (*plots.Figure, error) {
	if err := knownColumns(t, [][2]string{{"x", p.x}, {"y", p.y}, {"z", p.z}, {"panel", p.panel}}); err != nil {
		return nil, err
	}
	spec := plots.HeatSpec{X: p.x, Y: p.y, Z: p.z, Panel: p.panel, LogZ: p.log == "z"}
	if p.ratioTo == "" {
		return plots.HeatMap(t, spec)
	}
	t, err := p.ratios(t, "panel", p.z, p.panel)
	if err != nil {
		return nil, err
	}
	spec.Z, spec.Title = p.z+"_ratio", p.z+", ratio to "+p.ratioTo+", by "+p.x+" and "+p.y
	return plots.HeatMap(t, spec)
}

// ratios adds the ratios to the base among the values of a column.
func (p *plotFlags) ratios(t *experiment.Table, flag, y, column string) (*experiment.Table, error) {
	values := t.Distinct(column)
	if !slices.Contains(values, p.ratioTo) {
		return nil, usagef("--ratio-to %s: the file has no such %s%s (--%s has %s)", p.ratioTo, column, nearest(p.ratioTo, values), flag, strings.Join(values, ", "))
	}
	return plots.RatioTo(t, y, column, p.ratioTo)
}

// knownColumns checks the names that were given, by flag, against those of the
// file.
func knownColumns(t *experiment.Table, given [][2]string) error {
	for _, f := range given {
		if _, ok := t.Column(f[1]); !ok && f[1] != "" {
			return usagef("--%s: the file has no column %q%s", f[0], f[1], nearest(f[1], t.Columns))
		}
	}
	return nil
}

func plot(c *cobra.Command, file, where string, draw func(*experiment.Table) (*plots.Figure, error), out string) error {
	if out == "" {
		return usagef("plot needs -o FILE, a name that ends in .png, .svg or .pdf")
	}
	table, err := readTable(file)
	if err != nil {
		return err
	}
	if table, err = rowsWhere(table, where); err != nil {
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
