package plots

import (
	"avsim/sim/experiment"
)

// A Spec says what a line figure shows. X, Y, Series and Panel name columns of
// the table.
type Spec struct {
	X, Y   string
	Series string // a line per value; none: one line
	Panel  string // a panel per value, all with the same axes; none: one panel

	LogX, LogY bool

	XLabel, YLabel string // the axes' titles; default: the columns' names
	PanelNoun      string // "worker": panels read "30 workers"; default: as the sweep's columns are told, or the column's name and value
	MaxPanels      int    // further ones are left out, evenly; default: 6

	Name  string // the figure's name in its data; default: "lines"
	Title string // default: Y against X
}

// Intervals of Y are in the columns named as it is with these endings, where the
// table has them.
const (
	lowerEnding = "_lo"
	upperEnding = "_hi"
)

// exhaustedColumn holds "no" where a run never ran out of tables; other points
// are drawn hollow.
const exhaustedColumn = "exhausted"

// Lines draws one column against another: a line per series, with its interval
// as a band, in panels that share their axes.
//
// Rows that agree in X, Series and Panel but come from different settings, as a
// sweep over more axes has them, become lines of their own, labelled with the
// setting. A logarithmic y axis has a place for zeros, below a break. Rows without
// a usable number (none at all, NaN, infinite, below zero on a logarithmic axis,
// or zero on a logarithmic x axis) are left out and counted in the footer. A table
// without any other row, or with nothing but zeros for a logarithmic y axis, is
// an error, [ErrNothingToDraw]; so is, another one, a column that it lacks.
func Lines(table *experiment.Table, spec Spec) (*Figure, error) {
	chart, err := newLineChart(table, spec)
	if err != nil {
		return nil, err
	}
	return chart.figure(chart.spec.Title), nil
}

// withDefaults fills in what the caller left open.
func (s Spec) withDefaults() Spec {
	fill := func(field *string, text string) {
		if *field == "" {
			*field = text
		}
	}
	fill(&s.XLabel, s.X)
	fill(&s.YLabel, s.Y)
	fill(&s.Name, "lines")
	fill(&s.Title, s.YLabel+" by "+s.XLabel)
	if s.MaxPanels <= 0 {
		s.MaxPanels = 6
	}
	return s
}
