package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the panels of lines, in points.
const (
	singlePanelHeight vg.Length = 400
	panelHeight       vg.Length = 165 // of the axes, in a grid of panels
	panelHeadHeight   vg.Length = 20  // the panel's name above the axes
	panelGap          vg.Length = 16  // between panels
	axisTitleSpace    vg.Length = 18  // of an axis' title
	tickSpace         vg.Length = 20  // below a panel that has tick labels
	tickGap           vg.Length = 5   // between an axis and its tick labels
	labelGap          vg.Length = 10  // between the axes and the lines' labels
	besideLabelWidth  vg.Length = 150 // of the labels of panels that stand side by side, at most
	maxLabelWidth     vg.Length = 230
	lineWidth         vg.Length = 1.9
	coveredWidth      vg.Length = 3.8              // shows on both sides of the line above
	coveredDistance   vg.Length = 1.5              // of two marks that cannot be told apart
	ringWidth         vg.Length = 2.2              // of a mark around one that covers it
	labelPitch        vg.Length = labelSize * 1.15 // least distance of two labels
)

// overlayDashes let the line below be seen, crossingDashes are of a line that
// crosses the break of an axis.
var (
	overlayDashes  = []vg.Length{7, 7}
	crossingDashes = []vg.Length{1.5, 2.5}
)

// columnsOf returns in how many columns n panels stand.
func columnsOf(n int) int { return min(n, 2) }

// narrow is the width of a body below which panels stand below each other.
const narrow vg.Length = 560

func (c *lineChart) grid(width vg.Length) (columns, rows int) {
	columns = columnsOf(len(c.panels))
	if c.labelWidth(width) > labelGap+besideLabelWidth || width < narrow {
		columns = 1
	}
	return columns, (len(c.panels) + columns - 1) / columns
}

// axesHeight returns the height of a panel's axes: enough for its labels to
// stand apart.
func (c *lineChart) axesHeight(width vg.Length) vg.Length {
	height := panelHeight
	if len(c.panels) <= 2 {
		height = min(singlePanelHeight, width*0.75)
	}
	for _, panel := range c.panels {
		height = max(height, vg.Length(len(panel.series)+1)*labelPitch)
	}
	return height
}

func (c *lineChart) bodyHeight(width vg.Length) vg.Length {
	_, rows := c.grid(width)
	return vg.Length(rows)*(panelHeadHeight+c.axesHeight(width)) + vg.Length(rows-1)*panelGap + tickSpace + 2*axisTitleSpace
}

// axes returns the scales that all panels share.
func (c *lineChart) axes() (x, y scale) {
	var xs, ys []float64
	for _, p := range c.points() {
		xs, ys = append(xs, p.x), append(ys, p.y)
	}
	x, y = newScale(c.spec.LogX, xs), newScale(c.spec.LogY, ys)
	for _, p := range c.points() {
		if p.hasInterval() && p.lo >= y.min/2 && p.hi <= y.max*2 {
			ys = append(ys, p.lo, p.hi)
		}
	}
	return x, newScale(c.spec.LogY, ys)
}

// draw draws all panels with their shared axes.
func (c *lineChart) draw(canvas draw.Canvas) {
	all := canvas.Max.X - canvas.Min.X
	columns, _ := c.grid(all)
	x, y := c.axes()
	ticks := textStyle(tickSize, mutedText)
	yTicks := widest(ticks, tickLabels(y)) + tickGap
	labels := c.labelWidth(all)

	inner := draw.Crop(canvas, yTicks, 0, tickSpace+axisTitleSpace, -axisTitleSpace)
	width := (inner.Max.X-inner.Min.X-vg.Length(columns-1)*panelGap)/vg.Length(columns) - labels
	height := c.axesHeight(all)
	x.useValues(c.xValues(), width, ticks.Width)

	for i, panel := range c.panels {
		column, row := i%columns, i/columns
		area := draw.Canvas{Canvas: canvas.Canvas}
		area.Min.X = inner.Min.X + vg.Length(column)*(width+labels+panelGap)
		area.Max.X = area.Min.X + width
		area.Max.Y = inner.Max.Y - panelHeadHeight - vg.Length(row)*(panelHeadHeight+height+panelGap)
		area.Min.Y = area.Max.Y - height

		c.drawHead(area, panel)
		drawGrid(area, x, y)
		if column == 0 {
			drawYTicks(area, y, ticks)
		}
		if i+columns >= len(c.panels) {
			drawXTicks(area, x, ticks)
			c.drawXTitle(area)
		}
		drawSeries(area, x, y, panel.series)
		drawLabels(area, x, y, panel.series, labels-labelGap)
	}
	style := textStyle(labelSize, textColor)
	at := vg.Point{X: inner.Min.X, Y: canvas.Max.Y}
	canvas.FillText(style, at, elide(style, clean(c.spec.YLabel), inner.Max.X-inner.Min.X))
}

// drawXTitle names the x axis below the lowest panel of a column.
func (c *lineChart) drawXTitle(area draw.Canvas) {
	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YTop)
	at := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: area.Min.Y - tickSpace}
	area.FillText(style, at, elide(style, clean(c.spec.XLabel), area.Max.X-area.Min.X))
}

func (c *lineChart) xValues() []float64 {
	var values []float64
	for _, p := range c.points() {
		values = append(values, p.x)
	}
	return values
}

// labelWidth returns the width that the lines' labels take beside a panel: on a narrow
// page a third of it at most.
func (c *lineChart) labelWidth(all vg.Length) vg.Length {
	style, width := textStyle(labelSize, textColor), vg.Length(0)
	for _, panel := range c.panels {
		for _, line := range panel.series {
			width = max(width, style.Width(clean(line.label())+equalSign))
		}
	}
	if all < narrow {
		width = min(width, all*0.3)
	}
	return labelGap + min(width, maxLabelWidth)
}

// drawHead writes a panel's name above its axes.
func (c *lineChart) drawHead(area draw.Canvas, panel *linePanel) {
	_, known := axisOf(c.spec.Panel)
	if c.spec.Panel == "" || len(c.panels) == 1 && c.spec.PanelNoun == "" && !known {
		return
	}
	style := bold(textStyle(panelSize, textColor))
	at := vg.Point{X: area.Min.X, Y: area.Max.Y + panelHeadHeight}
	area.FillText(style, at, elide(style, clean(c.panelName(panel)), area.Max.X-area.Min.X))
}

// fillUpwards writes text that reads from bottom to top, centred at a point.
func fillUpwards(c draw.Canvas, style text.Style, at vg.Point, s string) {
	style.Rotation = math.Pi / 2
	c.FillText(style, at, s)
}

// drawGrid draws lines at the labelled ticks and the axis below.
func drawGrid(area draw.Canvas, x, y scale) {
	grid := draw.LineStyle{Color: gridColor, Width: 0.8}
	axis := draw.LineStyle{Color: axisColor, Width: 0.8}
	for _, tick := range x.ticks {
		at := x.at(tick.Value, area.Min.X, area.Max.X)
		if tick.IsMinor() {
			area.StrokeLine2(axis, at, area.Min.Y, at, area.Min.Y-2.5)
			continue
		}
		area.StrokeLine2(grid, at, area.Min.Y, at, area.Max.Y)
		area.StrokeLine2(axis, at, area.Min.Y, at, area.Min.Y-4)
	}
	for _, tick := range y.ticks {
		at := y.at(tick.Value, area.Min.Y, area.Max.Y)
		if tick.IsMinor() {
			area.StrokeLine2(axis, area.Min.X, at, area.Min.X-2.5, at)
			continue
		}
		area.StrokeLine2(grid, area.Min.X, at, area.Max.X, at)
		area.StrokeLine2(axis, area.Min.X, at, area.Min.X-4, at)
	}
	area.StrokeLines(axis, []vg.Point{{X: area.Min.X, Y: area.Max.Y}, area.Min, {X: area.Max.X, Y: area.Min.Y}})
	if y.zero {
		drawBreak(area, axis)
	}
}

// drawBreak interrupts the y axis below its logarithmic part: two strokes with
// nothing between them.
func drawBreak(area draw.Canvas, style draw.LineStyle) {
	const half, slant vg.Length = 4, 1.5
	at := area.Min.Y + breakPlace
	area.StrokeLine2(draw.LineStyle{Color: white, Width: 2}, area.Min.X, at-1.5, area.Min.X, at+1.5)
	for _, y := range []vg.Length{at - 1.5, at + 1.5} {
		area.StrokeLine2(style, area.Min.X-half, y-slant, area.Min.X+half, y+slant)
	}
}

func drawXTicks(area draw.Canvas, x scale, style text.Style) {
	style = aligned(style, draw.XCenter, draw.YTop)
	end := area.Min.X - panelGap - maxLabelWidth
	for _, tick := range x.ticks {
		at, half := x.at(tick.Value, area.Min.X, area.Max.X), style.Width(tick.Label)/2
		if tick.IsMinor() || at-half < end {
			continue
		}
		area.FillText(style, vg.Point{X: at, Y: area.Min.Y - tickGap}, tick.Label)
		end = at + half + 4
	}
}

func drawYTicks(area draw.Canvas, y scale, style text.Style) {
	style = aligned(style, draw.XRight, draw.YCenter)
	end := area.Min.Y - tickSpace
	for _, tick := range y.ticks {
		at := y.at(tick.Value, area.Min.Y, area.Max.Y)
		if tick.IsMinor() || at-tickSize/2 < end {
			continue
		}
		area.FillText(style, vg.Point{X: area.Min.X - tickGap - 1, Y: at + tickSize*0.12}, tick.Label)
		end = at + tickSize/2
	}
}

// drawSeries draws bands below lines below marks.
func drawSeries(area draw.Canvas, x, y scale, lines []*series) {
	place := func(px, py float64) vg.Point {
		return vg.Point{X: x.at(px, area.Min.X, area.Max.X), Y: y.at(py, area.Min.Y, area.Max.Y)}
	}
	for _, line := range lines {
		drawBand(area, line, place)
	}
	for i, line := range lines {
		style := draw.LineStyle{Color: line.style.color, Width: lineWidth, Dashes: line.style.dashes}
		if slices.ContainsFunc(lines[i+1:], func(above *series) bool { return covers(above, line, y, area) }) {
			style.Width = coveredWidth
		}
		if style.Dashes == nil && slices.ContainsFunc(lines[:i], func(below *series) bool { return coincide(line, below) }) {
			style.Dashes = overlayDashes
		}
		drawLine(area, line, style, y.zero, place)
	}
	for i, line := range lines {
		for _, p := range line.points {
			at := place(p.x, p.y)
			radius := markRadius
			for _, above := range lines[i+1:] {
				if above.marks(at, place) {
					radius += ringWidth
				}
			}
			line.style.mark.drawSized(area, at, min(radius, markRadius+2*ringWidth), line.style.color, p.hollow)
		}
	}
}

// drawLine joins a line's points, with dots where it crosses the break of an axis
// that shows zeros.
func drawLine(area draw.Canvas, line *series, style draw.LineStyle, broken bool, place func(x, y float64) vg.Point) {
	var path []vg.Point
	for i, p := range line.points {
		if broken && i > 0 && (p.y == 0) != (line.points[i-1].y == 0) {
			area.StrokeLines(style, path)
			from, to := path[len(path)-1], place(p.x, p.y)
			area.StrokeLine2(draw.LineStyle{Color: translucent(style.Color.(color.NRGBA), 0.6), Width: 1, Dashes: crossingDashes}, from.X, from.Y, to.X, to.Y)
			path = nil
		}
		path = append(path, place(p.x, p.y))
	}
	area.StrokeLines(style, path)
}

// marks reports whether the line has a mark that covers one at the given place.
func (s *series) marks(at vg.Point, place func(x, y float64) vg.Point) bool {
	return slices.ContainsFunc(s.points, func(p point) bool {
		q := place(p.x, p.y)
		return max(q.X-at.X, at.X-q.X, q.Y-at.Y, at.Y-q.Y) < coveredDistance
	})
}

// covers reports whether the line above hides most of the one below.
func covers(above, below *series, y scale, area draw.Canvas) bool {
	hidden := 0
	for _, p := range below.points {
		i := slices.IndexFunc(above.points, func(q point) bool { return q.x == p.x })
		if i < 0 {
			continue
		}
		distance := y.at(above.points[i].y, area.Min.Y, area.Max.Y) - y.at(p.y, area.Min.Y, area.Max.Y)
		if max(distance, -distance) < lineWidth {
			hidden++
		}
	}
	return 2*hidden > len(below.points)
}

// sameRate is by what share two values may differ that a label calls equal.
const sameRate = 0.005

// coincide reports whether two lines have the same values, to a reader.
func coincide(a, b *series) bool {
	return slices.EqualFunc(a.points, b.points, func(p, q point) bool {
		return p.x == q.x && math.Abs(p.y-q.y) <= sameRate*max(math.Abs(p.y), math.Abs(q.y))
	})
}

// bandOpacity lets lines and grid show through the bands.
const bandOpacity = 0.25

// drawBand draws a line's intervals: a band over neighbouring points that have
// one, a bar at each point so that an interval without neighbours shows as well.
func drawBand(area draw.Canvas, line *series, place func(x, y float64) vg.Point) {
	var lower, upper []vg.Point
	flush := func() {
		if len(lower) > 1 {
			slices.Reverse(upper)
			area.FillPolygon(translucent(line.style.color, bandOpacity), append(lower, upper...))
		}
		lower, upper = nil, nil
	}
	for _, p := range line.points {
		if !p.hasInterval() {
			flush()
			continue
		}
		lo, hi := place(p.x, p.lo), place(p.x, p.hi)
		lower, upper = append(lower, lo), append(upper, hi)
		area.StrokeLine2(draw.LineStyle{Color: translucent(line.style.color, 0.6), Width: 1.2}, lo.X, lo.Y, hi.X, hi.Y)
	}
	flush()
}

// drawLabels writes each line's name beside its last point, moved up or down
// where two would overlap, with a thin line from the point to the name. The
// names of lines that coincide are one label: "claim-release =", "original".
func drawLabels(area draw.Canvas, x, y scale, lines []*series, width vg.Length) {
	ends := make([]float64, len(lines))
	names := make([]string, len(lines))
	for i, line := range lines {
		ends[i] = float64(y.at(line.last().y, area.Min.Y, area.Max.Y))
		names[i] = line.label()
		same := func(below *series) bool { return coincide(line, below) }
		if first := slices.IndexFunc(lines[:i], same); first >= 0 { // which keeps its place below
			ends[i], names[i] = ends[first], names[i]+equalSign
		}
	}
	places := apart(ends, float64(labelPitch), float64(area.Min.Y+labelPitch/2), float64(area.Max.Y-labelPitch/2))
	for i, line := range lines {
		ink := ink(line.style.color)
		style := aligned(textStyle(labelSize, ink), draw.XLeft, draw.YCenter)
		at := vg.Point{X: area.Max.X + labelGap, Y: vg.Length(places[i])}
		end := vg.Length(ends[i])
		area.StrokeLines(draw.LineStyle{Color: translucent(line.style.color, 0.7), Width: 0.7}, []vg.Point{
			{X: x.at(line.last().x, area.Min.X, area.Max.X) + markRadius + 1, Y: end}, {X: area.Max.X, Y: end}, {X: at.X - 2, Y: at.Y},
		})
		at.Y += labelSize * 0.12
		area.FillText(style, at, elide(style, clean(names[i]), width))
	}
}

// equalSign ends the name of a line that coincides with the one named below.
const equalSign = " ="

func tickLabels(s scale) []string {
	var labels []string
	for _, tick := range s.ticks {
		labels = append(labels, tick.Label)
	}
	return labels
}

func widest(style text.Style, texts []string) vg.Length {
	var width vg.Length
	for _, s := range texts {
		width = max(width, style.Width(s))
	}
	return width
}
