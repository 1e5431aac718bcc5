package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An overTimePanel is a set of axes of a figure over time.
type overTimePanel struct {
	head   string
	log    bool
	least  float64 // of the y axis where it is logarithmic: what lies below is drawn at it
	lines  []*series
	height vg.Length
}

// An overTime is panels, one above the other, that share an axis of time. Lines
// with names are labelled at their end.
type overTime struct {
	from, to float64 // seconds
	panels   []overTimePanel
	shades   []shade
}

// A shade is a stretch of time whose ground is darker, by so much of the full shade.
type shade struct{ from, to, share float64 }

// overTimeGap is between a panel and the head of the next.
const overTimeGap vg.Length = 12

func (o *overTime) bodyHeight(vg.Length) vg.Length {
	height := tickSpace + axisTitleSpace + overTimeGap*vg.Length(len(o.panels)-1)
	for _, p := range o.panels {
		height += panelHeadHeight + p.height
	}
	return height
}

// labelWidth is the room for the lines' names, 0 where none has one.
func (o *overTime) labelWidth(all vg.Length) vg.Length {
	style, width := textStyle(labelSize, textColor), vg.Length(0)
	for _, p := range o.panels {
		for _, line := range p.lines {
			width = max(width, style.Width(clean(line.label())))
		}
	}
	if width == 0 {
		return 0
	}
	if all < narrow {
		width = min(width, all*0.3)
	}
	return labelGap + min(width, maxLabelWidth)
}

func (p overTimePanel) yScale() scale {
	values := []float64{0}
	if p.log {
		values = []float64{p.least}
	}
	for _, line := range p.lines {
		for _, q := range line.points {
			values = append(values, max(q.y, values[0]))
		}
	}
	s := newScale(p.log, values)
	for i, tick := range s.ticks {
		if !tick.IsMinor() && tick.Value >= 1e9 { // "1,000 M", not "1e+09"
			s.ticks[i].Label = number(tick.Value/1e6) + " M"
		}
	}
	return s
}

func (o *overTime) draw(canvas draw.Canvas) {
	ticks := textStyle(tickSize, mutedText)
	left := vg.Length(0)
	for _, p := range o.panels {
		left = max(left, widest(ticks, tickLabels(p.yScale())))
	}
	labels := o.labelWidth(canvas.Max.X - canvas.Min.X)
	inner := draw.Crop(canvas, left+tickGap+1, -labels-6, 0, 0)
	x, unit := newTimeScale(o.from, o.to)
	top := inner.Max.Y
	for i, p := range o.panels {
		area := draw.Canvas{Canvas: canvas.Canvas, Rectangle: inner.Rectangle}
		area.Max.Y = top - panelHeadHeight
		area.Min.Y = area.Max.Y - p.height
		o.drawPanel(area, x, p, ticks, labels-labelGap)
		if i == len(o.panels)-1 {
			drawXTicks(area, x, ticks)
			style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YTop)
			canvas.FillText(style, vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: area.Min.Y - tickSpace}, unit.title())
		}
		top = area.Min.Y - overTimeGap
	}
}

func (o *overTime) drawPanel(area draw.Canvas, x scale, p overTimePanel, ticks text.Style, labels vg.Length) {
	y := p.yScale()
	head := bold(textStyle(panelSize, textColor))
	area.FillText(head, vg.Point{X: area.Min.X, Y: area.Max.Y + panelHeadHeight}, elide(head, p.head, area.Max.X-area.Min.X+max(labels, 0)))
	for _, s := range o.shades {
		left, right := x.at(max(s.from, o.from), area.Min.X, area.Max.X), x.at(min(s.to, o.to), area.Min.X, area.Max.X)
		area.SetColor(translucent(orange, 0.28*min(s.share, 1)))
		area.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: area.Min.Y}, Max: vg.Point{X: right, Y: area.Max.Y}}.Path())
	}
	drawGrid(area, x, y)
	drawYTicks(area, y, ticks)
	for _, line := range p.lines {
		style := draw.LineStyle{Color: line.style.color, Width: line.width(), Dashes: line.style.dashes}
		path := make([]vg.Point, len(line.points))
		for i, q := range line.points {
			path[i] = vg.Point{X: x.at(q.x, area.Min.X, area.Max.X), Y: y.at(q.y, area.Min.Y, area.Max.Y)}
		}
		area.StrokeLines(style, path)
	}
	if named := slices.DeleteFunc(slices.Clone(p.lines), func(s *series) bool { return s.name == "" }); len(named) > 0 {
		drawLabels(area, x, y, named, labels)
	}
}

// width is how thick a line is: one with dashes is a mark beside others.
func (s *series) width() vg.Length {
	if s.style.dashes != nil {
		return 1.1
	}
	return 1.5
}

// extent is the first and the last x of lines.
func extent(lines []*series) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, line := range lines {
		for _, p := range line.points {
			from, to = min(from, p.x), max(to, p.x)
		}
	}
	return from, to
}
