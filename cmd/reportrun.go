package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/plots/report"
	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

func isDrawless(err error) bool { return errors.Is(err, plots.ErrNothingToDraw) }

// observed is a run with what its figures show.
type observed struct {
	sc      *scenario.Run
	cfg     scheduler.RunConfig
	result  *scheduler.RunResult
	figures *runFigures
}

// observe runs a scenario and collects what its figures show.
func observe(ctx context.Context, sc *scenario.Run, cfg scheduler.RunConfig) (*observed, error) {
	o := &observed{sc: sc, cfg: cfg, figures: newRunFigures(sc, cfg)}
	cfg.Trace, cfg.Sample, cfg.Samples = o.figures.event, o.figures.sample, samplesOf(&cfg.World)
	var err error
	o.result, err = scheduler.Run(ctx, cfg)
	return o, notRun(sc, err)
}

// draw adds the figures of a run to a section.
func (o *observed) draw(s *report.Section, prefix, command string) error {
	for _, x := range runFigureSet {
		if x.file == "foreground" && o.result.Felt == nil {
			continue
		}
		figure, err := x.draw(x.data(o.figures, o.result))
		if err := drawn(s, prefix+x.file, command, figure, err); err != nil {
			return err
		}
	}
	return nil
}

// scenarioPage runs a scenario and reports it.
func (f *reportFlags) scenarioPage(c *cobra.Command, name string) (*report.Page, error) {
	sc, err := f.load(name)
	if err != nil {
		return nil, err
	}
	ignored := f.warned(c, func(all *runFlags, w io.Writer) { all.warnNotModelled(w, sc) })
	if len(sc.Variants()) > 0 {
		return f.variantsPage(c, sc, name, ignored)
	}
	cfg, err := f.configOf(sc)
	if err != nil {
		return nil, err
	}
	if _, err := readExpectations(sc, &cfg.World); err != nil {
		return nil, err
	}
	cfg.Progress = hours(f.out.costProgress(c.Context(), c.ErrOrStderr()), 0, cfg.For, cfg.For)
	ignored = append(ignored, f.warned(c, func(all *runFlags, w io.Writer) { all.warnServer(w, &cfg) })...)
	o, err := observe(c.Context(), sc, cfg)
	if err != nil {
		return nil, err
	}
	held, err := f.holders(c, sc, o.cfg, heldIn(expected(sc), expect.Parse))
	if err != nil {
		return nil, err
	}
	return f.observedPage(o, figuresOf(o.result, held), name, ignored)
}

// warned are warnings, which stand in the report whether they are printed or not.
func (f *reportFlags) warned(c *cobra.Command, warn func(all *runFlags, w io.Writer)) []string {
	warn(&f.runFlags, c.ErrOrStderr())
	all := f.runFlags
	all.out.quiet = false
	return linesOf(func(w io.Writer) { warn(&all, w) })
}

// observedPage is the report of a run of which all is at hand.
func (f *reportFlags) observedPage(o *observed, figures expect.Figures, name string, ignored []string) (*report.Page, error) {
	judge := judgeBy(figures)
	expected := judgedOf(o.sc, judge)
	out := newRunOutput(newRunInputs(o.sc, o.cfg), o.cfg, o.result, shown(o.result, f.maxTables), toldJSON{expectationsJSON(expected), claimsJSON(o.sc, judge), standing(o.sc, expected, ofOne(figures))})
	words := f.arguments(name)
	page := newRunPage(out, o.result.Tables.Len(), o.sc.Title)
	page.said(o.sc, judge)
	page.lines(linesOf(func(w io.Writer) {
		obstaclesInWords(w, o.result)
		lateInWords(w, o.result, o.cfg.Settings.Duration("autovacuum_naptime"))
		forcedInWords(w, o.result)
		feltInWords(w, o.result.Felt)
	}))
	pictures := report.Section{ID: "figures", Heading: "What happens"}
	command := commandLine(slices.Concat([]string{"avsim", "run"}, words, []string{"--figures", "out"})...)
	if err := o.draw(&pictures, "", command); err != nil {
		return nil, err
	}
	page.Sections = slices.Insert(page.Sections, 0, pictures)
	page.Sections = append(page.Sections, inputsOf(o.sc, &out.Run), notModelledSection(ignored...),
		againSection(commandLine(slices.Concat([]string{"avsim", "report"}, words, []string{"-o", "report.html"})...),
			commandLine(slices.Concat([]string{"avsim", "run"}, words, []string{"--format", "json"})...), command))
	return &page.Page, nil
}

// runPage is the report of a run that is being made.
type runPage struct{ report.Page }

// newRunPage tells what the JSON of a run tells; all is how many tables there are.
func newRunPage(out *runOutput, all int, title string) *runPage {
	p := &runPage{report.Page{
		Kicker: fmt.Sprintf("avsim report · %s · PostgreSQL %s (%s) · %s · %s simulated", out.Run.Scenario, out.Run.PG, out.Run.Strategy, out.Run.Host,
			yamlfile.FormatDuration(inSeconds(out.Summary.Simulated))),
		Title:   upperFirst(or(title, out.Run.Scenario)),
		Verdict: meaning[out.Verdict.Constraint],
		Lead:    []string{bindsInWords(out.Verdict)},
		Facts:   runFacts(&out.Summary, out.Run.Settings),
		Source:  source(out.Run.ModelVersion, out.Run.InputHash, strconv.FormatUint(out.Run.Seed, 10)),
	}}
	if out.Answer != nil {
		p.Lead, p.Verdict = []string{p.Verdict + " " + p.Lead[0]}, *out.Answer
	}
	account := report.Section{ID: "time", Heading: "Workers' time", Tables: []report.Table{timeTable(out.Time)}}
	if len(out.Databases) > 1 {
		account.Tables = append(account.Tables, databaseTable(out.Databases))
	}
	p.Sections = append(p.Sections, account, report.Section{ID: "tables", Heading: "Tables", Tables: []report.Table{tablesTable(out.Tables, all)}})
	for _, x := range out.Warnings {
		p.Lead = append(p.Lead, fmt.Sprintf("After %s: %s", yamlfile.FormatDuration(inSeconds(x.At)), x.Text))
	}
	return p
}

func runFacts(s *runSummary, _ []string) []report.Fact {
	late := func(x *float64) string {
		if x == nil {
			return "–"
		}
		return inTime(*x)
	}
	return []report.Fact{
		{Label: "vacuums", Value: thousands(s.Vacuums)},
		{Label: "of them to prevent wraparound", Value: thousands(s.AntiWraparound)},
		{Label: "analyzes", Value: thousands(s.Analyzes)},
		{Label: "workers on average", Value: figure(s.AvgWorkers)},
		{Label: "late, mean of visits", Value: late(s.LatenessMean)},
		{Label: "late, 99th percentile", Value: late(s.LatenessP99)},
		{Label: "of all row versions dead, mean", Value: percent(s.DeadShare)},
		{Label: "tables due at the end", Value: thousands(s.DueAtEnd)},
	}
}

// lines adds sentences on how it went.
func (p *runPage) lines(lines []string) {
	if len(lines) > 0 {
		p.Sections = slices.Insert(p.Sections, 0, report.Section{ID: "words", Heading: "In words", List: lines})
	}
}

// said adds what the scenario expects and what others claim, beside what was found.
func (p *runPage) said(sc *scenario.Run, judge func(string) judged) {
	if s, any := judgedSection(sc, judge); any {
		p.Sections = slices.Insert(p.Sections, 0, s)
	}
}

func fulfilment(holds bool) string {
	if holds {
		return "as expected"
	}
	return "not so"
}

func judgedSection(sc *scenario.Run, judge func(string) judged) (report.Section, bool) {
	s := report.Section{ID: "expected", Heading: "Expected, and found"}
	row := func(text string, j judged, words string) []report.Cell {
		return []report.Cell{textCell(text), textCell(j.inWords()), textCell(words)}
	}
	if len(sc.Expect) > 0 {
		t := report.Table{Caption: "What the scenario expects", Columns: columnsNamed(3, "expected", "found", "so?")}
		for _, j := range judgedOf(sc, judge) {
			t.Rows = append(t.Rows, row(j.text, j, fulfilment(j.holds)))
		}
		s.Tables = append(s.Tables, t)
	}
	if len(sc.Claims) > 0 {
		t := report.Table{Caption: "What others say", Columns: columnsNamed(3, "said", "found", "so?")}
		for _, c := range sc.Claims {
			j := judge(c.Expects)
			t.Rows = append(t.Rows, row(c.Says, j, agreement(j.holds)))
		}
		s.Tables = append(s.Tables, t)
	}
	return s, len(s.Tables) > 0
}

func databaseTable(all []runDatabaseJSON) report.Table {
	t := report.Table{Caption: "Databases", Columns: columnsNamed(1, "database", "worker starts", "vacuums", "to prevent wraparound", "analyzes", "vacuuming")}
	for _, d := range all {
		t.Rows = append(t.Rows, []report.Cell{textCell(d.Name), countCell(d.Starts), countCell(d.Vacuums), countCell(d.AntiWraparound), countCell(d.Analyzes), secondsCell(&d.VacuumSeconds)})
	}
	return t
}

func tablesTable(tables []runTableJSON, all int) report.Table {
	t := report.Table{Caption: "What happened to each table", Columns: columnsNamed(1, "table", "vacuums", "to prevent wraparound", "analyzes", "vacuuming",
		"late, mean", "late, p99", "waits at the end", "dead rows, peak", "dead rows", "live rows", "next forced in")}
	for i := range tables {
		x := &tables[i]
		next := shownCell(math.NaN(), "")
		if x.NextForced != nil {
			next = shownCell(*x.NextForced, inDays(inSeconds(*x.NextForced)))
		}
		t.Rows = append(t.Rows, []report.Cell{textCell(x.Database + "." + x.Name), countCell(x.Vacuums), countCell(x.AntiWraparound), countCell(x.Analyzes), secondsCell(&x.VacuumSeconds),
			secondsCell(x.LatenessMean), secondsCell(x.LatenessP99), secondsCell(&x.Waiting), numberCell(x.DeadPeak), numberCell(x.DeadRows), numberCell(x.LiveRows), next})
	}
	if more := all - len(tables); more > 0 {
		t.Note = fmt.Sprintf("And %s with no more vacuums than these: --tables-in-output 0 lists all.", plural(more, "table"))
	}
	return t
}

// inputsOf are the inputs of a scenario: its file, and what was set beyond it; in is nil
// where there are several runs.
func inputsOf(sc *scenario.Run, in *runInputs) report.Section {
	s := report.Section{ID: "inputs", Heading: "Inputs", Text: paragraphs(sc.Description)}
	if in != nil {
		t := report.Table{Caption: "What the run depends on", Columns: columnsNamed(2, "input", "value")}
		for _, x := range [][2]string{{"scenario", in.Scenario}, {"PostgreSQL", in.PG}, {"strategy", in.Strategy}, {"host profile", in.Host},
			{"simulated", yamlfile.FormatDuration(inSeconds(in.RunFor))}, {"of it warm-up", yamlfile.FormatDuration(inSeconds(in.WarmUp))}, {"seed", strconv.FormatUint(in.Seed, 10)},
			{"settings that are not PostgreSQL's defaults", or(strings.Join(in.Settings, ", "), "none")}} {
			t.Rows = append(t.Rows, []report.Cell{textCell(x[0]), textCell(x[1])})
		}
		s.Tables = []report.Table{t}
	}
	s.Code = []report.Code{{Caption: "The scenario, " + sc.Filename, Text: string(sc.Text), Folded: true}}
	return s
}

func paragraphs(text string) (out []string) {
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// againSection has the commands that give the same.
func againSection(commands ...string) report.Section {
	return report.Section{ID: "again", Heading: "Again",
		Text: []string{"The same commands give the same bytes, on any machine with the same version and model, however many runs there are at a time."},
		Code: []report.Code{{Text: strings.Join(commands, "\n")}}}
}

// variantsPage runs the variants of a scenario and puts them side by side.
func (f *reportFlags) variantsPage(c *cobra.Command, sc *scenario.Run, name string, ignored []string) (*report.Page, error) {
	results, err := f.configsOf(sc)
	if err != nil {
		return nil, err
	}
	if err := checkVariantExpectations(sc, results); err != nil {
		return nil, err
	}
	bar := f.out.costProgress(c.Context(), c.ErrOrStderr())
	var before, all time.Duration
	for _, r := range results {
		all += r.cfg.For
	}
	pictures := report.Section{ID: "figures", Heading: "What happens in each"}
	for i := range results {
		r := &results[i]
		r.cfg.Progress = hours(bar, before, r.cfg.For, all)
		before += r.cfg.For
		o, err := observe(c.Context(), r.sc, r.cfg)
		if err != nil {
			return nil, err
		}
		r.result = o.result
		flags := f.runFlags
		flags.variant = r.name
		command := commandLine(slices.Concat([]string{"avsim", "run"}, flags.arguments(name), []string{"--figures", "out"})...)
		figure, err := plots.Timeline(o.figures.timeline(o.result))
		if err := drawn(&pictures, "timeline-"+r.name, command, figure, err); err != nil {
			return nil, err
		}
		if n := len(pictures.Figures); n > 0 && pictures.Figures[n-1].Name == "timeline-"+r.name {
			pictures.Figures[n-1].Of = r.name
		}
	}
	if bar != nil {
		bar(all, all)
	}
	if err := f.holdVariants(c, sc, results); err != nil {
		return nil, err
	}
	p := &runPage{report.Page{
		Kicker: fmt.Sprintf("avsim report · %s · %d variants", sc.Name, len(results)), Title: upperFirst(sc.Title),
		Source: variantsSource(results),
	}}
	judge := judgeAll(results)
	if answer := standing(sc, judgedOf(sc, judge), ofVariants(results)); answer != nil {
		p.Verdict = *answer
	} else {
		p.Lead = variantVerdicts(results)
	}
	words := f.arguments(name)
	table := variantsTable(results)
	side := report.Section{ID: "variants", Heading: "Side by side", Tables: []report.Table{variantVerdictTable(results),
		resultTable(table, "Figures of each variant", slices.Concat([]string{"variant", "pg", "settings"}, reportedOf(sc, results)), len(results))}}
	if sc.Foreground != nil {
		figure, err := plots.Variants(table)
		if err := drawn(&side, "variants", commandLine(slices.Concat([]string{"avsim", "run"}, words, []string{"--figures", "out"})...), figure, err); err != nil {
			return nil, err
		}
	}
	p.Sections = append(p.Sections, side)
	if s, any := judgedSection(sc, judge); any {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, pictures, inputsOf(sc, nil), notModelledSection(ignored...),
		againSection(commandLine(slices.Concat([]string{"avsim", "report"}, words, []string{"-o", "report.html"})...),
			commandLine(slices.Concat([]string{"avsim", "run"}, words, []string{"--format", "json"})...)))
	return &p.Page, nil
}

// reportedOf are the figures by which variants are put side by side.
func reportedOf(sc *scenario.Run, results []variantResult) (out []string) {
	if sc.Foreground != nil {
		return variantNames(results)
	}
	for _, x := range plainVariants {
		out = append(out, x.name)
	}
	return out
}

func variantsSource(results []variantResult) []report.Fact {
	var hashes, seeds []string
	for i := range results {
		in := newRunInputs(results[i].sc, results[i].cfg)
		hashes = append(hashes, in.InputHash)
		if seed := strconv.FormatUint(in.Seed, 10); !slices.Contains(seeds, seed) {
			seeds = append(seeds, seed)
		}
	}
	return source(scheduler.ModelVersion, strings.Join(hashes, ", "), seeds...)
}

func variantVerdicts(results []variantResult) (out []string) {
	for i := range results {
		out = append(out, fmt.Sprintf("%s: %s.", results[i].name, inWords(results[i].result.Verdict)))
	}
	return out
}

func variantVerdictTable(results []variantResult) report.Table {
	t := report.Table{Caption: "What binds", Columns: columnsNamed(3, "variant", "verdict", "which means")}
	for i := range results {
		v := results[i].result.Verdict
		t.Rows = append(t.Rows, []report.Cell{textCell(results[i].name), textCell(inWords(v)), textCell(meaning[v.Constraint])})
	}
	return t
}
