package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"avsim/plots"
)

// A Page is what a report says, in its order.
type Page struct {
	Kicker   string   // above the title: what this is
	Title    string   // one line
	Verdict  string   // in words
	Lead     []string // sentences that go with it
	Facts    []Fact   // figures that everybody asks for
	Sections []Section
	Source   []Fact // where all of it comes from: model, seed, inputs
}

// A Fact is a figure with its name.
type Fact struct{ Label, Value string }

// A Section has a heading, and whatever of these it has, in this order.
type Section struct {
	ID, Heading string
	Text        []string // paragraphs
	List        []string
	Figures     []Figure
	Tables      []Table
	Code        []Code
}

// A Figure of a report has a name, that of a file, and the command that makes it again. Of
// tells which of several it is of, "" where there is one.
type Figure struct {
	*plots.Figure
	Name, Command string
	Of            string
}

// A Table can be sorted by each of its columns.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell
	Note    string // below it
}

// A Column is of numbers, which stand at the right, or of texts.
type Column struct {
	Name   string
	Number bool
}

// A Cell is shown as Text and sorted by Key: a number, where the column is of numbers; ""
// for a cell that has none, which comes last.
type Cell struct{ Text, Key string }

// Code is a text to be copied: commands, or a file.
type Code struct {
	Caption string
	Text    string
	Folded  bool // shown when asked for
}

//go:embed page.html
var pageHTML string

//go:embed base.css
var baseCSS string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	for _, s := range p.Sections {
		for _, t := range s.Tables {
			if err := t.check(); err != nil {
				return err
			}
		}
	}
	css := BaseCSS() + pageCSS
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, map[string]any{
		"Page": p, "CSS": template.CSS(css), "JS": template.JS(pageJS),
		"Policy": fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hashOf(css), hashOf(pageJS)),
	})
	if err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

// BaseCSS are the colours and letters of a report, and those of figures in it, for other
// pages that are to look like one.
func BaseCSS() string { return baseCSS + plots.ThemeCSS() }

// hashOf allows a text of the page in its content security policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (t Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("report: table %q: row %d has %d cells, there are %d columns", t.Caption, i+1, len(row), len(t.Columns))
		}
	}
	return nil
}

// Wide is the figure for a page with room.
func (f Figure) Wide() template.HTML { return template.HTML(f.Inline(plots.WideInline)) }

// Narrow is the figure for a phone; empty where it cannot be drawn for one, so that it is
// moved sideways instead.
func (f Figure) Narrow() template.HTML {
	if !f.Adapts() {
		return ""
	}
	return template.HTML(f.Inline(plots.NarrowInline))
}

// DataURL is the figure's data as a link.
func (f Figure) DataURL() (template.URL, error) {
	var csv bytes.Buffer
	if err := f.Data().WriteCSV(&csv); err != nil {
		return "", err
	}
	return template.URL("data:text/csv;base64," + base64.StdEncoding.EncodeToString(csv.Bytes())), nil
}

// Lines is how many lines a text has.
func (c Code) Lines() int { return strings.Count(strings.TrimRight(c.Text, "\n"), "\n") + 1 }
