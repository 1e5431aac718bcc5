package cmd

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// completed is what a shell offers after these words.
func completed(t *testing.T, words ...string) (out []string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), append([]string{"__complete"}, words...), &stdout, &stderr); code != exitDone {
		t.Fatalf("completion of %q: exit code %d: %s", words, code, stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		out = append(out, word)
	}
	return out
}

// TestCompletionIsCurrent: a shell offers each command and each flag, as they are.
func TestCompletionIsCurrent(t *testing.T) {
	for _, c := range commandsOf(newRoot()) {
		words := strings.Fields(c.CommandPath())[1:]
		if offered := completed(t, append(slices.Clone(words), "--")...); c.HasParent() {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if !slices.Contains(offered, "--"+f.Name) && !slices.Contains(offered, "--"+f.Name+"=") {
					t.Errorf("--%s is not offered after %s", f.Name, c.CommandPath())
				}
			})
		}
		if c.HasParent() {
			above := completed(t, append(words[:len(words)-1:len(words)-1], "")...)
			if !slices.Contains(above, c.Name()) {
				t.Errorf("%s is not offered", c.CommandPath())
			}
		}
	}
}

// TestCompletedValues: values of flags and arguments are offered.
func TestCompletedValues(t *testing.T) {
	for words, want := range map[string]string{
		"run d":                                 "daily-wave",
		"explain held":                          "held-horizon",
		"sweep bug":                             "bug-13750",
		"scenarios show b":                      "bad-day",
		"compare --pg 1":                        "17",
		"compare --strategy original,leap":      "original,leapfrog",
		"run x.yaml --set autovacuum_n":         "autovacuum_naptime=",
		"sweep --format csv,":                   "csv,parquet",
		"advise x.yaml --format ":               "json",
		"explain idle --format j":               "json",
		"lab --scenario lab-g":                  "lab-giants",
		"lab --starve scored,foc":               "scored,focus",
		"validate --without wake-up-call,fair-": "wake-up-call,fair-queues",
		"completion z":                          "zsh",
		"calibrate x.csv --name ":               ":0", // nothing that is known: files
	} {
		if got := completed(t, strings.Split(words, " ")...); !slices.Contains(got, want) {
			t.Errorf("after %q there is no %s in %q", words, want, got)
		}
	}
}

// TestCompletionScripts: shells, as far as there are any, read their scripts; bash completes
// by its own.
func TestCompletionScripts(t *testing.T) {
	dir := t.TempDir()
	for shell, ask := range map[string]string{"bash": `source "$1"; type __start_avsim >/dev/null`, "zsh": `zsh -n "$1"`, "fish": `fish --no-execute "$1"`} {
		file := filepath.Join(dir, shell)
		if text := avsim(t, "completion", shell); len(text) < 1000 {
			t.Errorf("%s: a script of %d characters", shell, len(text))
		} else if err := writeText(file, text); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("there is no %s", shell)
			continue
		}
		if said, err := exec.Command("bash", "-c", ask, "bash", file).CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v %s", shell, err, said)
		}
	}
}
