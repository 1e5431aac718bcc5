package plots

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"avsim/sim/experiment"
)

// inlineFigures are figures of every look that a page has.
func inlineFigures(t *testing.T) map[string]*Figure {
	t.Helper()
	out := map[string]*Figure{}
	for _, f := range figures {
		figure, err := f.draw(sweepTable())
		if err != nil {
			t.Fatal(err)
		}
		out[f.name] = figure
	}
	for name, f := range map[string]struct {
		draw  func(*experiment.Table) (*Figure, error)
		table *experiment.Table
	}{
		"timeline": {Timeline, fewWorks()}, "shares": {Timeline, manyWorks()},
		"backlog": {Backlog, samples()}, "lateness": {Lateness, visits()}, "ages": {Ages, oldAges()},
	} {
		figure, err := f.draw(f.table)
		if err != nil {
			t.Fatal(name, err)
		}
		out[name] = figure
	}
	return out
}

// TestInline: an inline figure is well-formed, bears no style, script or reference, is as
// wide as asked for where it adapts, and every colour that it has is as legible on a dark
// ground as WCAG asks (1.4.3, 1.4.11).
func TestInline(t *testing.T) {
	for name, figure := range inlineFigures(t) {
		for _, width := range []int{WideInline, NarrowInline} {
			svg := figure.Inline(width)
			d := xml.NewDecoder(strings.NewReader(svg))
			for {
				token, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				start, ok := token.(xml.StartElement)
				if !ok {
					continue
				}
				if !regexp.MustCompile(`^(svg|g|path|text)$`).MatchString(start.Name.Local) {
					t.Errorf("%s has an element %s", name, start.Name.Local)
				}
				for _, a := range start.Attr {
					if a.Name.Local == "style" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
					}
				}
				checkDark(t, name, start)
			}
			if narrow := regexp.MustCompile(`viewBox="0 0 350 `).MatchString(svg); narrow != (width == NarrowInline && figure.Adapts()) {
				t.Errorf("%s at %d: drawn narrow: %v", name, width, narrow)
			}
			if figure.Inline(width) != svg {
				t.Errorf("%s: two different figures of one table", name)
			}
		}
		if words := figure.Words(); len(words) < 40 || strings.Contains(words, "%!") || strings.Contains(words, "NaN") {
			t.Errorf("%s in words: %q", name, words)
		}
	}
}

// checkDark holds an element's colour, as the theme has it on a dark page, to the ground.
func checkDark(t *testing.T, name string, e xml.StartElement) {
	t.Helper()
	attribute := map[string]string{}
	for _, a := range e.Attr {
		attribute[a.Name.Local] = a.Value
	}
	if e.Name.Local != "text" {
		return // grid, lanes and separators are to be faint
	}
	hex := strings.ToLower(strings.TrimPrefix(attribute["fill"], "#"))
	if hex == hexOf(inkOnDark) || hex == hexOf(inkOnBright) {
		return // on a bar
	}
	c, ok := themed()["t"+hex]
	if !ok || !strings.Contains(attribute["class"], "t"+hex) {
		t.Errorf("%s: text in #%s is not in the theme", name, hex)
		return
	}
	if x := contrast(c, darkPalette[white]); x < textContrast {
		t.Errorf("%s: text in #%s has a contrast of %.2f on a dark page", name, hex, x)
	}
}

// TestThemeLines: each colour of a line or area stands out from either ground.
func TestThemeLines(t *testing.T) {
	for _, style := range append(spareStyles, knownStyles[0].lineStyle, knownStyles[1].lineStyle, knownStyles[2].lineStyle) {
		if x := contrast(dark(style.color, lineContrast), darkPalette[white]); x < lineContrast {
			t.Errorf("#%s has a contrast of %.2f on a dark page", hexOf(style.color), x)
		}
	}
	if !strings.Contains(ThemeCSS(), ".figure .t1a1a1a{fill:#e9e7e2}") {
		t.Error("the theme does not turn text bright")
	}
}
