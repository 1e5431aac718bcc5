package scenario

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badCase is a block of testdata/bad.txt or of bad-obstacles.txt: the good file
// with one text replaced draws an error.
type badCase struct{ old, new, want string }

// badCases reads blocks of three lines, "- old", "+ new" and the error, with
// blank lines between. \n in a text is a line break.
func badCases(t *testing.T, file string) []badCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []badCase
	var now badCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		text := strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(line, "- "), "+ "), `\n`, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			now = badCase{old: text}
		case strings.HasPrefix(line, "+"):
			now.new = strings.TrimPrefix(text, "+")
		case line != "" && !strings.HasPrefix(line, "#"):
			now.want = line
			out = append(out, now)
		}
	}
	return out
}

// Each bad file draws one line that names file, line, column and field, what
// was found and what is accepted.
func TestBadRuns(t *testing.T) {
	holdBad(t, good(t), "testdata/bad.txt")
	holdBad(t, obstacles(t), "testdata/bad-obstacles.txt")
	holdBad(t, application(t), "testdata/bad-application.txt")
}

func holdBad(t *testing.T, good, file string) {
	t.Helper()
	for _, c := range badCases(t, file) {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Errorf("the good file has no %q", c.old)
		}
		got := "accepted"
		if _, err := ParseRun([]byte(text), "s.yaml"); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s → %s\n got %s\nwant %s", c.old, c.new, got, c.want)
		}
	}
}

func TestLoadRunErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("# padding\n", 110_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	measure := filepath.Join(dir, "measure.yaml")
	text, err := Text("bug-13750")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(measure, text, 0o600); err != nil {
		t.Fatal(err)
	}
	const builtIn = "(avsim scenarios list shows those that are built in)"
	for name, want := range map[string]string{
		"onap-cp":                       `no scenario "onap-cp", did you mean onap-cps? ` + builtIn,
		"zebra":                         `no scenario "zebra" ` + builtIn,
		"bug-13750":                     "bug-13750 is a scenario of avsim compare and sweep, not of avsim run " + builtIn,
		measure:                         measure + ": a scenario of avsim compare and sweep, not of avsim run: it has no databases and no run_for",
		dir:                             dir + ": not a regular file but a directory",
		large:                           large + ": 1100000 bytes, a scenario has at most 1048576",
		filepath.Join(dir, "none.yaml"): "stat " + filepath.Join(dir, "none.yaml") + ": no such file or directory " + builtIn,
	} {
		if _, err := LoadRun(name); err == nil || err.Error() != want {
			t.Errorf("LoadRun(%q):\n got %v\nwant %s", name, err, want)
		}
	}
	if _, err := BuiltIn("onap-cps"); err == nil || !strings.Contains(err.Error(), "of avsim run") {
		t.Errorf("BuiltIn of a scenario of run: %v", err)
	}
}

func application(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "application.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
