package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"avsim/scheduler/expect"
	"avsim/workload/scenario"
)

// judged is an expectation and what was found.
type judged struct {
	text, found string
	holds       bool
}

func agreement(holds bool) string {
	if holds {
		return "agrees"
	}
	return "differs"
}

type claimJSON struct {
	Says    string `json:"says"`
	Expects string `json:"expects"`
	Found   string `json:"found"`
	Agrees  bool   `json:"agrees"`
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
		fmt.Fprintf(t, "  %s\t%s\tfound %s\t%s\n", agreement(j.holds), c.Says, j.found, c.Expects)
	}
	t.Flush()
}

func claimsJSON(sc *scenario.Run, judge func(expects string) judged) []claimJSON {
	out := []claimJSON{}
	for _, c := range sc.Claims {
		j := judge(c.Expects)
		out = append(out, claimJSON{c.Says, c.Expects, j.found, j.holds})
	}
	return out
}

// judgeBy holds expectations to the figures of a run.
func judgeBy(figures expect.Figures) func(string) judged {
	return func(text string) judged {
		e, err := expect.Parse(text)
		if err != nil {
			return judged{text: text, found: err.Error()}
		}
		holds, found, err := e.Check(figures)
		if err != nil {
			found = err.Error()
		}
		return judged{text, found, holds}
	}
}
