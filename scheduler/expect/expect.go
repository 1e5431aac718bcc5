// Package expect reads and checks what a scenario says its results must be:
//
//	total_autovacuum_count >= 10
//	cpsdb.fragment autovacuum_count 10..12
//	verdict cost-budget
//	worker-slots holds up db.hot first_vacuum_seconds
//
// An expectation is a figure of the summary, or a table and a figure of it, or
// the verdict, one or several with | between; then >=, <=, >, <, = and a number, or a range a..b.
// Or it is of what holds a figure up, or down: the constraint whose loosening alone lowers
// it most, or raises it.
package expect

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/workload/guc"
)

// Figures are the results that expectations are about.
type Figures struct {
	Summary map[string]float64
	Tables  OfTables
	Verdict string
	Ratio   bool // figures are how many times those of another run
	// Held is what holds figures up or down, by Expectation.Held.
	Held map[string]Held
}

// OfTables are figures of tables, and of databases as database.*.
type OfTables interface {
	// Of are the figures of database.table; ok is false where there is no such table.
	Of(table string) (figures map[string]float64, ok bool)
	// Names are those of the tables, in any order.
	Names() iter.Seq[string]
}

// TableMap is OfTables as a map.
type TableMap map[string]map[string]float64

// Of is a look-up.
func (m TableMap) Of(table string) (map[string]float64, bool) {
	figures, ok := m[table]
	return figures, ok
}

// Names are the keys, but those of databases.
func (m TableMap) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range m {
			if !strings.HasSuffix(name, ".*") && !yield(name) {
				return
			}
		}
	}
}

// Held is what holds a figure.
type Held struct {
	By   string // a constraint; "none"
	Told string // in words; "" for nothing to tell
}

// Expectation is one thing that must hold.
type Expectation struct {
	text    string
	table   string // "" for the summary's
	figure  string
	verdict string // "" for others
	holds   string // up or down, where it is of what holds a figure; "" for others
	least   float64
	most    float64
	open    bool // the ends do not belong to it
}

// Verdicts are those of which one is expected; none where it is about a figure.
func (e Expectation) Verdicts() []string {
	if e.verdict == "" {
		return nil
	}
	return strings.Split(e.verdict, "|")
}

// Table is the name of the table that it is about; "" for the whole run.
func (e Expectation) Table() string { return e.table }

// Figure is the name of what it is about; "" for the verdict.
func (e Expectation) Figure() string { return e.figure }

// Held is what it is of where it is of what holds a figure, such as "up db.hot
// first_vacuum_seconds"; "" for others.
func (e Expectation) Held() string {
	if e.holds == "" {
		return ""
	}
	return e.holds + " " + e.Of()
}

// Of is the figure that it is about, with its table as CutTable reads it.
func (e Expectation) Of() string {
	if e.table == "" {
		return e.figure
	}
	return Quoted(e.table) + " " + e.figure
}

// String is the expectation as it was written.
func (e Expectation) String() string { return e.text }

var operators = []string{">=", "<=", ">", "<", "="}

// Parse reads an expectation. Whether what it is about exists is for Check.
func Parse(text string) (Expectation, error) {
	e := Expectation{text: strings.Join(strings.Fields(text), " ")}
	words := strings.Fields(text)
	if len(words) == 2 && words[0] == "verdict" {
		e.verdict = words[1]
		return e, nil
	}
	holds := len(words) > 3 && words[1] == "holds" && (words[2] == "up" || words[2] == "down")
	if holds {
		e.verdict, e.holds = words[0], words[2]
		text = afterWords(text, 3)
	}
	e.table, text, _ = CutTable(text)
	words = strings.Fields(text)
	if holds && len(words) == 1 {
		e.figure = words[0]
		return e, nil
	}
	if holds || len(words) < 2 || len(words) > 3 {
		return e, fmt.Errorf("found %q; accepted is such as %q, %q or %q", text,
			"total_autovacuum_count >= 10", "db.table autovacuum_count 10..12", "verdict cost-budget")
	}
	e.figure = words[0]
	return e, e.bound(words[1:])
}

// afterWords is a text without its first words.
func afterWords(text string, n int) string {
	for range n {
		text = strings.TrimLeft(text, " \t\n")
		text = text[strings.IndexAny(text+" ", " \t\n"):]
	}
	return text
}

// bound reads an operator and a number, or a range.
func (e *Expectation) bound(words []string) error {
	e.least, e.most = negativeInfinity, infinity
	if len(words) == 1 {
		low, high, ok := strings.Cut(words[0], "..")
		a, errA := strconv.ParseFloat(low, 64)
		b, errB := strconv.ParseFloat(high, 64)
		if !ok || errA != nil || errB != nil || a > b {
			return fmt.Errorf("%q is no range; accepted is such as 10..12", words[0])
		}
		e.least, e.most = a, b
		return nil
	}
	x, err := strconv.ParseFloat(words[1], 64)
	if err != nil {
		return fmt.Errorf("%q is no number", words[1])
	}
	switch words[0] {
	case ">=":
		e.least = x
	case "<=":
		e.most = x
	case ">":
		e.least, e.open = x, true
	case "<":
		e.most, e.open = x, true
	case "=":
		e.least, e.most = x, x
	default:
		return fmt.Errorf("unknown operator %q; accepted are %s", words[0], strings.Join(operators, " "))
	}
	return nil
}

const (
	infinity         = 1e308
	negativeInfinity = -1e308
)

// Check tells whether the expectation holds, and what was found. It is an error
// where it is about something that is not there; the nearest name is suggested.
func (e Expectation) Check(f Figures) (holds bool, found string, err error) {
	if e.verdict != "" && e.holds == "" {
		return slices.Contains(e.Verdicts(), f.Verdict), f.Verdict, nil
	}
	figures := f.Summary
	if e.table != "" {
		var ok bool
		if figures, ok = f.Tables.Of(e.table); !ok {
			return false, "", missing("table", e.table, slices.Sorted(f.Tables.Names()))
		}
	}
	x, ok := figures[e.figure]
	if !ok {
		return false, "", missing("figure", e.figure, slices.Sorted(maps.Keys(figures)))
	}
	if e.holds != "" {
		by := f.Held[e.Held()].By
		return slices.Contains(e.Verdicts(), by), by, nil
	}
	holds = x >= e.least && x <= e.most
	if e.open {
		holds = x > e.least && x < e.most
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return false, Absent, nil
	}
	return holds, strconv.FormatFloat(x, 'g', 6, 64), nil
}

// Absent is what is found where there is no such figure: of what did not happen, or a
// ratio to nothing.
const Absent = "none"

func missing(what, name string, known []string) error {
	hint := ""
	if near := guc.Nearest(name, known); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return fmt.Errorf("there is no %s %q%s", what, name, hint)
}
