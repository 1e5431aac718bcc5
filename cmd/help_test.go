package cmd

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestHelpTellsAll: the help of every command has examples before all else, and each flag
// once, under a title.
func TestHelpTellsAll(t *testing.T) {
	for _, c := range commandsOf(newRoot()) {
		text := helpText(c, helpWidth)
		if !strings.HasPrefix(text, c.Short+".\n\nExamples:\n") {
			t.Errorf("the help of %s does not begin with what it is and with examples:\n%s", c.CommandPath(), text)
		}
		if examples, usage := strings.Index(text, "\nExamples:"), strings.Index(text, "\nUsage:"); usage < examples {
			t.Errorf("the help of %s has its usage before its examples", c.CommandPath())
		}
		for _, name := range flagsOf(c) {
			if n := len(regexp.MustCompile(`(?m)^  (-.,|   ) --`+name+`\b[^-]`).FindAllString(text, -1)); n != 1 {
				t.Errorf("the help of %s has --%s %d times", c.CommandPath(), name, n)
			}
		}
	}
}

// TestHelpIsNarrow: but for examples, help fits a terminal of the usual width, or nearly so
// where its lines are its own.
func TestHelpIsNarrow(t *testing.T) {
	for _, c := range commandsOf(newRoot()) {
		for line := range strings.Lines(strings.Replace(helpText(c, helpWidth), c.Example, "", 1)) {
			if len([]rune(line)) > 96 {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), len([]rune(line)), line)
			}
		}
	}
}

// TestFlagGroups: a flag stands in one group, and what stands in a group is a flag.
func TestFlagGroups(t *testing.T) {
	known := map[string]bool{}
	for _, c := range commandsOf(newRoot()) {
		for _, name := range flagsOf(c) {
			known[name], known[c.Name()+"/"+name] = true, true
		}
	}
	seen := map[string]bool{}
	for _, g := range flagGroups {
		for _, name := range g.flags {
			if !known[name] {
				t.Errorf("%s: no command has --%s", g.title, name)
			}
			if seen[name] {
				t.Errorf("--%s stands in several groups", name)
			}
			seen[name] = true
		}
	}
}

// TestExamplesAreCommands: each example of a command, as help and manual pages show it, is
// one that its parser takes.
func TestExamplesAreCommands(t *testing.T) {
	for _, c := range commandsOf(newRoot()) {
		checkCommands(t, c.CommandPath()+" --help", c.Example)
	}
}

// TestWrapped: a text is broken between words alone, and loses none.
func TestWrapped(t *testing.T) {
	text := "limit and delay are one thing: ± half of averyveryverylongword or so"
	for width := 1; width < 80; width++ {
		lines := wrapped(text, width)
		if strings.Join(lines, " ") != text {
			t.Errorf("width %d: %q", width, lines)
		}
		for _, line := range lines {
			if len([]rune(line)) > width && strings.Contains(line, " ") {
				t.Errorf("width %d: %q is wider", width, line)
			}
		}
	}
}

// TestWidthOf: without a terminal help has a width of its own.
func TestWidthOf(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := widthOf(&tracked{Writer: f}); got != helpWidth {
		t.Errorf("width %d of a file, want %d", got, helpWidth)
	}
}
