package experiment

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// checkFile checks content and permissions, and that nothing else is beside it.
func checkFile(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text {
		t.Errorf("content %q, want %q", got, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != mode {
		t.Errorf("mode %v, error %v, want %v", info.Mode(), err, mode)
	}
	checkEntries(t, filepath.Dir(path), 1)
}

func checkEntries(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != want {
		t.Errorf("in the folder are %v, error %v, want %d entries", entries, err, want)
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep.csv")
	if err := WriteFile(path, writeText("one")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "one", 0o644)

	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, writeText("two")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "two", 0o600)
}

func TestWriteFileKeepsTheOldOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep.csv")
	if err := WriteFile(path, writeText("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 10_000))
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one with %q and the path", err, broken)
	}
	checkFile(t, path, "old", 0o644)

	func() {
		defer func() { recover() }()
		WriteFile(path, func(io.Writer) error { panic("a bug") })
	}()
	checkFile(t, path, "old", 0o644)
}

func TestWriteFileFollowsALink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "real.csv")
	link := filepath.Join(t.TempDir(), "link.csv")
	if err := WriteFile(path, writeText("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, writeText("new")); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path, "new", 0o644)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is now %v, error %v", info.Mode(), err)
	}
}

// A device must be written to, not replaced by a file.
func TestWriteFileToADevice(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(os.DevNull, writeText("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is now %v, error %v", os.DevNull, info.Mode(), err)
	}
}

func TestWriteFileWhereItCannot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := WriteFile(file, writeText("")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none", "x.csv"), filepath.Join(file, "x.csv")} {
		called := false
		err := WriteFile(path, func(io.Writer) error { called = true; return nil })
		if err == nil || !strings.Contains(err.Error(), path) || called {
			t.Errorf("%s: error %v, written to: %v", path, err, called)
		}
	}
	checkEntries(t, dir, 1)
}

func TestCheckDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "today")
	for range 2 { // created, then found
		if err := CheckDir(dir); err != nil {
			t.Fatal(err)
		}
		checkEntries(t, dir, 0)
	}

	file := filepath.Join(dir, "file")
	if err := WriteFile(file, writeText("")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if err := CheckDir(path); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", path, err)
		}
	}

	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if err := CheckDir(dir); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder without write permission: error %v", err)
	}
}
