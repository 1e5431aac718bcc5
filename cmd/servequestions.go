package cmd

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"avsim/cmd/page"
	"avsim/plots"
	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// The answers of the page, as JSON.
type (
	liveAnswer struct {
		Verdict  string            `json:"verdict"`
		Evidence string            `json:"evidence"`
		Result   scheduler.Verdict `json:"result"`
		Facts    []liveFact        `json:"facts"`
		Figures  []liveFigure      `json:"figures"`
		Command  string            `json:"command"`
		Inputs   string            `json:"inputs"`
		// Standards are where sliders stand of themselves, by name, where that depends on
		// what is asked.
		Standards map[string]string `json:"standards,omitempty"`
	}
	liveFact struct {
		Label string `json:"label"`
		Value string `json:"value"`
	}
	liveFigure struct {
		Name     string   `json:"name"`
		Title    string   `json:"title"`
		Subtitle string   `json:"subtitle"`
		Notes    []string `json:"notes"`
		Words    string   `json:"words"`
		SVG      string   `json:"svg"`
	}
)

func newLiveFigure(name string, f *plots.Figure, width int) liveFigure {
	return liveFigure{name, f.Title(), f.Subtitle(), slices.Concat(f.Key(), f.Notes()), f.Words(), f.Inline(width)}
}

// asked makes a question of a function of the controls' values: unknown ones, ones given
// twice and long ones are refused, and so is what the simulator finds wrong with them.
func asked(names []string, answer func(context.Context, *liveValues, int) (*liveAnswer, error)) page.Question {
	return func(ctx context.Context, query url.Values) (any, error) {
		v := &liveValues{given: map[string]string{}}
		width := plots.WideInline
		for name, values := range query {
			switch {
			case name == "narrow":
				width = plots.NarrowInline
			case !slices.Contains(names, name):
				return nil, page.Refused{Reason: fmt.Sprintf("%.40q is no control%s; accepted are %s", name, nearest(name, names), strings.Join(names, ", "))}
			case len(values) > 1 || len(values[0]) > 40:
				return nil, page.Refused{Reason: name + ": accepted is one value of 40 characters at most"}
			default:
				v.given[name] = values[0]
			}
		}
		out, err := answer(ctx, v, width)
		var usage usageError
		var input inputError
		switch {
		case v.err != nil:
			return nil, page.Refused{Reason: v.err.Error()}
		case errors.As(err, &usage), errors.As(err, &input):
			return nil, page.Refused{Reason: message(err)}
		case err != nil:
			return nil, err
		}
		return out, nil
	}
}

// loads are the scenarios of a page without one, by what their tables are like: which of
// its tables are counted, and those that are there besides.
var loads = []struct {
	mix, label string
	counted    string // of databases[0].tables
	standard   int    // how many the file has
}{
	{"mixed", "of all sizes", "tables[0]", 200},
	{"tiny", "tiny, all due at once", "tables[0]", 1000},
	{"giants", "small, beside two giants", "tables[1]", 20},
}

func loadNames() (out []string) {
	for _, x := range loads {
		out = append(out, x.mix)
	}
	return out
}

// leastTables is what the slider of tables begins with.
const leastTables = 10

// ofLoads makes the page without a scenario.
func (f *serveFlags) ofLoads(s *page.Server) {
	pg := guc.Defaults(guc.MustVersion("18"))
	mixes := liveControl{Name: "mix", Label: "Tables are", Kind: "choice", Standard: loads[0].mix}
	for _, x := range loads {
		mixes.Values = append(mixes.Values, liveValue{x.mix, x.label})
	}
	tables := slider("tables", "Tables", itoa(loads[0].standard), "", counts(leastTables, f.mostTables)...)
	settings := settingControls(pg)
	controls := slices.Concat([]liveControl{mixes, tables}, settings[:1], versionControls("18", "", "generic-4core"), settings[1:])
	s.Controls = liveControls{
		Title: "Will autovacuum keep up?", Kicker: "avsim · a simulation of PostgreSQL's autovacuum", Source: liveSource(),
		Controls: controls, Questions: []liveQuestion{{"run", true, liveFigures}, {"throughput", false, []string{"throughput"}}},
		Figures: []string{"timeline", "throughput", "backlog", "lateness"},
	}
	s.Advice = "fewer tables or workers are answered sooner, the command line takes any number"
	names := namesOfControls(controls)
	s.Questions = map[string]page.Question{"run": asked(names, f.loadRun), "throughput": asked(names, f.throughput)}
}

func liveSource() string {
	return fmt.Sprintf("avsim %s, model %s. What is modelled and what is not: avsim version --model.", Version, scheduler.ModelVersion)
}

func namesOfControls(controls []liveControl) (out []string) {
	for _, c := range controls {
		out = append(out, c.Name)
	}
	return out
}

// loadRun answers with a run of the tables that are asked for.
func (f *serveFlags) loadRun(ctx context.Context, v *liveValues, width int) (*liveAnswer, error) {
	load := loads[max(slices.Index(loadNames(), v.oneOf("mix", loadNames())), 0)]
	flags := v.flags(runFlags{})
	if n := f.tables(v); n != load.standard {
		flags.set = append(flags.set, fmt.Sprintf("databases[0].%s.count=%d", load.counted, n))
	}
	if v.err != nil {
		return nil, v.err
	}
	return liveRun(ctx, &flags, "load-"+load.mix, width)
}

// tables is how many tables are asked for: where nothing is said as many as the slider
// begins with, whatever they are like.
func (f *serveFlags) tables(v *liveValues) int {
	n := v.number("tables", leastTables, f.mostTables, " (the command line takes more, and avsim serve --most-tables)")
	if n == 0 {
		return loads[0].standard
	}
	return n
}

// flags are those that the controls come to, beyond what the page was started with.
func (v *liveValues) flags(base runFlags) runFlags {
	f := base
	f.set = slices.Concat(base.set, v.assignments())
	f.pg, f.strategy = v.oneOf("pg", liveVersions()), v.oneOf("strategy", liveStrategies())
	f.host = v.oneOf("host", host.Embedded()) // never a file
	return f
}

// liveFigures are those of a run that the page has.
var liveFigures = []string{"timeline", "backlog", "lateness"}

// liveRun runs a scenario as the flags say.
func liveRun(ctx context.Context, f *runFlags, name string, width int) (*liveAnswer, error) {
	sc, err := f.load(name)
	if err != nil {
		return nil, err
	}
	if len(sc.Variants()) > 0 {
		return nil, usagef("%s has variants: --variant takes one of them", sc.Name)
	}
	if f.set, err = withSlots(sc, f.set); err != nil {
		return nil, err
	}
	cfg, err := f.configOf(sc)
	if err != nil {
		return nil, err
	}
	cfg.WithoutFelt = true
	o, err := observe(ctx, sc, cfg)
	if err != nil {
		return nil, err
	}
	in := newRunInputs(sc, cfg)
	summary := summaryJSON(o.result)
	out := &liveAnswer{
		Verdict: meaning[o.result.Verdict.Constraint], Result: o.result.Verdict, Inputs: in.InputHash,
		Evidence: fmt.Sprintf("%s PostgreSQL %s (%s) on %s, %s simulated.", bindsInWords(o.result.Verdict), in.PG, in.Strategy, in.Host, yamlfile.FormatDuration(o.result.Simulated)),
		Command:  commandLine(slices.Concat([]string{"avsim", "run"}, f.arguments(name), []string{"--figures", "out"})...),
	}
	for _, x := range runFacts(&summary, nil) {
		out.Facts = append(out.Facts, liveFact{x.Label, x.Value})
	}
	for _, x := range runFigureSet {
		if !slices.Contains(liveFigures, x.file) {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		figure, err := x.draw(x.data(o.figures, o.result))
		if isDrawless(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Figures = append(out.Figures, newLiveFigure(x.file, figure, width))
	}
	return out, nil
}

// withSlots adds as many slots as there are workers, where the version has slots: a server
// would be started with them.
func withSlots(sc *scenario.Run, set []string) ([]string, error) {
	settings := sc.Settings
	for _, a := range (&runFlags{set: set}).settings() {
		if err := settings.Assign(a); err != nil {
			return nil, usageError{err}
		}
	}
	if !settings.Has("autovacuum_worker_slots") || settings.Int("autovacuum_max_workers") <= settings.Int("autovacuum_worker_slots") {
		return set, nil
	}
	return append(slices.Clone(set), "autovacuum_worker_slots="+strconv.FormatInt(settings.Int("autovacuum_max_workers"), 10)), nil
}

// curveTables are the numbers of tables that the curve is of, besides the one at hand.
var curveTables = []int{100, 300, 1000, 3000, 10_000, 30_000, 100_000}

// shortCurve is where the line of a fourth strategy ends: those with statistics in shared
// memory are so fast that more would take seconds to simulate.
const shortCurve = 10_000

// throughput answers with a contest of workers for tiny tables, over their number.
func (f *serveFlags) throughput(ctx context.Context, v *liveValues, width int) (*liveAnswer, error) {
	chosen, err := v.curveStrategies()
	if err != nil {
		return nil, err
	}
	numbers, n := slices.Clone(curveTables), f.tables(v)
	if !slices.Contains(numbers, n) {
		numbers = append(numbers, n)
		slices.Sort(numbers)
	}
	var tables []string
	for _, n := range numbers {
		tables = append(tables, itoa(n))
	}
	workers := v.number("workers", 1, mostWorkersShown, "")
	if workers == 0 {
		workers = 3
	}
	p := pointFlags{scenario: defaultScenario, grid: true, tables: strings.Join(tables, ","), workers: itoa(workers), strategy: chosen,
		host: or(v.oneOf("host", host.Embedded()), "generic-4core"), seed: 1, replications: 1}
	command := []string{"avsim", "sweep", "--tables", p.tables, "--workers", p.workers, "--host", p.host, "--strategy", strings.Join(chosen, ","), "--replications", "1"}
	if len(chosen) > 3 {
		p.where = fmt.Sprintf("strategy != %q or tables <= %d", chosen[3], max(shortCurve, n))
		command = append(command, "--where", p.where)
	}
	if v.assignments(); v.err != nil {
		return nil, v.err
	}
	st, g, err := p.contest(pflag.NewFlagSet("", pflag.ContinueOnError), nothingElse)
	if err != nil {
		return nil, err
	}
	var points []study.GridPoint
	survey, err := p.survey(st, g, func(p study.GridPoint, _ time.Duration) error { points = append(points, p); return nil })
	if err != nil {
		return nil, err
	}
	var results []study.Result
	if err := st.Run(ctx, slices.Values(points), study.Options{Jobs: 1}, func(r study.Result) error { results = append(results, r); return nil }); err != nil {
		return nil, err
	}
	figure, err := plots.Throughput(st.Table(survey.Hash, nil, results))
	if err != nil {
		return nil, err
	}
	drawn := newLiveFigure("throughput", figure, width)
	drawn.Subtitle = "Workers race for tiny tables that are all due · " + drawn.Subtitle
	return &liveAnswer{Inputs: survey.Hash, Facts: []liveFact{}, Figures: []liveFigure{drawn},
		Command: commandLine(append(command, "-o", "out")...)}, nil
}

// curveStrategies are those of the curve: the three of BUG #13750 and, if it is another,
// that of the version or the one that is chosen.
func (v *liveValues) curveStrategies() ([]string, error) {
	chosen := v.oneOf("strategy", liveStrategies())
	if chosen == "" {
		version, err := guc.ParseVersion(or(v.oneOf("pg", liveVersions()), "18"))
		if err != nil {
			return nil, usageError{err}
		}
		s, err := scheduler.StrategyOf(version)
		if err != nil {
			return nil, usageError{err}
		}
		chosen = s.Name
	}
	all := []string{"original", "claim-release", "leapfrog"}
	if !slices.Contains(all, chosen) {
		all = append(all, chosen)
	}
	return all, v.err
}

// ofScenario makes the page of a scenario, whose settings the sliders change.
func (f *serveFlags) ofScenario(s *page.Server, name string) error {
	sc, err := f.load(name)
	if err != nil {
		return err
	}
	var variants []string
	for _, v := range sc.Variants() {
		variants = append(variants, v.Name)
	}
	controls, err := f.scenarioControls(name, variants)
	if err != nil {
		return err
	}
	s.Controls = liveControls{Title: upperFirst(or(sc.Title, sc.Name)), Kicker: "avsim · " + sc.Name, Source: liveSource(), Controls: controls,
		Questions: []liveQuestion{{"run", true, liveFigures}}, Figures: liveFigures}
	s.Advice = "a shorter run (avsim serve --for) or a longer --time-limit helps"
	s.Questions = map[string]page.Question{"run": asked(namesOfControls(controls), func(ctx context.Context, v *liveValues, width int) (*liveAnswer, error) {
		return f.scenarioRun(ctx, v, name, variants, width)
	})}
	return nil
}

// scenarioControls are those of a scenario, at what its file says; of one with variants
// at what the first says.
func (f *serveFlags) scenarioControls(name string, variants []string) ([]liveControl, error) {
	flags := f.runFlags
	if len(variants) > 0 {
		flags.variant = variants[0]
	}
	sc, cfg, err := flags.config(name)
	if err != nil {
		return nil, err
	}
	settings := settingControls(cfg.Settings)
	controls := slices.Concat(settings[:1], versionControls(cfg.Settings.Version().Branch().String(), sc.Strategy, sc.Host), settings[1:])
	if len(variants) > 0 {
		controls = slices.Insert(controls, 0, choiceOf("variant", "Variant", variants[0], "", variants...))
	}
	return controls, nil
}

// scenarioRun answers with a run of the scenario, or of the variant that is asked for.
func (f *serveFlags) scenarioRun(ctx context.Context, v *liveValues, name string, variants []string, width int) (*liveAnswer, error) {
	flags := v.flags(f.runFlags)
	var standards map[string]string
	if len(variants) > 0 {
		flags.variant = or(v.oneOf("variant", variants), variants[0])
		standards = map[string]string{}
	}
	if v.err != nil {
		return nil, v.err
	}
	if standards != nil {
		own, err := f.scenarioControls(name, []string{flags.variant})
		if err != nil {
			return nil, err
		}
		for _, c := range own[1:] {
			standards[c.Name] = c.Standard
		}
	}
	out, err := liveRun(ctx, &flags, name, width)
	if err != nil {
		return nil, err
	}
	out.Standards = standards
	return out, nil
}
