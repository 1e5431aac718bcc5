package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// commandGroups are the groups of commands in the list of the root, and who is in them.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Your database", []string{"import", "run", "explain", "advise", "report"}},
	{"How fast workers get through tables", []string{"compare", "sweep", "merge", "plot", "lab", "serve"}},
	{"What the model is worth", []string{"validate", "calibrate", "version"}},
	{"Around it", []string{"scenarios", "completion", "man", "help"}},
}

// groupCommands gives each command its group.
func groupCommands(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, name := range g.commands {
			if c, _, err := root.Find([]string{name}); err == nil && c != root {
				c.GroupID = g.title
			}
		}
	}
}

// Widths of help, in columns.
const (
	helpWidth      = 80  // without a terminal
	mostHelpWidth  = 100 // of a wider terminal
	leastHelpWidth = 50  // of a narrower one
)

// widthOf is how wide help may be on this output.
func widthOf(w io.Writer) int {
	if t, ok := w.(*tracked); ok {
		w = t.Writer
	}
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return min(max(columns, leastHelpWidth), mostHelpWidth)
		}
	}
	return helpWidth
}

// printHelp prints what a command is, examples first.
func printHelp(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	io.WriteString(w, helpText(c, widthOf(w)))
}

func helpText(c *cobra.Command, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", c.Short)
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	fmt.Fprintf(&b, "\nUsage:\n  %s\n", usageLine(c))
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Long)
	}
	commandsText(&b, c)
	flagsText(&b, c, width)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n'%s COMMAND --help' tells more of a command.\n", c.CommandPath())
	}
	return b.String()
}

// usageLine is how a command is called.
func usageLine(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND [flags]"
	}
	return c.UseLine()
}

// commandsText lists the commands below one, by group where they have groups.
func commandsText(b *strings.Builder, c *cobra.Command) {
	list := func(title, group string) {
		for _, sub := range c.Commands() {
			if sub.GroupID != group || !sub.IsAvailableCommand() && sub.Name() != "help" {
				continue
			}
			if title != "" {
				fmt.Fprintf(b, "\n%s:\n", title)
				title = ""
			}
			fmt.Fprintf(b, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands", "")
}

// flagsText lists the flags by group, what they are for in a column of its own.
func flagsText(b *strings.Builder, c *cobra.Command, width int) {
	groups := grouped(c)
	column := 0
	for _, g := range groups {
		for _, f := range g.flags {
			column = max(column, len(flagName(f))+4)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(b, "\n%s:\n", g.title)
		for _, f := range g.flags {
			lines := wrapped(flagUsage(f), width-column)
			fmt.Fprintf(b, "  %-*s%s\n", column-2, flagName(f), lines[0])
			for _, line := range lines[1:] {
				fmt.Fprintf(b, "%*s%s\n", column, "", line)
			}
		}
	}
}

// flagUsage is what a flag is for, and its default where the words do not tell it.
func flagUsage(f *pflag.Flag) string {
	if f.Name == "help" {
		return "this text"
	}
	_, usage := pflag.UnquoteUsage(f)
	value := strings.Trim(f.DefValue, "[]")
	if value == "" || f.Value.Type() == "bool" || strings.Contains(usage, "(default") {
		return usage
	}
	return usage + " (default " + strings.ReplaceAll(value, ",", ", ") + ")"
}

// wrapped breaks a text between words into lines of that width or, where a word is longer,
// of the word.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
