package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"avsim/sim/experiment"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "The manual pages",
		Long: `man writes a manual page for avsim and one for each of its commands, of what
--help tells.`,
		Example: `  avsim man ~/.local/share/man/man1
  man avsim-compare`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man takes the folder to write to")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := experiment.CheckDir(args[0]); err != nil {
				return err
			}
			pages := manPages(c.Root())
			for _, p := range pages {
				err := experiment.WriteFile(filepath.Join(args[0], p.file), func(w io.Writer) error {
					_, err := io.WriteString(w, p.text)
					return err
				})
				if err != nil {
					return err
				}
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", args[0], plural(len(pages), "page"))
			return nil
		},
	}
}

// manPage is a page of section 1 of the manual, in the man macros of roff.
type manPage struct{ file, text string }

// manPages are those of a command and all below it.
func manPages(c *cobra.Command) []manPage {
	out := []manPage{{manName(c) + ".1", manText(c)}}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, manPages(sub)...)
		}
	}
	return out
}

// manName is what the page of a command is called.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func manText(c *cobra.Command) string {
	var b strings.Builder
	// Neither a date nor anything else of the machine that writes the page.
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"avsim %s\" \"User Commands\"\n.nh\n", roff(strings.ToUpper(manName(c))), Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR\n", roff(usageLine(c)))
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if c.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", roffParagraphs(c.Long))
	}
	manCommands(&b, c)
	b.WriteString(".SH OPTIONS\n")
	for _, g := range grouped(c) {
		fmt.Fprintf(&b, ".SS %s\n", roff(g.title))
		for _, f := range g.flags {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(strings.TrimSpace(flagName(f))), roff(flagUsage(f)))
		}
	}
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", roff(manName(c.Parent())))
	}
	return b.String()
}

// manCommands lists the commands below one.
func manCommands(b *strings.Builder, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	b.WriteString(".SH COMMANDS\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(manName(sub)), roff(sub.Short))
		}
	}
}

// roffCharacters are those that roff would take for its own or print as others, so that
// what is copied from a page is what was meant.
var roffCharacters = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff writes text so that roff takes it as it stands.
func roff(text string) string {
	text = roffCharacters.Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	text = strings.ReplaceAll(text, "\n.", "\n\\&.")
	var b strings.Builder
	for _, r := range text {
		if r <= unicode.MaxASCII {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\[u%04X]`, r)
	}
	return b.String()
}

// roffParagraphs writes paragraphs; indented lines stay lines.
func roffParagraphs(text string) string {
	var b strings.Builder
	start, as := ".PP\n", false
	for line := range strings.SplitSeq(text, "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case line == "":
			start = ".PP\n"
			continue
		case indented != as:
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[indented])
			as = indented
		}
		b.WriteString(start + roff(line) + "\n")
		start = ""
	}
	if as {
		b.WriteString(".fi\n")
	}
	return b.String()
}
