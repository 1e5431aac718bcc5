package plots

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A besider writes texts beside marks where they cover nothing.
type besider struct {
	area    draw.Canvas
	taken   []vg.Rectangle // by marks and by texts
	leaders [][2]vg.Point
}

// besideDistances are how far, in points, a text may be from its mark's centre.
var besideDistances = []vg.Length{6.5, 10, 15, 21, 28, 36, 45, 56, 70, 86, 104, 124, 146, 170}

// besideTurns are by how much, in degrees, a text may be off the direction it
// should have.
var besideTurns = []float64{0, 20, -20, 40, -40, 60, -60, 80, -80}

// besidePitch is the distance of two lines as a multiple of their size.
const besidePitch = 1.15

// leastLeader is the distance from which a line leads from a mark to its text.
const leastLeader vg.Length = 12

// write writes lines of text near the mark at a point, in about the given
// direction (radians), at most so far away and in an allowed place, and reports
// whether there was room.
func (b *besider) write(style text.Style, lines []string, at vg.Point, direction float64, most vg.Length, allowed func(vg.Rectangle) bool) bool {
	for _, distance := range besideDistances {
		if distance > most {
			break
		}
		for _, turn := range besideTurns {
			sin, cos := math.Sincos(direction + turn*math.Pi/180)
			end := vg.Point{X: at.X + distance*vg.Length(cos), Y: at.Y + distance*vg.Length(sin)}
			box := boxAt(widest(style, lines), vg.Length(len(lines))*besidePitch*style.Font.Size, end, sin, cos)
			if !b.free(box, at, end) || !allowed(box) {
				continue
			}
			if distance >= leastLeader {
				start := vg.Point{X: at.X + (markRadius+1.5)*vg.Length(cos), Y: at.Y + (markRadius+1.5)*vg.Length(sin)}
				b.area.StrokeLine2(draw.LineStyle{Color: style.Color, Width: 0.6}, start.X, start.Y, end.X, end.Y)
				b.leaders = append(b.leaders, [2]vg.Point{start, end})
			}
			fillBeside(b.area, style, lines, box, cos)
			b.taken = append(b.taken, box)
			return true
		}
	}
	return false
}

// fillBeside writes the lines into their box, flush on the side of the mark.
func fillBeside(area draw.Canvas, style text.Style, lines []string, box vg.Rectangle, cos float64) {
	pitch := (box.Max.Y - box.Min.Y) / vg.Length(len(lines))
	at := vg.Point{X: box.Min.X, Y: box.Max.Y - pitch/2 + style.Font.Size*0.12}
	style = aligned(style, draw.XLeft, draw.YCenter)
	if cos < 0 {
		style.XAlign, at.X = draw.XRight, box.Max.X
	}
	for _, line := range lines {
		area.FillText(style, at, line)
		at.Y -= pitch
	}
}

// boxAt returns the box of a text that begins at a point and lies in a direction from it.
func boxAt(width, height vg.Length, at vg.Point, sin, cos float64) vg.Rectangle {
	left := at.X - width/2
	switch {
	case cos > 0.3:
		left = at.X + 1.5
	case cos < -0.3:
		left = at.X - width - 1.5
	}
	bottom := at.Y - height/2 + vg.Length(sin)*height/2
	return vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + width, Y: bottom + height}}
}

// free reports whether a text's box and the line to it from its mark cover nothing.
func (b *besider) free(box vg.Rectangle, from, to vg.Point) bool {
	if box.Min.X < b.area.Min.X+2 || box.Max.X > b.area.Max.X || box.Min.Y < b.area.Min.Y+2 || box.Max.Y > b.area.Max.Y {
		return false
	}
	for _, leader := range b.leaders {
		if crosses(box, leader[0], leader[1]) {
			return false
		}
	}
	for _, other := range b.taken {
		if box.Min.X < other.Max.X && other.Min.X < box.Max.X && box.Min.Y < other.Max.Y && other.Min.Y < box.Max.Y {
			return false
		}
		if !within(other, from) && crosses(other, from, to) {
			return false
		}
	}
	return true
}

func within(r vg.Rectangle, p vg.Point) bool {
	return r.Min.X <= p.X && p.X <= r.Max.X && r.Min.Y <= p.Y && p.Y <= r.Max.Y
}

// crosses reports whether the line from one point to another meets a rectangle,
// as far as steps of a point can tell.
func crosses(r vg.Rectangle, from, to vg.Point) bool {
	steps := math.Ceil(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
	for i := range int(steps) + 1 {
		share := vg.Length(float64(i) / max(steps, 1))
		if within(r, vg.Point{X: from.X + share*(to.X-from.X), Y: from.Y + share*(to.Y-from.Y)}) {
			return true
		}
	}
	return false
}
