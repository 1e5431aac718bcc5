package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/explain"
	"avsim/sim"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

type explainFlags struct {
	runFlags
	replications int
	of           []string // figures
}

func newExplain() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain SCENARIO|RESULT",
		Short: "Why a verdict, and what would change it",
		Long: `explain runs a scenario as it is, and again with each constraint loosened alone:
twice the workers, twice the cost limit and none, half the naptime, half the
thresholds, more memory, no held snapshots or locks where there are any, twice
the processors, a faster disk. All have the same randomness. It tells which of
it changes how many dead rows there are and how late tables are visited, by how
much, and what binds then. Of a --figure it tells what holds it up, which is what
lowers it most when loosened, and down. RESULT is the JSON of a run of a built-in
scenario: what gave it is found, and held to its hash. It proposes nothing: avsim advise does.`,
		Example: `  avsim explain t10-more-workers --variant three
  avsim explain held-horizon
  avsim run held-horizon --pg 17 --format json -o result.json && avsim explain result.json
  avsim explain t13-hot-tables --variant default --figure "db.hot first_vacuum_seconds"
  avsim explain shop.yaml --set autovacuum_max_workers=6 --for 1d --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("explain takes one scenario, got %d (see 'avsim scenarios list')", len(args))
			}
			return nil
		},
		ValidArgsFunction: runScenarioNames,
		RunE:              func(c *cobra.Command, args []string) error { return f.explain(c, args[0]) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.set, "set", nil, "a setting by PostgreSQL's name and unit, or a place in the scenario's file (repeatable)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: the scenario's)")
	fs.StringVar(&f.variant, "variant", "", "one of the scenario's variants, required where there are any")
	fs.StringVar(&f.strategy, "strategy", "", "claiming strategy (default: the version's)")
	fs.StringVar(&f.host, "host", "", "host profile or YAML file (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the first replication (default: the scenario's)")
	fs.StringVar(&f.runFor, "for", "", "how long, simulated, such as 90m or 7d (default: the scenario's)")
	fs.IntVar(&f.replications, "replications", 3, "runs of each, from seeds that follow one another")
	fs.StringArrayVar(&f.of, "figure", nil, "a figure as expectations name it, such as \"db.hot first_vacuum_seconds\": what holds it up, and down (repeatable)")
	f.out.register(fs, "table", "file to write to instead of standard output")
	fs.Lookup("format").Usage = "table or json"
	return c
}

func (f *explainFlags) explain(c *cobra.Command, name string) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if f.out.format == "csv" {
		return usagef("--format csv: accepted is table or json")
	}
	if err := f.out.check(); err != nil {
		return err
	}
	if f.replications < 1 || f.replications > 1000 {
		return usagef("--replications %d: accepted is 1 to 1000", f.replications)
	}
	f.seedGiven = c.Flags().Changed("seed")
	name, err := f.ofResult(name)
	if err != nil {
		return err
	}
	sc, err := f.load(name)
	if err != nil {
		return err
	}
	if n := len(sc.Variants()); n > 0 {
		return usagef("%s has %d variants: --variant takes one of them", sc.Name, n)
	}
	base, err := f.configOf(sc)
	if err != nil {
		return err
	}
	if f.of, err = checkFigures(f.of, &base); err != nil {
		return err
	}
	f.of = append(f.of, f.expectedFigures(name, f.of)...)
	f.warnNotModelled(c.ErrOrStderr(), sc)
	problem := f.loosened(sc, base, f.of, f.replications)
	problem.Jobs, problem.Progress = f.out.jobs, f.out.progress(c.Context(), c.ErrOrStderr())
	out, err := explain.Explain(c.Context(), problem)
	if err != nil {
		return notRun(sc, err)
	}
	return f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		if f.out.format == "json" {
			return explainJSON(w, newRunInputs(sc, base), f.replications, f.of, out)
		}
		return f.explainText(w, sc, base, out)
	})
}

// explainText tells why in words, then puts the effects side by side.
func (f *explainFlags) explainText(w io.Writer, sc *scenario.Run, cfg scheduler.RunConfig, x *explain.Explanation) error {
	fmt.Fprintf(w, "%s\n\n", explainInWords(x))
	fmt.Fprintf(w, "%s: %s\n%s simulated, PostgreSQL %v, %s, %s from seed %d\n\n", sc.Name, sc.Title,
		yamlfile.FormatDuration(cfg.For), cfg.Settings.Version(), cfg.Host.Name, plural(f.replications, "replication"), cfg.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "loosened alone\tdead rows, share\tlate, p99\tvacuums\trows removed\twhat binds then")
	row := func(what string, of func(string) (sim.Interval, bool), v scheduler.Verdict) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s, %s\n", what, explainCell(of, "dead_share"), explainCell(of, "lateness_p99_seconds"),
			explainCell(of, "total_autovacuum_count"), explainCell(of, "removed_rows"), v.Constraint, percent(v.Share))
	}
	row("nothing", func(name string) (sim.Interval, bool) { return x.Base[name], true }, x.Verdict)
	for _, e := range x.Effects {
		row(e.What, func(name string) (sim.Interval, bool) {
			for _, g := range e.Figures {
				if g.Name == name {
					return g.Then, g.Differs
				}
			}
			return sim.Interval{}, false
		}, e.Verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	holdersText(w, f.of, x)
	_, err := fmt.Fprintln(w, "\n=: no difference, or one that the 95 % interval of paired differences does not tell from none")
	return err
}

// explainCell is a mean, or = where it does not differ from the run as it is.
func explainCell(of func(string) (sim.Interval, bool), name string) string {
	i, differs := of(name)
	switch {
	case math.IsNaN(i.Mean):
		return "-"
	case !differs:
		return "="
	}
	return explainValue(name, i.Mean)
}

func explainValue(name string, x float64) string {
	switch {
	case strings.HasSuffix(name, "_share"):
		return percent(x)
	case strings.HasSuffix(name, "_seconds"):
		return yamlfile.FormatDuration(inSeconds(x).Round(10 * time.Millisecond))
	}
	return figure(x)
}

// least is the part of a figure by which something has to change to be worth a word.
const least = 0.05

// phaseVisits is below how many visits their lateness is one of a phase.
const phaseVisits = 20

// told are the figures by which an effect is told in words.
var toldEffects = []struct{ name, what string }{
	{"dead_share", "dead rows"},
	{"lateness_p99_seconds", "lateness (p99)"},
	{"total_autovacuum_count", "vacuums"},
	{"removed_rows", "rows removed"},
	{"last_vacuum_end_seconds", "end of the last vacuum"},
}

// effectInWords are the figures that a loosening changes by a twentieth and more, and what
// binds then, where that is another thing.
func effectInWords(x *explain.Explanation, e explain.Effect) (parts []string) {
	for _, t := range toldEffects {
		f := e.Figure(t.name)
		visits := math.Min(x.Base["total_autovacuum_count"].Mean, e.Figure("total_autovacuum_count").Then.Mean)
		from, to := explainValue(t.name, f.Base.Mean), explainValue(t.name, f.Then.Mean)
		switch {
		case !f.Differs, from == to, math.Abs(f.Change.Mean) < least*math.Abs(f.Base.Mean):
		case t.name == "lateness_p99_seconds" && visits < phaseVisits:
		default:
			parts = append(parts, fmt.Sprintf("%s from %s to %s", t.what, from, to))
		}
	}
	if e.Verdict.Constraint != x.Verdict.Constraint {
		parts = append(parts, "then "+string(e.Verdict.Constraint)+" binds")
	}
	return parts
}

// explainInWords names what the workers' time goes into, what gains most when loosened
// alone, and of everything that was loosened what it changes, or that it changes nothing.
func explainInWords(x *explain.Explanation) string {
	var helps, idle []string
	for _, e := range x.Effects {
		if parts := effectInWords(x, e); len(parts) > 0 {
			helps = append(helps, fmt.Sprintf("%s: %s", e.What, strings.Join(parts, ", ")))
		} else {
			idle = append(idle, e.What)
		}
	}
	text := "By the account of the run: " + inWords(x.Verdict) + "." + gainInWords(x)
	if len(helps) > 0 {
		text += "\nWhat changes it, each alone:\n  " + strings.Join(helps, "\n  ")
	} else {
		text += "\nNothing of what was loosened changes what binds, or any figure below by a twentieth."
	}
	if len(idle) > 0 {
		text += "\nWhat does not: " + strings.Join(idle, "; ") + "."
	}
	return text
}

// gainInWords names the loosening that lowers the lateness most, or where that is of few
// visits or nothing does, the dead rows.
func gainInWords(x *explain.Explanation) string {
	for _, t := range []struct{ name, what string }{{"lateness_p99_seconds", "how late tables are"}, {"dead_share", "the dead rows"}} {
		if t.name == "lateness_p99_seconds" && x.Base["total_autovacuum_count"].Mean < phaseVisits {
			continue
		}
		if h, ok := x.Holds(t.name, true); ok && explainValue(t.name, h.Then.Mean) != explainValue(t.name, h.Base.Mean) {
			return fmt.Sprintf("\nLoosened alone, %s gains most for %s: %s, %s instead of %s.", h.Constraint, t.what, h.What,
				explainValue(t.name, h.Then.Mean), explainValue(t.name, h.Base.Mean))
		}
	}
	return "\nLoosened alone, nothing makes tables less late or leaves fewer dead rows by a twentieth."
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

type (
	explainOutput struct {
		Run          runInputs                  `json:"run"`
		Replications int                        `json:"replications"`
		Verdict      scheduler.Verdict          `json:"verdict"`
		Base         map[string]explainInterval `json:"base"`
		Effects      []explainEffect            `json:"effects"`
		Holders      map[string]explainHolders  `json:"holders,omitempty"` // by --figure
	}
	explainEffect struct {
		Constraint string                   `json:"constraint"`
		What       string                   `json:"what"`
		Verdict    scheduler.Verdict        `json:"verdict"`
		Figures    map[string]explainChange `json:"figures"`
	}
	explainChange struct {
		Then    explainInterval `json:"then"`
		Change  explainInterval `json:"change"`
		Differs bool            `json:"differs"`
	}
	explainInterval struct {
		Mean *float64 `json:"mean"`
		Lo   *float64 `json:"lo"`
		Hi   *float64 `json:"hi"`
	}
)

func explainJSON(w io.Writer, in runInputs, replications int, figures []string, x *explain.Explanation) error {
	of := func(i sim.Interval) explainInterval { return explainInterval{known(i.Mean), known(i.Lo), known(i.Hi)} }
	out := explainOutput{Run: in, Replications: replications, Verdict: x.Verdict, Base: map[string]explainInterval{}, Effects: []explainEffect{}}
	for name, i := range x.Base {
		out.Base[name] = of(i)
	}
	out.Holders = holdersJSON(figures, x)
	for _, e := range x.Effects {
		effect := explainEffect{string(e.Constraint), e.What, e.Verdict, map[string]explainChange{}}
		for _, g := range e.Figures {
			effect.Figures[g.Name] = explainChange{of(g.Then), of(g.Change), g.Differs}
		}
		out.Effects = append(out.Effects, effect)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
