package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The grounds that inline figures are drawn for.
const (
	LightGround = "#FFFFFF"
	DarkGround  = "#15181D"
)

// What letters and lines have to stand out by from what they stand on: WCAG 2's
// contrasts of text (1.4.3, level AA) and of graphical objects (1.4.11).
const (
	textContrast = 4.5
	lineContrast = 3
)

// darkPalette are the greys of a figure on a dark ground. White is what separates areas:
// the ground.
var darkPalette = map[color.NRGBA]color.NRGBA{
	white:       rgb(0x15181D),
	textColor:   rgb(0xE9E7E2),
	mutedText:   rgb(0xAEB2B9),
	gridColor:   rgb(0x2B3038),
	laneColor:   rgb(0x1E2228),
	workerColor: rgb(0x4A515C),
}

// contrast is that of two colours, 1 to 21, as WCAG 2 defines it.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// dark is a colour on a dark ground: itself, unless it does not stand out enough.
func dark(c color.NRGBA, least float64) color.NRGBA {
	if d, ok := darkPalette[c]; ok {
		return d
	}
	ground := darkPalette[white]
	for contrast(c, ground) < least {
		c.R, c.G, c.B = lighter(c.R), lighter(c.G), lighter(c.B)
	}
	return c
}

func lighter(v uint8) uint8 { return v + uint8((255-float64(v))*0.06+0.5) }

// pageColors are the colours of lines and areas, but for the cells of heat maps and what is
// written in them and on bars.
func pageColors() []color.NRGBA {
	all := []color.NRGBA{white, textColor, mutedText, gridColor, axisColor, laneColor, workerColor,
		vermillion, blue, bluishGreen, orange, reddishPurple, skyBlue, yellow, darkYellow, black, rgb(0x7F7F7F)}
	all = append(all, spareColors...)
	all = append(all, sizeColors...)
	for _, c := range components {
		all = append(all, c.color)
	}
	return all
}

// themeClass is the class of a colour that a dark page changes, "" for others.
func themeClass(element, property, value string) string {
	hex, ok := strings.CutPrefix(value, "#")
	n, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil {
		return ""
	}
	kind := property[:1]
	if element == "text" {
		kind = "t"
	}
	class := kind + strings.ToLower(hex)
	if _, ok := themed()[class]; !ok || rgb(uint32(n)) == inkOnDark || rgb(uint32(n)) == inkOnBright {
		return ""
	}
	return class
}

// themed has, by class, the colour on a dark ground of all that changes there.
var themed = sync.OnceValue(func() map[string]color.NRGBA {
	out := map[string]color.NRGBA{}
	put := func(kind string, c color.NRGBA, least float64) {
		if d := dark(c, least); d != c {
			out[kind+hexOf(c)] = d
		}
	}
	for _, c := range pageColors() {
		put("f", c, lineContrast)
		put("s", c, lineContrast)
		put("t", c, textContrast)
		put("t", ink(c), textContrast)
	}
	return out
})

func hexOf(c color.NRGBA) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

// ThemeCSS are the rules by which inline figures follow a reader who prefers dark pages,
// on a ground of [DarkGround]. On paper they stay as they are.
func ThemeCSS() string {
	rules := themed()
	var b strings.Builder
	b.WriteString("@media screen and (prefers-color-scheme: dark) {\n")
	classes := make([]string, 0, len(rules))
	for class := range rules {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	for _, class := range classes {
		property := "fill"
		if class[0] == 's' {
			property = "stroke"
		}
		fmt.Fprintf(&b, ".figure .%s{%s:#%s}\n", class, property, hexOf(rules[class]))
	}
	b.WriteString("}\n")
	return b.String()
}
