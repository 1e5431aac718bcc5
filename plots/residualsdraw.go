package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the residuals, in points.
const (
	residualsAxesHeight vg.Length = 380
	mostSwarm           vg.Length = 26 // of a mark from its number of tables or workers
	medianOverhang      vg.Length = 5  // of the median's tick over the marks
)

// factorTicks are those that an axis of factors has room for.
var factorTicks = []float64{0.1, 0.2, 1. / 3, 0.5, 2. / 3, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10}

// factorScale returns the axis of factors: from 1/1.5 to 1.5 or further.
func (c *validationChart) factorScale() scale {
	values := []float64{1 / fairFactor, fairFactor}
	for _, p := range c.points {
		values = append(values, p.factor())
	}
	lo, hi := slices.Min(values)/1.5, slices.Max(values)*1.5
	for _, p := range c.points {
		if p.recorded.hasInterval() {
			values = append(values, max(lo, p.predicted.y/p.recorded.hi), min(hi, p.predicted.y/p.recorded.lo))
		}
	}
	s := newScale(true, values)
	if s.min < factorTicks[0] || s.max > factorTicks[len(factorTicks)-1] {
		return s
	}
	s.ticks = nil
	for _, v := range factorTicks {
		if v >= s.min && v <= s.max {
			s.ticks = append(s.ticks, plot.Tick{Value: v, Label: number(math.Round(100*v) / 100)})
		}
	}
	return s
}

func (c *validationChart) residualsHeight() vg.Length {
	return vg.Length(len(c.legendRows()))*legendPitch + legendSpacing + residualsAxesHeight + tickSpace + axisTitleSpace
}

// drawResiduals draws the legend and the two panels.
func (c *validationChart) drawResiduals(canvas draw.Canvas) {
	y := c.factorScale()
	ticks := textStyle(tickSize, mutedText)
	inner := draw.Crop(canvas, axisTitleSpace+widest(ticks, tickLabels(y))+tickGap, 0, tickSpace+axisTitleSpace, 0)
	inner.Max.Y = c.drawLegend(canvas)
	width := (inner.Max.X - inner.Min.X - panelGap) / 2

	for i, panel := range []struct{ column, noun, title string }{
		{"tables", "table", "tables in the database"}, {"workers", "worker", "workers"},
	} {
		area := inner
		area.Min.X += vg.Length(i) * (width + panelGap)
		area.Max.X = area.Min.X + width
		c.drawResidualsPanel(area, y, panel.column, c.residualGroups(panel.column, panel.noun))
		if i == 0 {
			drawYTicks(area, y, ticks)
		}
		style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YBottom)
		canvas.FillText(style, vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: canvas.Min.Y}, panel.title)
	}
	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YBottom)
	at := vg.Point{X: canvas.Min.X + labelSize, Y: (inner.Min.Y + inner.Max.Y) / 2}
	fillUpwards(canvas, style, at, "predicted / recorded automatic vacuums per second")
}

// legendRows breaks the strategies' legend into lines.
func (c *validationChart) legendRows() [][]comparedStrategy {
	const most = 4
	style := textStyle(labelSize, textColor)
	var rows [][]comparedStrategy
	width := pageWidth
	for _, s := range c.strategies {
		entryWidth := 2*markRadius + 6 + min(style.Width(clean(s.name)), besideLabelWidth) + legendGap
		if width+entryWidth > pageWidth-2*pageMargin+legendGap {
			if len(rows) == most {
				break
			}
			rows = append(rows, nil)
			width = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], s)
		width += entryWidth
	}
	return rows
}

// drawLegend returns where the panels begin.
func (c *validationChart) drawLegend(canvas draw.Canvas) vg.Length {
	y := canvas.Max.Y
	for _, row := range c.legendRows() {
		x, middle := canvas.Min.X, y-legendPitch/2
		for _, s := range row {
			s.style.mark.draw(canvas, vg.Point{X: x + markRadius + 1, Y: middle}, s.style.color, false)
			x += 2*markRadius + 6
			style := aligned(textStyle(labelSize, ink(s.style.color)), draw.XLeft, draw.YCenter)
			name := elide(style, clean(s.name), besideLabelWidth)
			canvas.FillText(style, vg.Point{X: x, Y: middle + labelSize*0.12}, name)
			x += style.Width(name) + legendGap
		}
		y -= legendPitch
	}
	return y - legendSpacing
}

// drawResidualsPanel draws all points against a column, those of one number side
// by side.
func (c *validationChart) drawResidualsPanel(area draw.Canvas, y scale, column string, groups []residualGroup) {
	var xs []float64
	for _, p := range c.points {
		xs = append(xs, value(c.table, p.row, column))
	}
	x := newScale(true, xs)
	x.inset(mostSwarm+markRadius+medianOverhang+2, area.Max.X-area.Min.X)
	ticks := textStyle(tickSize, mutedText)
	x.useValues(xs, area.Max.X-area.Min.X, ticks.Width)

	drawFactorBand(area, y, fairFactor, fairColor)
	drawFactorBand(area, y, closeFactor, closeColor)
	drawGrid(area, x, y)
	middle := y.at(1, area.Min.Y, area.Max.Y)
	area.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 1}, area.Min.X, middle, area.Max.X, middle)
	drawXTicks(area, x, ticks)

	places, widths := c.residualPlaces(area, x, y, xs)
	for _, g := range groups {
		at := x.at(g.x, area.Min.X, area.Max.X)
		half := widths[g.x] + markRadius + medianOverhang
		height := y.at(g.median(), area.Min.Y, area.Max.Y)
		area.StrokeLine2(draw.LineStyle{Color: textColor, Width: 1.6}, at-half, height, at+half, height)
	}
	for i, p := range c.points {
		if p.recorded.hasInterval() {
			lo := y.at(p.predicted.y/p.recorded.hi, area.Min.Y, area.Max.Y)
			hi := y.at(p.predicted.y/p.recorded.lo, area.Min.Y, area.Max.Y)
			area.StrokeLine2(draw.LineStyle{Color: translucent(p.style.color, 0.6), Width: 1.2}, places[i].X, lo, places[i].X, hi)
		}
	}
	for i, p := range c.points {
		p.drawMark(area, places[i])
	}
}

// inset widens the axis, of the given length, so that what it shows keeps a
// margin to both ends.
func (s *scale) inset(margin, length vg.Length) {
	lo, hi := s.forward(s.min), s.forward(s.max)
	more := (hi - lo) * float64(margin/(length-2*margin))
	s.min, s.max = s.backward(lo-more), s.backward(hi+more)
	s.ticks = s.makeTicks()
}

// drawFactorBand shades where the prediction is within a factor.
func drawFactorBand(area draw.Canvas, y scale, factor float64, shade color.NRGBA) {
	lo, hi := y.at(1/factor, area.Min.Y, area.Max.Y), y.at(factor, area.Min.Y, area.Max.Y)
	area.FillPolygon(shade, []vg.Point{{X: area.Min.X, Y: lo}, {X: area.Max.X, Y: lo}, {X: area.Max.X, Y: hi}, {X: area.Min.X, Y: hi}})
}

// residualPlaces returns where the marks go: beside one another where they would
// cover each other, and no further than halfway to the next number. It returns
// as well how far from each number the farthest mark is.
func (c *validationChart) residualPlaces(area draw.Canvas, x, y scale, xs []float64) (places []vg.Point, widths map[float64]vg.Length) {
	places, widths = make([]vg.Point, len(xs)), map[float64]vg.Length{}
	numbers := slices.Clone(xs)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for i, number := range numbers {
		at := x.at(number, area.Min.X, area.Max.X)
		most := mostSwarm
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(numbers) {
				gap := x.at(numbers[j], area.Min.X, area.Max.X) - at
				most = min(most, max(gap, -gap)/2-markRadius-1)
			}
		}
		var members []int
		var heights []vg.Length
		for k := range xs {
			if xs[k] == number {
				members = append(members, k)
				heights = append(heights, y.at(c.points[k].factor(), area.Min.Y, area.Max.Y))
			}
		}
		for k, offset := range swarm(heights, max(0, most)) {
			places[members[k]] = vg.Point{X: at + offset, Y: heights[k]}
			widths[number] = max(widths[number], offset, -offset)
		}
	}
	return places, widths
}
