package plots

import (
	"fmt"
	"math"
	"slices"

	"avsim/sim/experiment"
)

// A HeatSpec says what a heat map shows: a cell for each value of X and Y, in the
// colour of Z. All name columns of the table.
type HeatSpec struct {
	X, Y, Z string
	Panel   string // a panel per value, all with the same colours; none: one panel

	LogZ      bool
	MaxPanels int    // further ones are left out, evenly; default: 6
	Title     string // default: Z by X and Y
	Name      string // the figure's name in its data; default: "heatmap"
}

// A heatMap is a table read as panels of cells.
type heatMap struct {
	spec     HeatSpec
	table    *experiment.Table
	variants variants
	xs, ys   []string
	panels   []*heatPanel

	unusable, repeated, allPanels int
}

// A heatPanel holds a row of the table for each cell.
type heatPanel struct {
	name  string
	cells map[[2]string]int
}

// HeatMap draws a column over two others: their values, in order, make rows and
// columns of cells of equal size, whose colour is the number that stands in them.
// What else differs between rows makes panels of their own. Rows without a usable
// number are left out and counted in the footer; a table without any other row is
// [ErrNothingToDraw].
func HeatMap(table *experiment.Table, spec HeatSpec) (*Figure, error) {
	spec = spec.withDefaults()
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("plots: %s: the table has no rows", spec.Name)
	}
	if spec.X == "" || spec.Y == "" || spec.Z == "" {
		return nil, fmt.Errorf("plots: %s: a heat map needs columns for x, y and colour", spec.Name)
	}
	if err := requireColumns(table, spec.X, spec.Y, spec.Z, spec.Panel); err != nil {
		return nil, err
	}
	table = withoutDrawn(table, spec.X, spec.Y, spec.Panel)
	m := &heatMap{spec: spec, table: table, variants: newVariants(table, spec.Panel, spec.X, spec.Y)}
	if m.build(); len(m.panels) == 0 {
		return nil, fmt.Errorf("plots: %s: %w: no row has a usable number in %q", spec.Name, ErrNothingToDraw, spec.Z)
	}
	return m.figure(), nil
}

func (s HeatSpec) withDefaults() HeatSpec {
	if s.Name == "" {
		s.Name = "heatmap"
	}
	if s.Title == "" {
		s.Title = s.Z + " by " + s.X + " and " + s.Y
	}
	if s.MaxPanels <= 0 {
		s.MaxPanels = 6
	}
	return s
}

// build sorts the rows into panels and cells.
func (m *heatMap) build() {
	var rows []int
	for row := range m.table.Rows {
		if z := value(m.table, row, m.spec.Z); math.IsNaN(z) || m.spec.LogZ && z <= 0 {
			m.unusable++
			continue
		}
		rows = append(rows, row)
	}
	m.xs, m.ys = distinctSorted(m.table, rows, m.spec.X), distinctSorted(m.table, rows, m.spec.Y)
	var panels []*heatPanel
	for _, row := range rows {
		name := m.panelName(row)
		i := slices.IndexFunc(panels, func(p *heatPanel) bool { return p.name == name })
		if i < 0 {
			i = len(panels)
			panels = append(panels, &heatPanel{name: name, cells: map[[2]string]int{}})
		}
		at := [2]string{cell(m.table, row, m.spec.X), cell(m.table, row, m.spec.Y)}
		if _, taken := panels[i].cells[at]; taken {
			m.repeated++
			continue
		}
		panels[i].cells[at] = row
	}
	m.allPanels = len(panels)
	m.panels = spread(panels, m.spec.MaxPanels)
}

// panelName names the panel that a row is in: "leapfrog, 4 CPUs".
func (m *heatMap) panelName(row int) string {
	name := ""
	if m.spec.Panel != "" {
		name = valueText(m.spec.Panel, cell(m.table, row, m.spec.Panel))
	}
	return label(name, m.variants.label(m.table, row))
}

// rows returns the rows of all cells, panel by panel.
func (m *heatMap) rows() []int {
	var rows []int
	for _, p := range m.panels {
		for _, y := range m.ys {
			for _, x := range m.xs {
				if row, ok := p.cells[[2]string{x, y}]; ok {
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}

// colours returns the scale of the colours.
func (m *heatMap) colours() scale {
	var zs []float64
	for _, row := range m.rows() {
		zs = append(zs, value(m.table, row, m.spec.Z))
	}
	return newScale(m.spec.LogZ, zs)
}

func (m *heatMap) figure() *Figure {
	drawn := append([]string{m.spec.X, m.spec.Y, m.spec.Panel}, m.variants.columns...)
	columns := slices.Concat([]string{m.spec.Panel}, m.variants.columns,
		[]string{m.spec.X, m.spec.Y, m.spec.Z, m.spec.Z + lowerEnding, m.spec.Z + upperEnding, exhaustedColumn}, provenanceColumns)
	return &Figure{
		page: page{
			title:      m.spec.Title,
			subtitle:   settingSubtitle(m.table, m.rows(), drawn...),
			footer:     m.footer(),
			bodyHeight: m.bodyHeight(),
			body:       m.draw,
		},
		data: copyRows(m.spec.Name, m.table, m.rows(), columns),
	}
}

func (m *heatMap) footer() []string {
	var notes []string
	if slices.ContainsFunc(m.rows(), m.exhausted) {
		notes = append(notes, exhaustedMark+": the run ran out of tables before its window ended.")
	}
	if m.allPanels > len(m.panels) {
		notes = append(notes, fmt.Sprintf("Shown: %d of %d panels.", len(m.panels), m.allPanels))
	}
	if m.unusable > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s without a number that the colours can show.", counted(fmt.Sprint(m.unusable), "row")))
	}
	if m.repeated > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s for a cell that is already drawn.", counted(fmt.Sprint(m.repeated), "row")))
	}
	return append(notes, provenance(m.table, m.rows(), ""))
}

func (m *heatMap) exhausted(row int) bool {
	text := cell(m.table, row, exhaustedColumn)
	return text != "" && text != "no"
}
