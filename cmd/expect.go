package cmd

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/scheduler/explain"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/scenario"
)

// exitUnmet is for an expectation of a scenario that is not met.
const exitUnmet = 3

// unmetError is a list of expectations that are not met.
type unmetError struct{ unmet []string }

func (e unmetError) Error() string { return "expected, but not so: " + strings.Join(e.unmet, "; ") }

// unattainable is an objective that no settings meet.
type unattainable struct{ unmetError }

func (e unattainable) Error() string { return "no settings were found that meet " + e.unmet[0] }

func (e unattainable) Unwrap() error { return e.unmetError }

// readExpectations reads what a scenario expects, and holds the names and
// numbers in it to what a run of that world can give: a mistake is found before
// the run, not after it.
func readExpectations(sc *scenario.Run, world *workload.World) (out []expect.Expectation, err error) {
	if len(sc.Expect)+len(sc.Claims)+len(sc.Answer) == 0 {
		return nil, nil
	}
	figures := figuresToCome(world, sc.Foreground != nil)
	for i, text := range sc.Expect {
		e, err := readExpectation(text, figures)
		if err != nil {
			return nil, inputError{fmt.Errorf("%s: expect: %w", sc.Where(fmt.Sprintf("expect[%d]", i)), err)}
		}
		out = append(out, e)
	}
	for i, c := range sc.Claims {
		if _, err := readExpectation(c.Expects, figures); err != nil {
			return nil, inputError{fmt.Errorf("%s: claims: %w", sc.Where(fmt.Sprintf("claims[%d]", i)), err)}
		}
	}
	return out, checkAnswer(sc, ofOne(figures))
}

func readExpectation(text string, figures expect.Figures) (expect.Expectation, error) {
	if words := strings.Fields(text); len(words) > 2 && words[0] == "verdict" {
		return expect.Expectation{}, fmt.Errorf("found %q; accepted is verdict and a name, such as verdict cost-budget", text)
	}
	e, err := expect.Parse(text)
	if err != nil {
		return e, err
	}
	return e, checkExpectation(e, figures)
}

// figuresToCome are the names of the figures that a run will give; the values
// mean nothing.
func figuresToCome(world *workload.World, application bool) expect.Figures {
	r := &scheduler.RunResult{}
	if application {
		r.Felt = &scheduler.Felt{}
	}
	return expect.Figures{Summary: r.Figures(), Tables: toCome{world, new(scheduler.TableResult).Figures()}}
}

// checkExpectation refuses what no run can meet or fail: an unknown verdict,
// table or figure, and a number that is none.
func checkExpectation(e expect.Expectation, figures expect.Figures) error {
	words := strings.Fields(e.String())
	for _, name := range e.Verdicts() {
		if e.Held() != "" && name == string(explain.Memory) {
			continue
		}
		if err := checkVerdict(name); err != nil {
			return err
		}
	}
	switch {
	case words[0] == "verdict" && len(words) == 2:
		return nil
	}
	if _, _, err := e.Check(figures); err != nil {
		return fmt.Errorf("%w%s", err, acceptedFigures(e.Table(), figures))
	}
	low, high, _ := strings.Cut(words[len(words)-1], "..")
	for _, text := range []string{low, high} {
		if x, err := strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return fmt.Errorf("%s is no number to compare with; accepted is such as 10, 0.5 or 10..12", text)
		}
	}
	return nil
}

func checkVerdict(name string) error {
	var known []string
	for _, c := range verdicts {
		known = append(known, string(c))
	}
	if slices.Contains(known, name) {
		return nil
	}
	hint := ""
	if near := guc.Nearest(name, known); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return fmt.Errorf("there is no verdict %q%s; accepted are %s", name, hint, strings.Join(known, ", "))
}

// verdicts are the constraints that the verdict of a run may name.
var verdicts = []scheduler.Constraint{
	scheduler.BoundByScheduleLock, scheduler.BoundByStatistics, scheduler.BoundByProcessors, scheduler.BoundByWorkerSlots,
	scheduler.BoundByCostBudget, scheduler.BoundByDisk, scheduler.BoundByTableLock, scheduler.BoundByLauncher,
	scheduler.BoundByThreshold, scheduler.BoundByNaptime, scheduler.BoundByHorizon, scheduler.BoundByWraparound, scheduler.Unbound,
}

// acceptedFigures says what might have stood in an expectation of that table, "" for
// none: there may be too many tables to list, but not figures.
func acceptedFigures(table string, figures expect.Figures) string {
	list := figures.Summary
	if table != "" {
		of, known := figures.Tables.Of(table)
		if !known {
			return "; accepted is database.table of the scenario, in double quotes where it has blanks"
		}
		list = of
	}
	return "; accepted are " + strings.Join(slices.Sorted(maps.Keys(list)), ", ")
}

// checkExpectations holds a result to what the scenario expects.
func checkExpectations(sc *scenario.Run, list []expect.Expectation, figures expect.Figures) error {
	var unmet []string
	for i, e := range list {
		holds, found, err := e.Check(figures)
		switch {
		case err != nil:
			return inputError{fmt.Errorf("%s: expect: %w", sc.Where(fmt.Sprintf("expect[%d]", i)), err)}
		case !holds:
			unmet = append(unmet, fmt.Sprintf("%s (it is %s)", e, found))
		}
	}
	if len(unmet) > 0 {
		return unmetError{unmet}
	}
	return nil
}

// figuresOf are the results that expectations can be about.
func figuresOf(r *scheduler.RunResult, held map[string]expect.Held) expect.Figures {
	return expect.Figures{Held: held, Summary: r.Figures(), Tables: ofResult{r}, Verdict: string(r.Verdict.Constraint)}
}
