package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a validation, in points.
const (
	squareSide       vg.Length = 500 // of the axes: both have the same scale
	validationHeight           = squareSide + tickSpace + axisTitleSpace
	keyGap           vg.Length = 18  // between the axes and the key beside them
	keyPitch         vg.Length = 15  // between lines of the key
	keySpacing       vg.Length = 9   // between entries of the key
	keyIndent        vg.Length = 20  // of texts behind their mark or swatch
	nameWidth        vg.Length = 220 // of the name of a point
	nearDistance     vg.Length = 60  // of that name from its point, if there is room
	farDistance      vg.Length = 170 // and if not
	departDistance   vg.Length = 15
	nameSize                   = 9.5
	departSize                 = 8.5
)

// The bands' greys: the closer one is drawn over the other.
var (
	fairColor  = rgb(0xF3F3F4)
	closeColor = rgb(0xE3E6EA)
)

// mostWorst is how many of the points furthest off are named.
const mostWorst = 5

// draw draws the axes, a square, and the key to its right.
func (c *validationChart) draw(canvas draw.Canvas) {
	axis := c.squareScale()
	ticks := textStyle(tickSize, mutedText)

	area := draw.Canvas{Canvas: canvas.Canvas}
	area.Min.X = canvas.Min.X + axisTitleSpace + widest(ticks, tickLabels(axis)) + tickGap
	area.Min.Y = canvas.Min.Y + tickSpace + axisTitleSpace
	area.Max = vg.Point{X: area.Min.X + squareSide, Y: area.Min.Y + squareSide}

	drawDiagonalBand(area, axis, fairFactor, fairColor)
	drawDiagonalBand(area, axis, closeFactor, closeColor)
	drawGrid(area, axis, axis)
	area.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 1}, area.Min.X, area.Min.Y, area.Max.X, area.Max.Y)
	drawXTicks(area, axis, ticks)
	drawYTicks(area, axis, ticks)

	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YBottom)
	center := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: (area.Min.Y + area.Max.Y) / 2}
	canvas.FillText(style, vg.Point{X: center.X, Y: canvas.Min.Y}, "recorded automatic vacuums per second, real PostgreSQL")
	fillUpwards(canvas, style, vg.Point{X: canvas.Min.X + labelSize, Y: center.Y}, "predicted automatic vacuums per second")

	c.drawPoints(area, axis)
	c.drawKey(canvas, area.Max.X+keyGap)
}

// squareScale returns the scale of both axes.
func (c *validationChart) squareScale() scale {
	var values []float64
	for _, p := range c.points {
		values = append(values, p.recorded.y, p.predicted.y)
	}
	lo, hi := slices.Min(values)/2, slices.Max(values)*2
	for _, p := range c.points {
		for _, q := range []point{p.recorded, p.predicted} {
			if q.hasInterval() {
				values = append(values, max(lo, q.lo), min(hi, q.hi))
			}
		}
	}
	return newScale(true, values)
}

// drawDiagonalBand shades where y is within a factor of x.
func drawDiagonalBand(area draw.Canvas, axis scale, factor float64, shade color.NRGBA) {
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: area.Min.X + x, Y: area.Min.Y + y} }
	side := area.Max.X - area.Min.X
	half := min(side, side*vg.Length(math.Log(factor)/math.Log(axis.max/axis.min)))
	area.FillPolygon(shade, []vg.Point{
		at(0, 0), at(half, 0), at(side, side-half), at(side, side), at(side-half, side), at(0, half),
	})
}

func (c *validationChart) drawPoints(area draw.Canvas, axis scale) {
	at := func(p comparedPoint) vg.Point {
		return vg.Point{X: axis.at(p.recorded.y, area.Min.X, area.Max.X), Y: axis.at(p.predicted.y, area.Min.Y, area.Max.Y)}
	}
	texts := besider{area: area}
	for _, p := range c.points {
		bar := draw.LineStyle{Color: translucent(p.style.color, 0.6), Width: 1.2}
		center := at(p)
		texts.taken = append(texts.taken, around(center, markRadius+1))
		if p.recorded.hasInterval() {
			lo, hi := axis.at(p.recorded.lo, area.Min.X, area.Max.X), axis.at(p.recorded.hi, area.Min.X, area.Max.X)
			area.StrokeLine2(bar, lo, center.Y, hi, center.Y)
			texts.taken = append(texts.taken, vg.Rectangle{Min: vg.Point{X: lo, Y: center.Y - 2}, Max: vg.Point{X: hi, Y: center.Y + 2}})
		}
		if p.predicted.hasInterval() {
			lo, hi := axis.at(p.predicted.lo, area.Min.Y, area.Max.Y), axis.at(p.predicted.hi, area.Min.Y, area.Max.Y)
			area.StrokeLine2(bar, center.X, lo, center.X, hi)
			texts.taken = append(texts.taken, vg.Rectangle{Min: vg.Point{X: center.X - 2, Y: lo}, Max: vg.Point{X: center.X + 2, Y: hi}})
		}
	}
	for _, p := range c.points {
		p.drawMark(area, at(p))
	}
	c.drawNames(texts, axis, at)
}

// drawMark draws the point's mark: hollow if it is not in the summary, with a
// dot if it departs from its strategy as it usually is.
func (p comparedPoint) drawMark(area draw.Canvas, at vg.Point) {
	p.style.mark.draw(area, at, p.style.color, !p.summary)
	if p.departs != "" {
		drawDot(area, at, p.style.color, !p.summary)
	}
}

// drawDot puts a dot into a mark.
func drawDot(area draw.Canvas, at vg.Point, c color.NRGBA, hollow bool) {
	area.SetColor(white)
	if hollow {
		area.SetColor(c)
	}
	area.Fill(circle.path(at, markRadius*0.42))
}

func around(at vg.Point, radius vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: at.X - radius, Y: at.Y - radius}, Max: vg.Point{X: at.X + radius, Y: at.Y + radius}}
}

// drawNames names the points that are furthest off, away from the diagonal, and
// then what departs in others, close to them and where there is room.
func (c *validationChart) drawNames(texts besider, axis scale, at func(comparedPoint) vg.Point) {
	const upLeft, downRight = 3 * math.Pi / 4, -math.Pi / 4
	direction := func(p comparedPoint) float64 {
		if p.factor() > 1 {
			return upLeft
		}
		return downRight
	}
	side := texts.area.Max.X - texts.area.Min.X
	offBand := func(factor float64) func(vg.Rectangle) bool {
		half := side * vg.Length(math.Log(factor)/math.Log(axis.max/axis.min))
		return func(box vg.Rectangle) bool {
			above := box.Min.Y - texts.area.Min.Y - (box.Max.X - texts.area.Min.X) // of the corner nearest to the diagonal
			below := box.Max.Y - texts.area.Min.Y - (box.Min.X - texts.area.Min.X)
			return above > half || below < -half
		}
	}
	worst := c.worst()
	for _, p := range worst {
		style := textStyle(nameSize, ink(p.style.color))
		name := c.pointName(p)
		for i := range name {
			name[i] = elide(style, clean(name[i]), nameWidth)
		}
		away, across := direction(p), direction(p)+math.Pi
		near := func(direction float64) bool {
			return texts.write(style, name, at(p), direction, nearDistance, offBand(closeFactor))
		}
		if !near(away) && !near(across) {
			texts.write(style, name, at(p), away, farDistance, offBand(1))
		}
	}
	for _, p := range c.points {
		named := slices.ContainsFunc(worst, func(w comparedPoint) bool { return w.row == p.row })
		if p.departs != "" && !named {
			texts.write(textStyle(departSize, ink(p.style.color)), []string{clean(p.departs)}, at(p), direction(p), departDistance, offBand(1))
		}
	}
}

// worst returns the points that are furthest off, if they are off the closer
// band: those of the summary first.
func (c *validationChart) worst() []comparedPoint {
	worst := slices.DeleteFunc(slices.Clone(c.points), func(p comparedPoint) bool { return p.miss() <= closeFactor })
	slices.SortStableFunc(worst, func(a, b comparedPoint) int {
		if a.summary != b.summary {
			if a.summary {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.miss(), a.miss())
	})
	return worst[:min(len(worst), mostWorst)]
}

// pointName names a point and how far it is off, in two lines. How its workers
// started is said where nothing else tells it from another.
func (c *validationChart) pointName(p comparedPoint) []string {
	place := func(p comparedPoint) string {
		return counted(cell(c.table, p.row, "tables"), "table") + ", " + counted(cell(c.table, p.row, "workers"), "worker")
	}
	name, where := p.name(), place(p)
	another := c.any(func(q comparedPoint) bool {
		return q.row != p.row && q.name() == name && place(q) == where
	})
	if start := cell(c.table, p.row, "start"); another && start != "" {
		where += ", " + start + " start"
	}
	return []string{name + ": × " + factorText(p.factor()), where}
}

// name is the strategy with what it departs in: "claim-release (500 ms)".
func (p comparedPoint) name() string {
	if p.departs == "" {
		return p.strategy
	}
	return p.strategy + " (" + p.departs + ")"
}

// factorText formats a factor with two digits behind the point, or two that count.
func factorText(f float64) string {
	if f >= 0.1 && f < 1e6 {
		return thousands(fmt.Sprintf("%.2f", f))
	}
	return fmt.Sprintf("%.2g", f)
}

// A keyEntry is a mark or a swatch, explained.
type keyEntry struct {
	draw  func(center vg.Point)
	lines []string
	color color.NRGBA
	bold  bool // the first line
}

// drawKey lists the strategies and the bands, from the top at the given left edge.
func (c *validationChart) drawKey(canvas draw.Canvas, left vg.Length) {
	y := canvas.Max.Y
	for _, entry := range c.keyEntries(canvas) {
		entry.draw(vg.Point{X: left + keyIndent/2 - 3, Y: y - keyPitch/2})
		for i, line := range entry.lines {
			style := textStyle(tickSize, mutedText)
			if i == 0 {
				style = textStyle(labelSize, entry.color)
			}
			if i == 0 && entry.bold {
				style = bold(style)
			}
			style = aligned(style, draw.XLeft, draw.YCenter)
			at := vg.Point{X: left + keyIndent, Y: y - keyPitch/2 + style.Font.Size*0.12}
			canvas.FillText(style, at, elide(style, clean(line), canvas.Max.X-at.X))
			y -= keyPitch
		}
		y -= keySpacing
	}
}

// keyEntries returns what fits beside the axes: the bands and as many
// strategies as there is room for.
func (c *validationChart) keyEntries(canvas draw.Canvas) []keyEntry {
	bands := []keyEntry{
		{draw: func(at vg.Point) {
			canvas.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 1}, at.X-6, at.Y-6, at.X+6, at.Y+6)
		}, lines: []string{"predicted as recorded"}, color: textColor},
		c.bandEntry(canvas, closeFactor, closeColor),
		c.bandEntry(canvas, fairFactor, fairColor),
	}
	height := func(entries []keyEntry) vg.Length {
		var h vg.Length
		for _, entry := range entries {
			h += vg.Length(len(entry.lines))*keyPitch + keySpacing
		}
		return h
	}
	room := canvas.Max.Y - canvas.Min.Y - height(bands) - keyPitch - keySpacing
	var entries []keyEntry
	for i, s := range c.strategies {
		entry := keyEntry{
			draw:  func(at vg.Point) { s.style.mark.draw(canvas, at, s.style.color, false) },
			lines: c.strategyLines(s), color: ink(s.style.color), bold: true,
		}
		if height(append(slices.Clone(entries), entry)) > room {
			more := fmt.Sprintf("and %d more", len(c.strategies)-i)
			entries = append(entries, keyEntry{draw: func(vg.Point) {}, lines: []string{more}, color: mutedText})
			break
		}
		entries = append(entries, entry)
	}
	return append(entries, bands...)
}

// strategyLines says what a strategy's marks are and how far off.
func (c *validationChart) strategyLines(s comparedStrategy) []string {
	lines := []string{s.name}
	if releases := slices.DeleteFunc(slices.Clone(s.releases), func(r string) bool { return r == "" }); len(releases) > 0 {
		lines = append(lines, "PostgreSQL "+list(releases))
	}
	misses := c.misses(func(p comparedPoint) bool { return p.strategy == s.name })
	switch n := len(misses); n {
	case 0:
		return append(lines, "none in the summary")
	case 1:
		return append(lines, "1 point, within "+upToPercent(misses[0]))
	default:
		return append(lines, fmt.Sprintf("%d points, median within %s", n, upToPercent(medianFactor(misses))))
	}
}

// bandEntry says how much of the summary is within a factor.
func (c *validationChart) bandEntry(canvas draw.Canvas, factor float64, shade color.NRGBA) keyEntry {
	text := strings.TrimSuffix(fmt.Sprintf("%.2f", factor), "0") + " times"
	misses := c.misses(everyPoint)
	lines := []string{"within " + text}
	if n := len(misses); n > 0 {
		close, _ := slices.BinarySearchFunc(misses, factor, func(miss, factor float64) int {
			if miss <= factor {
				return -1
			}
			return 1
		})
		lines = append(lines, fmt.Sprintf("%d of %s", close, counted(fmt.Sprint(n), "point")))
	}
	return keyEntry{draw: func(at vg.Point) {
		r := around(at, legendSwatch/2)
		canvas.SetColor(shade)
		canvas.Fill(r.Path())
		canvas.SetLineStyle(draw.LineStyle{Color: axisColor, Width: 0.5})
		canvas.Stroke(r.Path())
	}, lines: lines, color: textColor}
}
