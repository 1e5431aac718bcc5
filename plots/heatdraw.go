package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a heat map, in points.
const (
	cellHeight    vg.Length = 24
	cellGap       vg.Length = 1
	mostHeat      vg.Length = 420 // of a panel's cells
	heatBarWidth  vg.Length = 14
	heatBarSpace  vg.Length = 66 // of the bar and its labels
	heatYTicks    vg.Length = 64
	cellTextWidth vg.Length = 5 // left free beside a cell's number
)

// heatColours go from light to dark evenly in luminance, from few to many.
func heatColours() palette.ColorMap {
	m, err := moreland.NewLuminance([]color.Color{rgb(0x0B2545), blue, skyBlue, rgb(0xF2F8FC)})
	if err != nil {
		panic(err) // the colours are those above
	}
	m.SetMin(0)
	m.SetMax(1)
	return m
}

// heatColour is the colour of a share of the scale, 0 to 1: the higher the darker.
func heatColour(m palette.ColorMap, share float64) color.NRGBA {
	c, err := m.At(1 - min(max(share, 0), 1))
	if err != nil {
		panic(err) // within its bounds
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

func (m *heatMap) grid() (columns, rows int) {
	columns = columnsOf(len(m.panels))
	if len(m.xs) > 6 { // so that the numbers have room
		columns = 1
	}
	return columns, (len(m.panels) + columns - 1) / columns
}

func (m *heatMap) panelHeight() vg.Length {
	return min(vg.Length(len(m.ys))*cellHeight, mostHeat)
}

func (m *heatMap) bodyHeight() vg.Length {
	_, rows := m.grid()
	return vg.Length(rows)*(panelHeadHeight+m.panelHeight()) + vg.Length(rows-1)*panelGap + tickSpace + 2*axisTitleSpace
}

// share is where a value stands on the scale of colours, 0 to 1.
func (s scale) share(v float64) float64 { return float64(s.at(v, 0, 1)) }

func (m *heatMap) draw(canvas draw.Canvas) {
	columns, _ := m.grid()
	z, colours := m.colours(), heatColours()
	inner := draw.Crop(canvas, heatYTicks, -heatBarSpace, tickSpace+axisTitleSpace, -axisTitleSpace)
	width := (inner.Max.X - inner.Min.X - vg.Length(columns-1)*panelGap) / vg.Length(columns)
	for i, panel := range m.panels {
		column, row := i%columns, i/columns
		area := draw.Canvas{Canvas: canvas.Canvas}
		area.Min.X = inner.Min.X + vg.Length(column)*(width+panelGap)
		area.Max.X = area.Min.X + width
		area.Max.Y = inner.Max.Y - panelHeadHeight - vg.Length(row)*(panelHeadHeight+m.panelHeight()+panelGap)
		area.Min.Y = area.Max.Y - m.panelHeight()

		style := bold(textStyle(panelSize, textColor))
		area.FillText(style, vg.Point{X: area.Min.X, Y: area.Max.Y + panelHeadHeight}, elide(style, clean(panel.name), width))
		m.drawCells(area, panel, z, colours)
		if column == 0 {
			m.drawYLabels(area)
		}
		if i+columns >= len(m.panels) {
			m.drawXLabels(area)
		}
	}
	m.drawTitles(canvas, inner)
	drawHeatBar(draw.Crop(inner, inner.Max.X-inner.Min.X+panelGap, heatBarSpace, 0, 0), m.barHeight(), z, colours)
}

func (m *heatMap) barHeight() vg.Length { return max(m.panelHeight(), 120) }

// drawTitles names the axes and what the colours are.
func (m *heatMap) drawTitles(canvas, inner draw.Canvas) {
	style := textStyle(labelSize, textColor)
	width := canvas.Max.X - canvas.Min.X
	at := vg.Point{X: canvas.Min.X, Y: canvas.Max.Y}
	canvas.FillText(style, at, elide(style, clean(axisTitle(m.spec.Y)+" (up), colour: "+m.spec.Z), width))
	style = aligned(style, draw.XCenter, draw.YBottom)
	canvas.FillText(style, vg.Point{X: (inner.Min.X + inner.Max.X) / 2, Y: canvas.Min.Y}, elide(style, clean(axisTitle(m.spec.X)), width))
}

// axisTitle is what an axis of a column is called.
func axisTitle(column string) string {
	if axis, ok := axisOf(column); ok && axis.label != "" {
		return axis.label
	}
	return column
}

// box is the place of a cell.
func (m *heatMap) box(area draw.Canvas, x, y int) vg.Rectangle {
	w := (area.Max.X - area.Min.X) / vg.Length(len(m.xs))
	h := (area.Max.Y - area.Min.Y) / vg.Length(len(m.ys))
	at := vg.Point{X: area.Min.X + vg.Length(x)*w, Y: area.Min.Y + vg.Length(y)*h}
	return vg.Rectangle{Min: at, Max: vg.Point{X: at.X + w - cellGap, Y: at.Y + h - cellGap}}
}

// drawCells fills the cells, and writes the numbers where all have room.
func (m *heatMap) drawCells(area draw.Canvas, panel *heatPanel, z scale, colours palette.ColorMap) {
	style := aligned(textStyle(tickSize, textColor), draw.XCenter, draw.YCenter)
	written := m.numbersFit(area, style)
	for yi, y := range m.ys {
		for xi, x := range m.xs {
			box := m.box(area, xi, yi)
			row, ok := panel.cells[[2]string{x, y}]
			if !ok {
				area.FillPolygon(gridColor, corners(box))
				continue
			}
			v := value(m.table, row, m.spec.Z)
			c := heatColour(colours, z.share(v))
			area.FillPolygon(c, corners(box))
			style.Color = inkOn(c)
			at := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y+box.Max.Y)/2 + tickSize*0.12}
			if written {
				area.FillText(style, at, m.cellText(row))
			} else if m.exhausted(row) {
				area.FillText(style, at, exhaustedMark)
			}
		}
	}
}

// exhaustedMark is beside the number of a run that ran out of tables, or where
// numbers have no room in its place.
const exhaustedMark = "*"

// cellText is the number in a cell, with a mark where the tables ran out.
func (m *heatMap) cellText(row int) string {
	text := rate(value(m.table, row, m.spec.Z))
	if m.exhausted(row) {
		text += exhaustedMark
	}
	return text
}

func (m *heatMap) numbersFit(area draw.Canvas, style text.Style) bool {
	box := m.box(area, 0, 0)
	if box.Max.Y-box.Min.Y < tickSize*1.1 {
		return false
	}
	for _, row := range m.rows() {
		if style.Width(m.cellText(row))+cellTextWidth > box.Max.X-box.Min.X {
			return false
		}
	}
	return true
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// valueLabel is a value at the edge of the cells.
func valueLabel(text string) string {
	if v, ok := parse(text); ok {
		return number(v)
	}
	return clean(text)
}

func (m *heatMap) drawYLabels(area draw.Canvas) {
	style := aligned(textStyle(tickSize, mutedText), draw.XRight, draw.YCenter)
	end := vg.Length(math.Inf(-1))
	for i, y := range m.ys {
		box := m.box(area, 0, i)
		at := (box.Min.Y + box.Max.Y) / 2
		if at-tickSize/2 < end {
			continue
		}
		area.FillText(style, vg.Point{X: area.Min.X - tickGap, Y: at + tickSize*0.12}, elide(style, valueLabel(y), heatYTicks-tickGap))
		end = at + tickSize/2
	}
}

func (m *heatMap) drawXLabels(area draw.Canvas) {
	style := aligned(textStyle(tickSize, mutedText), draw.XCenter, draw.YTop)
	end := vg.Length(math.Inf(-1))
	for i, x := range m.xs {
		box := m.box(area, i, 0)
		at := (box.Min.X + box.Max.X) / 2
		label := elide(style, valueLabel(x), 2*(box.Max.X-box.Min.X))
		if at-style.Width(label)/2 < end {
			continue
		}
		area.FillText(style, vg.Point{X: at, Y: area.Min.Y - tickGap}, label)
		end = at + style.Width(label)/2 + 4
	}
}

// drawHeatBar draws the scale of the colours beside the panels.
func drawHeatBar(area draw.Canvas, height vg.Length, z scale, colours palette.ColorMap) {
	const steps = 64
	top := area.Max.Y - panelHeadHeight
	height = min(height, top-area.Min.Y)
	bottom := top - height
	for i := range steps {
		y := bottom + vg.Length(i)/steps*height
		box := vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: y}, Max: vg.Point{X: area.Min.X + heatBarWidth, Y: y + height/steps + 0.5}}
		area.FillPolygon(heatColour(colours, (float64(i)+0.5)/steps), corners(box))
	}
	style := aligned(textStyle(tickSize, mutedText), draw.XLeft, draw.YCenter)
	axis := draw.LineStyle{Color: axisColor, Width: 0.8}
	for _, tick := range z.ticks {
		if tick.IsMinor() {
			continue
		}
		at := z.at(tick.Value, bottom, top)
		area.StrokeLine2(axis, area.Min.X+heatBarWidth, at, area.Min.X+heatBarWidth+4, at)
		area.FillText(style, vg.Point{X: area.Min.X + heatBarWidth + 6, Y: at + tickSize*0.12}, tick.Label)
	}
}
