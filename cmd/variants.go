package cmd

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/scenario"
)

// variantResult is what a variant of a scenario gave.
type variantResult struct {
	name   string
	sc     *scenario.Run
	cfg    scheduler.RunConfig
	result *scheduler.RunResult
	held   map[string]expect.Held
}

// variantOf is one of a scenario's variants.
func variantOf(sc *scenario.Run, name string) (*scenario.Run, error) {
	var names []string
	for _, v := range sc.Variants() {
		if v.Name == name {
			return v.Run, nil
		}
		names = append(names, v.Name)
	}
	if len(names) == 0 {
		return nil, usagef("--variant %s: %s has no variants", name, sc.Name)
	}
	hint := ""
	if near := guc.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return nil, usagef("--variant %s: %s has no such variant%s; accepted are %s", name, sc.Name, hint, strings.Join(names, ", "))
}

// tellsOfAll names what a scenario tells of all its variants together: "" where it tells
// nothing, else with the verb.
func tellsOfAll(sc *scenario.Run) string {
	var told []string
	if sc.Answer != "" {
		told = append(told, "answer")
	}
	if len(sc.Expect) > 0 {
		told = append(told, "expectations")
	}
	if len(sc.Claims) > 0 {
		told = append(told, "claims")
	}
	switch {
	case len(told) == 0:
		return ""
	case len(told) == 1 && told[0] == "answer":
		return "the scenario's answer is"
	}
	return "the scenario's " + strings.Join(told, " and ") + " are"
}

// runVariants runs all variants of a scenario and puts them side by side.
func runVariants(c *cobra.Command, f *runFlags, sc *scenario.Run, name string) error {
	for _, x := range []struct{ flag, value string }{{"--events", f.events}, {"--log", f.log}, {"--workers", f.workers}, {"--trace", f.trace}, {"--progress-at", strings.Join(f.progressAt, ",")}} {
		if x.value != "" {
			return usagef("%s: is of one run, %s has %d variants; --variant takes one of them", x.flag, sc.Name, len(sc.Variants()))
		}
	}
	if f.figures != "" && sc.Foreground == nil {
		return usagef("--figures: %s has %d variants and no application that would feel them; --variant takes one of them", sc.Name, len(sc.Variants()))
	}
	if err := f.checkFiles(sc, name); err != nil {
		return err
	}
	results, err := f.configsOf(sc)
	if err != nil {
		return err
	}
	if err := checkVariantExpectations(sc, results); err != nil {
		return err
	}
	if err := f.tryOutputs(); err != nil {
		return err
	}
	if err := tryVariantFigures(f.figures); err != nil {
		return err
	}
	f.warnNotModelled(c.ErrOrStderr(), sc)
	if err := simulateVariants(c, f, results); err != nil {
		return notRun(sc, err)
	}
	if err := f.holdVariants(c, sc, results); err != nil {
		return err
	}
	err = f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		switch f.out.format {
		case "json":
			return variantsJSON(w, sc, results)
		case "csv":
			return variantsTable(results).WriteCSV(w)
		}
		return variantsText(w, sc, results)
	})
	if err != nil {
		return err
	}
	if f.felt != "" {
		t := feltTable()
		for _, v := range results {
			addFelt(t, newRunInputs(v.sc, v.cfg), v.name, v.result.Felt)
		}
		if err := experiment.WriteFile(f.felt, t.WriteCSV); err != nil {
			return err
		}
	}
	if err := writeVariantFigures(c, f, sc, results); err != nil {
		return err
	}
	return unmetOfVariants(sc, results)
}

// holdVariants simulates what holds the figures of each variant that expectations or claims
// are of.
func (f *runFlags) holdVariants(c *cobra.Command, sc *scenario.Run, results []variantResult) (err error) {
	for i := range results {
		r := &results[i]
		held := heldIn(expected(sc), func(text string) (expect.Expectation, error) {
			e, _, err := variantExpectation(text, results)
			if name, _, _ := strings.Cut(strings.TrimSpace(text), " "); name != r.name {
				return expect.Expectation{}, nil
			}
			return e, err
		})
		if r.held, err = f.holders(c, r.sc, r.cfg, held); err != nil {
			return err
		}
	}
	return nil
}

// simulateVariants runs one after another.
func simulateVariants(c *cobra.Command, f *runFlags, results []variantResult) (err error) {
	bar := f.out.costProgress(c.Context(), c.ErrOrStderr())
	var before, all time.Duration
	for _, r := range results {
		all += r.cfg.For
	}
	for i := range results {
		r := &results[i]
		r.cfg.Progress = hours(bar, before, r.cfg.For, all)
		if r.result, err = scheduler.Run(c.Context(), r.cfg); err != nil {
			return err
		}
		before += r.cfg.For
	}
	if bar != nil {
		bar(all, all)
	}
	return nil
}

func (f *runFlags) configsOf(sc *scenario.Run) (out []variantResult, err error) {
	for _, v := range sc.Variants() {
		cfg, err := f.configOf(v.Run)
		if err != nil {
			return nil, err
		}
		out = append(out, variantResult{name: v.Name, sc: v.Run, cfg: cfg})
	}
	return out, nil
}

// An expectation of a scenario with variants begins with a variant, or with two and a
// slash between them for the ratio of their figures:
//
//	17-64MB index_scans <= 3
//	17-64MB/16-64MB vacuum_seconds < 0.5
func variantExpectation(text string, results []variantResult) (expect.Expectation, expect.Figures, error) {
	figures, rest, err := figuresOfVariants(text, results)
	if err != nil {
		return expect.Expectation{}, figures, err
	}
	e, err := expect.Parse(rest)
	if err != nil {
		return e, figures, err
	}
	if figures.Ratio && len(e.Verdicts()) > 0 {
		return e, figures, fmt.Errorf("%q: two variants have no verdict together", text)
	}
	return e, figures, checkExpectation(e, figures)
}

// figuresOfVariants are those that a text begins with the variant of, or the ratios of
// two, and the rest of the text.
func figuresOfVariants(text string, results []variantResult) (expect.Figures, string, error) {
	var none expect.Figures
	who, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	a, b, ratio := strings.Cut(who, "/")
	first, err := findVariant(a, results)
	if err != nil {
		return none, "", err
	}
	rest = strings.TrimSpace(rest)
	if !ratio {
		return first.figures(), rest, nil
	}
	second, err := findVariant(b, results)
	if err != nil {
		return none, "", err
	}
	return ratios(first.figures(), second.figures()), rest, nil
}

// figures are all that can be said of a variant.
func (v *variantResult) figures() expect.Figures {
	var f expect.Figures
	if v.result == nil {
		f = figuresToCome(&v.cfg.World, v.sc.Foreground != nil)
	} else {
		f = figuresOf(v.result, v.held)
	}
	if v.sc.Foreground != nil {
		maps.Copy(f.Summary, variantFigures(v))
	}
	return f
}

// ratios are the figures of one variant by those of another.
func ratios(a, b expect.Figures) expect.Figures {
	return expect.Figures{Summary: quotients(a.Summary, b.Summary), Tables: ofBoth{a.Tables, b.Tables}, Ratio: true}
}

func findVariant(name string, results []variantResult) (*variantResult, error) {
	var names []string
	for i := range results {
		if results[i].name == name {
			return &results[i], nil
		}
		names = append(names, results[i].name)
	}
	hint := ""
	if near := guc.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return nil, fmt.Errorf("there is no variant %q%s; accepted are %s, or two with a slash between", name, hint, strings.Join(names, ", "))
}

// checkVariantExpectations finds mistakes in what is expected and claimed before
// anything is run.
func checkVariantExpectations(sc *scenario.Run, results []variantResult) error {
	for i, text := range sc.Expect {
		if _, _, err := variantExpectation(text, results); err != nil {
			return inputError{fmt.Errorf("%s: expect: %w", sc.Where(fmt.Sprintf("expect[%d]", i)), err)}
		}
	}
	for i, claim := range sc.Claims {
		if _, _, err := variantExpectation(claim.Expects, results); err != nil {
			return inputError{fmt.Errorf("%s: claims: %w", sc.Where(fmt.Sprintf("claims[%d]", i)), err)}
		}
	}
	return checkAnswer(sc, ofVariants(results))
}

func judge(text string, results []variantResult) judged {
	e, figures, err := variantExpectation(text, results)
	if err != nil {
		return judged{text: text, found: err.Error()}
	}
	return judgedBy(text, e, figures)
}

func judgeAll(results []variantResult) func(string) judged {
	return func(text string) judged { return judge(text, results) }
}

func unmetOfVariants(sc *scenario.Run, results []variantResult) error {
	var unmet []string
	for _, text := range sc.Expect {
		if j := judge(text, results); !j.holds {
			unmet = append(unmet, fmt.Sprintf("%s (it is %s)", text, j.found))
		}
	}
	if len(unmet) > 0 {
		return unmetError{unmet}
	}
	return nil
}
