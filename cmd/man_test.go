package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsOf are all commands of the tree that a user sees.
func commandsOf(c *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, commandsOf(sub)...)
		}
	}
	return out
}

// flagsOf are the names of a command's flags.
func flagsOf(c *cobra.Command) (names []string) {
	c.InitDefaultHelpFlag()
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// TestManIsCurrent: docs/man holds the pages of the commands and flags as they are.
// go test ./cmd -run ManIsCurrent -regen writes them anew.
func TestManIsCurrent(t *testing.T) {
	const dir = "../docs/man"
	if *regenerate {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		avsim(t, "man", dir)
	}
	made := t.TempDir()
	avsim(t, "man", made)
	names := map[string]bool{}
	for _, folder := range []string{dir, made} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names[e.Name()] = true
		}
	}
	for name := range names {
		kept, _ := os.ReadFile(filepath.Join(dir, name))
		now, _ := os.ReadFile(filepath.Join(made, name))
		if !bytes.Equal(kept, now) {
			t.Errorf("docs/man/%s is not what avsim man writes: go test ./cmd -run ManIsCurrent -regen", name)
		}
	}
}

// TestManTellsAll: every command has a page, with every flag of it once.
func TestManTellsAll(t *testing.T) {
	pages := map[string]string{}
	for _, p := range manPages(newRoot()) {
		pages[p.file] = p.text
	}
	for _, c := range commandsOf(newRoot()) {
		page, ok := pages[manName(c)+".1"]
		if !ok {
			t.Errorf("%s has no page", c.CommandPath())
			continue
		}
		for _, name := range flagsOf(c) {
			heads := 0
			for line := range strings.Lines(page) {
				if strings.HasPrefix(line, `\fB`) && strings.Contains(strings.TrimRight(line, "\n")+" ", `\-\-`+roff(name)+" ") ||
					strings.HasPrefix(line, `\fB`) && strings.Contains(line, `\-\-`+roff(name)+`\fR`) {
					heads++
				}
			}
			if heads != 1 {
				t.Errorf("the page of %s has --%s %d times", c.CommandPath(), name, heads)
			}
		}
	}
}

// TestManIsRoff: groff, where there is one, has nothing to say against the pages.
func TestManIsRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff")
	}
	for _, p := range manPages(newRoot()) {
		c := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
		c.Stdin = strings.NewReader(p.text)
		if said, err := c.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v %s", p.file, err, said)
		}
	}
}
