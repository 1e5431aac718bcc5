package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/scheduler/advise"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/scenario"
)

type adviseFlags struct {
	runFlags
	objective    string
	free         []string
	replications int
	mostRuns     int
	giveBack     bool
	dir          string
}

func newAdvise() *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:   "advise SCENARIO",
		Short: "The cheapest settings that meet an objective",
		Long: `advise looks for the cheapest settings under which a scenario meets an objective,
by simulation: the least I/O budget (cost limit over cost delay) times worker
slots, no less than now, then the fewest changes. It prints before and after,
what one step cheaper misses by, the front of budget against slots, what each
change would do alone, and the statements for psql that make the changes.

An objective is one or several figures of a run with bounds:
  p99_lateness (also mean_, p90_, max_)  how late workers come to due tables
  dead_share, dead_share_peak            of all row versions, mean and most
  db.table dead_tuples_peak              a figure of one table
and the other figures that expectations have (docs/scenario.md). It is met if it
holds in each replication and at the end of the 95 % interval of their mean.

Settings that may be free, each with a list of sensible values:
  ` + strings.Join(advise.Freeable(), "\n  ") + `
name=LOW..HIGH bounds one. Workers and budget are not taken away, unless the
objective is met already (then what can be given back is told) or --give-back
says so. Tables are never vacuumed later than now.

Exit code 3: nothing within the bounds meets the objective.`,
		Example: `  avsim advise shop.yaml --objective "p99_lateness<10min, dead_share<0.3"
  avsim advise shop.yaml --objective "p99_lateness<1min" --free autovacuum_max_workers=..8,autovacuum_vacuum_cost_limit
  avsim advise shop.yaml --objective "shop.orders dead_tuples_peak < 1000000" -o advice
  psql -X -f advice/advice.sql`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("advise takes one scenario, got %d (see 'avsim scenarios list', 'avsim import')", len(args))
			}
			return nil
		},
		ValidArgsFunction: runScenarioNames,
		RunE:              func(c *cobra.Command, args []string) error { return adviseScenario(c, &f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.objective, "objective", "", `what is to hold, such as "p99_lateness<10min, dead_share<0.3" (required)`)
	fs.StringSliceVar(&f.free, "free", advise.DefaultFree, "settings that may be changed, with or without bounds: name=LOW..HIGH")
	fs.IntVar(&f.replications, "replications", 5, "runs of each point that may be the answer, with seeds one after another")
	fs.IntVar(&f.mostRuns, "budget", 1000, "simulations at most")
	fs.BoolVar(&f.giveBack, "give-back", false, "allow fewer workers and less budget than now, where the objective is not met now")
	fs.StringArrayVar(&f.set, "set", nil, "a setting as it is now, by PostgreSQL's name and unit (repeatable)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: the scenario's)")
	fs.StringVar(&f.variant, "variant", "", "one of the scenario's variants, required where there are any")
	fs.StringVar(&f.strategy, "strategy", "", "claiming strategy (default: the version's)")
	fs.StringVar(&f.host, "host", "", "host profile or YAML file (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the first replication (default: the scenario's)")
	fs.StringVar(&f.runFor, "for", "", "how long, simulated, such as 90m or 7d (default: the scenario's)")
	fs.StringVar(&f.out.format, "format", "text", "text or json")
	fs.StringVarP(&f.dir, "output", "o", "", "folder for front.png, its data front.csv, and advice.sql")
	fs.IntVar(&f.out.jobs, "jobs", 0, "runs at a time, 0 for one per processor; changes no figure")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no progress bar and no warnings")
	return c
}

// runScenarioNames completes built-in scenarios of run.
func runScenarioNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarioNames(scenario.KindRun), cobra.ShellCompDirectiveDefault
}

func (f *adviseFlags) check(c *cobra.Command) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if err := f.out.checkJobs(); err != nil {
		return err
	}
	switch {
	case f.objective == "":
		return usagef(`advise needs --objective, such as --objective "p99_lateness<10min, dead_share<0.3"`)
	case f.replications < 1 || f.replications > 1000:
		return usagef("--replications %d: accepted is 1 to 1000", f.replications)
	case f.mostRuns < f.replications:
		return usagef("--budget %d: accepted is a number of simulations, at least the %d of a point", f.mostRuns, f.replications)
	}
	return oneOf("format", f.out.format, "text", "json")
}

// afterAdviceRuns is told of runs that ended, in tests.
var afterAdviceRuns func(n int)

func adviseScenario(c *cobra.Command, f *adviseFlags, name string) error {
	if err := f.check(c); err != nil {
		return err
	}
	f.seedGiven = c.Flags().Changed("seed")
	sc, err := f.load(name)
	if err != nil {
		return err
	}
	if v := sc.Variants(); len(v) > 0 {
		return usagef("%s has %d variants: --variant takes one of them", sc.Name, len(v))
	}
	p, cfg, err := f.problem(c, sc)
	if err != nil {
		return err
	}
	if err := f.tryDir(); err != nil {
		return err
	}
	f.warnNotModelled(c.ErrOrStderr(), sc)
	f.warnServer(c.ErrOrStderr(), &cfg)
	f.warnObjective(c.ErrOrStderr(), p, &cfg)
	p.Progress = f.out.progress(c.Context(), c.ErrOrStderr())
	if afterAdviceRuns != nil {
		p.Progress = func(done, _ int) { afterAdviceRuns(done) }
	}
	a, err := advise.Search(c.Context(), p)
	if err != nil {
		return err
	}
	if a.Now == nil { // interrupted before anything was known
		return interrupted(a.Cut, 0, 1, "nothing was found until then")
	}
	out := adviseOutput{sc: sc, cfg: cfg, problem: p, advice: a, in: newRunInputs(sc, cfg)}
	f.warnFew(c.ErrOrStderr(), &out)
	if err := f.print(c.OutOrStdout(), &out); err != nil {
		return err
	}
	if errors.Is(a.Cut, context.Canceled) {
		return fmt.Errorf("interrupted after %s, printed is what was found until then: %w", plural(a.Runs, "run"), context.Canceled)
	}
	if err := f.writeDir(c, &out); err != nil {
		return err
	}
	if a.Best == nil {
		return unattainable{unmetError{[]string{out.unmet()}}}
	}
	return nil
}

// problem is what the flags and the scenario ask for.
func (f *adviseFlags) problem(c *cobra.Command, sc *scenario.Run) (*advise.Problem, scheduler.RunConfig, error) {
	cfg, err := f.configOf(sc)
	if err != nil {
		return nil, cfg, err
	}
	for _, name := range []string{"autovacuum", "track_counts"} {
		if !cfg.Settings.Bool(name) {
			return nil, cfg, inputError{fmt.Errorf("%s: %s is off, so that nothing is ever due; accepted is a scenario with autovacuum (--set %s=on)", sc.Where("settings"), name, name)}
		}
	}
	free, err := advise.ParseFree(f.freeNames(c, &cfg), cfg.Settings.Version())
	if err != nil {
		return nil, cfg, usagef("--free: %v", err)
	}
	if err := advise.CheckSlots(cfg.Settings, free); err != nil {
		return nil, cfg, usagef("--free: %v", err)
	}
	if free, err = f.withoutChanged(c, sc, free); err != nil {
		return nil, cfg, err
	}
	figures := figuresToCome(&cfg.World, sc.Foreground != nil)
	ofTable := slices.Sorted(maps.Keys(new(scheduler.TableResult).Figures()))
	objective, err := advise.ParseObjective(f.objective, slices.Sorted(maps.Keys(figures.Summary)), ofTable, slices.Sorted(figures.Tables.Names()))
	if err != nil {
		return nil, cfg, usagef("--objective: %v", err)
	}
	first := cfg.Seed
	return &advise.Problem{
		Configure: func(seed uint64) (scheduler.RunConfig, error) {
			g := f.runFlags
			g.seed, g.seedGiven = seed, true
			return g.configOf(sc)
		},
		Settings: cfg.Settings, Seed: first, Replications: f.replications, Objective: objective, Free: free,
		Tables: tunable(&cfg.World), GiveBack: f.giveBack, MostRuns: f.mostRuns, Jobs: f.out.jobs,
	}, cfg, nil
}

// freeNames are the names given, or of the usual ones those that the version has.
func (f *adviseFlags) freeNames(c *cobra.Command, cfg *scheduler.RunConfig) (out []string) {
	if c.Flags().Changed("free") {
		return f.free
	}
	for _, name := range f.free {
		if name == advise.TableOptions || cfg.Settings.Has(name) {
			out = append(out, name)
		}
	}
	return out
}

// withoutChanged leaves out what the scenario changes itself while it runs.
func (f *adviseFlags) withoutChanged(c *cobra.Command, sc *scenario.Run, free []advise.Free) ([]advise.Free, error) {
	changed := make(map[string]bool)
	for _, change := range sc.Changes {
		for _, a := range change.Assignments {
			changed[strings.ToLower(a[0])] = true
		}
	}
	var out []advise.Free
	for _, x := range free {
		switch {
		case !changed[x.Name]:
			out = append(out, x)
		case c.Flags().Changed("free"):
			return nil, usagef("--free %s: the scenario changes it while it runs; accepted is one that it leaves as it is", x.Name)
		default:
			f.out.note(c.ErrOrStderr(), "%s is not free, as the scenario changes it while it runs", x.Name)
		}
	}
	if len(out) == 0 {
		return nil, usagef("--free: nothing is left that may be changed")
	}
	return out, nil
}

// alike are the names of the tables that import puts together.
var alike = regexp.MustCompile(`^alike[0-9]+_[0-9]+$`)

// tunable are the tables that storage parameters can be set of: users' own.
func tunable(w *workload.World) (out []advise.TableAt) {
	for i := range w.Databases {
		db := &w.Databases[i]
		for _, t := range db.Tables.All() {
			if t.ToastOf < 0 && !t.Temporary && !strings.HasPrefix(t.Name, "pg_") && !alike.MatchString(t.Name) {
				out = append(out, advise.TableAt{Database: db.Name, Table: t.Name, SQLName: t.SQLName, Options: t.Options})
			}
		}
	}
	return out
}

// warnObjective tells of bounds that no run can break.
func (f *adviseFlags) warnObjective(stderr io.Writer, p *advise.Problem, cfg *scheduler.RunConfig) {
	length := cfg.For - cfg.WarmUp
	for _, t := range p.Objective {
		if t.Less && strings.HasPrefix(t.Figure, "lateness_") && t.Time() >= length {
			f.out.note(stderr, "%s: the run lasts %s, in which nothing can be that late; --for makes it longer", t.Text, length)
		}
	}
	if p.Replications == 1 {
		f.out.note(stderr, "one replication has no interval: the objective is held to its figures alone; accepted are more by --replications")
	}
	if advise.RateOf(p.Settings) == 0 {
		f.out.note(stderr, "there is no cost limit now (autovacuum_vacuum_cost_delay is 0): the I/O budget is left as it is")
	}
}

// tooFewVisits is how many visits the quantile of a lateness is to be of.
var tooFewVisits = map[string]int{"lateness_p99_seconds": 100, "lateness_p90_seconds": 10, "lateness_mean_seconds": 10, "lateness_max_seconds": 1}

// tooFew tells whether a lateness is of too few visits.
func tooFew(m advise.Measured) bool { return m.Visits >= 0 && m.Visits < tooFewVisits[m.Term.Figure] }

// warnFew tells where a lateness is of few visits.
func (f *adviseFlags) warnFew(stderr io.Writer, o *adviseOutput) {
	for _, m := range o.answer().Measured {
		if least := tooFewVisits[m.Term.Figure]; tooFew(m) {
			f.out.note(stderr, "%s: too few samples: a replication has %s, and at least %d are needed; --for makes the run longer", m.Term.Text, plural(m.Visits, "visit"), least)
		}
	}
	switch a := o.advice; {
	case errors.Is(a.Cut, advise.ErrBudget) && a.Best != nil:
		f.out.note(stderr, "the search ended after %s (--budget %d): there may be cheaper settings", plural(a.Runs, "run"), f.mostRuns)
	case errors.Is(a.Cut, advise.ErrBudget):
		f.out.note(stderr, "the search ended after %s (--budget %d): there may be settings that meet the objective", plural(a.Runs, "run"), f.mostRuns)
	}
}

// tryDir finds out before the search whether its files can be written.
func (f *adviseFlags) tryDir() error {
	if f.dir == "" {
		return nil
	}
	if err := experiment.CheckDir(f.dir); err != nil {
		return err
	}
	return plots.CheckSave(filepath.Join(f.dir, "front.png"))
}

// writeDir writes the figure of the front and the statements.
func (f *adviseFlags) writeDir(c *cobra.Command, o *adviseOutput) error {
	if f.dir == "" {
		return nil
	}
	path := filepath.Join(f.dir, "front.png")
	switch figure, err := plots.Front(o.front()); {
	case errors.Is(err, plots.ErrNothingToDraw):
		f.out.note(c.ErrOrStderr(), "%s was not drawn: %v", path, err)
	case err != nil:
		return err
	default:
		if err := figure.Save(path); err != nil {
			return err
		}
	}
	return experiment.WriteFile(filepath.Join(f.dir, "advice.sql"), func(w io.Writer) error {
		for _, line := range o.statements() {
			fmt.Fprintln(w, line)
		}
		return nil
	})
}
