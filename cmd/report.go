package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"avsim/plots/report"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// reportTables is how many tables a report lists unless told otherwise.
const reportTables = 200

type reportFlags struct {
	runFlags
	changed []string // flags of a scenario that were given
}

func newReport() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report RESULTS|SCENARIO",
		Short: "One HTML file with verdict, figures, tables",
		Long: `report writes one HTML file that needs nothing else: the verdict in words, the
figures with their data, tables that can be sorted, the inputs with version, seed and
hash, what is not modelled, and the command that makes each figure again. It can be read
on a phone, printed, and by those who cannot see the figures.

SCENARIO is a built-in one or a YAML file ('avsim scenarios list'): it is run, one of
compare and sweep over the grid that its file names. RESULTS is what another command
wrote: the folder of 'sweep -o' or of 'run --figures', a sweep.csv, .json, .jsonl or
.parquet, the JSON of run or compare, or the CSV of run. A folder's files go into one
report.`,
		Example: `  avsim report onap-cps -o report.html
  avsim report my.yaml --pg 17 --set autovacuum_max_workers=6 -o report.html
  avsim sweep -o out && avsim report out -o report.html
  avsim run daily-wave --format json -o out/run.json --figures out && avsim report out -o report.html`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("report takes one scenario, result file or folder, got %d (see 'avsim report --help')", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(scenario.KindMeasure, scenario.KindRun), cobra.ShellCompDirectiveDefault
		},
		RunE: func(c *cobra.Command, args []string) error { return f.report(c, args[0]) },
	}
	f.registerReport(c.Flags())
	return c
}

// ofScenario are the flags that say how a scenario is run.
var ofScenario = []string{"set", "pg", "variant", "strategy", "host", "seed", "for"}

func (f *reportFlags) registerReport(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.set, "set", nil, "a setting by PostgreSQL's name and unit, or a place in the scenario's file (repeatable)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: the scenario's)")
	fs.StringVar(&f.variant, "variant", "", "one of the scenario's variants (default: all, side by side)")
	fs.StringVar(&f.strategy, "strategy", "", "claiming strategy (default: the version's)")
	fs.StringVar(&f.host, "host", "", "host profile or YAML file (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all random numbers (default: the scenario's)")
	fs.StringVar(&f.runFor, "for", "", "how long, simulated, such as 90m or 7d (default: the scenario's)")
	fs.IntVar(&f.maxTables, "tables-in-output", reportTables, "the tables with most vacuums only, 0 for all")
	fs.StringVarP(&f.out.out, "output", "o", "", "HTML file to write (default: standard output)")
	fs.IntVar(&f.out.jobs, "jobs", 0, "runs at a time, of a sweep, 0 for one per processor; changes no figure")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no progress bar and no warnings")
}

func (f *reportFlags) report(c *cobra.Command, name string) error {
	if err := f.checkReport(c, name); err != nil {
		return err
	}
	page, err := f.page(c, name)
	if err != nil {
		return err
	}
	var html bytes.Buffer
	if err := page.Write(&html); err != nil {
		return err
	}
	err = f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		_, err := html.WriteTo(w)
		return err
	})
	if err == nil && f.out.out != "" {
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", f.out.out, page.Title)
	}
	return err
}

// checkReport checks the flags before anything is run.
func (f *reportFlags) checkReport(c *cobra.Command, name string) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if err := f.out.checkJobs(); err != nil {
		return err
	}
	if f.maxTables < 0 {
		return usagef("--tables-in-output %d: accepted is 0 or more", f.maxTables)
	}
	if f.out.out == "" && term.IsTerminal(int(os.Stdout.Fd())) {
		return usagef("HTML is not for a terminal: give -o report.html")
	}
	f.seedGiven = c.Flags().Changed("seed")
	for _, flag := range ofScenario {
		if c.Flags().Changed(flag) {
			f.changed = append(f.changed, flag)
		}
	}
	if f.out.out != "" && sameFile(f.out.out, name) {
		return usagef("-o %s: is what the report is made of, which it would overwrite", f.out.out)
	}
	if ending := strings.ToLower(filepath.Ext(f.out.out)); slices.Contains(otherEndings, ending) {
		return usagef("-o %s: a report is HTML, and %s is not its ending; accepted is a name such as report.html", f.out.out, ending)
	}
	return f.out.tryOut()
}

// page is the report of what a name stands for.
func (f *reportFlags) page(c *cobra.Command, name string) (*report.Page, error) {
	info, err := os.Stat(name)
	switch {
	case slices.Contains(scenario.Names(), name):
		if err := f.noneOf("of a scenario of run", name); err != nil {
			return nil, err
		}
		return f.contestPage(c, name)
	case builtInRun(name), err != nil, yamlfile.LooksLikeFile(name) && isYAML(name):
		return f.scenarioPage(c, name)
	}
	if err := f.noneOf("for scenarios", name); err != nil {
		return nil, err
	}
	if info.IsDir() {
		return f.folderPage(c, name)
	}
	return f.filePage(c, name)
}

// otherEndings are those of files that are no reports.
var otherEndings = []string{".json", ".jsonl", ".csv", ".parquet", ".yaml", ".yml", ".png", ".svg", ".pdf", ".log", ".gz"}

func builtInRun(name string) bool {
	return slices.ContainsFunc(scenario.List(), func(e scenario.Entry) bool { return e.Name == name && e.Kind == scenario.KindRun })
}

func isYAML(name string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(name)))
}

// noneOf refuses flags that change nothing for what the report is of.
func (f *reportFlags) noneOf(what, name string) error {
	if len(f.changed) > 0 {
		return usagef("--%s is %s, and %s is none", f.changed[0], what, name)
	}
	return nil
}
