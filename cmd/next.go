package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/workload/scenario"
)

// step is a command that may come next, and what it tells.
type step struct{ command, tells string }

// nextOf are, by command, the steps that may come after it. Each builds on the flags and
// arguments that were given.
var nextOf = map[string]func(g called) []step{
	"avsim run":              afterRun,
	"avsim explain":          afterExplain,
	"avsim advise":           afterAdvise,
	"avsim compare":          afterCompare,
	"avsim sweep":            afterSweep,
	"avsim merge":            func(g called) []step { return plotted(g.flag("output")) },
	"avsim lab":              afterLab,
	"avsim validate":         withFolder("every point as CSV, and figures"),
	"avsim calibrate":        afterCalibrate,
	"avsim import csv":       afterImport,
	"avsim import db":        afterImport,
	"avsim import pgmetrics": afterImport,
	"avsim import sql":       afterImportSQL,
	"avsim import log":       afterImportLog,
	"avsim report":           afterReport,
	"avsim scenarios list":   afterList,
	"avsim scenarios show":   afterShow,
	"avsim version":          afterVersion,
}

// called is a command as it was called.
type called struct {
	*cobra.Command
	args []string
}

// flag is the value of a flag, "" where the command has none of that name.
func (g called) flag(name string) string {
	if f := g.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

func (g called) first() string {
	if len(g.args) == 0 {
		return ""
	}
	return g.args[0]
}

// with is a command with the flags among names that were given here.
func (g called) with(command string, names ...string) string {
	g.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || !slices.Contains(names, f.Name) {
			return
		}
		switch values := f.Value.(type) {
		case pflag.SliceValue:
			if f.Value.Type() == "stringSlice" {
				command += " --" + f.Name + " " + shellWord(strings.Join(values.GetSlice(), ","))
				return
			}
			for _, v := range values.GetSlice() {
				command += " --" + f.Name + " " + shellWord(v)
			}
		default:
			if command += " --" + f.Name; f.Value.Type() != "bool" {
				command += " " + shellWord(f.Value.String())
			}
		}
	})
	return command
}

// again is the command once more, without what says where its result goes.
func (g called) again() string {
	var names []string
	g.Flags().VisitAll(func(f *pflag.Flag) {
		given := f.Name == "scenario" && len(g.args) > 0 // sweep sets the flag to its argument
		if !given && !slices.Contains([]string{"output", "format", "quiet"}, f.Name) {
			names = append(names, f.Name)
		}
	})
	command := g.CommandPath()
	for _, a := range g.args {
		command += " " + shellWord(a)
	}
	return g.with(command, names...)
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shellWord quotes a word where a shell would not take it as it stands.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// suggestNext tells on stderr what may come next, where a person reads the result.
func suggestNext(c *cobra.Command, stderr io.Writer) {
	g := called{c, c.Flags().Args()}
	steps, ok := nextOf[c.CommandPath()]
	if !ok || g.flag("quiet") == "true" || g.flag("help") == "true" || g.flag("plan") == "true" {
		return
	}
	if f := g.flag("format"); g.flag("output") == "" && !slices.Contains([]string{"", "table", "text", "[table]"}, f) {
		return
	}
	for _, s := range steps(g) {
		fmt.Fprintf(stderr, "avsim: next: %s   %s\n", s.command, s.tells)
	}
}

// ofRun are the flags of run that explain and advise have too.
var ofRun = []string{"variant", "pg", "set", "strategy", "host", "seed", "for"}

func afterRun(g called) []step {
	name := shellWord(g.first())
	if sc, err := scenario.LoadRun(g.first()); err == nil && len(sc.Variants()) > 0 && g.flag("variant") == "" {
		variant := "--variant " + shellWord(sc.Variants()[0].Name)
		return []step{
			{g.with("avsim run "+name+" "+variant, ofRun...), "one of them, table by table"},
			{g.with("avsim explain "+name+" "+variant, ofRun...), "why it is so, and what would change it"},
		}
	}
	steps := []step{{g.with("avsim explain "+name, ofRun...), "why it is so, and what would change it"}}
	if g.flag("figures") == "" {
		steps = append(steps, step{g.with("avsim run "+name, ofRun...) + " --figures out", "how it goes over time, as figures"})
	}
	return steps
}

func afterExplain(g called) []step {
	return []step{{g.with("avsim advise "+shellWord(g.first()), ofRun...) + ` --objective "p99_lateness<10min, dead_share<0.3"`, "the cheapest settings that meet an objective"}}
}

// afterReport leads on from a scenario of run, to a page on which its settings can be moved.
func afterReport(g called) []step {
	if sc, err := scenario.LoadRun(g.first()); err != nil || sc == nil {
		return nil
	}
	return []step{{g.with("avsim serve "+shellWord(g.first()), "variant", "set", "for", "seed"), "the same on a page with sliders"}}
}

func afterAdvise(g called) []step {
	dir := g.flag("output")
	if dir == "" {
		return []step{{g.again() + " -o advice", "the statements as a file, and the front as a figure"}}
	}
	file := filepath.Join(dir, "advice.sql")
	if _, err := os.Stat(file); err != nil {
		return nil
	}
	return []step{{"psql -X -f " + shellWord(file), "what was found, on the server"}}
}

func afterCompare(g called) []step {
	if len(g.args) > 0 {
		return nil
	}
	return []step{{g.with("avsim sweep", "scenario", "due-share", "start", "window", "strategy", "choice", "pg", "set", "host", "host-set", "cpus") + " -o out", "the same over tables and workers, with figures"}}
}

func afterSweep(g called) []step {
	dir := g.flag("output")
	switch {
	case dir == "":
		return []step{{g.again() + " -o out", "the rows as a file, and figures"}}
	case g.flag("shard") != "":
		return []step{{"avsim merge -o " + shellWord(dir) + " " + shellWord(dir), "the whole, once all shards are there"}}
	}
	return plotted(dir)
}

// plotted suggests a figure of a sweep's result.
func plotted(dir string) []step {
	file := filepath.Join(dir, "sweep.csv")
	return []step{{"avsim plot " + shellWord(file) + " -o figure.svg", "a figure as SVG or PDF; --x, --y and --kind heatmap draw others"}}
}

func withFolder(tells string) func(called) []step {
	return func(g called) []step {
		if g.flag("output") != "" || g.flag("twin") != "" {
			return nil
		}
		return []step{{g.again() + " -o out", tells}}
	}
}

func afterLab(g called) []step {
	if g.flag("starve") == "[]" {
		return withFolder("the table and figures as files")(g)
	}
	return withFolder("the scenarios as files")(g)
}

func afterCalibrate(g called) []step {
	if file := g.flag("output"); file != "" {
		return []step{{"avsim compare --host " + shellWord(file), "the strategies on that machine"}}
	}
	return nil
}

func afterImport(g called) []step {
	if file := g.flag("output"); file != "" {
		return []step{{"avsim run " + shellWord(file), "whether autovacuum keeps up"}}
	}
	return []step{{g.again() + " -o imported.yaml", "the scenario as a file, for avsim run"}}
}

func afterImportSQL(g called) []step {
	file := g.flag("output")
	if file == "" {
		file = "export.sql"
	}
	return []step{{"psql -X -f " + shellWord(file) + " DATABASE", "the export; then avsim import csv"}}
}

func afterImportLog(g called) []step {
	logs := ""
	for _, file := range g.args {
		if file == "-" {
			return nil // there is no file to read again
		}
		logs += " --log " + shellWord(file)
	}
	return []step{{"avsim import csv ." + logs + " -o imported.yaml", "a scenario, with what 'avsim import sql' exports"}}
}

func afterList(called) []step {
	return []step{
		{"avsim run NAME", "one of kind run; avsim compare --scenario NAME one of kind measure"},
		{"avsim scenarios show NAME > my.yaml", "a file to start from"},
	}
}

func afterShow(g called) []step {
	for _, e := range scenario.List() {
		if e.Name == g.first() && e.Kind == scenario.KindMeasure {
			return []step{{"avsim compare --scenario " + e.Name, "what it measures"}}
		}
	}
	return []step{{"avsim run " + shellWord(g.first()), "what comes of it"}}
}

func afterVersion(g called) []step {
	if g.flag("model") == "true" {
		return nil
	}
	return []step{{"avsim version --model", "what is modelled and what is not"}}
}
