package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// A labBars is one measure of a lab: for each scenario a panel, in which each strategy has
// a bar of how far it is from the best.
type labBars struct {
	strategies []string
	panels     []labPanel
}

// labPanel is a scenario: bars by strategy, the longest, and the best's value.
type labPanel struct {
	scenario string
	bars     []labBar
	longest  float64
	best     string // "" where no one is known to be it
}

// labBar is a difference to the best with its interval, in parts of the best or, where that
// is 0, as it is.
type labBar struct {
	mean, lo, hi float64
	mark         string
	plain        bool // not in parts
}

// LabMeasure draws how far each strategy is from the best by one measure, with the interval
// of the paired differences, in a panel for each scenario.
//
// It takes the columns scenario, measure, strategy, value, difference, difference_lo,
// difference_hi and mark. An interval that is missing is not drawn.
func LabMeasure(table *experiment.Table, measure, title string) (*Figure, error) {
	rows := table.Where("measure", measure)
	if err := needRows(rows, "lab", "nothing was run", "scenario", "strategy", "value", "difference", "difference_lo", "difference_hi", "mark"); err != nil {
		return nil, err
	}
	b := newLabBars(rows)
	return &Figure{
		page: page{
			title:    title,
			subtitle: "How far a strategy is from the best, in parts of it, with the 95 % interval of the paired difference; pale: a tie, or nothing to tell",
			footer: []string{"The same tables and random numbers for all strategies of a scenario. Panels have scales of their own. " +
				"end, exhausted: the run ended, or tables ran out, before the best could be told.",
				provenance(rows, allRows(rows), "")},
			bodyHeight: labHead + labRow*vg.Length(len(b.strategies)),
			body:       b.draw,
		},
		data: b.data(rows),
	}, nil
}

func newLabBars(table *experiment.Table) *labBars {
	b := &labBars{strategies: table.Distinct("strategy")}
	for _, scenario := range table.Distinct("scenario") {
		p := labPanel{scenario: scenario, longest: 1e-3}
		for _, s := range b.strategies {
			for row := range table.Rows {
				if cell(table, row, "scenario") != scenario || cell(table, row, "strategy") != s {
					continue
				}
				bar := newLabBar(table, row)
				p.longest = max(p.longest, math.Abs(bar.mean), math.Abs(bar.hi), math.Abs(bar.lo))
				p.bars = append(p.bars, bar)
				if bar.mark == "best" {
					p.best = rate(value(table, row, "value"))
				}
			}
		}
		b.panels = append(b.panels, p)
	}
	return b
}

func newLabBar(table *experiment.Table, row int) labBar {
	of := func(column string) float64 {
		x, ok := parse(cell(table, row, column))
		if !ok {
			return 0
		}
		return x
	}
	b := labBar{of("difference"), of("difference_lo"), of("difference_hi"), cell(table, row, "mark"), true}
	if best := math.Abs(of("value") - b.mean); best > 0 {
		b.mean, b.lo, b.hi = b.mean/best, b.lo/best, b.hi/best
		b.plain = false
	}
	return b
}

func (b *labBars) data(table *experiment.Table) *experiment.Table {
	columns := []string{"scenario", "measure", "strategy", "value", "difference", "difference_lo", "difference_hi", "mark"}
	out := &experiment.Table{Columns: append(append([]string{figureColumn}, columns...), provenanceColumns...)}
	for row := range table.Rows {
		fields := []string{"lab-measure"}
		for _, c := range append(columns, provenanceColumns...) {
			fields = append(fields, cell(table, row, c))
		}
		out.AppendRow(fields...)
	}
	return out
}

func (b *labBars) draw(canvas draw.Canvas) {
	for i, s := range b.strategies {
		y := canvas.Max.Y - labHead - labRow*(vg.Length(i)+0.5)
		canvas.FillText(aligned(textStyle(labelSize, textColor), draw.XLeft, draw.YCenter), vg.Point{X: canvas.Min.X, Y: y}, s)
	}
	width := (canvas.Max.X - canvas.Min.X - labNames) / vg.Length(len(b.panels))
	for j, p := range b.panels {
		x := canvas.Min.X + labNames + width*vg.Length(j)
		p.draw(canvas, x, x+width-12)
	}
}

// draw draws a panel between two places: bars, and behind each its length in words.
func (p labPanel) draw(canvas draw.Canvas, left, right vg.Length) {
	const words = 62 // what the text of a bar takes
	head := aligned(textStyle(tickSize, mutedText), draw.XLeft, draw.YBottom)
	at := vg.Point{X: left, Y: canvas.Max.Y - labHead + 6}
	lines := append(wrap(head, p.scenario, right-left, 2), p.bestWords())
	for i := range lines {
		canvas.FillText(head, at, lines[len(lines)-1-i])
		at.Y += tickSize * lineHeight
	}
	scale := float64(right-left-words) / p.longest
	for i, bar := range p.bars {
		y := canvas.Max.Y - labHead - labRow*(vg.Length(i)+0.5)
		end := left + vg.Length(math.Abs(bar.mean)*scale)
		ink := blue
		if bar.mark != "worse" {
			ink = translucent(blue, 0.35)
		}
		canvas.SetColor(ink)
		canvas.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y - 7}, Max: vg.Point{X: max(end, left+1), Y: y + 7}}.Path())
		far := max(math.Abs(bar.hi), math.Abs(bar.lo), math.Abs(bar.mean))
		if near := math.Min(math.Abs(bar.lo), math.Abs(bar.hi)); far > math.Abs(bar.mean) {
			if bar.lo*bar.hi < 0 {
				near = 0
			}
			canvas.StrokeLine2(draw.LineStyle{Color: textColor, Width: 1}, left+vg.Length(near*scale), y, left+vg.Length(far*scale), y)
		}
		canvas.FillText(aligned(textStyle(tickSize, textColor), draw.XLeft, draw.YCenter), vg.Point{X: left + vg.Length(far*scale) + 4, Y: y}, bar.words())
	}
}

func (p labPanel) bestWords() string {
	if p.best == "" {
		return "no best"
	}
	return "best " + p.best
}

// words are the length of a bar: in parts of the best, beyond ten times and below a tenth as
// a ratio. Where the best is 0 it is the value, and where the run bounded it, that.
func (b labBar) words() string {
	ratio := 1 + b.mean
	switch {
	case b.mark == "best":
		return "best"
	case b.mark != "tie" && b.mark != "worse":
		return b.mark
	case b.mean == 0:
		return "same"
	case b.plain:
		return rate(b.mean)
	case ratio > 10:
		return "× " + thousands(fmt.Sprintf("%.0f", ratio))
	case ratio <= 0:
		return "0"
	case ratio < 0.1:
		return "1/" + thousands(fmt.Sprintf("%.0f", 1/ratio))
	}
	return fmt.Sprintf("%+.1f %%", 100*b.mean)
}
