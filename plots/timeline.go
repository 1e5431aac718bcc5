package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// A workKind is what a bar of a timeline stands for.
type workKind struct {
	kind  string // in the column "kind"
	label string
	color color.NRGBA
	least vg.Length // width of a bar
}

// workKinds are those that a timeline knows, from the bottom of a lane to its top.
var workKinds = []workKind{
	{"start-up", "start-up and list of tables", bluishGreen, 0},
	{"analyze", "analyze", orange, leastBarWidth},
	{"vacuum", "vacuum", blue, leastBarWidth},
	{"vacuum to prevent wraparound", "vacuum to prevent wraparound", vermillion, leastBarWidth},
	{"given up", "given up: cancelled or killed", reddishPurple, leastBarWidth},
	{"waits for a lock", "waits for a lock", darkYellow, leastBarWidth},
}

// workerKind is the time for which a slot has a worker: the ground of its lane.
const workerKind = "worker"

var (
	workerColor = rgb(0xC9CED6)
	laneColor   = rgb(0xF3F3F4)
)

// maxLanes is how many worker slots a timeline shows, and maxUnused up to how many
// it shows those that never have a worker.
const (
	maxLanes  = 40
	maxUnused = 10
)

// A lane is a worker slot.
type lane struct {
	slot int
	bars []laneBar
}

// A laneBar is an interval of time and the share of it that went into one kind.
type laneBar struct {
	row      int
	from, to float64 // seconds
	share    float64
	kind     int // of workKinds; -1 for the worker
}

// A timeline is a table read as lanes of bars.
type timeline struct {
	table    *experiment.Table
	lanes    []lane
	slots    int // with those left out
	used     int // the last slot that ever has a worker
	from, to float64
	exact    bool    // bars are single vacuums, not shares of intervals
	full     float64 // share at which a lane is full
	unusable int
}

// Timeline draws what the workers of a run do: a lane per worker slot over time,
// a colour per kind of work.
//
// It takes the columns start_seconds, end_seconds, slot, kind and share: of that
// interval so much was spent so. Kinds are "worker" (the slot has one), "vacuum",
// "vacuum to prevent wraparound", "analyze", "given up", "waits for a lock" and "start-up". With shares of 1 the
// bars are single pieces of work; otherwise a lane is filled to the height of the
// shares. from_seconds and to_seconds, in any row, are the ends of the axis; workers,
// in the first, is how many slots there are, used or not.
func Timeline(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "timeline", "no worker was started", "start_seconds", "end_seconds", "slot", "kind", "share"); err != nil {
		return nil, err
	}
	t := newTimeline(table)
	if len(t.lanes) == 0 {
		return nil, drawless{"plots: timeline: no row has a slot, a kind and times"}
	}
	return &Figure{
		page: page{
			title:      t.title(),
			subtitle:   runSubtitle(table),
			footer:     runFooter(table, t.notes()...),
			bodyHeight: t.bodyHeight(pageWidth),
			body:       t.draw,
			heightAt:   t.bodyHeight,
			words:      t.words,
		},
		data: copyRows("timeline", table, t.rows(), append([]string{"slot", "kind", "start_seconds", "end_seconds", "share", "database", "table", "from_seconds", "to_seconds"}, runColumns...)),
	}, nil
}

func newTimeline(table *experiment.Table) *timeline {
	t := &timeline{table: table, exact: true}
	bySlot := map[int]*lane{}
	for row := range table.Rows {
		b, slot, ok := t.bar(row)
		if !ok {
			t.unusable++
			continue
		}
		if bySlot[slot] == nil {
			bySlot[slot] = &lane{slot: slot}
		}
		bySlot[slot].bars = append(bySlot[slot].bars, b)
		t.to = max(t.to, b.to)
		if to := value(table, row, "to_seconds"); to > t.to { // not so where there is none
			t.to = to
		}
		if from := value(table, row, "from_seconds"); from > 0 {
			t.from = from
		}
		t.exact = t.exact && b.share == 1
	}
	for slot := range bySlot {
		t.used = max(t.used, slot)
	}
	t.slots = t.used
	if workers := value(table, 0, "workers"); t.used > 0 && workers > 0 {
		t.slots = max(t.slots, int(min(workers, 1e6)))
	}
	lanes := min(t.used, maxLanes)
	if t.slots <= maxUnused {
		lanes = t.slots
	}
	for slot := 1; slot <= lanes; slot++ {
		l := lane{slot: slot}
		if bySlot[slot] != nil {
			l = *bySlot[slot]
		}
		t.lanes = append(t.lanes, l)
	}
	t.full = t.fullShare()
	return t
}

// fullShare is 1 or, where lanes would be next to empty, the next higher of 0.5, 0.2,
// 0.1 and so on above what is spent in any interval.
func (t *timeline) fullShare() float64 {
	if t.exact {
		return 1
	}
	most := 0.0
	for _, l := range t.lanes {
		spent := map[float64]float64{}
		for _, b := range l.bars {
			if b.kind >= 0 {
				spent[b.from] += b.share
				most = max(most, spent[b.from])
			} else {
				most = max(most, b.share)
			}
		}
	}
	for full := 1.0; full > 1e-4; full /= 10 {
		for _, part := range []float64{1, 0.5, 0.2} {
			if next := map[float64]float64{1: 0.5, 0.5: 0.2, 0.2: 0.1}[part]; most > full*next {
				return full * part
			}
		}
	}
	return 1e-4
}

// bar reads a row.
func (t *timeline) bar(row int) (b laneBar, slot int, ok bool) {
	kind := cell(t.table, row, "kind")
	slot, err := strconv.Atoi(cell(t.table, row, "slot"))
	b = laneBar{row: row, from: value(t.table, row, "start_seconds"), to: value(t.table, row, "end_seconds"), share: value(t.table, row, "share")}
	b.kind = slices.IndexFunc(workKinds, func(k workKind) bool { return k.kind == kind })
	return b, slot, err == nil && slot > 0 && slot < 1e6 && (b.kind >= 0 || kind == workerKind) && b.from >= 0 && b.to >= b.from && b.share >= 0
}

func (t *timeline) rows() (rows []int) {
	for _, l := range t.lanes {
		for _, b := range l.bars {
			rows = append(rows, b.row)
		}
	}
	return rows
}

// told is how many slots the title is about: all, unless used ones are left out.
func (t *timeline) told() int {
	if t.used > len(t.lanes) {
		return len(t.lanes)
	}
	return t.slots
}

// shares are the shares of the time of the slots that went into each kind, then that
// for which they had a worker.
func (t *timeline) shares() []float64 {
	out := make([]float64, len(workKinds)+1)
	for _, l := range t.lanes {
		for _, b := range l.bars {
			i := b.kind
			if i < 0 {
				i = len(workKinds)
			}
			out[i] += b.share * (b.to - b.from)
		}
	}
	for i := range out {
		out[i] /= float64(t.told()) * max(t.to-t.from, 1e-9)
	}
	return out
}

// title says what the workers' time went into.
func (t *timeline) title() string {
	s := t.shares()
	n := t.told()
	who, verb, its := counted(fmt.Sprint(n), "worker slot"), " spend ", "their"
	if n == 1 {
		verb, its = " spends ", "its"
	}
	if n < t.slots {
		who = fmt.Sprintf("The first %d worker slots", n)
	}
	analyzing, vacuuming, forced := s[1], s[2]+s[3], s[3]
	title := fmt.Sprintf("%s%s%s of %s time on vacuums and %s on analyzes", who, verb, percent(vacuuming), its, percent(analyzing))
	if forced > 0 {
		title += fmt.Sprintf(" (%s to prevent wraparound)", percent(forced))
	}
	return title
}

func (t *timeline) notes() []string {
	var notes []string
	if t.exact {
		notes = append(notes, "A bar is one vacuum or analyze, at least a point wide. Grey: the slot has a worker, which lives for one visit to one database.")
	} else {
		notes = append(notes, fmt.Sprintf("Height of a colour: its share of each %s; a lane is full at %s. Grey: the slot has a worker, which lives for one visit to one database.", t.binText(), percent(t.full)))
	}
	switch {
	case t.used > len(t.lanes):
		notes = append(notes, fmt.Sprintf("Shown: %d of %d slots.", len(t.lanes), t.slots))
	case t.slots > len(t.lanes):
		notes = append(notes, fmt.Sprintf("Not shown: slots %d to %d, which never have a worker.", len(t.lanes)+1, t.slots))
	}
	if t.unusable > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s without a slot, a known kind and times.", counted(fmt.Sprint(t.unusable), "row")))
	}
	return notes
}

// binText is the length of the intervals.
func (t *timeline) binText() string {
	row := t.rows()[0]
	return span(value(t.table, row, "end_seconds") - value(t.table, row, "start_seconds"))
}

// Sizes of a timeline, in points.
const (
	mostLaneHeight  vg.Length = 46
	leastLaneHeight vg.Length = 11
	laneRoom        vg.Length = 330 // of all lanes, if they can do with it
	laneGapShare    vg.Length = 0.25
	leastBarWidth   vg.Length = 1
	seam            vg.Length = 0.3 // that neighbours overlap, so that nothing shines through
)

// pitch is the height of a lane with the gap below it.
func (t *timeline) pitch() vg.Length {
	return max(leastLaneHeight, min(mostLaneHeight, laneRoom/vg.Length(len(t.lanes))))
}

func (t *timeline) bodyHeight(width vg.Length) vg.Length {
	return vg.Length(len(swatchLines(t.legend(), width)))*legendPitch + legendSpacing + t.pitch()*vg.Length(len(t.lanes)) + tickSpace + axisTitleSpace
}

func (t *timeline) draw(canvas draw.Canvas) {
	top := drawSwatches(canvas, t.legend())
	names := textStyle(tickSize, mutedText)
	left := vg.Length(0)
	for _, l := range t.lanes {
		left = max(left, names.Width(laneName(l.slot)))
	}
	area := draw.Crop(canvas, left+tickGap, -8, tickSpace+axisTitleSpace, 0)
	area.Max.Y = top - legendSpacing
	x, unit := newTimeScale(t.from, t.to)
	pitch := (area.Max.Y - area.Min.Y) / vg.Length(len(t.lanes))
	for i := range t.lanes {
		top := area.Max.Y - pitch*(vg.Length(i)+laneGapShare/2)
		fillBox(area, laneColor, area.Min.X, top-pitch*(1-laneGapShare), area.Max.X, top)
	}
	t.drawGround(area, x)
	for i, l := range t.lanes {
		top := area.Max.Y - pitch*vg.Length(i)
		style := aligned(names, draw.XRight, draw.YCenter)
		canvas.FillText(style, vg.Point{X: area.Min.X - tickGap, Y: top - pitch/2 + tickSize*0.12}, laneName(l.slot))
		t.drawLane(area, x, l, top-pitch*laneGapShare/2, pitch*(1-laneGapShare))
	}
	drawXTicks(area, x, textStyle(tickSize, mutedText))
	style := aligned(textStyle(labelSize, textColor), draw.XCenter, draw.YTop)
	canvas.FillText(style, vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: area.Min.Y - tickSpace}, unit.title())
}

func laneName(slot int) string { return "slot " + strconv.Itoa(slot) }

// drawGround draws the grid and the axis of time.
func (t *timeline) drawGround(area draw.Canvas, x scale) {
	for _, tick := range x.ticks {
		at := x.at(tick.Value, area.Min.X, area.Max.X)
		area.StrokeLine2(draw.LineStyle{Color: gridColor, Width: 0.8}, at, area.Min.Y, at, area.Max.Y)
	}
	area.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 0.8}, area.Min.X, area.Min.Y, area.Max.X, area.Min.Y)
}

// drawLane draws a slot's bars: the worker below, what it does above. Shares of
// one interval stand on each other.
func (t *timeline) drawLane(area draw.Canvas, x scale, l lane, top, height vg.Length) {
	bars := slices.Clone(l.bars)
	slices.SortStableFunc(bars, func(a, b laneBar) int { return a.kind - b.kind })
	stacked := map[float64]float64{}
	for _, b := range bars {
		from, to := x.at(b.from, area.Min.X, area.Max.X), x.at(b.to, area.Min.X, area.Max.X)
		if !t.exact {
			to += seam
		}
		below := 0.0
		ink, least := workerColor, vg.Length(0)
		if b.kind >= 0 {
			ink, least = workKinds[b.kind].color, workKinds[b.kind].least
			if !t.exact {
				below = stacked[b.from]
				stacked[b.from] += b.share
			}
		}
		y0 := top - height*(1-vg.Length(min(below/t.full, 1)))
		y1 := top - height*(1-vg.Length(min((below+b.share)/t.full, 1)))
		fillBox(area, ink, from, y0, max(to, from+least), y1)
		if t.exact && b.kind >= 0 && to-from > 2 { // apart from the next
			area.StrokeLine2(draw.LineStyle{Color: white, Width: 0.7}, to, y0, to, y1)
		}
	}
}

// legend are the kinds that are there.
func (t *timeline) legend() []swatch {
	s := t.shares()
	var out []swatch
	for i, k := range workKinds {
		if s[i] > 0 && (k.least > 0 || s[i] > 1e-3*t.full) {
			out = append(out, swatch{k.color, k.label})
		}
	}
	return append(out, swatch{workerColor, "has a worker"})
}

// A swatch is an entry of a legend.
type swatch struct {
	color color.NRGBA
	text  string
}

// swatchLines breaks a legend into lines that are no wider than that.
func swatchLines(entries []swatch, most vg.Length) (lines [][]swatch) {
	style := textStyle(labelSize, textColor)
	width := most
	for _, e := range entries {
		one := legendSwatch + 5 + style.Width(e.text)
		if len(lines) == 0 || width+one > most {
			lines, width = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		width += one + legendGap
	}
	return lines
}

// drawSwatches writes a legend at the top and returns where it ends.
func drawSwatches(canvas draw.Canvas, entries []swatch) vg.Length {
	style := aligned(textStyle(labelSize, textColor), draw.XLeft, draw.YCenter)
	top := canvas.Max.Y
	for _, line := range swatchLines(entries, canvas.Max.X-canvas.Min.X) {
		x, middle := canvas.Min.X, top-legendPitch/2
		for _, e := range line {
			fillBox(canvas, e.color, x, middle-legendSwatch/2, x+legendSwatch, middle+legendSwatch/2)
			x += legendSwatch + 5
			canvas.FillText(style, vg.Point{X: x, Y: middle + labelSize*0.12}, e.text)
			x += style.Width(e.text) + legendGap
		}
		top -= legendPitch
	}
	return top
}

func fillBox(canvas draw.Canvas, ink color.NRGBA, x0, y0, x1, y1 vg.Length) {
	canvas.SetColor(ink)
	canvas.Fill(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
}
