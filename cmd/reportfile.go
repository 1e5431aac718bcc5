package cmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/plots/report"
	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/sim/experiment"
	"avsim/workload/yamlfile"
)

const reportFormats = "accepted is what sweep, compare or run wrote: a folder, a sweep.csv, .json, .jsonl or .parquet, the JSON of run or compare, the CSV of run"

// filePage is the report of a result file.
func (f *reportFlags) filePage(c *cobra.Command, name string) (*report.Page, error) {
	page, err := jsonPage(name)
	if page != nil {
		return page, nil
	}
	var t *experiment.Table
	if err == nil {
		t, err = readTable(c.Context(), name)
	}
	switch {
	case c.Context().Err() != nil, errors.Is(err, fs.ErrPermission):
		return nil, err
	case err != nil:
		return nil, inputError{fmt.Errorf("%w; is it a result, and whole? %s", err, reportFormats)}
	}
	return tablePage(t, name)
}

// tablePage is the report of a result table by its columns.
func tablePage(t *experiment.Table, name string) (*report.Page, error) {
	has := func(column string) bool { _, ok := t.Column(column); return ok }
	switch {
	case has("throughput_per_s") && has("strategy") && has("verdict"), ofRuns(t.Columns) && has("visits"):
		return sweepPage(t, name, "")
	case has("autovacuum_count") && has("database"):
		return runTablePage(t, name), nil
	}
	return nil, inputError{fmt.Errorf("%s: has no columns that a report could be made of; %s", name, reportFormats)}
}

// runTablePage is the report of the tables of a run.
func runTablePage(t *experiment.Table, name string) *report.Page {
	again := ""
	if hash, seed := t.Distinct("input_hash"), t.Distinct("seed"); len(hash) == 1 && len(seed) == 1 {
		if n, err := strconv.ParseUint(seed[0], 10, 64); err == nil {
			again = hashAgain(hash[0], n)
		}
	}
	return &report.Page{
		Title: "The tables of a run", Kicker: "avsim report · " + name,
		Lead:   []string{"The CSV of run has its tables alone. Its JSON has the verdict too, and 'avsim report SCENARIO' the figures."},
		Source: source(strings.Join(t.Distinct("model_version"), ", "), strings.Join(t.Distinct("input_hash"), ", "), t.Distinct("seed")...),
		Sections: []report.Section{{ID: "tables", Heading: "Tables", Tables: []report.Table{resultTable(mostVacuumed(t), "What happened to each table", t.Columns[len(inputColumns):], mostReported)}},
			notModelledSection(), foundSection(again, name, "the hash of its inputs is at the end")},
	}
}

// mostVacuumed has the rows of tables in the order of their vacuums.
func mostVacuumed(t *experiment.Table) *experiment.Table {
	column, ok := t.Column("autovacuum_count")
	if !ok {
		return t
	}
	vacuums := func(row []string) float64 { n, _ := strconv.ParseFloat(row[column], 64); return n }
	out := *t
	out.Rows = slices.Clone(t.Rows)
	slices.SortStableFunc(out.Rows, func(a, b []string) int { return cmp.Compare(vacuums(b), vacuums(a)) })
	return &out
}

// mostJSON bounds the JSON of a run that is read.
const mostJSON = 1 << 30

// jsonPage is the report of the JSON of run or compare; nil where the file is none.
func jsonPage(name string) (*report.Page, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostJSON || strings.ToLower(filepath.Ext(name)) != ".json" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, inputError{err}
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(text, &keys) != nil {
		return nil, nil // an array: a sweep's
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { _, ok := keys[n]; return !ok })
	}
	var page *report.Page
	switch {
	case has("run", "summary", "tables", "verdict"):
		var out runOutput
		if err = json.Unmarshal(text, &out); err == nil {
			page = runJSONPage(&out, name)
		}
	case has("point", "results"):
		var out compareOutput
		if err = json.Unmarshal(text, &out); err == nil {
			page, err = comparePage(&out, name)
		}
	case has("scenario", "variants"):
		var out variantsOutput
		if err = json.Unmarshal(text, &out); err == nil {
			page, err = variantsJSONPage(&out, name)
		}
	}
	if err != nil {
		return nil, inputError{fmt.Errorf("%s: %w", name, err)}
	}
	return page, nil
}

// runJSONPage is the report of a run by its JSON, which has no figures.
func runJSONPage(out *runOutput, name string) *report.Page {
	commands := []string{commandLine("avsim", "report", name, "-o", "report.html")}
	again, sc, ok := runAgain(out.Run)
	title := ""
	if ok {
		title = sc.Title
	}
	p := newRunPage(out, len(out.Tables), title)
	if s, any := toldSection(out.Expected, out.Claims); any {
		p.Sections = append(p.Sections, s)
	}
	if ok {
		words := again.arguments(out.Run.Scenario)
		p.Sections = append(p.Sections, inputsOf(sc, &out.Run))
		commands = append([]string{commandLine(slices.Concat([]string{"avsim", "run"}, words, []string{"--format", "json"})...),
			commandLine(slices.Concat([]string{"avsim", "report"}, words, []string{"-o", "report.html"})...)}, commands...)
	} else {
		p.Sections = append(p.Sections, inputTableOf(&out.Run))
	}
	last := againSection(commands...)
	if !ok {
		last.Text = append(last.Text, notFound+": its inputs are above.")
	}
	p.Sections = append(p.Sections, notModelledSection(), last)
	return &p.Page
}

// inputTableOf tells the inputs of a run whose scenario is not at hand.
func inputTableOf(in *runInputs) report.Section {
	t := report.Table{Caption: "What the run depends on", Columns: columnsNamed(2, "input", "value")}
	for _, x := range [][2]string{{"scenario", in.Scenario}, {"PostgreSQL", in.PG}, {"strategy", in.Strategy}, {"host profile", in.Host},
		{"simulated", yamlfile.FormatDuration(inSeconds(in.RunFor))}, {"seed", strconv.FormatUint(in.Seed, 10)}, {"settings", or(strings.Join(in.Settings, ", "), "PostgreSQL's defaults")}} {
		t.Rows = append(t.Rows, []report.Cell{textCell(x[0]), textCell(x[1])})
	}
	return report.Section{ID: "inputs", Heading: "Inputs", Tables: []report.Table{t},
		Text: []string{"The scenario's file is not part of its result: 'avsim report' of the scenario has it, and figures."}}
}

// comparePage is the report of the JSON of compare.
func comparePage(out *compareOutput, name string) (*report.Page, error) {
	if len(out.Results) == 0 {
		return nil, errors.New("it has no results")
	}
	at := out.Point
	p := &report.Page{
		Kicker:  fmt.Sprintf("avsim report · %s · PostgreSQL %s settings · %s · %s", at.Scenario, at.PG, at.Host, plural(at.Replications, "replication")),
		Title:   fmt.Sprintf("%s side by side at %s, %s and %s", pluralOf(len(out.Results), "strategy", "strategies"), plural(at.Tables, "table"), plural(at.Workers, "worker"), plural(at.CPUs, "CPU")),
		Verdict: compareInWords(out.Results),
		Source:  source(at.ModelVersion, at.InputHash, strconv.FormatUint(at.Seed, 10)),
	}
	strategies := report.Table{Caption: "Throughput and what binds", Columns: []report.Column{{Name: "strategy"}, {Name: "vacuums a second", Number: true}, {Name: "first-time tables a second", Number: true},
		{Name: "ratio to the first", Number: true}, {Name: "rechecks a second", Number: true}, {Name: "wasted", Number: true}, {Name: "statistics files a second", Number: true}, {Name: "verdict"}}}
	figures := report.Section{ID: "figures", Heading: "Where the time goes"}
	drawnAs := &experiment.Table{Columns: []string{"model_version", "input_hash", "seed", "host", "pg", "strategy", "tables", "workers", "cpus", "due_share", "start", "settings", "replications"}}
	shares := slices.Sorted(maps.Keys(out.Results[0].TimeShare))
	drawnAs.Columns = append(drawnAs.Columns, shares...)
	for _, r := range out.Results {
		ratio := math.NaN()
		if r.Ratio != nil {
			ratio = *r.Ratio
		}
		strategies.Rows = append(strategies.Rows, []report.Cell{textCell(r.Strategy), shownCell(r.Throughput.Mean, withDoubt(r.Throughput)), shownCell(r.Distinct.Mean, withDoubt(r.Distinct)), numberCell(ratio),
			numberCell(r.RechecksPerS), numberCell(r.WastedRechecksPerS), numberCell(r.StatsWritesPerS), textCell(inWords(r.Verdict))})
		row := []string{at.ModelVersion, at.InputHash, strconv.FormatUint(at.Seed, 10), at.Host, at.PG, r.Strategy, itoa(at.Tables), itoa(at.Workers), itoa(at.CPUs), decimal(at.DueShare), at.Start,
			strings.Join(at.Settings, " "), itoa(at.Replications)}
		for _, s := range shares {
			row = append(row, decimal(r.TimeShare[s]))
		}
		drawnAs.AppendRow(row...)
	}
	figure, err := plots.TimeShare(drawnAs)
	if err := drawn(&figures, "time", commandLine("avsim", "report", name, "-o", "report.html"), figure, err); err != nil {
		return nil, err
	}
	inputs := report.Table{Caption: "What it was measured at", Columns: columnsNamed(2, "input", "value")}
	for _, x := range [][2]string{{"scenario", at.Scenario}, {"tables", thousands(at.Tables)}, {"workers", itoa(at.Workers)}, {"CPUs", itoa(at.CPUs)}, {"host profile", at.Host}, {"PostgreSQL", at.PG},
		{"share of the tables that are due", percent(at.DueShare)}, {"start", at.Start}, {"settings", strings.Join(at.Settings, ", ")}, {"choices", strings.Join(at.Choices, ", ")},
		{"seed", strconv.FormatUint(at.Seed, 10)}, {"replications", itoa(at.Replications)}} {
		if x[1] != "" {
			inputs.Rows = append(inputs.Rows, []report.Cell{textCell(x[0]), textCell(x[1])})
		}
	}
	p.Sections = []report.Section{{ID: "strategies", Heading: "Side by side", Tables: []report.Table{strategies, meanings(out.Results)}}, figures,
		{ID: "inputs", Heading: "Inputs", Tables: []report.Table{inputs}}, notModelledSection(), foundSection(compareAgain(out), name, "its inputs are above")}
	return p, nil
}

// meanings has what the verdicts mean, each once.
func meanings(results []compareResult) report.Table {
	t := report.Table{Caption: "What binds, in words", Columns: columnsNamed(2, "verdict", "which means")}
	var told []scheduler.Constraint
	for _, r := range results {
		if c := r.Verdict.Constraint; !slices.Contains(told, c) {
			told = append(told, c)
			t.Rows = append(t.Rows, []report.Cell{textCell(string(c)), textCell(meaning[c])})
		}
	}
	return t
}

// compareInWords names the fastest, where it is measurably faster than the slowest.
func compareInWords(results []compareResult) string {
	best, worst := results[0], results[0]
	for _, r := range results {
		if r.Throughput.Mean > best.Throughput.Mean {
			best = r
		}
		if r.Throughput.Mean < worst.Throughput.Mean {
			worst = r
		}
	}
	known := best.Throughput.Known() && worst.Throughput.Known()
	switch {
	case best.Strategy == worst.Strategy:
		return fmt.Sprintf("%s does %s vacuums a second: %s.", best.Strategy, withDoubt(best.Throughput), inWords(best.Verdict))
	case !known || best.Throughput.Lo <= worst.Throughput.Hi:
		return "None of the strategies is measurably faster than the others."
	}
	return fmt.Sprintf("%s is fastest: %s vacuums a second, %s times as many as %s, whose workers are held back by %s.",
		best.Strategy, figure(best.Throughput.Mean), figure(best.Throughput.Mean/worst.Throughput.Mean), worst.Strategy, worst.Verdict.Constraint)
}

// toldSection is what a result's file tells of expectations and claims.
func toldSection(expected []expectationJSON, claims []claimJSON) (report.Section, bool) {
	s := report.Section{ID: "expected", Heading: "Expected, and found"}
	row := func(text string, found *string, words string) []report.Cell {
		if found == nil {
			return []report.Cell{textCell(text), textCell(expect.Absent), textCell(words)}
		}
		return []report.Cell{textCell(text), textCell(*found), textCell(words)}
	}
	if len(expected) > 0 {
		t := report.Table{Caption: "What the scenario expects", Columns: columnsNamed(3, "expected", "found", "so?")}
		for _, e := range expected {
			t.Rows = append(t.Rows, row(e.Text, e.Found, fulfilment(e.Holds)))
		}
		s.Tables = append(s.Tables, t)
	}
	if len(claims) > 0 {
		t := report.Table{Caption: "What others say", Columns: columnsNamed(3, "said", "found", "so?")}
		for _, c := range claims {
			t.Rows = append(t.Rows, row(c.Says, c.Found, agreement(c.Agrees)))
		}
		s.Tables = append(s.Tables, t)
	}
	return s, len(s.Tables) > 0
}

// variantsJSONPage is the report of the JSON of a scenario with variants.
func variantsJSONPage(out *variantsOutput, name string) (*report.Page, error) {
	if len(out.Variants) == 0 {
		return nil, errors.New("it has no variants")
	}
	p := &report.Page{Title: out.Scenario + ", its variants side by side", Kicker: fmt.Sprintf("avsim report · %s · %d variants", out.Scenario, len(out.Variants))}
	verdicts := report.Table{Caption: "What binds", Columns: columnsNamed(3, "variant", "verdict", "which means")}
	figures := report.Table{Caption: "Figures of each variant", Columns: []report.Column{{Name: "variant"}}}
	names := slices.Sorted(maps.Keys(out.Variants[0].Figures))
	for _, n := range names {
		figures.Columns = append(figures.Columns, report.Column{Name: columnTitle(n), Number: true})
	}
	var hashes, seeds []string
	for _, v := range out.Variants {
		verdicts.Rows = append(verdicts.Rows, []report.Cell{textCell(v.Name), textCell(inWords(v.Verdict)), textCell(meaningOf(v.Verdict, v.Run.Settings))})
		p.Lead = append(p.Lead, fmt.Sprintf("%s: %s.", v.Name, inWords(v.Verdict)))
		row := []report.Cell{textCell(v.Name)}
		for _, n := range names {
			x := math.NaN()
			if v.Figures[n] != nil {
				x = *v.Figures[n]
			}
			row = append(row, numberIn(n, x))
		}
		figures.Rows = append(figures.Rows, row)
		hashes, seeds = append(hashes, v.Run.InputHash), append(seeds, strconv.FormatUint(v.Run.Seed, 10))
	}
	if out.Answer != nil {
		p.Verdict, p.Lead = *out.Answer, nil
	}
	p.Source = source(out.Variants[0].Run.ModelVersion, strings.Join(hashes, ", "), distinctTexts(seeds)...)
	p.Sections = []report.Section{{ID: "variants", Heading: "Side by side", Tables: []report.Table{verdicts, figures}}, notModelledSection(),
		foundSection(variantsAgain(out), name, "the hashes of its inputs are at the end")}
	if s, any := toldSection(out.Expectations, out.Claims); any {
		p.Sections = slices.Insert(p.Sections, 1, s)
	}
	return p, nil
}
