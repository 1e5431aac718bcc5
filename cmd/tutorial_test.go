package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// typedCommand is a command of a document and the lines that it is to print.
type typedCommand struct {
	command string
	prints  []string
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```")

// typedIn are the commands of a document's console blocks, as they stand.
func typedIn(text string) (out []typedCommand) {
	for _, m := range consoleBlock.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[1]) {
			line = strings.TrimRight(line, " \n")
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				out = append(out, typedCommand{command: command})
				continue
			}
			last := &out[len(out)-1]
			last.prints = append(last.prints, line)
		}
	}
	return out
}

// shell types commands into one bash, in the folder of the repository and with a home of its
// own, and returns what each printed on both outputs.
func shell(t *testing.T, commands []typedCommand) [][]string {
	t.Helper()
	const mark = "--- next command ---"
	var script strings.Builder
	script.WriteString("set -e\nexec 2>&1\n")
	for _, c := range commands {
		fmt.Fprintf(&script, "%s\necho %q\n", c.command, mark)
	}
	bash := exec.Command("bash", "-c", script.String())
	bash.Dir = ".."
	bash.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL=C")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		bash.Env = append(bash.Env, name+"="+strings.TrimSpace(string(value)))
	}
	output, err := bash.Output()
	parts := strings.Split(string(output), mark+"\n")
	if err != nil {
		t.Fatalf("%s: %v\n%s", commands[min(len(parts), len(commands))-1].command, err, parts[len(parts)-1])
	}
	var out [][]string
	for _, p := range parts[:len(commands)] {
		var lines []string
		for line := range strings.Lines(p) {
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
		out = append(out, lines)
	}
	return out
}

// elided is how a document may leave lines out, once a command.
const elided = "..."

// asShown is what was printed, with lines left out where the document leaves out some.
func asShown(printed, shown []string) []string {
	i := slices.Index(shown, elided)
	if i < 0 || len(printed) < len(shown)-1 {
		return printed
	}
	after := len(shown) - i - 1
	return slices.Concat(printed[:i], []string{elided}, printed[len(printed)-after:])
}

// TestTutorial types what docs/tutorial.md says into a shell, in a clean folder, and holds
// what comes out against what it says. With -regen the document shows what comes out.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and runs a search of a hundred runs")
	}
	const file = "../docs/tutorial.md"
	text := manual(t, filepath.Base(file))
	commands := typedIn(text)
	if len(commands) < 10 {
		t.Fatalf("%d commands were found in %s", len(commands), file)
	}
	printed := shell(t, commands)
	for i, c := range commands {
		got := asShown(printed[i], c.prints)
		if !slices.Equal(got, c.prints) && !*regenerate {
			t.Errorf("%s prints\n%s\n%s shows\n%s", c.command, strings.Join(got, "\n"), file, strings.Join(c.prints, "\n"))
		}
		commands[i].prints = got
	}
	if *regenerate {
		if err := os.WriteFile(file, shownIn(text, commands), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shownIn is a document with what its commands print.
func shownIn(text string, commands []typedCommand) []byte {
	return consoleBlock.ReplaceAllFunc([]byte(text), func(block []byte) []byte {
		var b bytes.Buffer
		b.WriteString("```console\n")
		for range typedIn(string(block)) {
			for _, line := range append([]string{"$ " + commands[0].command}, commands[0].prints...) {
				b.WriteString(line + "\n")
			}
			commands = commands[1:]
		}
		b.WriteString("```")
		return b.Bytes()
	})
}

// TestTutorialTellsErrors: what the test does not let through: other figures, lines that are
// missing, and lines too many.
func TestTutorialTellsErrors(t *testing.T) {
	shown := []string{"head", elided, "41 tables", "end"}
	for _, x := range []struct {
		printed string
		same    bool
	}{
		{"head|a|b|41 tables|end", true}, {"head|41 tables|end", true}, {"head|a|40 tables|end", false},
		{"head|a|41 tables|end|more", false}, {"end", false}, {"", false},
	} {
		if got := slices.Equal(asShown(strings.Split(x.printed, "|"), shown), shown); got != x.same {
			t.Errorf("%q against %q: same is %v, want %v", x.printed, shown, got, x.same)
		}
	}
}
