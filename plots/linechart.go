package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"avsim/sim/experiment"
)

// A lineChart is a table read as panels of lines.
type lineChart struct {
	spec     Spec
	table    *experiment.Table
	variants variants // tell lines apart beyond spec.Series
	panels   []*linePanel

	unusable   int // rows without a number to draw
	repeated   int // rows that repeat another's point
	allPanels  int // with those left out
	allSeries  int
	seriesKept int
}

// A linePanel is one set of axes.
type linePanel struct {
	value  string // in the panel column
	series []*series
}

// A series is a line: points in ascending x.
type series struct {
	name    string // in the series column
	variant string // the setting it is drawn for, if there are several
	style   lineStyle
	points  []point
}

func (s *series) last() point   { return s.points[len(s.points)-1] }
func (s *series) label() string { return label(s.name, s.variant) }

// A point is a row's place. Its interval is lo to hi, NaN where there is none.
type point struct {
	row            int
	x, y, lo, hi   float64
	hollow, ramped bool
}

func (p point) hasInterval() bool { return p.lo <= p.y && p.y <= p.hi && p.lo < p.hi }

// How many lines a panel can hold: variants of the same lines can be left out
// until it is easily read.
const (
	readableSeries = 12
	maxSeries      = 40
)

// newLineChart reads what spec says from table.
func newLineChart(table *experiment.Table, spec Spec) (*lineChart, error) {
	spec = spec.withDefaults()
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("plots: %s: the table has no rows", spec.Name)
	}
	if spec.X == "" || spec.Y == "" {
		return nil, fmt.Errorf("plots: %s: a figure needs a column for x and one for y", spec.Name)
	}
	if err := requireColumns(table, spec.X, spec.Y, spec.Series, spec.Panel); err != nil {
		return nil, err
	}
	table = withoutDrawn(table, spec.X, spec.Series, spec.Panel)
	c := &lineChart{spec: spec, table: table}
	c.variants = newVariants(table, spec.Series, spec.Panel, spec.X)
	rows := c.usableRows()
	if len(rows) == 0 {
		return nil, fmt.Errorf("plots: %s: %w: none of %s has a usable number in both %q and %q",
			spec.Name, ErrNothingToDraw, counted(fmt.Sprint(len(table.Rows)), "row"), spec.X, spec.Y)
	}
	if spec.LogY && !slices.ContainsFunc(rows, func(row int) bool { return value(table, row, spec.Y) > 0 }) {
		return nil, fmt.Errorf("plots: %s: %w: no row has a number above zero in %q",
			spec.Name, ErrNothingToDraw, spec.Y)
	}
	c.build(rows)
	return c, nil
}

// usableRows returns the rows with numbers that the axes can show. A logarithmic
// y axis has a place for zero.
func (c *lineChart) usableRows() []int {
	var rows []int
	for row := range c.table.Rows {
		x, y := value(c.table, row, c.spec.X), value(c.table, row, c.spec.Y)
		usableX := !math.IsNaN(x) && (!c.spec.LogX || x > 0)
		usableY := !math.IsNaN(y) && (!c.spec.LogY || y >= 0)
		if usableX && usableY {
			rows = append(rows, row)
		} else {
			c.unusable++
		}
	}
	return rows
}

// build sorts the rows into panels and lines.
func (c *lineChart) build(rows []int) {
	values := distinctSorted(c.table, rows, c.spec.Panel)
	c.allPanels = len(values)
	values = choose(c.spec.Panel, values, c.spec.MaxPanels)

	c.allSeries = len(c.seriesKeys(rows))
	rows = c.variants.thin(c.table, rows, readableSeries)
	keys := c.seriesKeys(rows)
	keys = keys[:min(len(keys), maxSeries)]
	c.seriesKept = len(keys)

	for _, v := range values {
		c.panels = append(c.panels, c.buildPanel(v, keys, rows))
	}
}

// seriesKeys returns the lines of all panels, without points, a style each.
func (c *lineChart) seriesKeys(rows []int) []series {
	var keys []series
	for _, row := range rows {
		key := c.seriesOf(row)
		if !slices.ContainsFunc(keys, key.same) {
			keys = append(keys, key)
		}
	}
	stylist := newStylist(c.spec.Series == "strategy")
	for i := range keys {
		keys[i].style = stylist.style(keys[i].name, keys[i].variant)
	}
	return keys
}

func (c *lineChart) seriesOf(row int) series {
	name := cell(c.table, row, c.spec.Series)
	if _, known := axisOf(c.spec.Series); known {
		name = valueText(c.spec.Series, name)
	}
	return series{name: name, variant: c.variants.label(c.table, row)}
}

func (s series) same(other series) bool { return s.name == other.name && s.variant == other.variant }

func (c *lineChart) buildPanel(value string, keys []series, rows []int) *linePanel {
	panel := &linePanel{value: value}
	for _, key := range keys {
		line := key
		for _, row := range rows {
			if cell(c.table, row, c.spec.Panel) == value && c.seriesOf(row).same(key) {
				line.points = append(line.points, c.pointOf(row))
			}
		}
		if len(line.points) == 0 {
			continue
		}
		slices.SortStableFunc(line.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
		n := len(line.points)
		line.points = slices.CompactFunc(line.points, func(a, b point) bool { return a.x == b.x })
		c.repeated += n - len(line.points)
		panel.series = append(panel.series, &line)
	}
	return panel
}

func (c *lineChart) pointOf(row int) point {
	exhausted := cell(c.table, row, exhaustedColumn)
	return point{
		row:    row,
		x:      value(c.table, row, c.spec.X),
		y:      value(c.table, row, c.spec.Y),
		lo:     value(c.table, row, c.spec.Y+lowerEnding),
		hi:     value(c.table, row, c.spec.Y+upperEnding),
		hollow: exhausted != "" && exhausted != "no",
		ramped: exhausted == "ramp",
	}
}

// points returns all points of all panels.
func (c *lineChart) points() []point {
	var points []point
	for _, panel := range c.panels {
		for _, line := range panel.series {
			points = append(points, line.points...)
		}
	}
	return points
}

// rows returns the rows of all points.
func (c *lineChart) rows() []int {
	var rows []int
	for _, p := range c.points() {
		rows = append(rows, p.row)
	}
	return rows
}

// figure makes the chart a figure with the given title.
func (c *lineChart) figure(title string) *Figure {
	drawn := append([]string{c.spec.X, c.spec.Series, c.spec.Panel}, c.variants.columns...)
	return &Figure{
		page: page{
			title:      title,
			subtitle:   settingSubtitle(c.table, c.rows(), drawn...),
			key:        strategyKey(c.strategies()),
			footer:     c.footer(),
			bodyHeight: c.bodyHeight(pageWidth - 2*pageMargin),
			body:       c.draw,
			heightAt:   c.bodyHeight,
			words:      c.words,
		},
		data: c.data(),
	}
}

// strategies returns the strategies that are drawn.
func (c *lineChart) strategies() []string {
	var strategies []string
	for _, row := range c.rows() {
		strategies = append(strategies, cell(c.table, row, "strategy"))
	}
	return distinct(strategies)
}

// showsZeros reports whether zeros stand on a logarithmic y axis.
func (c *lineChart) showsZeros() bool {
	return c.spec.LogY && slices.ContainsFunc(c.points(), func(p point) bool { return p.y == 0 })
}

// footer explains the marks, counts what was left out and says where it all comes from.
func (c *lineChart) footer() []string {
	var notes []string
	points := c.points()
	if slices.ContainsFunc(points, func(p point) bool { return p.hollow }) {
		notes = append(notes, "Hollow marks: the run ran out of tables before its window ended.")
	}
	if c.showsZeros() {
		notes = append(notes, "Zeros: at 0, below the break of the logarithmic axis.")
	}
	if c.allPanels > len(c.panels) {
		notes = append(notes, fmt.Sprintf("Shown: %d of %d %s.", len(c.panels), c.allPanels, c.panelsNoun()))
	}
	if c.allSeries > c.seriesKept {
		notes = append(notes, fmt.Sprintf("Shown: %d of %d lines.", c.seriesKept, c.allSeries))
	}
	if c.unusable > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s without a number that the axes can show.", counted(fmt.Sprint(c.unusable), "row")))
	}
	if c.repeated > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s for a point that is already drawn.", counted(fmt.Sprint(c.repeated), "row")))
	}
	intervals := ""
	if slices.ContainsFunc(points, point.hasInterval) {
		intervals = "bands"
	}
	return append(notes, provenance(c.table, c.rows(), intervals))
}

// panelName names a panel: "30 workers".
func (c *lineChart) panelName(panel *linePanel) string {
	if c.spec.PanelNoun != "" {
		return counted(panel.value, c.spec.PanelNoun)
	}
	return valueText(c.spec.Panel, panel.value)
}

func (c *lineChart) panelsNoun() string {
	if c.spec.PanelNoun != "" {
		return c.spec.PanelNoun + " counts"
	}
	return valuesNoun(c.spec.Panel)
}

// data returns the table of what is drawn.
func (c *lineChart) data() *experiment.Table {
	columns := slices.Concat(
		[]string{c.spec.Panel, c.spec.Series}, c.variants.columns,
		[]string{c.spec.X, c.spec.Y, c.spec.Y + lowerEnding, c.spec.Y + upperEnding, exhaustedColumn},
		provenanceColumns)
	return copyRows(c.spec.Name, c.table, c.rows(), columns)
}

// copyRows returns the given rows and those of the columns that the table has,
// each once, after a column with the figure's name.
func copyRows(figure string, table *experiment.Table, rows []int, columns []string) *experiment.Table {
	data := &experiment.Table{Columns: []string{figureColumn}}
	for _, column := range columns {
		if _, ok := table.Column(column); ok && column != "" && !slices.Contains(data.Columns, column) {
			data.Columns = append(data.Columns, column)
		}
	}
	for _, row := range rows {
		cells := []string{figure}
		for _, column := range data.Columns[1:] {
			cells = append(cells, table.Text(row, column))
		}
		data.Rows = append(data.Rows, cells)
	}
	return data
}
