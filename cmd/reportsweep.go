package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"avsim/plots/report"
	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// contestPage runs a scenario of compare and sweep over its grid and reports it.
func (f *reportFlags) contestPage(c *cobra.Command, name string) (*report.Page, error) {
	p := pointFlags{scenario: name, seed: 1, replications: 5, grid: true}
	st, g, err := p.contest(c.Flags(), func(s *scenario.Scenario) (string, string) { return s.Sweep.Tables, s.Sweep.Workers })
	if err != nil {
		return nil, err
	}
	var points []study.GridPoint
	survey, err := p.survey(st, g, func(p study.GridPoint, _ time.Duration) error { points = append(points, p); return nil })
	if err != nil {
		return nil, err
	}
	var results []study.Result
	opts := study.Options{Jobs: f.out.jobs, Total: survey.Cost, Progress: f.out.costProgress(c.Context(), c.ErrOrStderr())}
	err = st.Run(c.Context(), slices.Values(points), opts, func(r study.Result) error { results = append(results, r); return nil })
	if err != nil {
		return nil, interrupted(err, len(results), len(points), "nothing was written")
	}
	page, err := sweepPage(st.Table(survey.Hash, nil, results), "out/sweep.csv", commandLine("avsim", "sweep", name, "-o", "out"))
	if err != nil {
		return nil, err
	}
	text, err := scenario.Text(name)
	if err != nil {
		return nil, err
	}
	inputs := &page.Sections[slices.IndexFunc(page.Sections, func(s report.Section) bool { return s.ID == "inputs" })]
	inputs.Code = append(inputs.Code, report.Code{Caption: "The scenario, " + name + ".yaml", Text: string(text), Folded: true})
	return page, nil
}

// mostReported is how many rows of a sweep a report lists.
const mostReported = 500

// sweepPage is the report of a result table of a sweep, or of compare as CSV; file is what
// it is called in commands, and again the command that gives it, "" where that is not
// known.
func sweepPage(t *experiment.Table, file, again string) (*report.Page, error) {
	if len(t.Rows) == 0 {
		return nil, inputError{fmt.Errorf("%s: it has no rows", file)}
	}
	p := &report.Page{
		Title:  "A sweep of " + plural(len(t.Rows), "point"),
		Kicker: "avsim report · sweep of " + plural(len(t.Rows), "point"),
		Source: source(strings.Join(t.Distinct("model_version"), ", "), strings.Join(t.Distinct("input_hash"), ", "), t.Distinct("seed")...),
	}
	pictures := report.Section{ID: "figures", Heading: "What it shows"}
	for _, x := range figuresFor(t) {
		figure, err := x.draw(t)
		if err := drawn(&pictures, x.file, commandLine("avsim", "plot", file, "--figure", x.file, "-o", x.file+".svg"), figure, err); err != nil {
			return nil, inputError{fmt.Errorf("%s: %w", file, err)}
		}
	}
	if len(pictures.Figures) > 0 {
		p.Verdict = pictures.Figures[0].Title() + "."
	}
	columns, caption := tableContest, "Throughput and what binds, at each point"
	if ofRuns(t.Columns) {
		columns, caption = slices.Concat([]string{"settings", "strategy"}, tableColumns, []string{"verdict"}), "Lateness, dead rows and what binds, at each point"
		columns = slices.Concat(axesOf(t), columns)
	}
	p.Sections = []report.Section{pictures,
		{ID: "verdicts", Heading: "What binds", Tables: []report.Table{verdictCounts(t)}},
		{ID: "points", Heading: "Points", Tables: []report.Table{resultTable(t, caption, distinctTexts(columns), mostReported)}},
		{ID: "inputs", Heading: "Inputs", Tables: []report.Table{inputTable(t)}},
		notModelledSection()}
	if again == "" {
		again = sweepAgain(t)
	}
	commands := []string{commandLine("avsim", "report", file, "-o", "report.html")}
	if again != "" {
		commands = append([]string{again}, commands...)
	}
	last := againSection(commands...)
	if again == "" {
		last.Text = append(last.Text, "The command that gave the result is not told by it, and was not found: its inputs are above.")
	}
	p.Sections = append(p.Sections, last)
	return p, nil
}

// axesOf are the columns that vary and say where a point stands.
func axesOf(t *experiment.Table) (out []string) {
	for _, column := range []string{"workers", "cpus", "host", "autovacuum_naptime_seconds", "run_for_seconds"} {
		if _, ok := t.Column(column); ok && len(t.Distinct(column)) > 1 {
			out = append(out, column)
		}
	}
	return out
}

func distinctTexts(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// verdictCounts tells at how many points of each strategy what binds.
func verdictCounts(t *experiment.Table) report.Table {
	out := report.Table{Caption: "What binds, and at how many points", Columns: []report.Column{{Name: "strategy"}, {Name: "verdict"}, {Name: "points", Number: true}, {Name: "which means"}}}
	for _, strategy := range t.Distinct("strategy") {
		rows := t.Where("strategy", strategy)
		for _, verdict := range rows.Distinct("verdict") {
			if n := len(rows.Where("verdict", verdict).Rows); verdict != "" {
				out.Rows = append(out.Rows, []report.Cell{textCell(strategy), textCell(verdict), countCell(n), textCell(meaning[scheduler.Constraint(verdict)])})
			}
		}
	}
	return out
}

// inputTable is what the points were measured at.
func inputTable(t *experiment.Table) report.Table {
	out := report.Table{Caption: "What the points are at", Columns: columnsNamed(2, "input", "values")}
	for _, column := range []string{"scenario", "variant", "pg", "strategy", "tables", "workers", "cpus", "host", "due_share", "start", "autovacuum_naptime_seconds", "settings", "run_for_seconds", "replications"} {
		if _, ok := t.Column(column); !ok {
			continue
		}
		var values []string
		for _, v := range t.Distinct(column) {
			if v != "" {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			out.Rows = append(out.Rows, []report.Cell{textCell(columnTitle(column)), textCell(strings.Join(values, ", "))})
		}
	}
	return out
}
