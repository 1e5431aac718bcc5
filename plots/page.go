package plots

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a page, in points.
const (
	pageWidth   vg.Length = 800
	pageMargin  vg.Length = 20
	bodySpacing vg.Length = 14 // above and below the body
)

const (
	maxTitleLines    = 3
	maxSubtitleLines = 3
	maxFooterLines   = 8
)

// A page is a figure's layout: title, subtitle and key on top, the body, a footer.
// It is as wide as every page and as high as its parts need.
type page struct {
	title    string
	subtitle string
	key      []string // entries below the subtitle
	footer   []string // paragraphs

	bodyHeight vg.Length
	body       func(draw.Canvas)
	// heightAt is the body's height at another width than the page's; nil where it cannot
	// be drawn on a narrower one.
	heightAt func(width vg.Length) vg.Length
	words    func() string // what the body shows; nil for what the title says
}

func (p *page) size() (width, height vg.Length) {
	return pageWidth, 2*pageMargin + p.headerHeight() + p.bodyHeight + 2*bodySpacing + blockHeight(footerSize, p.footerLines())
}

func (p *page) titleStyle() text.Style    { return bold(textStyle(titleSize, textColor)) }
func (p *page) subtitleStyle() text.Style { return textStyle(subtitleSize, mutedText) }
func (p *page) keyStyle() text.Style      { return textStyle(keySize, mutedText) }
func (p *page) footerStyle() text.Style   { return textStyle(footerSize, mutedText) }

func (p *page) titleLines() []string {
	return wrapEvenly(p.titleStyle(), p.title, pageWidth-2*pageMargin, maxTitleLines)
}

func (p *page) subtitleLines() []string {
	return wrap(p.subtitleStyle(), p.subtitle, pageWidth-2*pageMargin, maxSubtitleLines)
}

// keyLines joins the key's entries to lines, none of which parts an entry that
// fits.
func (p *page) keyLines() []string {
	const separator = " · "
	var lines []string
	for _, entry := range p.key {
		if n := len(lines); n > 0 && p.keyStyle().Width(lines[n-1]+separator+entry) <= pageWidth-2*pageMargin {
			lines[n-1] += separator + entry
			continue
		}
		lines = append(lines, wrap(p.keyStyle(), entry, pageWidth-2*pageMargin, maxSubtitleLines)...)
	}
	return lines
}

func (p *page) footerLines() []string {
	var lines []string
	for _, paragraph := range p.footer {
		lines = append(lines, wrap(p.footerStyle(), paragraph, pageWidth-2*pageMargin, maxFooterLines)...)
	}
	return lines
}

func (p *page) headerHeight() vg.Length {
	return blockHeight(titleSize, p.titleLines()) + blockHeight(subtitleSize, p.subtitleLines()) + blockHeight(keySize, p.keyLines())
}

// draw draws the page on a canvas of its size.
func (p *page) draw(c draw.Canvas) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())

	at := vg.Point{X: c.Min.X + pageMargin, Y: c.Max.Y - pageMargin}
	at.Y = fillBlock(c, p.titleStyle(), at, p.titleLines())
	at.Y = fillBlock(c, p.subtitleStyle(), at, p.subtitleLines())
	at.Y = fillBlock(c, p.keyStyle(), at, p.keyLines())

	body := draw.Crop(c, pageMargin, -pageMargin, 0, 0)
	body.Max.Y = at.Y - bodySpacing
	body.Min.Y = body.Max.Y - p.bodyHeight
	p.body(body)

	at.Y = body.Min.Y - bodySpacing
	fillBlock(c, p.footerStyle(), at, p.footerLines())
}

// blockHeight returns the height of lines of text of the given size.
func blockHeight(size vg.Length, lines []string) vg.Length {
	return vg.Length(len(lines)) * size * lineHeight
}

// fillBlock draws lines from the top left corner and returns where the next one would go.
func fillBlock(c draw.Canvas, style text.Style, at vg.Point, lines []string) vg.Length {
	for _, line := range lines {
		c.FillText(style, at, line)
		at.Y -= style.Font.Size * lineHeight
	}
	return at.Y
}

// wrap breaks s into at most maxLines lines of the given width.
func wrap(style text.Style, s string, width vg.Length, maxLines int) []string {
	var lines []string
	words := strings.Fields(clean(s))
	for len(words) > 0 {
		if len(lines) == maxLines-1 {
			return append(lines, elide(style, strings.Join(words, " "), width))
		}
		n := 1
		for n < len(words) && style.Width(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		lines = append(lines, elide(style, strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return lines
}

// wrapEvenly is wrap with lines of about the same width, as few of them.
func wrapEvenly(style text.Style, s string, width vg.Length, maxLines int) []string {
	lines := wrap(style, s, width, maxLines)
	for narrower := width - 10; narrower > width/2; narrower -= 10 {
		even := wrap(style, s, narrower, maxLines+1)
		if len(even) != len(lines) {
			break
		}
		lines = even
	}
	return lines
}

// elide shortens s to the given width by leaving out its middle: the names of
// variants of one thing often differ at their ends only.
func elide(style text.Style, s string, width vg.Length) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	shorten := func(keep int) string {
		head := (keep + 1) / 2
		return string(runes[:head]) + "…" + string(runes[len(runes)-keep+head:])
	}
	lo, hi := 0, len(runes)-1 // shorten(lo) fits or is the shortest there is
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if style.Width(shorten(mid)) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return shorten(lo)
}

// clean replaces what cannot be shown on a line: control characters and bytes
// that are not UTF-8.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
