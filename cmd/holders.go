package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/scheduler/explain"
	"avsim/workload/scenario"
)

// What holds a figure up or down is simulated: each constraint is loosened alone.

// loosened is a scenario to be run as it is and with each constraint loosened. What the
// application feels is not asked for.
func (f *runFlags) loosened(sc *scenario.Run, base scheduler.RunConfig, of []string, replications int) explain.Problem {
	return explain.Problem{
		Configure: func(replication int) (scheduler.RunConfig, error) {
			flags := *f
			flags.seed, flags.seedGiven = base.Seed+uint64(replication), true
			cfg, err := flags.configOf(sc)
			cfg.Foreground = nil
			return cfg, err
		},
		Loosenings: explain.Loosenings(&base), Of: of, Replications: replications,
	}
}

// heldReplications is how often each loosening is simulated for an expectation.
const heldReplications = 3

// holders simulates what holds the figures that expectations or claims are of, in words
// as Expectation.Held has them; nil where there are none.
func (f *runFlags) holders(c *cobra.Command, sc *scenario.Run, cfg scheduler.RunConfig, held []string) (map[string]expect.Held, error) {
	if len(held) == 0 {
		return nil, nil
	}
	var figures []string
	for _, h := range held {
		_, name, _ := strings.Cut(h, " ")
		figures = append(figures, name)
	}
	problem := f.loosened(sc, cfg, figures, heldReplications)
	problem.Progress = f.out.progress(c.Context(), c.ErrOrStderr())
	x, err := explain.Explain(c.Context(), problem)
	if err != nil {
		return nil, notRun(sc, err)
	}
	out := map[string]expect.Held{}
	for i, h := range held {
		out[h] = holder(x, figures[i], strings.HasPrefix(h, "up "))
	}
	return out, nil
}

// heldIn are those of expectations that are of what holds a figure, each once.
func heldIn(texts []string, parse func(string) (expect.Expectation, error)) (out []string) {
	for _, text := range texts {
		if e, err := parse(text); err == nil && e.Held() != "" && !slices.Contains(out, e.Held()) {
			out = append(out, e.Held())
		}
	}
	return out
}

// expected are a scenario's expectations and claims.
func expected(sc *scenario.Run) []string {
	texts := slices.Clone(sc.Expect)
	for _, c := range sc.Claims {
		texts = append(texts, c.Expects)
	}
	return texts
}

// expectedFigures are those of which a scenario expects, of the variant at hand, what holds
// them, and that are not given.
func (f *explainFlags) expectedFigures(name string, given []string) (out []string) {
	sc, err := scenario.LoadRun(name)
	if err != nil {
		return nil
	}
	for _, text := range expected(sc) {
		if f.variant != "" {
			who, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
			if text = rest; who != f.variant {
				continue
			}
		}
		if e, err := expect.Parse(text); err == nil && e.Held() != "" && !slices.Contains(slices.Concat(given, out), e.Of()) {
			out = append(out, e.Of())
		}
	}
	return out
}

func holder(x *explain.Explanation, name string, up bool) expect.Held {
	h, found := x.Holds(name, up)
	if !found {
		return expect.Held{By: string(scheduler.Unbound)}
	}
	return expect.Held{By: string(h.Constraint), Told: fmt.Sprintf("%s: %s instead of %s", h.What, explainFigure(name, h.Then.Mean), explainFigure(name, h.Base.Mean))}
}

// explainFigure writes a figure that may have a table's name in front.
func explainFigure(name string, x float64) string {
	return explainValue(name[strings.LastIndex(name, " ")+1:], x)
}

// holdersText tells what holds each figure.
func holdersText(w io.Writer, figures []string, x *explain.Explanation) {
	for _, name := range figures {
		fmt.Fprintf(w, "\n%s is %s.", name, explainFigure(name, x.Base[name].Mean))
		for _, way := range holdingWays {
			h := holder(x, name, way.up)
			if h.Told == "" {
				fmt.Fprintf(w, " Nothing of what was loosened holds it %s.", way.name)
				continue
			}
			fmt.Fprintf(w, " %s holds it %s (%s).", upperFirst(h.By), way.name, h.Told)
		}
		fmt.Fprintln(w)
	}
}

var holdingWays = []struct {
	name string
	up   bool
}{{"up", true}, {"down", false}}

type explainHolders struct {
	Up   string `json:"up"`   // a constraint, or none
	Down string `json:"down"` // likewise
}

func holdersJSON(figures []string, x *explain.Explanation) map[string]explainHolders {
	out := map[string]explainHolders{}
	for _, name := range figures {
		out[name] = explainHolders{holder(x, name, true).By, holder(x, name, false).By}
	}
	return out
}

// checkFigures refuses a figure that no run has.
func checkFigures(names []string, cfg *scheduler.RunConfig) (out []string, err error) {
	for _, name := range names {
		e, err := expect.Parse(name + " >= 0")
		if err == nil {
			err = checkExpectation(e, figuresToCome(&cfg.World, false))
		}
		if err != nil {
			return nil, usagef("--figure %q: %v", name, err)
		}
		out = append(out, e.Of())
	}
	return out, nil
}
