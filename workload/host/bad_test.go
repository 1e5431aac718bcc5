package host

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// errorsOf reads a list of "file: the error, which begins with the file".
func errorsOf(t *testing.T, list string) map[string]string {
	t.Helper()
	f, err := os.Open(list)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := make(map[string]string)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, _, _ := strings.Cut(lines.Text(), ":")
		want[name] = lines.Text()
	}
	return want
}

// bad runs each file of a directory and compares the error with the one that
// the list beside it expects.
func bad(t *testing.T, dir string, run func(data []byte, name string) error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := errorsOf(t, dir+".txt")
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got := "accepted"
		if err := run(data, f.Name()); err != nil {
			got = err.Error()
		}
		if got != want[f.Name()] {
			t.Errorf("%s/%s:\n got %s\nwant %s", dir, f.Name(), got, want[f.Name()])
		}
		delete(want, f.Name())
	}
	for name := range want {
		t.Errorf("%s.txt names %s, which does not exist", dir, name)
	}
}

// Each bad profile draws one line that names file, line and field, what was
// found and what is accepted.
func TestBadProfiles(t *testing.T) {
	bad(t, "testdata/bad", func(data []byte, name string) error {
		_, err := Parse(data, name)
		return err
	})
}

func TestBadMicrocosts(t *testing.T) {
	bad(t, "testdata/badcsv", func(data []byte, name string) error {
		_, _, err := Fit(strings.NewReader(string(data)), name)
		return err
	})
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, slices.Repeat([]byte("# padding\n"), 110_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"epyc-2cor":                      `no host profile or file "epyc-2cor", did you mean epyc-2core? (built in: epyc-2core, epyc-9654, generic-4core)`,
		"zebra":                          `no host profile or file "zebra" (built in: epyc-2core, epyc-9654, generic-4core)`,
		dir:                              dir + ": not a regular file but a directory",
		"/dev/null":                      "/dev/null: not a regular file but a device",
		large:                            large + ": 1100000 bytes, a host profile has at most 1048576",
		filepath.Join(dir, "none.yaml"):  "stat " + filepath.Join(dir, "none.yaml") + ": no such file or directory",
		filepath.Join("..", "..", "xyz"): "stat ../../xyz: no such file or directory",
	} {
		if _, err := Load(name); err == nil || err.Error() != want {
			t.Errorf("Load(%q):\n got %v\nwant %s", name, err, want)
		}
	}
}
