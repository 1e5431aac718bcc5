package plots

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The widths, in CSS pixels, at which a page of HTML asks for figures: beside its text,
// and on a phone.
const (
	WideInline   = int(pageWidth - 2*pageMargin)
	NarrowInline = 350
)

// Subtitle names the setting that the figure is of; "" for none.
func (f *Figure) Subtitle() string { return clean(f.page.subtitle) }

// Key explains names in the figure.
func (f *Figure) Key() []string { return f.page.key }

// Notes are what stands below the figure: what marks mean, what was left out, and where
// it comes from.
func (f *Figure) Notes() []string { return f.page.footer }

// Words tell what the figure shows, for those who cannot see it.
func (f *Figure) Words() string {
	if f.page.words == nil {
		return strings.TrimSpace(f.page.title + ". " + f.Subtitle())
	}
	return f.page.words()
}

// Inline is what the figure draws, without its texts, as an SVG element of that width, or
// of its least width where that is more. It stands in a page of HTML, whose fonts are
// Arial's widths, and has no style attributes, so that a page which allows none may have
// it. With [ThemeCSS] in the page its colours follow the reader's scheme.
func (f *Figure) Inline(width int) string {
	w, height := f.inlineSize(width)
	canvas := vgsvg.New(w, height)
	f.page.body(draw.New(canvas))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		panic(err) // a buffer takes all
	}
	return inlined(svg.Bytes(), w, height)
}

// Adapts tells whether the figure can be drawn on a phone's width.
func (f *Figure) Adapts() bool { return f.page.heightAt != nil }

func (f *Figure) inlineSize(width int) (w, height vg.Length) {
	w = pageWidth - 2*pageMargin
	if f.page.heightAt == nil || width >= int(w) {
		return w, f.page.bodyHeight
	}
	w = vg.Length(max(width, 280)) - tickRoom
	return w, f.page.heightAt(w)
}

var (
	styledElement = regexp.MustCompile(`(<(path|text)[^>]*?)\s+style="([^"]*)"`)
	svgStart      = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)
	writtenText   = regexp.MustCompile(`(<text[^>]*)>([^<]*)</text>`)
	fontSize      = regexp.MustCompile(`font-size="([0-9.]+)px"`)
	lineBreaks    = regexp.MustCompile(`\n\s*`)
)

// inlined turns a file of the SVG library into an element: styles become attributes, and
// colours that a dark page changes get a class.
func inlined(svg []byte, width, height vg.Length) string {
	body := svgStart.ReplaceAllString(string(svg), "")
	body = styledElement.ReplaceAllStringFunc(body, func(element string) string {
		m := styledElement.FindStringSubmatch(element)
		return m[1] + attributes(m[2], m[3])
	})
	body = writtenText.ReplaceAllStringFunc(body, func(element string) string {
		m := writtenText.FindStringSubmatch(element)
		return fmt.Sprintf(`%s textLength="%.4g" lengthAdjust="spacingAndGlyphs">%s</text>`, m[1], textLength(m[1], html.UnescapeString(m[2])), m[2])
	})
	body = lineBreaks.ReplaceAllString(body, "\n")
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 %.5g %.5g" width="%.5g" height="%.5g" font-family="%s" aria-hidden="true" focusable="false">%s`,
		float64(width+tickRoom), float64(height), float64(width+tickRoom), float64(height), html.EscapeString(inlineFonts), body)
}

// textLength is how long a text is in the typeface that the figure was laid out with, so
// that a reader's own, if that is another, is stretched to it and cuts off nothing.
func textLength(attributes, text string) float64 {
	style := textStyle(tickSize, textColor)
	if m := fontSize.FindStringSubmatch(attributes); m != nil {
		size, _ := strconv.ParseFloat(m[1], 64)
		style.Font.Size = vg.Length(size)
	}
	if strings.Contains(attributes, `font-weight="bold"`) {
		style = bold(style)
	}
	return float64(style.Width(text))
}

// tickRoom is what the last label of an axis takes beyond the body: on a page it stands in
// the margin.
const tickRoom vg.Length = 12

// inlineFonts have the widths that the figures are laid out with.
const inlineFonts = "Liberation Sans, Arial, Helvetica, sans-serif"

// attributes are those that say what a style says.
func attributes(element, style string) string {
	var out strings.Builder
	var classes []string
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		switch {
		case name == "" || name == "font-family" || name == "font-variant" || name == "font-style",
			name == "font-weight" && value == "normal":
			continue
		case name == "fill" || name == "stroke":
			if class := themeClass(element, name, value); class != "" {
				classes = append(classes, class)
			}
		}
		fmt.Fprintf(&out, ` %s="%s"`, name, value)
	}
	if len(classes) > 0 {
		fmt.Fprintf(&out, ` class="%s"`, strings.Join(classes, " "))
	}
	return out.String()
}
