package cmd

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup is a part of a command's flags, under a title of its own in its help and its
// manual page.
type flagGroup struct {
	title string
	flags []string
}

// flagGroups are the groups in their order. A flag that has another meaning in one command
// stands as command/flag; flags that stand nowhere come first, under "Flags".
var flagGroups = []flagGroup{
	{"What is simulated", []string{"scenario", "variant", "tables", "workers", "due-share", "start", "window", "for", "data", "twin", "quick", "file"}},
	{"Server", []string{"pg", "set", "strategy", "choice"}},
	{"Machine", []string{"host", "host-set", "cpus"}},
	{"Grid", []string{"zip", "where", "plan", "yes"}},
	{"Going on, and several machines", []string{"resume", "shard"}},
	{"What to look for", []string{"explain/figure", "objective", "free", "give-back", "budget"}},
	{"What is read", []string{"log", "prefix", "all", "wait", "timeout", "single-tables"}},
	{"Replications", []string{"seed", "replications", "precision", "precision-of", "max-replications", "jobs"}},
	{"Instants", []string{"progress-at", "scores-at"}},
	{"What is drawn", []string{"plot/figure", "kind", "x", "y", "z", "series", "panel", "ratio-to", "plot/log", "plot/where"}},
	{"Who is served, and how much", []string{"listen", "host-name", "most-tables", "time-limit", "serve/jobs"}},
	{"Output", []string{"format", "output", "name", "host-output", "figure", "measure", "tables-in-output", "figures", "events", "run/log", "run/workers", "foreground", "scores", "trace", "trace-events", "quiet"}},
}

// groupOf is the place of a command's flag in flagGroups, -1 where it has none.
func groupOf(c *cobra.Command, name string) int {
	for _, key := range []string{c.Name() + "/" + name, name} {
		if i := slices.IndexFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, key) }); i >= 0 {
			return i
		}
	}
	return -1
}

// titled are flags under their title.
type titled struct {
	title string
	flags []*pflag.Flag
}

// grouped are the flags of a command by group, each in the order of the alphabet. That for
// help, which every command has, is the last.
func grouped(c *cobra.Command) (out []titled) {
	c.InitDefaultHelpFlag()
	by := make([]titled, len(flagGroups)+1)
	by[0].title = "Flags"
	for i, g := range flagGroups {
		by[i+1].title = g.title
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if i := groupOf(c, f.Name) + 1; !f.Hidden && f.Name != "help" {
			by[i].flags = append(by[i].flags, f)
		}
	})
	for _, g := range by {
		if len(g.flags) > 0 {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		out = by[:1]
	}
	last := &out[len(out)-1]
	last.flags = append(last.flags, c.Flags().Lookup("help"))
	return out
}

// flagName is a flag as it is written, with what it takes.
func flagName(f *pflag.Flag) string {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	takes, _ := pflag.UnquoteUsage(f)
	switch takes {
	case "":
		return name
	case "stringArray":
		takes = "string"
	case "strings":
		takes = "list"
	}
	return name + " " + takes
}
