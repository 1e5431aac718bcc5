package plots

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the bars, in points.
const (
	barHeight     vg.Length = 15
	barGap        vg.Length = 3
	groupGap      vg.Length = 9  // between strategies
	timePanelGap  vg.Length = 22 // between numbers of tables
	legendSwatch  vg.Length = 10
	legendGap     vg.Length = 16 // between entries
	legendPitch   vg.Length = 18 // between lines of the legend
	legendSpacing vg.Length = 8  // below the legend
	rowWidth      vg.Length = 56 // of the column of worker counts
	leastNumbered vg.Length = 2  // free beside a number in a bar
	barTextSize             = 9.5
)

func (c *timeChart) bodyHeight() vg.Length {
	height := vg.Length(len(c.legendLines()))*legendPitch + legendSpacing + panelHeadHeight + tickSpace + axisTitleSpace
	return height + c.barsHeight()
}

func (c *timeChart) barsHeight() vg.Length {
	var height vg.Length
	for _, group := range c.groups {
		height += vg.Length(len(group.rows))*(barHeight+barGap) - barGap + groupGap
	}
	return height
}

// legendLines breaks the legend into lines.
func (c *timeChart) legendLines() [][]component {
	style := textStyle(labelSize, textColor)
	var lines [][]component
	var width vg.Length = pageWidth
	for _, entry := range c.legend() {
		entryWidth := legendSwatch + 5 + style.Width(entry.name) + legendGap
		if width+entryWidth > pageWidth-2*pageMargin+legendGap {
			lines = append(lines, nil)
			width = 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], entry)
		width += entryWidth
	}
	return lines
}

func (c *timeChart) draw(canvas draw.Canvas) {
	top := c.drawLegend(canvas)
	names := c.namesWidth()
	bars := draw.Crop(canvas, names+rowWidth, 0, tickSpace+axisTitleSpace, 0)
	bars.Max.Y = top - panelHeadHeight

	c.drawRowLabels(canvas, bars.Max.Y, names)
	n := vg.Length(len(c.panels))
	width := (bars.Max.X - bars.Min.X - (n-1)*timePanelGap) / n
	for i, panel := range c.panels {
		area := bars
		area.Min.X += vg.Length(i) * (width + timePanelGap)
		area.Max.X = area.Min.X + width
		c.drawTimePanel(area, panel)
	}
	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YBottom)
	canvas.FillText(style, vg.Point{X: (bars.Min.X + bars.Max.X) / 2, Y: canvas.Min.Y}, "share of the workers' time")
}

// drawLegend returns where the panels begin.
func (c *timeChart) drawLegend(canvas draw.Canvas) vg.Length {
	style := aligned(textStyle(labelSize, textColor), draw.XLeft, draw.YCenter)
	y := canvas.Max.Y
	for _, line := range c.legendLines() {
		x := canvas.Min.X
		for _, entry := range line {
			middle := y - legendPitch/2
			fillRect(canvas, entry, x, middle-legendSwatch/2, x+legendSwatch, middle+legendSwatch/2)
			x += legendSwatch + 5
			canvas.FillText(style, vg.Point{X: x, Y: middle + labelSize*0.12}, entry.name)
			x += style.Width(entry.name) + legendGap
		}
		y -= legendPitch
	}
	return y - legendSpacing
}

func fillRect(canvas draw.Canvas, entry component, x0, y0, x1, y1 vg.Length) {
	canvas.SetColor(entry.color)
	canvas.Fill(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
}

// namesWidth returns the width of the column of strategies.
func (c *timeChart) namesWidth() vg.Length {
	style, width := bold(textStyle(labelSize, textColor)), vg.Length(0)
	for _, group := range c.groups {
		width = max(width, style.Width(clean(group.label())))
	}
	return min(width, maxLabelWidth)
}

// eachRow calls f for every row of bars with the height of its middle.
func (c *timeChart) eachRow(top vg.Length, f func(group timeGroup, i int, middle vg.Length)) {
	y := top
	for _, group := range c.groups {
		for i := range group.rows {
			f(group, i, y-barHeight/2)
			y -= barHeight + barGap
		}
		y -= groupGap - barGap
	}
}

func (c *timeChart) drawRowLabels(canvas draw.Canvas, top, names vg.Length) {
	right := canvas.Min.X + names + rowWidth - tickGap - 2
	head := aligned(textStyle(tickSize, mutedText), draw.XRight, draw.YTop)
	canvas.FillText(head, vg.Point{X: right, Y: top + panelHeadHeight - 1}, rowHead(c.rowBy))
	c.eachRow(top, func(group timeGroup, i int, middle vg.Length) {
		if i == 0 {
			style := aligned(bold(textStyle(labelSize, ink(group.style.color))), draw.XLeft, draw.YCenter)
			canvas.FillText(style, vg.Point{X: canvas.Min.X, Y: middle + labelSize*0.12}, elide(style, clean(group.label()), names))
		}
		style := aligned(textStyle(tickSize, textColor), draw.XRight, draw.YCenter)
		canvas.FillText(style, vg.Point{X: right, Y: middle + tickSize*0.12}, elide(style, clean(rowText(c.rowBy, group.rows[i])), rowWidth-tickGap-2))
	})
}

// rowHead heads the column of what the bars are of.
func rowHead(column string) string {
	switch column {
	case "workers":
		return "workers"
	case "cpus":
		return "CPUs"
	}
	return ""
}

// rowText names a bar, below its column's head if there is one.
func rowText(column, value string) string {
	switch {
	case rowHead(column) != "":
		return value
	case column == naptimeColumn:
		return value + " s"
	}
	return valueText(column, value)
}

func (c *timeChart) drawTimePanel(area draw.Canvas, panel timePanel) {
	head := bold(textStyle(panelSize, textColor))
	title := elide(head, clean(valueText(c.panelBy, panel.value)), area.Max.X-area.Min.X)
	area.FillText(head, vg.Point{X: area.Min.X, Y: area.Max.Y + panelHeadHeight}, title)
	drawShareAxis(area)
	c.eachRow(area.Max.Y, func(group timeGroup, i int, middle vg.Length) {
		if b, ok := panel.bars[barKey{group.label(), group.rows[i]}]; ok {
			drawBar(area, b, middle)
		}
	})
}

// drawShareAxis draws a grid at the quarters and numbers at the halves.
func drawShareAxis(area draw.Canvas) {
	style := aligned(textStyle(tickSize, mutedText), draw.XCenter, draw.YTop)
	alignments := []draw.XAlignment{draw.XLeft, draw.XCenter, draw.XRight} // so that neighbours do not meet
	for i := range 5 {
		share := float64(i) / 4
		x := area.X(share)
		area.StrokeLine2(draw.LineStyle{Color: gridColor, Width: 0.8}, x, area.Min.Y, x, area.Max.Y)
		if i%2 == 0 {
			style.XAlign = alignments[i/2]
			area.FillText(style, vg.Point{X: x, Y: area.Min.Y - 3}, percent(share))
		}
	}
}

// drawBar stacks the components and writes their shares where there is room.
func drawBar(area draw.Canvas, b bar, middle vg.Length) {
	sum := 0.0
	for i, share := range b.shares {
		from, to := area.X(min(sum, 1)), area.X(min(sum+share, 1))
		sum += share
		if to <= from {
			continue
		}
		entry := components[i]
		fillRect(area, entry, from, middle-barHeight/2, to, middle+barHeight/2)
		if to-from > 2 {
			area.StrokeLine2(draw.LineStyle{Color: white, Width: 0.7}, to, middle-barHeight/2, to, middle+barHeight/2)
		}
		style := aligned(textStyle(barTextSize, inkOn(entry.color)), draw.XCenter, draw.YCenter)
		if text := shareText(style, share, to-from-leastNumbered); text != "" {
			area.FillText(style, vg.Point{X: (from + to) / 2, Y: middle + barTextSize*0.12}, text)
		}
	}
}

// leastBare is from which share on a segment is numbered without the percent
// sign where there is no room for it.
const leastBare = 0.07

// shareText returns a share's number as far as it fits.
func shareText(style text.Style, share float64, room vg.Length) string {
	number := percent(share)
	bare := strings.TrimSuffix(number, " %")
	switch {
	case style.Width(number) <= room:
		return number
	case share >= leastBare && style.Width(bare) <= room:
		return bare
	}
	return ""
}
