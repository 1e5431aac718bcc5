package cmd

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"avsim/scheduler/expect"
	"avsim/workload/scenario"
)

// A scenario that answers a question says so in words, with figures of its results in
// braces. What it says stands only where all that it expects holds.

// found looks up what stands in braces, or before the operator of an expectation: with a
// variant, or two, in front where the scenario has variants.
type found func(words string) (figures expect.Figures, name string, err error)

var inBraces = regexp.MustCompile(`\{([^{}]*)\}`)

// answerOf is the answer with its figures.
func answerOf(answer string, of found) (string, error) {
	var failed error
	text := inBraces.ReplaceAllStringFunc(answer, func(s string) string {
		value, err := valueIn(s[1:len(s)-1], of)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", s, err)
		}
		return value
	})
	if failed == nil && strings.ContainsAny(text, "{}") {
		failed = fmt.Errorf("a brace without its other half after %q", lastWords(text[:strings.IndexAny(text, "{}")]))
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	return strings.Join(strings.Fields(text), " "), failed
}

// lastWords are the end of a text.
func lastWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[max(len(words)-4, 0):], " ")
}

// valueIn is a figure for people.
func valueIn(words string, of found) (string, error) {
	figures, rest, err := of(words)
	if err != nil {
		return "", err
	}
	if rest == "verdict" {
		return figures.Verdict, nil
	}
	e, err := expect.Parse(rest + " >= 0")
	if err != nil {
		return "", err
	}
	_, value, err := e.Check(figures)
	if err != nil {
		return "", err
	}
	if unit := foundIn(e.Figure(), value, figures.Ratio); unit != "" {
		return unit, nil
	}
	x, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return value, nil
	case x == math.Trunc(x) && math.Abs(x) < 1e15: // a count
		return thousands(int(x)), nil
	}
	return figure(x), nil
}

// ofOne looks up in the figures of a run.
func ofOne(f expect.Figures) found {
	return func(words string) (expect.Figures, string, error) { return f, strings.TrimSpace(words), nil }
}

// ofVariants looks up in those of a variant, or in the ratios of two.
func ofVariants(results []variantResult) found {
	return func(words string) (expect.Figures, string, error) {
		return figuresOfVariants(words, results)
	}
}

// checkAnswer finds mistakes in an answer before anything is run.
func checkAnswer(sc *scenario.Run, of found) error {
	if _, err := answerOf(sc.Answer, of); err != nil {
		return inputError{fmt.Errorf("%s: answer: %w", sc.Where("answer"), err)}
	}
	return nil
}

// answerText prints the answer, and what was expected beside what was found; where
// something does not hold, that it is not so.
func answerText(w io.Writer, sc *scenario.Run, judge func(string) judged, of found) {
	if sc.Answer == "" {
		return
	}
	list := judgedOf(sc, judge)
	if answer := standing(sc, list, of); answer != nil {
		fmt.Fprintf(w, "%s\n\n", *answer)
	} else {
		fmt.Fprint(w, "What this scenario is for does not come out (below): its answer does not stand.\n\n")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range list {
		fmt.Fprintf(t, "  %s\t%s\tfound %s\n", map[bool]string{true: "as expected", false: "NOT SO"}[j.holds], j.text, j.inWords())
	}
	t.Flush()
	fmt.Fprintln(w)
}

func judgedOf(sc *scenario.Run, judge func(string) judged) (out []judged) {
	for _, text := range sc.Expect {
		out = append(out, judge(text))
	}
	return out
}

// standing is the answer, nil where something that is expected does not hold.
func standing(sc *scenario.Run, list []judged, of found) *string {
	for _, j := range list {
		if !j.holds {
			return nil
		}
	}
	text, err := answerOf(sc.Answer, of)
	if err != nil || text == "" {
		return nil
	}
	return &text
}
