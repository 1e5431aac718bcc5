package cmd

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/sim/experiment"
)

// sweepFigure is a figure, and the name of its file.
type sweepFigure struct {
	file string
	draw func(*experiment.Table) (*plots.Figure, error)
}

// figureSet are the figures of a sweep.
var figureSet = []sweepFigure{
	{"throughput", plots.Throughput},
	{"workers", plots.Workers},
	{"time", func(t *experiment.Table) (*plots.Figure, error) { return plots.TimeShare(t) }},
}

// runSweepSet are the figures of a sweep over a scenario of run.
var runSweepSet = []sweepFigure{
	{"lateness", runSweepFigure("lateness")},
	{"dead", runSweepFigure("dead")},
	{"busy", runSweepFigure("busy")},
	{"time", func(t *experiment.Table) (*plots.Figure, error) { return plots.TimeShare(t) }},
}

func runSweepFigure(name string) func(*experiment.Table) (*plots.Figure, error) {
	return func(t *experiment.Table) (*plots.Figure, error) { return plots.RunSweep(t, name) }
}

// ofRuns tells a result of a scenario of run by its columns.
func ofRuns(columns []string) bool { return slices.Contains(columns, "lateness_mean_seconds") }

// figuresFor are the figures of a result.
func figuresFor(t *experiment.Table) []sweepFigure {
	if ofRuns(t.Columns) {
		return runSweepSet
	}
	return figureSet
}

// mostDrawn is how many points the figures of a sweep are drawn of: no one can
// read those of more, and they would have to be held in memory.
const mostDrawn = 10_000

// writeSweep writes the tables of a whole sweep, then the figures. records goes
// through its points in order, each time it is called.
func writeSweep(c *cobra.Command, o *outputFlags, columns []string, records func() iter.Seq2[experiment.Record, error], w *warnings) error {
	path := filepath.Join(o.out, "sweep.csv")
	drawn := &experiment.Table{Columns: columns}
	watched := func(yield func(experiment.Record, error) bool) {
		for r, err := range paired(until(c.Context(), records())) {
			if err == nil {
				w.see(columns, r.Row)
				if w.points <= mostDrawn {
					drawn.AppendRow(r.Row...)
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
	if err := experiment.WriteFile(path, func(out io.Writer) error { return writeRows(out, "csv", columns, watched) }); err != nil {
		return err
	}
	os.Remove(filepath.Join(o.out, "sweep.partial.csv"))
	fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", path, plural(w.points, "point"))
	if err := writeFormats(c, o, columns, records); err != nil {
		return err
	}
	if w.points > mostDrawn {
		o.note(c.ErrOrStderr(), "no figure was drawn of more than %s: 'avsim plot --where' draws parts of %s", plural(mostDrawn, "point"), path)
		return nil
	}
	return drawFigures(c, o, drawn, path)
}

// until goes through records until the context ends it.
func until(ctx context.Context, records iter.Seq2[experiment.Record, error]) iter.Seq2[experiment.Record, error] {
	return func(yield func(experiment.Record, error) bool) {
		for r, err := range records {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// writeFormats writes the result in the formats that were asked for beside CSV.
func writeFormats(c *cobra.Command, o *outputFlags, columns []string, records func() iter.Seq2[experiment.Record, error]) error {
	for _, f := range rowFormats {
		if f.name == "csv" || f.ending == "" || !slices.Contains(o.formats, f.name) {
			continue
		}
		path := filepath.Join(o.out, "sweep."+f.ending)
		if err := experiment.WriteFile(path, func(out io.Writer) error {
			return writeRows(out, f.name, columns, paired(until(c.Context(), records())))
		}); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: the same\n", path)
	}
	return nil
}

// drawFigures draws the figures of a sweep. One that has nothing to show is told
// and left out, and one of that name from an earlier sweep goes.
func drawFigures(c *cobra.Command, o *outputFlags, table *experiment.Table, from string) error {
	for _, f := range figuresFor(table) {
		if c.Context().Err() != nil {
			return fmt.Errorf("interrupted while the figures were drawn, %s is whole: %w", from, context.Canceled)
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
