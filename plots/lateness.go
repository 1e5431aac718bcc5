package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// A sizeClass is the tables of about one size: the distribution of how late
// workers came to them.
type sizeClass struct {
	name   string
	visits int
	rows   []int
	line   series // x: seconds, y: share of the visits that were no later
}

// sizeColors go from small tables to large ones, from light to dark.
var sizeColors = []color.NRGBA{rgb(0xE69F00), rgb(0x8FBC3B), rgb(0x35A37B), rgb(0x2A7F9E), rgb(0x3B5BA5), rgb(0x3B1F6B)}

// A latenessChart is a table read as classes.
type latenessChart struct {
	classes []sizeClass
	naptime float64 // seconds; NaN for none
}

// Lateness draws how late workers come to tables that are due, by the size of the
// tables: of each class the share of visits that came no later.
//
// It takes the columns class, visits, share and lateness_seconds: a row per
// quantile, classes from small tables to large ones. due_at_end, in any row, is
// how many tables are due at the end and wait still.
func Lateness(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "lateness", "no worker came to a table", "class", "visits", "share", "lateness_seconds"); err != nil {
		return nil, err
	}
	c := newLatenessChart(table)
	if len(c.classes) == 0 {
		return nil, drawless{"plots: lateness: no row has a share and a lateness"}
	}
	return &Figure{
		page: page{
			title:      c.title(),
			subtitle:   runSubtitle(table),
			footer:     runFooter(table, c.notes(table)...),
			bodyHeight: c.bodyHeight(),
			body:       c.draw,
			heightAt:   func(vg.Length) vg.Length { return c.bodyHeight() },
			words:      c.words,
		},
		data: copyRows("lateness", table, c.rows(), append([]string{"class", "visits", "share", "lateness_seconds", "due_at_end"}, runColumns...)),
	}, nil
}

func newLatenessChart(table *experiment.Table) *latenessChart {
	c := &latenessChart{naptime: value(table, 0, naptimeColumn)}
	for row := range table.Rows {
		x, y := value(table, row, "lateness_seconds"), value(table, row, "share")
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		name := cell(table, row, "class")
		if n := len(c.classes); n == 0 || c.classes[n-1].name != name {
			visits, _ := strconv.Atoi(cell(table, row, "visits"))
			c.classes = append(c.classes, sizeClass{name: name, visits: visits})
		}
		class := &c.classes[len(c.classes)-1]
		class.rows = append(class.rows, row)
		class.line.points = append(class.line.points, point{row: row, x: x, y: y})
	}
	for i := range c.classes {
		c.classes[i].line.style.color = sizeColors[i*(len(sizeColors)-1)/max(len(c.classes)-1, 1)]
	}
	return c
}

func (c *latenessChart) rows() (rows []int) {
	for _, class := range c.classes {
		rows = append(rows, class.rows...)
	}
	return rows
}

// at is the lateness that a share of the visits does not exceed.
func (c sizeClass) at(share float64) float64 {
	for _, p := range c.line.points {
		if p.y >= share-1e-9 {
			return p.x
		}
	}
	return c.line.last().x
}

// fewVisits is the number below which a class is not worth a title.
const fewVisits = 20

// drawn tells whether a class has a line: with few visits it has none, unless all
// have few.
func (c *latenessChart) drawn(class sizeClass) bool {
	few := func(x sizeClass) bool { return x.visits < fewVisits }
	return !few(class) || !slices.ContainsFunc(c.classes, func(x sizeClass) bool { return !few(x) })
}

// title says how late the tenth of the visits is that is latest, where it is
// worst.
func (c *latenessChart) title() string {
	worst, best := -1, -1
	for i, class := range c.classes {
		if class.visits < fewVisits {
			continue
		}
		if worst < 0 || class.at(0.9) > c.classes[worst].at(0.9) {
			worst = i
		}
		if best < 0 || class.at(0.9) < c.classes[best].at(0.9) {
			best = i
		}
	}
	if worst < 0 {
		return "How late workers come to tables that are due"
	}
	w := c.classes[worst]
	title := fmt.Sprintf("Nine of ten visits come within %s of the moment at which the table is due", wait(w.at(0.9)))
	if b := c.classes[best]; w.at(0.9) > 1.5*b.at(0.9) {
		return title + fmt.Sprintf(" if it has %s, within %s if it has %s", w.name, wait(b.at(0.9)), b.name)
	}
	if len(c.classes) > 1 {
		return title + ", whatever its size"
	}
	return title
}

// wait words a time with two digits: "0.35 s", "54 s", "3.2 minutes", "5 hours".
func wait(seconds float64) string {
	digits := func(v float64) string {
		if v >= 9.95 || v == 0 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	switch {
	case seconds >= 2*86400:
		return digits(seconds/86400) + " days"
	case seconds >= 2*3600:
		return digits(seconds/3600) + " hours"
	case seconds >= 120:
		return digits(seconds/60) + " minutes"
	case seconds < 0.001:
		return "1 ms"
	}
	return digits(seconds) + " s"
}

func (c *latenessChart) notes(table *experiment.Table) []string {
	notes := []string{"Late: from the moment at which the statistics first said that the table is due to the start of work on it. Size: live rows, at the start or at the end of the run, whichever are more. Tables that come due again are visited again."}
	if n := value(table, 0, "due_at_end"); n > 0 {
		notes = append(notes, fmt.Sprintf("Not counted: tables that are due at the end and wait for a worker, or have one at work on them (%s).", number(n)))
	}
	if slices.ContainsFunc(c.classes, func(x sizeClass) bool { return !c.drawn(x) }) {
		notes = append(notes, fmt.Sprintf("No line: fewer than %d visits.", fewVisits))
	}
	if x := c.xScale(); c.earliest() < x.min {
		notes = append(notes, "Visits earlier than "+wait(x.min)+" stand at the left edge.")
	}
	return notes
}

func (c *latenessChart) earliest() float64 {
	least := math.Inf(1)
	for _, class := range c.classes {
		least = min(least, class.line.points[0].x)
	}
	return least
}

// widestDecades is how far the axis goes at most.
const widestDecades = 1e5

// xScale is logarithmic, to the latest visit.
func (c *latenessChart) xScale() scale {
	most := 1e-3
	for _, class := range c.classes {
		most = max(most, class.line.last().x)
	}
	values := []float64{most}
	for _, class := range c.classes {
		for _, p := range class.line.points {
			if p.x >= most/widestDecades {
				values = append(values, p.x)
			}
		}
	}
	if c.naptime > 0 {
		values = append(values, c.naptime)
	}
	s := newScale(true, values)
	s.ticks = nil
	for _, tick := range waitTicks {
		if tick.Value >= s.min && tick.Value <= s.max {
			s.ticks = append(s.ticks, tick)
		}
	}
	return s
}

// waitTicks are those that an axis of waiting times can have.
var waitTicks = []plot.Tick{
	{Value: 1e-6, Label: "1 µs"}, {Value: 1e-5, Label: "10 µs"}, {Value: 1e-4, Label: "100 µs"},
	{Value: 0.001, Label: "1 ms"}, {Value: 0.01, Label: "10 ms"}, {Value: 0.1, Label: "0.1 s"}, {Value: 1, Label: "1 s"}, {Value: 10, Label: "10 s"},
	{Value: 60, Label: "1 minute"}, {Value: 600, Label: "10 minutes"}, {Value: 3600, Label: "1 hour"}, {Value: 6 * 3600, Label: "6 hours"},
	{Value: 86400, Label: "1 day"}, {Value: 10 * 86400, Label: "10 days"}, {Value: 100 * 86400, Label: "100 days"},
}

// Sizes of the chart, in points.
const (
	latenessHeight vg.Length = 320
	classPitch     vg.Length = 17
)

func (c *latenessChart) bodyHeight() vg.Length {
	return vg.Length(len(c.classes)+1)*classPitch + legendSpacing + panelHeadHeight + latenessHeight + tickSpace + axisTitleSpace
}

func (c *latenessChart) draw(canvas draw.Canvas) {
	top := c.drawClasses(canvas)
	x, y := c.xScale(), newScale(false, []float64{0, 1})
	y.max, y.ticks = 1.02, nil
	for i := range 5 {
		share := float64(i) / 4
		y.ticks = append(y.ticks, plot.Tick{Value: share, Label: percent(share)})
	}
	ticks := textStyle(tickSize, mutedText)
	area := draw.Crop(canvas, widest(ticks, tickLabels(y))+tickGap, -8, tickSpace+axisTitleSpace, 0)
	area.Max.Y = top - panelHeadHeight
	head := bold(textStyle(panelSize, textColor))
	const what = "share of the visits that came no later"
	canvas.FillText(head, vg.Point{X: area.Min.X, Y: top}, what)
	drawGrid(area, x, y)
	drawYTicks(area, y, ticks)
	drawXTicks(area, x, ticks)
	if c.naptime > 0 {
		at := x.at(c.naptime, area.Min.X, area.Max.X)
		area.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 1.1, Dashes: dashings[1]}, at, area.Min.Y, at, area.Max.Y)
		style := aligned(textStyle(tickSize, mutedText), draw.XCenter, draw.YBottom)
		name := "autovacuum_naptime"
		if canvas.Max.X-canvas.Min.X < narrow {
			name = "naptime"
		}
		half := style.Width(name) / 2
		at = min(max(at, area.Min.X+head.Width(what)+10+half), area.Max.X-half)
		canvas.FillText(style, vg.Point{X: at, Y: area.Max.Y + 3}, name)
	}
	for _, class := range c.classes {
		if c.drawn(class) {
			drawSteps(area, x, y, &class.line)
		}
	}
	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YTop)
	canvas.FillText(style, vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: area.Min.Y - tickSpace}, "lateness, simulated time")
}

// drawSteps draws a distribution: from one of its points to the next it is level.
func drawSteps(area draw.Canvas, x, y scale, line *series) {
	path := []vg.Point{{X: x.at(line.points[0].x, area.Min.X, area.Max.X), Y: y.at(0, area.Min.Y, area.Max.Y)}}
	for _, p := range line.points {
		at := vg.Point{X: x.at(p.x, area.Min.X, area.Max.X), Y: y.at(p.y, area.Min.Y, area.Max.Y)}
		path = append(path, vg.Point{X: at.X, Y: path[len(path)-1].Y}, at)
	}
	area.StrokeLines(draw.LineStyle{Color: line.style.color, Width: lineWidth}, path)
}

// A classColumn is one of the legend, from which place on.
type classColumn struct {
	at   vg.Length
	head string
	text func(sizeClass) string
}

// classColumns are those of a page, narrowColumns those that a phone has room for.
var classColumns = []classColumn{
	{0, "tables with", func(c sizeClass) string { return c.name }},
	{250, "visits", func(c sizeClass) string { return thousands(strconv.Itoa(c.visits)) }},
	{350, "half within", func(c sizeClass) string { return wait(c.at(0.5)) }},
	{450, "90 % within", func(c sizeClass) string { return wait(c.at(0.9)) }},
	{550, "99 % within", func(c sizeClass) string { return wait(c.at(0.99)) }},
	{650, "all within", func(c sizeClass) string { return wait(c.line.last().x) }},
}

var narrowColumns = []classColumn{
	classColumns[0],
	{225, "half within", classColumns[2].text},
	{312, "99 % within", classColumns[4].text},
}

// drawClasses writes the legend, a line per class, and returns where it ends.
func (c *latenessChart) drawClasses(canvas draw.Canvas) vg.Length {
	indent := legendSwatch + 6
	columns := classColumns
	if canvas.Max.X-canvas.Min.X < narrow {
		columns = narrowColumns
	}
	middle := canvas.Max.Y - classPitch/2
	write := func(ink color.Color, text func(i int) string) {
		for i, column := range columns {
			s := aligned(textStyle(labelSize, ink), draw.XLeft, draw.YCenter)
			if i > 0 {
				s.XAlign = draw.XRight
			}
			canvas.FillText(s, vg.Point{X: canvas.Min.X + indent + column.at, Y: middle + labelSize*0.12}, text(i))
		}
		middle -= classPitch
	}
	write(mutedText, func(i int) string { return columns[i].head })
	for _, class := range c.classes {
		if c.drawn(class) {
			fillBox(canvas, class.line.style.color, canvas.Min.X, middle-legendSwatch/2, canvas.Min.X+legendSwatch, middle+legendSwatch/2)
		}
		write(textColor, func(i int) string { return columns[i].text(class) })
	}
	return middle + classPitch/2 - legendSpacing
}
