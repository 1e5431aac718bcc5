package cmd

import (
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

type runFlags struct {
	set       []string
	pg        string
	strategy  string
	host      string
	seed      uint64
	seedGiven bool
	runFor    string
	events    string
	felt      string
	log       string
	workers   string
	trace     string
	figures   string
	scores    string
	scoresAt  string
	variant   string
	together  string // what the scenario tells of all its variants, where one is taken
	maxTables int
	// progressAt are instants at which the vacuums under way are told.
	progressAt []string
	// traceEvents is the most that a trace has, 0 for no limit.
	traceEvents int
	out         outputFlags
}

func newRun() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "A scenario over simulated hours or days",
		Long: `run simulates a scenario: databases, tables, what is done to them, settings and
their changes. Tables come due by PostgreSQL's rules for the version at hand.
It prints what happened to each table, how busy the workers were, and what
binds. SCENARIO is a built-in one or a YAML file: 'avsim scenarios list' and
'avsim scenarios show NAME > my.yaml' are the way to start.`,
		Example: `  avsim run onap-cps
  avsim run daily-wave --set autovacuum_max_workers=6 --format json
  avsim run my.yaml --pg 17 --events events.csv --log postgresql.log
  avsim run daily-wave --for 1d --trace day.json.gz --figures out
  avsim run my.yaml --progress-at 10m,20m,30m`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("run takes one scenario, got %d (see 'avsim scenarios list')", len(args))
			}
			return nil
		},
		ValidArgsFunction: runScenarioNames,
		RunE:              func(c *cobra.Command, args []string) error { return runScenario(c, &f, args[0]) },
	}
	f.register(c.Flags())
	return c
}

func (f *runFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.set, "set", nil, "a setting by PostgreSQL's name and unit, or a place in the scenario's file such as databases[0].tables[0].rows=5 (repeatable)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: the scenario's)")
	fs.StringVar(&f.variant, "variant", "", "one of the scenario's variants, as if it were the scenario (default: all, side by side)")
	fs.StringVar(&f.strategy, "strategy", "", "claiming strategy (default: the version's)")
	fs.StringVar(&f.host, "host", "", "host profile or YAML file (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all random numbers (default: the scenario's)")
	fs.StringVar(&f.runFor, "for", "", "how long, simulated, such as 90m or 7d (default: the scenario's)")
	fs.StringVar(&f.events, "events", "", "file for every vacuum and analyze, as CSV")
	fs.StringVar(&f.log, "log", "", "file for every vacuum and analyze, as the version's own log lines")
	fs.StringVar(&f.workers, "workers", "", "file for the life of every worker, as CSV")
	fs.StringVar(&f.felt, "foreground", "", "file for what the application felt over time, as CSV")
	fs.StringVar(&f.trace, "trace", "", "file for a timeline that ui.perfetto.dev opens: Chrome's trace format as JSON, compressed where the name ends in .gz")
	fs.IntVar(&f.traceEvents, "trace-events", 1_000_000, "the first events only of a trace, 0 for all")
	fs.StringSliceVar(&f.progressAt, "progress-at", nil, "times of the run, such as 10m,20m, at which vacuums under way are printed as pg_stat_progress_vacuum shows them (csv: in place of the tables)")
	fs.StringVar(&f.figures, "figures", "", "folder for figures: timeline, backlog, lateness and ages, each as PNG with its data as CSV beside")
	fs.StringVar(&f.scores, "scores", "", "file for the scores of all tables, as pg_stat_autovacuum_scores of PostgreSQL 19 shows them, as CSV")
	fs.StringVar(&f.scoresAt, "scores-at", "", "when the scores are taken, such as 10m (default: at the end)")
	fs.IntVar(&f.maxTables, "tables-in-output", 0, "the tables with most vacuums only, 0 for all (default: 50 of a table, all of csv and json)")
	fs.StringVar(&f.out.format, "format", "table", "table, csv or json")
	fs.StringVarP(&f.out.out, "output", "o", "", "file to write to instead of standard output")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no warnings")
}

func runScenario(c *cobra.Command, f *runFlags, name string) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if err := f.out.check(); err != nil {
		return err
	}
	if f.maxTables < 0 {
		return usagef("--tables-in-output %d: accepted is 0 or more", f.maxTables)
	}
	if f.traceEvents < 0 {
		return usagef("--trace-events %d: accepted is 0 or more", f.traceEvents)
	}
	if f.trace == "" && c.Flags().Changed("trace-events") {
		return usagef("--trace-events: there is no --trace whose events it could limit")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(percentOver(0)))
	f.seedGiven = c.Flags().Changed("seed")
	sc, err := f.load(name)
	if err != nil {
		return err
	}
	if f.felt != "" && sc.Foreground == nil {
		return usagef("--foreground %s: %s has no application (foreground)", f.felt, sc.Name)
	}
	if len(sc.Variants()) > 0 {
		return runVariants(c, f, sc, name)
	}
	if f.together != "" && !f.out.quiet {
		fmt.Fprintf(c.ErrOrStderr(), "avsim: %s of all variants together; they are not told of %s alone\n", f.together, f.variant)
	}
	cfg, err := f.configOf(sc)
	if err != nil {
		return err
	}
	debug.SetGCPercent(percentOver(cfg.World.Tables()))
	if err := f.checkFiles(sc, name); err != nil {
		return err
	}
	expectations, err := readExpectations(sc, &cfg.World)
	if err != nil {
		return err
	}
	if err := f.tryOutputs(); err != nil {
		return err
	}
	f.warnNotModelled(c.ErrOrStderr(), sc)
	f.warnServer(c.ErrOrStderr(), &cfg)
	cfg.Events = f.events != "" || f.log != ""
	if cfg.ProgressAt, err = f.instants(cfg.Settings.Version(), cfg.For); err != nil {
		return err
	}
	cfg.Progress = hours(f.out.costProgress(c.Context(), c.ErrOrStderr()), 0, cfg.For, cfg.For)
	var scores []scheduler.TableScores
	if err := f.scoresOf(c, &cfg, &scores); err != nil {
		return err
	}
	result, figures, err := f.simulate(c, sc, cfg)
	if err != nil {
		return err
	}
	held, err := f.holders(c, sc, cfg, heldIn(expected(sc), expect.Parse))
	if err != nil {
		return err
	}
	if err := f.writeEvents(sc, cfg, result); err != nil {
		return err
	}
	if err := f.writeScores(newRunInputs(sc, cfg), cfg.ScoresAt, scores); err != nil {
		return err
	}
	most := f.maxTables
	if f.out.format == "table" && !c.Flags().Changed("tables-in-output") {
		most = readable
	}
	tables := shown(result, most)
	err = f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		switch f.out.format {
		case "json":
			figures := figuresOf(result, held)
			judge := judgeBy(figures)
			expected := judgedOf(sc, judge)
			return runJSON(w, newRunInputs(sc, cfg), cfg, result, tables, toldJSON{expectationsJSON(expected), claimsJSON(sc, judge), standing(sc, expected, ofOne(figures))})
		case "csv":
			if len(cfg.ProgressAt) > 0 {
				return progressCSV(w, newRunInputs(sc, cfg), cfg.Settings.Version(), result.Progress)
			}
			return runCSV(w, newRunInputs(sc, cfg), tables)
		}
		return runTable(w, sc, cfg, result, held, tables)
	})
	if err != nil {
		return err
	}
	if err := figures.write(c, f, result); err != nil {
		return err
	}
	return checkExpectations(sc, expectations, figuresOf(result, held))
}

// percentOver is how much memory a run may take over that of its tables, in per cent.
// Millions of tables are most of it: a third as much again is enough for what comes and
// goes, and costs a tenth of the time; of gigabytes less will do.
func percentOver(tables int) int {
	const many = 5_000_000
	if tables >= many {
		return 20
	}
	return 35
}

// hours turns the simulated time of a run into a progress bar over that of several, of
// which so much is done before it.
func hours(bar func(done, total time.Duration), before, length, total time.Duration) func(now time.Duration) {
	if bar == nil {
		return nil
	}
	return func(now time.Duration) { bar(before+min(now, length), total) }
}

// load reads the scenario, or the variant of it that is asked for.
func (f *runFlags) load(name string) (*scenario.Run, error) {
	sc, err := scenario.LoadRun(name)
	if err != nil {
		return nil, inputError{err}
	}
	if f.variant != "" {
		f.together = tellsOfAll(sc)
		if sc, err = variantOf(sc, f.variant); err != nil {
			return nil, err
		}
	}
	if f.pg != "" {
		if sc, err = forPG(sc, f.pg); err != nil {
			return nil, err
		}
	}
	if sc, err = f.changed(sc); err != nil {
		return nil, err
	}
	if f.runFor != "" {
		length, err := scenario.ParseRunFor(f.runFor)
		if err != nil {
			return nil, usagef("--for %s: %v", f.runFor, err)
		}
		sc = sc.Lasting(length)
	}
	return sc, nil
}

// forPG is a scenario under another version, with its variants, of which none may have a
// version of its own.
func forPG(sc *scenario.Run, version string) (*scenario.Run, error) {
	v, err := guc.ParseVersion(version)
	if err != nil {
		return nil, usagef("--pg: %v", err)
	}
	for _, x := range sc.Variants() {
		if x.OwnPG {
			return nil, usagef("--pg %s: variant %s has a version of its own, %v (--variant takes one of the variants)", version, x.Name, x.PG)
		}
	}
	if sc, err = sc.ForPG(v); err != nil {
		return nil, inputError{err}
	}
	return sc, nil
}

// changed is the scenario with what --set puts in places of its file.
func (f *runFlags) changed(sc *scenario.Run) (*scenario.Run, error) {
	var changes []yamlfile.Change
	for _, text := range f.set {
		if name, value, ok := fieldIn(text); ok {
			changes = append(changes, yamlfile.Change{Path: name, Value: value, What: "--set " + text})
		}
	}
	switch {
	case len(changes) == 0:
		return sc, nil
	case len(sc.Variants()) > 0:
		return nil, usagef("%s: %s has variants, --variant takes one of them", changes[0].What, sc.Name)
	}
	out, err := sc.Changed(changes, nil)
	if err != nil {
		return nil, usageError{err}
	}
	return out, nil
}

// fieldIn tells a place in a scenario's file from a setting.
func fieldIn(assignment string) (path, value string, ok bool) {
	path, value, ok = strings.Cut(assignment, "=")
	path = strings.TrimSpace(path)
	return path, strings.TrimSpace(value), ok && isField(path) && !isSetting(path)
}

// settings are the assignments of --set that are of settings.
func (f *runFlags) settings() []string {
	return slices.DeleteFunc(slices.Clone(f.set), func(a string) bool { _, _, is := fieldIn(a); return is })
}

// config reads a scenario without variants, with what the flags override.
func (f *runFlags) config(name string) (*scenario.Run, scheduler.RunConfig, error) {
	sc, err := f.load(name)
	if err != nil {
		return nil, scheduler.RunConfig{}, err
	}
	cfg, err := f.configOf(sc)
	return sc, cfg, err
}

// configOf is a scenario with what the flags override.
func (f *runFlags) configOf(sc *scenario.Run) (scheduler.RunConfig, error) {
	var none scheduler.RunConfig
	settings := sc.Settings
	for _, a := range f.settings() {
		if err := settings.Assign(a); err != nil {
			return none, usagef("--set: %v", err)
		}
	}
	if sc.WarmUp >= sc.RunFor {
		return none, usagef("--for %s: the scenario's warm-up alone is %v", f.runFor, sc.WarmUp)
	}
	seed := sc.Seed
	if f.seedGiven { // 0 is a seed too
		seed = f.seed
	}
	strategy, err := f.strategyOf(sc)
	if err != nil {
		return none, err
	}
	h, err := f.hostOf(sc)
	if err != nil {
		return none, inputError{err}
	}
	cfg, err := study.Config(sc, settings, strategy, h, seed)
	if err != nil {
		return none, inputError{err}
	}
	return cfg, nil
}

// hostOf is the scenario's host profile, or the one that is given in its place.
func (f *runFlags) hostOf(sc *scenario.Run) (*host.Profile, error) {
	if f.host != "" {
		return host.Load(f.host)
	}
	return sc.HostProfile()
}

func (f *runFlags) strategyOf(sc *scenario.Run) (scheduler.Strategy, error) {
	name := or(f.strategy, sc.Strategy)
	if f.pg != "" && f.strategy == "" {
		name = ""
	}
	var s scheduler.Strategy
	var err error
	if name == "" {
		s, err = scheduler.StrategyOf(sc.PG)
	} else {
		s, err = scheduler.LookUp(name)
	}
	switch {
	case err != nil && f.strategy == "" && f.pg == "":
		key := "strategy"
		if name == "" {
			key = "pg"
		}
		return s, inputError{fmt.Errorf("%s: %w", sc.Where(key), err)}
	case err != nil:
		return s, usageError{err}
	}
	s.Writes = scheduler.WriteFormOf(sc.PG)
	return s, nil
}

// readable is the number of tables that a person looks through.
const readable = 50

func runTable(w io.Writer, sc *scenario.Run, cfg scheduler.RunConfig, r *scheduler.RunResult, held map[string]expect.Held, tables shownTables) error {
	figures := figuresOf(r, held)
	answerText(w, sc, judgeBy(figures), ofOne(figures))
	fmt.Fprintf(w, "%s: %s\n%s simulated, PostgreSQL %v (%s), %s, seed %d\n\n", sc.Name, sc.Title,
		cfg.For, cfg.Settings.Version(), cfg.Strategy.Name, cfg.Host.Name, cfg.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "database\ttable\tvacuums\tanalyzes\tlate, mean\tlate, p99\tdead, peak\tdead, as told\tdead\tlive\t")
	for row := range tables.all() {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", row.Database, row.Name, row.Vacuums, row.Analyzes,
			lateness(row.LatenessMean()), lateness(row.LatenessP99()), figure(row.DeadPeak), figure(row.DeadTold), figure(row.DeadRows), figure(row.LiveRows))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := r.Tables.Len() - tables.n; more > 0 {
		fmt.Fprintf(w, "and %s with no more vacuums than these (--tables-in-output 0 shows all)\n", plural(more, "table"))
	}
	fmt.Fprintf(w, "\n%s (%d to prevent wraparound), %s; %s workers on average of %s; %s\n",
		plural(r.Vacuums, "vacuum"), r.Wraparound, plural(r.Analyzes, "analyze"), figure(r.AverageWorkers()),
		strconv.FormatFloat(r.Slots.Seconds()/r.Simulated.Seconds(), 'g', 3, 64), inWords(r.Verdict))
	obstaclesInWords(w, r)
	lateInWords(w, r, cfg.Settings.Duration("autovacuum_naptime"))
	forcedInWords(w, r)
	if len(cfg.ProgressAt) > 0 {
		if err := progressInWords(w, cfg.Settings.Version(), r.Progress); err != nil {
			return err
		}
	}
	feltInWords(w, r.Felt)
	claimsText(w, sc, judgeBy(figures))
	return nil
}

// inWords says what a verdict means.
func inWords(v scheduler.Verdict) string {
	if v.Constraint == scheduler.Unbound {
		return fmt.Sprintf("nothing binds: the workers' slots are free %s of the time", percent(v.Share))
	}
	of, known := shareOf[v.Constraint]
	if v.Of != "" {
		of, known = v.Of, true
	}
	if !known {
		of = "the workers' time"
	}
	return fmt.Sprintf("%s binds (%s of %s)", v.Constraint, percent(v.Share), of)
}

// shareOf is what a verdict's share is a share of, where not of the workers' time.
var shareOf = map[scheduler.Constraint]string{
	scheduler.BoundByWraparound: "the time without transaction ids for clients",
	scheduler.BoundByTableLock:  "visits found the table locked or were cancelled",
	scheduler.BoundByHorizon:    "visits could remove less than they had to leave",
	scheduler.BoundByThreshold:  "the time tables wait to be due",
	scheduler.BoundByNaptime:    "the time tables are due and wait for the next visit",
	scheduler.BoundByLauncher:   "the visits that naptime asks for are not made",
}

func lateness(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	return time.Duration(seconds * 1e9).Round(100 * time.Millisecond).String()
}

// writeEvents writes what happened, as CSV and as log lines, where asked for.
func (f *runFlags) writeEvents(sc *scenario.Run, cfg scheduler.RunConfig, r *scheduler.RunResult) error {
	if f.events != "" {
		if err := experiment.WriteFile(f.events, func(w io.Writer) error { return eventsCSV(w, newRunInputs(sc, cfg), r) }); err != nil {
			return err
		}
	}
	if f.workers != "" {
		if err := experiment.WriteFile(f.workers, func(w io.Writer) error { return workersCSV(w, newRunInputs(sc, cfg), r) }); err != nil {
			return err
		}
	}
	if f.felt != "" && r.Felt != nil {
		t := feltTable()
		addFelt(t, newRunInputs(sc, cfg), "", r.Felt)
		if err := experiment.WriteFile(f.felt, t.WriteCSV); err != nil {
			return err
		}
	}
	if f.log == "" {
		return nil
	}
	return experiment.WriteFile(f.log, func(w io.Writer) error { return r.WriteLog(w, cfg.Settings.Version()) })
}
