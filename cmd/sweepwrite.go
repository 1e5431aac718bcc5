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

// figureSet are the figures of a sweep.
var figureSet = []struct {
	file string
	draw func(*experiment.Table) (*plots.Figure, error)
}{
	{"throughput", plots.Throughput},
	{"workers", plots.Workers},
	{"time", func(t *experiment.Table) (*plots.Figure, error) { return plots.TimeShare(t) }},
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
		for r, err := range paired(records()) {
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

// writeFormats writes the result in the formats that were asked for beside CSV.
func writeFormats(c *cobra.Command, o *outputFlags, columns []string, records func() iter.Seq2[experiment.Record, error]) error {
	for _, f := range rowFormats {
		if f.name == "csv" || f.ending == "" || !slices.Contains(o.formats, f.name) {
			continue
		}
		path := filepath.Join(o.out, "sweep."+f.ending)
		if err := experiment.WriteFile(path, func(out io.Writer) error { return writeRows(out, f.name, columns, paired(records())) }); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: the same\n", path)
	}
	return nil
}

// drawFigures draws the figures of a sweep. One that has nothing to show is told
// and left out, and one of that name from an earlier sweep goes.
func drawFigures(c *cobra.Command, o *outputFlags, table *experiment.Table, from string) error {
	for _, f := range figureSet {
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
