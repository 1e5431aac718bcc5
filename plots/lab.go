package plots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// A labChart is strategies against measures: in how many of the scenarios each is best or
// tied with the best.
type labChart struct {
	strategies, measures []string
	scenarios            int
	good                 map[[2]string]int
	rows                 map[[2]string]int // the first row of the table
	decided              int               // pairs of scenario and measure that have a best
}

// Lab draws in how many scenarios each strategy is best, or tied with the best, by measure.
//
// It takes the columns scenario, measure, strategy and mark ("best", "tie" or "worse"; "end"
// and "exhausted" count as neither best nor tied).
func Lab(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "lab", "nothing was run", "scenario", "measure", "strategy", "mark"); err != nil {
		return nil, err
	}
	c := newLabChart(table)
	return &Figure{
		page: page{
			title:    c.title(),
			subtitle: fmt.Sprintf("Of %s, in how many a strategy is best, or the 95 %% interval of its difference to the best contains zero", counted(strconv.Itoa(c.scenarios), "scenario")),
			footer: []string{"The same tables and random numbers for all; intervals are of paired differences, each by itself. " +
				c.undecided(), provenance(table, allRows(table), "")},
			bodyHeight: labHead + labRow*vg.Length(len(c.strategies)),
			body:       c.draw,
		},
		data: c.data(table),
	}, nil
}

func newLabChart(table *experiment.Table) *labChart {
	c := &labChart{strategies: table.Distinct("strategy"), measures: table.Distinct("measure"),
		scenarios: len(table.Distinct("scenario")), good: map[[2]string]int{}, rows: map[[2]string]int{}}
	decided := map[[2]string]bool{}
	for row := range table.Rows {
		at := [2]string{cell(table, row, "strategy"), cell(table, row, "measure")}
		if _, seen := c.rows[at]; !seen {
			c.rows[at] = row
		}
		if mark := cell(table, row, "mark"); mark == "best" || mark == "tie" {
			c.good[at]++
			decided[[2]string{cell(table, row, "scenario"), cell(table, row, "measure")}] = true
		}
	}
	c.decided = len(decided)
	slices.SortStableFunc(c.strategies, func(a, b string) int { return c.total(b) - c.total(a) })
	return c
}

// total is a strategy's count over all measures.
func (c *labChart) total(strategy string) (sum int) {
	for _, m := range c.measures {
		sum += c.good[[2]string{strategy, m}]
	}
	return sum
}

func (c *labChart) title() string {
	first := c.strategies[0]
	return fmt.Sprintf("%s is best or tied in %d of %d comparisons", first, c.total(first), c.decided)
}

// undecided says which comparisons no one wins.
func (c *labChart) undecided() string {
	const all = "Where a scenario leaves a measure nothing to decide all are tied."
	n := c.scenarios*len(c.measures) - c.decided
	if n == 0 {
		return all
	}
	return fmt.Sprintf("%s In %s of %d the run ended, or tables ran out, before the best could be told: they count for none.", all, strconv.Itoa(n), c.scenarios*len(c.measures))
}

func (c *labChart) data(table *experiment.Table) *experiment.Table {
	out := &experiment.Table{Columns: append([]string{figureColumn, "strategy", "measure", "best_or_tied", "scenarios"}, provenanceColumns...)}
	for _, s := range c.strategies {
		for _, m := range c.measures {
			at := [2]string{s, m}
			row := []string{"lab", s, m, strconv.Itoa(c.good[at]), strconv.Itoa(c.scenarios)}
			for _, column := range provenanceColumns {
				row = append(row, cell(table, c.rows[at], column))
			}
			out.AppendRow(row...)
		}
	}
	return out
}

// Sizes of the chart.
const (
	labHead  vg.Length = 50
	labRow   vg.Length = 24
	labNames vg.Length = 110
)

func (c *labChart) draw(canvas draw.Canvas) {
	width := (canvas.Max.X - canvas.Min.X - labNames) / vg.Length(len(c.measures))
	for j, m := range c.measures {
		style := aligned(textStyle(tickSize, mutedText), draw.XCenter, draw.YBottom)
		at := vg.Point{X: canvas.Min.X + labNames + width*(vg.Length(j)+0.5), Y: canvas.Max.Y - labHead + 6}
		lines := wrap(style, labMeasure(m), width-4, 3)
		for i := range lines {
			canvas.FillText(style, at, lines[len(lines)-1-i])
			at.Y += tickSize * lineHeight
		}
	}
	for i, s := range c.strategies {
		y := canvas.Max.Y - labHead - labRow*vg.Length(i)
		canvas.FillText(aligned(textStyle(labelSize, textColor), draw.XLeft, draw.YCenter), vg.Point{X: canvas.Min.X, Y: y - labRow/2}, s)
		for j, m := range c.measures {
			x := canvas.Min.X + labNames + width*vg.Length(j)
			c.cell(canvas, vg.Rectangle{Min: vg.Point{X: x + 1, Y: y - labRow + 1}, Max: vg.Point{X: x + width - 1, Y: y - 1}}, c.good[[2]string{s, m}])
		}
	}
}

// cell is a field of the colour of its share, with its number.
func (c *labChart) cell(canvas draw.Canvas, at vg.Rectangle, n int) {
	share := float64(n) / float64(max(c.scenarios, 1))
	canvas.SetColor(translucent(blue, 0.06+0.84*share))
	canvas.Fill(at.Path())
	ink := textColor
	if share > 0.55 {
		ink = white
	}
	canvas.FillText(aligned(textStyle(labelSize, ink), draw.XCenter, draw.YCenter),
		vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: (at.Min.Y + at.Max.Y) / 2}, strconv.Itoa(n))
}

// labMeasure is a measure's column in words, without its unit.
func labMeasure(column string) string {
	for _, unit := range []string{"_per_s", "_seconds", "_transactions", "_jain"} {
		if column != "dead_tuple_seconds" {
			column = strings.TrimSuffix(column, unit)
		}
	}
	return strings.ReplaceAll(column, "_", " ")
}
