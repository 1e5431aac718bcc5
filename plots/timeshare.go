package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/sim/experiment"
)

// A component is a part of the account of the workers' time.
type component struct {
	column string
	name   string // in the legend
	doing  string // "workers spend 40 % of their time …"
	color  color.NRGBA
}

// vacuuming is the one component that is the purpose of the others.
const vacuuming = "vacuum_share"

// components lists the account in the order in which it is stacked.
var components = []component{
	{vacuuming, "vacuuming", "vacuuming", bluishGreen},
	{"stats_read_share", "reading statistics", "reading statistics", skyBlue},
	{"stats_wait_share", "waiting for statistics", "waiting for statistics", blue},
	{"schedule_lock_share", "schedule lock (waiting, holding)", "waiting for or holding the schedule lock", vermillion},
	{"processor_wait_share", "waiting for a processor", "waiting for a processor", orange},
	{"catalogue_scan_share", "scanning catalogues", "scanning catalogues", reddishPurple},
	{"cost_delay_share", "cost delay", "sleeping for the cost delay", yellow},
	{"io_share", "I/O", "waiting for I/O", rgb(0x4D4D4D)},
	{"table_lock_share", "blocked by a table lock", "blocked by a table lock", rgb(0x882255)},
	{"idle_share", "idle", "idle", rgb(0xDADADA)},
}

// What a time-share figure has room for.
const (
	maxTimePanels    = 3
	maxTimeRows      = 4
	maxTimeSeries    = 15
	leastLegendShare = 0.01 // a component that exceeds it nowhere is not in the legend
)

// A timeChart is a table read as panels of stacked bars.
type timeChart struct {
	table    *experiment.Table
	panelBy  string // the panels' column, the number of tables if it is swept
	rowBy    string // the bars' column, the number of workers if it is swept
	variants variants
	panels   []timePanel
	groups   []timeGroup // by strategy

	unusable, uneven     int // bars left out, bars that do not add up
	allPanels, allSeries int
	allRows, rowsShown   int
}

// A timePanel holds the bars of one number of tables, by group and worker count,
// or of another column's values where those are not swept.
type timePanel struct {
	value string
	bars  map[barKey]bar
}

// A timeGroup is a strategy, or a strategy at one setting of several.
type timeGroup struct {
	name, variant string
	style         lineStyle
	rows          []string // values of the bars' column
}

func (g timeGroup) label() string { return label(g.name, g.variant) }

type barKey struct{ group, row string }

// A bar is the account of one row, a share per component.
type bar struct {
	row    int
	shares []float64
}

// TimeShare draws where the workers' time goes: a stacked bar per strategy and
// number of workers, for the given numbers of tables or, if none are given, for
// the largest one and those nearest to a tenth and a hundredth of it. If the
// number of workers or of tables is one and the same throughout, bars and panels
// are of the next column that a sweep varies.
//
// It takes the columns tables, workers and strategy, and all whose names end in
// _share that make up the account of a worker's time. If no row has an account, the
// error is [ErrNothingToDraw].
func TimeShare(table *experiment.Table, tables ...int) (*Figure, error) {
	chart, err := newTimeChart(table, tables)
	if err != nil {
		return nil, err
	}
	return &Figure{
		page: page{
			title:      chart.finding(),
			subtitle:   settingSubtitle(table, chart.rows(), append([]string{chart.panelBy, chart.rowBy}, chart.variants.columns...)...),
			key:        strategyKey(chart.strategies()),
			footer:     chart.footer(),
			bodyHeight: chart.bodyHeight(),
			body:       chart.draw,
			words:      chart.words,
		},
		data: chart.data(),
	}, nil
}

func shareColumns() []string {
	var columns []string
	for _, c := range components {
		columns = append(columns, c.column)
	}
	return columns
}

func newTimeChart(table *experiment.Table, counts []int) (*timeChart, error) {
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("plots: time: the table has no rows")
	}
	if err := requireColumns(table, append([]string{"strategy", "tables", "workers"}, shareColumns()...)...); err != nil {
		return nil, err
	}
	c := &timeChart{table: table}
	rows, bars := c.usableRows()
	if len(rows) == 0 {
		return nil, fmt.Errorf("plots: time: %w: none of %s has an account of the workers' time",
			ErrNothingToDraw, counted(fmt.Sprint(len(table.Rows)), "row"))
	}
	c.rowBy = firstSwept(table, rows, panelColumns, "tables")
	c.panelBy = "tables"
	if len(counts) == 0 {
		c.panelBy = firstSwept(table, rows, append([]string{"tables"}, panelColumns...), c.rowBy)
	}
	c.variants = newVariants(table, "strategy", c.panelBy, c.rowBy)
	all := distinctSorted(table, rows, c.panelBy)
	c.allPanels = len(all)
	shown := choose(c.panelBy, all, maxTimePanels)
	if c.panelBy == "tables" {
		shown = tableCounts(all, counts)
	}
	if len(shown) == 0 {
		return nil, fmt.Errorf("plots: time: no row has one of the numbers of tables asked for: %v", counts)
	}
	rows = slices.DeleteFunc(rows, func(row int) bool { return !slices.Contains(shown, cell(table, row, c.panelBy)) })
	c.groups = c.readGroups(rows)
	for _, v := range shown {
		c.panels = append(c.panels, c.readPanel(v, rows, bars))
	}
	return c, nil
}

// usableRows returns the rows that have an account, with it.
func (c *timeChart) usableRows() (rows []int, bars map[int]bar) {
	bars = map[int]bar{}
	for row := range c.table.Rows {
		b, sum := bar{row: row}, 0.0
		for _, column := range shareColumns() {
			share := value(c.table, row, column)
			if math.IsNaN(share) || share < 0 {
				share = 0
			}
			b.shares = append(b.shares, share)
			sum += share
		}
		if sum == 0 {
			c.unusable++
			continue
		}
		if math.Abs(sum-1) > 0.01 {
			c.uneven++
		}
		rows, bars[row] = append(rows, row), b
	}
	return rows, bars
}

// tableCounts picks the numbers of tables to show, of all those there are.
func tableCounts(all []string, asked []int) []string {
	if len(asked) > 0 {
		var shown []string
		for _, text := range all {
			v, err := strconv.ParseFloat(text, 64)
			if err == nil && slices.Contains(asked, int(v)) {
				shown = append(shown, text)
			}
		}
		return shown
	}
	largest, err := strconv.ParseFloat(all[len(all)-1], 64)
	if err != nil || largest <= 0 {
		return spread(all, maxTimePanels)
	}
	var shown []string
	for _, part := range []float64{0.01, 0.1, 1} {
		if text := nearest(all, largest*part); !slices.Contains(shown, text) {
			shown = append(shown, text)
		}
	}
	return shown
}

// nearest returns the number whose ratio to target is closest to one.
func nearest(texts []string, target float64) string {
	return slices.MinFunc(texts, func(a, b string) int {
		return cmp.Compare(distance(a, target), distance(b, target))
	})
}

func distance(text string, target float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v <= 0 {
		return math.Inf(1)
	}
	return math.Abs(math.Log(v / target))
}

// readGroups returns the groups of bars, each with the rows shown.
func (c *timeChart) readGroups(rows []int) []timeGroup {
	values := distinctSorted(c.table, rows, c.rowBy)
	c.allRows = len(values)
	values = choose(c.rowBy, values, maxTimeRows)
	c.rowsShown = len(values)

	c.allSeries = len(c.groupsOf(rows, values))
	groups := c.groupsOf(c.variants.thin(c.table, rows, maxTimeSeries), values)
	return groups[:min(len(groups), maxTimeSeries)]
}

// groupsOf returns the groups that the rows make, each with bars of the given values.
func (c *timeChart) groupsOf(rows []int, values []string) []timeGroup {
	var groups []timeGroup
	stylist := newStylist(true)
	for _, row := range rows {
		g := timeGroup{name: cell(c.table, row, "strategy"), variant: c.variants.label(c.table, row), rows: values}
		if !slices.ContainsFunc(groups, func(other timeGroup) bool { return other.label() == g.label() }) {
			g.style = stylist.style(g.name, g.variant)
			groups = append(groups, g)
		}
	}
	return groups
}

// readPanel collects the bars of one number of tables, or of what else has panels.
func (c *timeChart) readPanel(v string, rows []int, bars map[int]bar) timePanel {
	panel := timePanel{value: v, bars: map[barKey]bar{}}
	for _, row := range rows {
		if cell(c.table, row, c.panelBy) != v {
			continue
		}
		name := label(cell(c.table, row, "strategy"), c.variants.label(c.table, row))
		key := barKey{name, cell(c.table, row, c.rowBy)}
		if _, ok := panel.bars[key]; !ok {
			panel.bars[key] = bars[row]
		}
	}
	return panel
}

// each calls f for every bar drawn, panel by panel from top to bottom.
func (c *timeChart) each(f func(panel timePanel, group timeGroup, b bar)) {
	for _, panel := range c.panels {
		for _, group := range c.groups {
			for _, row := range group.rows {
				if b, ok := panel.bars[barKey{group.label(), row}]; ok {
					f(panel, group, b)
				}
			}
		}
	}
}

// strategies returns the strategies that are drawn.
func (c *timeChart) strategies() []string {
	var strategies []string
	for _, group := range c.groups {
		strategies = append(strategies, group.name)
	}
	return distinct(strategies)
}

func (c *timeChart) rows() []int {
	var rows []int
	c.each(func(_ timePanel, _ timeGroup, b bar) { rows = append(rows, b.row) })
	return rows
}

// legend returns the components that are large enough somewhere to be looked for.
func (c *timeChart) legend() []component {
	largest := make([]float64, len(components))
	c.each(func(_ timePanel, _ timeGroup, b bar) {
		for i, share := range b.shares {
			largest[i] = max(largest[i], share)
		}
	})
	var shown []component
	for i, share := range largest {
		if share > leastLegendShare {
			shown = append(shown, components[i])
		}
	}
	return shown
}

// finding names the largest loss of time in the last panel, at the largest number
// of tables, if it is the better part of some workers' time.
func (c *timeChart) finding() string {
	last := c.panels[len(c.panels)-1]
	var loss, leastVacuuming float64 = 0, 1
	title := ""
	c.each(func(panel timePanel, group timeGroup, b bar) {
		if panel.value != last.value {
			return
		}
		for i, share := range b.shares {
			switch {
			case components[i].column == vacuuming:
				leastVacuuming = min(leastVacuuming, share)
			case share >= loss:
				loss = share
				title = c.lossTitle(group.name, b.row, components[i], share)
			}
		}
	})
	switch {
	case loss >= 0.5:
		return title
	case leastVacuuming >= 0.5:
		return fmt.Sprintf("At %s all workers spend %s of their time or more vacuuming",
			valueText(c.panelBy, last.value), percent(leastVacuuming))
	}
	return "Where the workers' time goes"
}

// lossTitle says what a row's workers lose their time with, and where that is.
func (c *timeChart) lossTitle(name string, row int, lost component, share float64) string {
	whose, spend := name+"'s workers", "spend %s of their time %s"
	if cell(c.table, row, "workers") == "1" {
		whose, spend = name+"'s worker", "spends %s of its time %s"
	}
	place := placeTexts(c.table, row, c.variants, c.panelBy, c.rowBy)
	return fmt.Sprintf("%s "+spend+" (%s)", whose, percent(share), lost.doing, strings.Join(place, ", "))
}

func (c *timeChart) footer() []string {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if c.allPanels > len(c.panels) {
		note("Shown: %d of %d %s.", len(c.panels), c.allPanels, valuesNoun(c.panelBy))
	}
	if c.allRows > c.rowsShown {
		note("Shown: %d of %d %s.", c.rowsShown, c.allRows, valuesNoun(c.rowBy))
	}
	if c.allSeries > len(c.groups) {
		note("Shown: %d of %d strategies and settings.", len(c.groups), c.allSeries)
	}
	if c.unusable > 0 {
		note("Left out: %s without an account of the workers' time.", counted(fmt.Sprint(c.unusable), "row"))
	}
	if c.uneven > 0 {
		note("The shares of %s do not add up to 100 %%.", counted(fmt.Sprint(c.uneven), "row"))
	}
	return append(notes, provenance(c.table, c.rows(), ""))
}

func (c *timeChart) data() *experiment.Table {
	columns := slices.Concat([]string{c.panelBy, "strategy"}, c.variants.columns, []string{c.rowBy, "tables", "workers"}, shareColumns(), provenanceColumns)
	return copyRows("time", c.table, c.rows(), columns)
}
