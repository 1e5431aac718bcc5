package cmd

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"avsim/scheduler/expect"
	"avsim/workload/scenario"
)

// judged is an expectation and what was found.
type judged struct {
	text, found string
	unit        string // what is found, for people; "" where it needs no unit
	holds       bool
	absent      bool // there is no such figure
}

// judgedBy holds an expectation to figures.
func judgedBy(text string, e expect.Expectation, figures expect.Figures) judged {
	holds, found, err := e.Check(figures)
	if err != nil {
		found = err.Error()
	}
	return judged{
		text: text, found: found, holds: holds, absent: found == expect.Absent && len(e.Verdicts()) == 0,
		unit: or(figures.Held[e.Held()].Told, foundIn(e.Figure(), found, figures.Ratio)),
	}
}

// value is what was found, nil where there is no such figure.
func (j *judged) value() *string {
	if j.absent {
		return nil
	}
	return &j.found
}

// inWords is what was found, with its unit.
func (j *judged) inWords() string {
	if j.unit == "" {
		return j.found
	}
	return j.found + " (" + j.unit + ")"
}

// foundIn is a figure with its unit, by its name; of a ratio, how many times.
func foundIn(name string, found string, ratio bool) string {
	x, err := strconv.ParseFloat(found, 64)
	if err != nil {
		return "" // a verdict, an error
	}
	switch {
	case ratio:
		return figure(x) + " times"
	case strings.HasSuffix(name, "_minutes"):
		return figure(x) + " min"
	case strings.HasSuffix(name, "_per_s"):
		return figure(x) + " a second"
	case strings.HasSuffix(name, "_ratio"):
		return figure(x) + " times"
	case strings.HasSuffix(name, "_share"), strings.HasSuffix(name, "_seconds"), strings.HasSuffix(name, "_bytes"), strings.HasPrefix(name, "latency"):
		return variantCell(name, x)
	}
	return ""
}

func agreement(holds bool) string {
	if holds {
		return "agrees"
	}
	return "differs"
}

type claimJSON struct {
	Says    string  `json:"says"`
	Expects string  `json:"expects"`
	Found   *string `json:"found"`
	Agrees  bool    `json:"agrees"`
}

// claimsText prints what is said beside what is found.
func claimsText(w io.Writer, sc *scenario.Run, judge func(expects string) judged) {
	if len(sc.Claims) == 0 {
		return
	}
	fmt.Fprintln(w, "\nsaid, and found:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range sc.Claims {
		j := judge(c.Expects)
		fmt.Fprintf(t, "  %s\t%s\tfound %s\t%s\n", agreement(j.holds), c.Says, j.inWords(), c.Expects)
	}
	t.Flush()
}

func claimsJSON(sc *scenario.Run, judge func(expects string) judged) []claimJSON {
	out := []claimJSON{}
	for _, c := range sc.Claims {
		j := judge(c.Expects)
		out = append(out, claimJSON{c.Says, c.Expects, j.value(), j.holds})
	}
	return out
}

type expectationJSON struct {
	Text  string  `json:"text"`
	Found *string `json:"found"`
	Holds bool    `json:"holds"`
}

func expectationsJSON(list []judged) []expectationJSON {
	out := []expectationJSON{}
	for _, j := range list {
		out = append(out, expectationJSON{j.text, j.value(), j.holds})
	}
	return out
}

// toldJSON is what a scenario says of its results, and what was found.
type toldJSON struct {
	Expectations []expectationJSON
	Claims       []claimJSON
	Answer       *string // nil where it does not stand
}

// judgeBy holds expectations to the figures of a run.
func judgeBy(figures expect.Figures) func(string) judged {
	return func(text string) judged {
		e, err := expect.Parse(text)
		if err != nil {
			return judged{text: text, found: err.Error()}
		}
		return judgedBy(text, e, figures)
	}
}
