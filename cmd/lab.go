package cmd

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/scheduler/lab"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

type labFlags struct {
	quick        bool
	scenarios    []string
	strategies   []string
	measures     []string
	replications int
	starve       []string
	tries        int
	seed         uint64
	out          outputFlags
}

// How long and how often a quick lab runs: a sixth of each scenario, three times.
const (
	labReplications   = 5
	quickReplications = 3
	quickShare        = 1. / 6
)

func newLab() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use:   "lab",
		Short: "Every strategy under a panel of scenarios",
		Long: `lab runs every strategy through a panel of scenarios ('avsim scenarios list',
lab-…) with the same tables and random numbers, and prints a table per measure: of
the best strategy of each scenario its value, of each other how far it is from
that, with the 95 % interval of the difference over pairs of replications.
* is the best, = a tie with it: the interval contains no difference; what else stands
in a table is told below it.
With -o DIR it writes lab.csv, a row per scenario, measure and strategy,
strategies.png and, for each --measure, a figure of that name, with their data. An
interrupt leaves nothing.

With --starve it searches, of each strategy named, for the small scenario in which a
table waits longest compared with the best of all others: random ones, of which the worst
is made smaller. It prints what the strategy and the best do there, and the scenario,
or with -o DIR writes it to starve-STRATEGY.yaml, for 'avsim run' and 'avsim lab --scenario'.`,
		Example: `  avsim lab --quick
  avsim lab -o out
  avsim lab --scenario lab-giants,lab-mixed --strategy shared-stats,scored,focus --measure dead_tuple_seconds
  avsim lab --scenario my.yaml --replications 10 --format csv
  avsim lab --starve scored,focus --tries 200 -o out`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// Its runs are many and small: thrice their memory is a gigabyte, and spares a
			// tenth of the time.
			defer debug.SetGCPercent(debug.SetGCPercent(200))
			if c.Flags().Changed("starve") {
				return runStarve(c, &f)
			}
			return runLab(c, &f)
		},
	}
	fs := c.Flags()
	fs.BoolVar(&f.quick, "quick", false, "a sixth of each scenario's time, three replications")
	fs.StringSliceVar(&f.scenarios, "scenario", nil, "scenarios of run, built-in or files (default: the panel)")
	fs.StringSliceVar(&f.strategies, "strategy", nil, "strategies (default: all)")
	fs.StringSliceVar(&f.measures, "measure", nil, "measures to print or, with -o, to draw each by itself, by their name in lab.csv (default: all printed, none drawn)")
	fs.IntVar(&f.replications, "replications", 0, "replications, each with a seed of its own (default: 5; 3 with --quick)")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the first replication, the others have the next; with --starve of the random scenarios")
	fs.StringSliceVar(&f.starve, "starve", nil, "strategies for each of which to search for the scenario in which it does worst")
	fs.IntVar(&f.tries, "tries", starveTries, "with --starve, how many random scenarios to try")
	f.out.register(fs, "table", "folder to write lab.csv and strategies.png to, or the scenarios of --starve")
	return c
}

func runLab(c *cobra.Command, f *labFlags) error {
	l, err := f.lab(c)
	if err != nil {
		return err
	}
	results, err := l.Run(c.Context(), lab.Options{Jobs: f.out.jobs, Progress: f.out.progress(c.Context(), c.ErrOrStderr())})
	if err != nil {
		return interrupted(err, 0, 1, "nothing was written")
	}
	if f.out.out != "" {
		return writeLab(f.out.out, results, f.measures)
	}
	switch f.out.format {
	case "csv":
		return results.Table().WriteCSV(c.OutOrStdout())
	case "json":
		return labJSON(c.OutOrStdout(), results.Table())
	}
	return labTables(c.OutOrStdout(), results, f.measures)
}

// lab is what the flags ask for.
func (f *labFlags) lab(c *cobra.Command) (*lab.Lab, error) {
	if err := notEmpty(c.Flags()); err != nil {
		return nil, err
	}
	if err := f.out.check(); err != nil {
		return nil, err
	}
	if c.Flags().Changed("tries") {
		return nil, usagef("--tries is for --starve: the panel has --replications")
	}
	if f.out.out != "" && c.Flags().Changed("format") {
		return nil, usagef("--format is for standard output: -o writes lab.csv and strategies.png")
	}
	if len(f.measures) > 0 && f.out.format != "table" {
		return nil, usagef("--measure is for tables and figures: csv and json have all measures")
	}
	if err := f.checkMeasures(); err != nil {
		return nil, err
	}
	l := &lab.Lab{Seed: f.seed, Share: 1, Replications: labReplications}
	if f.quick {
		l.Share, l.Replications = quickShare, quickReplications
	}
	if c.Flags().Changed("replications") {
		if l.Replications = f.replications; l.Replications < 1 || l.Replications > 1000 {
			return nil, usagef("--replications %d: accepted is 1 to 1000", l.Replications)
		}
	}
	if last := uint64(l.Replications - 1); l.Seed > math.MaxUint64-last {
		return nil, usagef("--seed %d: accepted is at most %d for %s, which have the seeds from there", l.Seed, math.MaxUint64-last, plural(l.Replications, "replication"))
	}
	var err error
	if l.Strategies, err = labStrategies(f.strategies); err != nil {
		return nil, err
	}
	if l.Scenarios, err = labScenarios(f.scenarios); err != nil {
		return nil, err
	}
	return l, tryLab(f.out.out)
}

func (f *labFlags) checkMeasures() error {
	var names []string
	for _, m := range lab.Measures() {
		names = append(names, m.Name)
	}
	for _, name := range f.measures {
		if err := oneOf("measure", name, names...); err != nil {
			return err
		}
	}
	return nil
}

func labStrategies(names []string) ([]scheduler.Strategy, error) {
	if len(names) == 0 {
		return scheduler.Strategies(), nil
	}
	var out []scheduler.Strategy
	for i, name := range names {
		s, err := scheduler.LookUp(name)
		if err != nil {
			return nil, usageError{err}
		}
		if slices.Index(names, name) < i {
			return nil, usagef("--strategy %s is given twice", name)
		}
		out = append(out, s)
	}
	return out, nil
}

func labScenarios(names []string) ([]*scenario.Run, error) {
	if len(names) == 0 {
		names = lab.Panel()
	}
	var out []*scenario.Run
	for _, name := range names {
		sc, err := scenario.LoadRun(name)
		if err != nil {
			return nil, inputError{err}
		}
		if len(sc.Changes) > 0 || sc.WarmUp > 0 {
			return nil, inputError{fmt.Errorf("%s: the lab takes scenarios without changes of settings and without warm-up", sc.Filename)}
		}
		if slices.ContainsFunc(out, func(o *scenario.Run) bool { return o.Name == sc.Name }) {
			return nil, usagef("--scenario: two are named %s; results go by that name", sc.Name)
		}
		out = append(out, sc)
	}
	return out, nil
}

// tryLab finds out before the runs whether the folder can be written to.
func tryLab(dir string) error {
	if dir == "" {
		return nil
	}
	if err := experiment.CheckDir(dir); err != nil {
		return err
	}
	return plots.CheckSave(filepath.Join(dir, "strategies.png"))
}

// writeLab writes the results, and figures: one of all, and one of each measure asked for.
func writeLab(dir string, r *lab.Results, measures []string) error {
	table := r.Table()
	figure, err := plots.Lab(table)
	if err != nil {
		return err
	}
	if err := experiment.WriteFile(filepath.Join(dir, "lab.csv"), table.WriteCSV); err != nil {
		return err
	}
	if err := figure.Save(filepath.Join(dir, "strategies.png")); err != nil {
		return err
	}
	for _, m := range lab.Measures() {
		if !slices.Contains(measures, m.Name) {
			continue
		}
		figure, err := plots.LabMeasure(table, m.Name, strings.ToUpper(m.Title[:1])+m.Title[1:])
		if err != nil {
			return err
		}
		if err := figure.Save(filepath.Join(dir, m.Name+".png")); err != nil {
			return err
		}
	}
	return nil
}

// labTables prints a table per measure: strategies against scenarios.
func labTables(w io.Writer, r *lab.Results, only []string) error {
	fmt.Fprintf(w, "%s, %s, %s, seeds from %d. Of the best (*) the value, of others how far they are from it\nwith the 95 %% interval of paired differences; = is a tie.\n",
		strategies(len(r.Strategies)), plural(len(r.Scenarios), "scenario"), plural(r.Replications, "replication"), r.Seed)
	if r.Replications < 2 {
		fmt.Fprintln(w, "One replication has no intervals: every difference may be chance, and is shown as a tie.")
	}
	for j, m := range lab.Measures() {
		if len(only) > 0 && !slices.Contains(only, m.Name) {
			continue
		}
		if err := labTable(w, r, j, m); err != nil {
			return err
		}
	}
	return nil
}

func labTable(w io.Writer, r *lab.Results, measure int, m lab.Measure) error {
	which := "less is better"
	if m.More {
		which = "more is better"
	}
	fmt.Fprintf(w, "\n%s (%s; %s)\n", m.Title, m.Name, which)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "strategy\t")
	columns := make([][]lab.Cell, len(r.Scenarios))
	for i, sc := range r.Scenarios {
		fmt.Fprintf(t, "%s\t", lab.Short(sc.Name))
		columns[i] = r.Column(i, measure)
	}
	fmt.Fprintln(t)
	for k, s := range r.Strategies {
		fmt.Fprintf(t, "%s\t", s.Name)
		for i := range r.Scenarios {
			fmt.Fprintf(t, "%s\t", labCell(columns[i][k]))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	labLegend(w, slices.Concat(columns...))
	return nil
}

func strategies(n int) string {
	if n == 1 {
		return "1 strategy"
	}
	return thousands(n) + " strategies"
}

// labJSON is lab.csv as an array of objects.
func labJSON(w io.Writer, t *experiment.Table) error {
	out := newJSONRows(w, t.Columns)
	for _, row := range t.Rows {
		if err := out.Row(row, nil); err != nil {
			return err
		}
	}
	return out.Close()
}
