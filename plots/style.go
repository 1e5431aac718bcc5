package plots

import (
	"hash/fnv"
	"image/color"
	"math"

	"golang.org/x/image/font"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of Okabe and Ito, told apart with any kind of colour vision
// (https://jfly.uni-koeln.de/color/), and greys.
var (
	vermillion    = rgb(0xD55E00)
	blue          = rgb(0x0072B2)
	bluishGreen   = rgb(0x009E73)
	orange        = rgb(0xE69F00)
	reddishPurple = rgb(0xCC79A7)
	skyBlue       = rgb(0x56B4E9)
	yellow        = rgb(0xF0E442)
	darkYellow    = rgb(0xBFB400) // yellow, as a line on white
	black         = rgb(0x1A1A1A)
	white         = rgb(0xFFFFFF)

	textColor = rgb(0x1A1A1A)
	mutedText = rgb(0x5A5A5A)
	gridColor = rgb(0xE6E6E6)
	axisColor = rgb(0x8C8C8C)
)

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// translucent returns c with the given opacity, in 0..1.
func translucent(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(opacity * 0xFF))
	return c
}

// luminance returns the relative luminance of c, in 0..1, as WCAG 2 defines it.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 0xFF
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// ink returns c darkened until text in it is legible on white: a contrast of
// 4.5, WCAG 2's level AA.
func ink(c color.NRGBA) color.NRGBA {
	const maxLuminance = 1.05/4.5 - 0.05
	for luminance(c) > maxLuminance {
		c.R, c.G, c.B = darker(c.R), darker(c.G), darker(c.B)
	}
	return c
}

func darker(v uint8) uint8 { return uint8(float64(v) * 0.96) }

// The colours of text on areas, which stay what they are on a dark page: white and black
// but for a shade, so that they can be told from the page's own.
var (
	inkOnDark   = rgb(0xFEFEFE)
	inkOnBright = rgb(0x1A1A1B)
)

// inkOn returns the colour of text on a ground of c: white on dark ones, black otherwise.
func inkOn(c color.NRGBA) color.NRGBA {
	if luminance(c) < 0.3 {
		return inkOnDark
	}
	return inkOnBright
}

// A lineStyle is the look of one line: colour, mark and dashes.
type lineStyle struct {
	color  color.NRGBA
	mark   mark
	dashes []vg.Length
}

// knownStyles give each of PostgreSQL's strategies its look, the same in every figure.
var knownStyles = []struct {
	strategy string
	lineStyle
}{
	{"original", lineStyle{color: vermillion, mark: circle}},
	{"claim-release", lineStyle{color: blue, mark: square}},
	{"leapfrog", lineStyle{color: bluishGreen, mark: triangle}},
	{"stale-first", lineStyle{color: orange, mark: diamond}},
	{"shared-stats", lineStyle{color: reddishPurple, mark: downTriangle}},
	{"scored", lineStyle{color: skyBlue, mark: hexagon}},
}

// spareStyles are for every other name.
var spareStyles = spares()

// dashings are the dashes of a colour's first, second, … use.
var dashings = [][]vg.Length{nil, {6, 3}, {2, 2.5}, {8, 3, 2, 3}, {12, 4}}

// spareColors are those no strategy of PostgreSQL has.
var spareColors = []color.NRGBA{black, darkYellow, rgb(0x7F7F7F), rgb(0x882255), rgb(0x332288)}

func spares() []lineStyle {
	marks := []mark{pentagon, leftTriangle, rightTriangle, circle, square}
	var styles []lineStyle
	for i, dashes := range dashings {
		for j, c := range spareColors {
			styles = append(styles, lineStyle{c, marks[(i+j)%len(marks)], dashes})
		}
	}
	return styles
}

// A stylist hands out line styles. A strategy's style depends on its name alone,
// save where two unknown ones of one figure would look the same; other things
// are styled in the order in which they come.
type stylist struct {
	strategies bool
	taken      map[int]bool              // spare styles in use
	names      map[string]lineStyle      // by name
	variants   map[string]map[string]int // by name, the variants seen
}

func newStylist(strategies bool) *stylist {
	return &stylist{
		strategies: strategies,
		taken:      map[int]bool{},
		names:      map[string]lineStyle{},
		variants:   map[string]map[string]int{},
	}
}

// style returns the style of a name's variant: the name's colour and mark, with
// other dashes for each further variant.
func (s *stylist) style(name, variant string) lineStyle {
	style, ok := s.names[name]
	if !ok {
		style = s.assign(name)
		s.names[name] = style
		s.variants[name] = map[string]int{}
	}
	nth, ok := s.variants[name][variant]
	if !ok {
		nth = len(s.variants[name])
		s.variants[name][variant] = nth
	}
	if nth > 0 {
		style.dashes = dashings[nth%len(dashings)]
	}
	return style
}

func (s *stylist) assign(name string) lineStyle {
	if !s.strategies {
		if n := len(s.names); n < len(knownStyles) {
			return knownStyles[n].lineStyle
		}
	}
	for _, known := range knownStyles {
		if known.strategy == name {
			return known.lineStyle
		}
	}
	hash := fnv.New32a()
	hash.Write([]byte(name))
	first := int(hash.Sum32() % uint32(len(spareColors)))
	for slot := range spareStyles {
		// Other colours are tried before other dashes.
		slot = slot - slot%len(spareColors) + (first+slot)%len(spareColors)
		if !s.taken[slot] {
			s.taken[slot] = true
			return spareStyles[slot]
		}
	}
	return spareStyles[first]
}

// fonts is the typeface of all figures, Liberation Sans, whose widths are Arial's.
var fonts = plotfont.NewCache(liberation.Collection())

// Sizes of text, in points.
const (
	titleSize    = 15
	subtitleSize = 11.5
	panelSize    = 12
	labelSize    = 11
	tickSize     = 10.5
	keySize      = 10.5
	footerSize   = 9.5
)

// lineHeight is the distance of two lines of text as a multiple of their size.
const lineHeight = 1.28

// textStyle returns a style for text that hangs from its top left corner.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  draw.XLeft,
		YAlign:  draw.YTop,
		Handler: text.Plain{Fonts: fonts},
	}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = font.WeightBold
	return s
}

func aligned(s text.Style, x draw.XAlignment, y draw.YAlignment) text.Style {
	s.XAlign, s.YAlign = x, y
	return s
}
