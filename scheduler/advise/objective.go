package advise

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"avsim/scheduler/expect"
	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// Term is one thing that must hold of a run: a figure of its summary, or of one of its
// tables, on one side of a bound.
type Term struct {
	Text   string // as written, blanks made even
	Table  string // database.table; "" for the summary's
	Figure string // as RunResult.Figures and TableResult.Figures name it
	Less   bool   // below the bound, otherwise above it
	Open   bool   // the bound itself does not do
	Bound  float64
}

// Objective is a list of terms that all must hold.
type Objective []Term

// short are the names that objectives have besides those of the figures.
var short = map[string]string{
	"mean_lateness":   "lateness_mean_seconds",
	"p90_lateness":    "lateness_p90_seconds",
	"p99_lateness":    "lateness_p99_seconds",
	"max_lateness":    "lateness_max_seconds",
	"mean_dead_share": "dead_share",
	"peak_dead_share": "dead_share_peak",
}

var termForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*(<=|>=|<|>)\s*(\S.*)$`)

// ParseObjective reads terms with commas, or "and", between them:
//
//	p99_lateness<10min, dead_share<0.3
//	shop.orders dead_tuples_peak <= 100000
//
// known are the figures of a summary, ofTables those of a table, tables the names
// database.table that there are. Bounds of times bear a unit.
func ParseObjective(text string, known, ofTables, tables []string) (Objective, error) {
	var out Objective
	for _, part := range termsOf(text) {
		if part == "" {
			continue
		}
		t, err := parseTerm(part, known, ofTables, tables)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("found nothing; accepted is such as %q", "p99_lateness<10min, dead_share<0.3")
	}
	return out, contradiction(out)
}

// termsOf are the parts between commas, and ands, outside of double quotes.
func termsOf(text string) (out []string) {
	begin, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case text[i] == ',':
			out, begin = append(out, strings.TrimSpace(text[begin:i])), i+1
		case strings.HasPrefix(text[i:], " and "):
			out, begin = append(out, strings.TrimSpace(text[begin:i])), i+len(" and ")
		}
	}
	return append(out, strings.TrimSpace(text[begin:]))
}

// contradiction is two terms of which one excludes the other.
func contradiction(terms Objective) error {
	for _, a := range terms {
		for _, b := range terms {
			if a.Table == b.Table && a.Figure == b.Figure && a.Less && !b.Less && (a.Bound < b.Bound || a.Bound == b.Bound && (a.Open || b.Open)) {
				return fmt.Errorf("%s and %s exclude each other", a.Text, b.Text)
			}
		}
	}
	return nil
}

func parseTerm(text string, known, ofTables, tables []string) (Term, error) {
	table, rest, _ := expect.CutTable(text)
	rest = strings.Join(strings.Fields(rest), " ")
	m := termForm.FindStringSubmatch(rest)
	if m == nil {
		return Term{}, fmt.Errorf("found %q; accepted is a figure, <, <=, > or >=, and a bound, such as p99_lateness<10min", text)
	}
	text = rest
	if table != "" {
		text = expect.Quoted(table) + " " + rest
	}
	t := Term{Text: text, Table: table, Figure: m[1], Less: m[2][0] == '<', Open: len(m[2]) == 1}
	if t.Table != "" {
		if !slices.Contains(tables, t.Table) {
			return t, fmt.Errorf("%s: there is no table %q%s; accepted is database.table of the scenario, in double quotes where it has blanks or commas", text, t.Table, suggestion(t.Table, tables))
		}
		known = ofTables
	}
	if long, ok := short[t.Figure]; ok {
		t.Figure = long
	}
	if !slices.Contains(known, t.Figure) {
		return t, fmt.Errorf("%s: there is no figure %q%s; accepted are %s", text, m[1], suggestion(m[1], withShort(known)), strings.Join(withShort(known), ", "))
	}
	var err error
	if t.Bound, err = parseBound(t.Figure, strings.TrimSpace(m[3])); err != nil {
		return t, fmt.Errorf("%s: %w", text, err)
	}
	return t, nil
}

// withShort are the names with the short ones of those that are among them, sorted.
func withShort(known []string) []string {
	out := slices.Clone(known)
	for name, long := range short {
		if slices.Contains(known, long) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func suggestion(word string, known []string) string {
	if near := guc.Nearest(word, known); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}

// parseBound reads a bound in the unit of its figure.
func parseBound(figure, text string) (float64, error) {
	if IsTime(figure) {
		d, ok := yamlfile.ParseDuration(strings.ReplaceAll(text, " ", ""))
		if positive, found := strings.CutPrefix(text, "-"); found && !ok {
			if _, ok := yamlfile.ParseDuration(positive); ok {
				return 0, fmt.Errorf("%q is below 0, which no time is", text)
			}
		}
		if !ok {
			return 0, fmt.Errorf("%q is no time; accepted is a number with its unit, such as 30s, 10min or 2h", text)
		}
		return d.Seconds(), nil
	}
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		return 0, fmt.Errorf("%q is no number", text)
	case IsShare(figure) && percent:
		x /= 100
	case percent:
		return 0, fmt.Errorf("%q is a percentage; accepted is a number, as %s is no share", text, figure)
	}
	switch {
	case IsShare(figure) && (x < 0 || x > 1):
		return 0, fmt.Errorf("%q is no share; accepted is from 0 to 1, or a percentage", text)
	case x < 0:
		return 0, fmt.Errorf("%q is below 0, which no figure is", text)
	}
	return x, nil
}

// IsTime and IsShare tell of what kind a figure is.
func IsTime(figure string) bool {
	return strings.HasSuffix(figure, "_seconds") && figure != "foreground_vacuum_seconds"
}

// IsShare tells whether a figure is from 0 to 1.
func IsShare(figure string) bool {
	return strings.HasPrefix(figure, "dead_share") || strings.HasSuffix(figure, "_share")
}

// holds tells whether a value is on the right side of the bound.
func (t Term) holds(x float64) bool {
	switch {
	case t.Less && t.Open:
		return x < t.Bound
	case t.Less:
		return x <= t.Bound
	case t.Open:
		return x > t.Bound
	}
	return x >= t.Bound
}

// missBy is by how much a value is on the wrong side, relative to the bound; 0 where it
// is on the right side.
func (t Term) missBy(x float64) float64 {
	if t.holds(x) {
		return 0
	}
	return max(math.Abs(x-t.Bound)/max(math.Abs(t.Bound), 1e-9), 1e-9)
}

// Time is the bound of a time.
func (t Term) Time() time.Duration { return time.Duration(t.Bound * float64(time.Second)) }

// isLateness tells whether a figure is of how late workers come.
func isLateness(figure string) bool { return strings.HasPrefix(figure, "lateness_") }
