package cmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/lab"
	"avsim/sim/experiment"
	"avsim/workload/host"
)

// starveTries is how many random cases a search tries.
const (
	starveTries     = 60
	mostStarveTries = 100_000
)

// notOfStarve are flags of the panel, which the search does without.
var notOfStarve = []string{"quick", "scenario", "strategy", "measure", "replications", "format"}

// starving is a case that was found, with what was asked for and where its file goes.
type starving struct {
	lab.Starvation
	of         scheduler.Strategy
	seed       uint64
	tries      int
	file, name string
}

// runStarve searches for the case in which each strategy does worst.
func runStarve(c *cobra.Command, f *labFlags) error {
	of, err := f.checkStarve(c)
	if err != nil {
		return err
	}
	h, err := host.Load(lab.CaseHost)
	if err != nil {
		return err
	}
	search := lab.NewSearch(h)
	search.Jobs, search.Progress = f.out.jobs, f.out.progress(c.Context(), c.ErrOrStderr())
	found, err := search.StarveAll(c.Context(), of, f.seed, f.tries)
	if err != nil {
		return interrupted(err, 0, 1, "nothing was written")
	}
	var cases []starving
	for i, s := range of {
		name := "starve-" + s.Name
		cases = append(cases, starving{found[i], s, f.seed, f.tries, name + ".yaml", name})
	}
	if f.out.out != "" {
		if err := writeStarving(f.out.out, cases); err != nil {
			return err
		}
	}
	return printStarving(c.Context(), c.OutOrStdout(), h, cases, f.out.out)
}

// checkStarve is of what strategies a case is asked for.
func (f *labFlags) checkStarve(c *cobra.Command) ([]scheduler.Strategy, error) {
	if err := notEmpty(c.Flags()); err != nil {
		return nil, err
	}
	for _, name := range notOfStarve {
		if c.Flags().Changed(name) {
			return nil, usagef("--%s is not of --starve, which draws small scenarios of its own and runs each once under every strategy; accepted are --tries, --seed, --jobs, -o and --quiet", name)
		}
	}
	if f.tries < 1 || f.tries > mostStarveTries {
		return nil, usagef("--tries %d: accepted is 1 to %d", f.tries, mostStarveTries)
	}
	if err := f.out.check(); err != nil {
		return nil, err
	}
	var out []scheduler.Strategy
	for i, name := range f.starve {
		s, err := scheduler.LookUp(name)
		if err != nil {
			return nil, usageError{err}
		}
		if slices.Index(f.starve, name) < i {
			return nil, usagef("--starve %s is given twice", name)
		}
		out = append(out, s)
	}
	if f.out.out != "" {
		return out, experiment.CheckDir(f.out.out)
	}
	return out, nil
}

// yaml is the case as a scenario file that says where it comes from.
func (s starving) yaml() string {
	return s.YAML(s.name, "a case that starves "+s.of.Name,
		fmt.Sprintf("Found by avsim lab --starve %s --tries %d --seed %d, with model %s:", s.of.Name, s.tries, s.seed, scheduler.ModelVersion),
		s.summary(),
		fmt.Sprintf("avsim run %s --strategy %s", s.file, s.of.Name),
		fmt.Sprintf("avsim lab --scenario %s --strategy %s,%s --replications 1 --measure wait_max_seconds", s.file, s.of.Name, s.By))
}

func (s starving) summary() string {
	return fmt.Sprintf("%s: a table waits for %s s; for %s s at most under %s, the best of the others", s.of.Name, figure(s.Worst), figure(s.Best), s.By)
}

func writeStarving(dir string, cases []starving) error {
	for _, s := range cases {
		if s.Gap() <= 0 {
			continue
		}
		write := func(w io.Writer) error {
			_, err := io.WriteString(w, s.yaml())
			return err
		}
		if err := experiment.WriteFile(filepath.Join(dir, s.file), write); err != nil {
			return err
		}
	}
	return nil
}

func printStarving(ctx context.Context, w io.Writer, h *host.Profile, cases []starving, dir string) error {
	fmt.Fprintf(w, "%s of an hour, seed %d, on %s, each under all of %s. The one with the\nlargest gap of the longest waits, made smaller as long as it keeps nine tenths of it.\n",
		pluralOf(cases[0].tries, "random case", "random cases"), cases[0].seed, lab.CaseHost, strategies(len(scheduler.Strategies())))
	for _, s := range cases {
		if s.Gap() <= 0 {
			fmt.Fprintf(w, "\n%s: in none of the cases is another strategy's longest wait shorter\n", s.of.Name)
			continue
		}
		if err := s.print(ctx, w, h); err != nil {
			return err
		}
		if dir != "" {
			fmt.Fprintf(w, "\nwritten to %s\n", filepath.Join(dir, s.file))
			continue
		}
		fmt.Fprintf(w, "\n%s", s.yaml())
	}
	return nil
}

// print tells what the strategy did in its case, and what the best of the others did.
func (s starving) print(ctx context.Context, w io.Writer, h *host.Profile) error {
	best, err := scheduler.LookUp(s.By)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s (%s, %s)\n", s.summary(), plural(s.Workers, "worker"), plural(len(s.Tables), "table"))
	for _, of := range []scheduler.Strategy{s.of, best} {
		r, err := s.Run(ctx, of, h)
		if err != nil {
			return interrupted(err, 0, 1, "nothing was printed of it")
		}
		fmt.Fprintf(w, "\n%s\n", of.Name)
		if err := s.table(w, r); err != nil {
			return err
		}
		fmt.Fprint(w, longWork(r))
	}
	return nil
}

func (s starving) table(w io.Writer, r *scheduler.RunResult) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "table\trows\tdead at first\tupdates a second\tvacuums\tanalyzes\tfirst done, s\tlongest wait, s\t")
	for i, x := range s.TableWaits(r) {
		of, done, wait := s.Tables[i], "-", figure(x.Longest)
		if x.FirstDone >= 0 {
			done = figure(x.FirstDone.Seconds())
		}
		if x.Waits {
			wait += ", to the end"
		}
		dead := int64(0)
		if of.Dead {
			dead = lab.CaseDead(of.Rows)
		}
		fmt.Fprintf(t, "t%d\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t\n", i+1, thousands(int(of.Rows)), thousands(int(dead)), of.Updates,
			thousands(x.Vacuums), thousands(x.Analyzes), done, wait)
	}
	return t.Flush()
}

// mostLongWork is how many long vacuums are told of.
const mostLongWork = 8

// longWork tells what took a minute or more, which is what others waited for.
func longWork(r *scheduler.RunResult) string {
	events := lab.LongWork(r)
	var parts []string
	for _, e := range events[:min(len(events), mostLongWork)] {
		what := "vacuum"
		if !e.Vacuum {
			what = "analyze"
		}
		parts = append(parts, fmt.Sprintf("%s of %s from %s to %s s", what, e.Table, figure(e.Start.Seconds()), figure(e.At.Seconds())))
	}
	if len(parts) == 0 {
		return "nothing took a minute\n"
	}
	if more := len(events) - len(parts); more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more")
	}
	return "of a minute or more: " + strings.Join(parts, ", ") + "\n"
}
