package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A mark is the shape of a point: a regular polygon with a corner at the given
// turn, or a circle if it has no corners.
type mark struct {
	corners int
	turn    float64 // direction of the first corner, in radians
}

var (
	circle        = mark{}
	square        = mark{4, math.Pi / 4}
	triangle      = mark{3, math.Pi / 2}
	diamond       = mark{4, math.Pi / 2}
	downTriangle  = mark{3, -math.Pi / 2}
	hexagon       = mark{6, 0}
	pentagon      = mark{5, math.Pi / 2}
	leftTriangle  = mark{3, math.Pi}
	rightTriangle = mark{3, 0}
)

// markRadius is the radius of a circle; other marks have about its area.
const markRadius vg.Length = 3.6

// draw draws the mark at a point, filled or as an outline on white.
func (m mark) draw(c draw.Canvas, at vg.Point, ink color.Color, hollow bool) {
	m.drawSized(c, at, markRadius, ink, hollow)
}

// drawSized is draw with another radius than [markRadius].
func (m mark) drawSized(c draw.Canvas, at vg.Point, radius vg.Length, ink color.Color, hollow bool) {
	if hollow {
		c.SetColor(white)
		c.Fill(m.path(at, radius))
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1.4})
		c.Stroke(m.path(at, radius-0.4))
		return
	}
	c.SetLineStyle(draw.LineStyle{Color: white, Width: 1})
	c.Stroke(m.path(at, radius+0.3))
	c.SetColor(ink)
	c.Fill(m.path(at, radius))
}

func (m mark) path(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	if m.corners == 0 {
		p.Move(vg.Point{X: at.X + radius, Y: at.Y})
		p.Arc(at, radius, 0, 2*math.Pi)
		p.Close()
		return p
	}
	n := float64(m.corners)
	radius *= vg.Length(math.Sqrt(math.Pi / (n / 2 * math.Sin(2*math.Pi/n))))
	for i := range m.corners {
		sin, cos := math.Sincos(m.turn + 2*math.Pi*float64(i)/n)
		corner := vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}
