package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestInterruptedLab: an interrupt ends a lab with 130, and leaves nothing: neither in a new
// folder nor of the results that a folder had.
func TestInterruptedLab(t *testing.T) {
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "lab.csv"), []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{t.TempDir(), old} {
		root := newRoot()
		root.SetOut(&bytes.Buffer{})
		root.SetErr(&bytes.Buffer{})
		root.SetArgs([]string{"lab", "-o", dir, "--scenario", "lab-mixed", "--replications", "1000", "--quiet"})
		ctx, interrupt := context.WithCancel(context.Background())
		time.AfterFunc(500*time.Millisecond, interrupt)
		err := root.ExecuteContext(ctx)
		if exitCode(err) != exitInterrupted || !strings.Contains(message(err), "nothing was written") {
			t.Errorf("exit code %d, %q; want %d and that nothing was written", exitCode(err), message(err), exitInterrupted)
		}
		for _, name := range names(t, dir) {
			if text, _ := os.ReadFile(filepath.Join(dir, name)); name != "lab.csv" || string(text) != "before\n" {
				t.Errorf("%s was left in %s", name, dir)
			}
		}
	}
}

// TestInterruptedStarve: an interrupt ends a search with 130, and leaves no file; a search of
// many cases does not set them all out before it can be ended.
func TestInterruptedStarve(t *testing.T) {
	dir := t.TempDir()
	root := newRoot()
	root.SetOut(&bytes.Buffer{})
	root.SetErr(&bytes.Buffer{})
	root.SetArgs([]string{"lab", "-o", dir, "--starve", "focus", "--tries", "100000", "--quiet"})
	ctx, interrupt := context.WithCancel(context.Background())
	time.AfterFunc(500*time.Millisecond, interrupt)
	began := time.Now()
	err := root.ExecuteContext(ctx)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it went on for %v", took)
	}
	if exitCode(err) != exitInterrupted || !strings.Contains(message(err), "nothing was written") {
		t.Errorf("exit code %d, %q; want %d and that nothing was written", exitCode(err), message(err), exitInterrupted)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
}

// TestLabJobsAndCompany: the files of a lab are the same to the byte with one job and with
// two, and where two write to the same folder at once; nothing else is left there.
func TestLabJobsAndCompany(t *testing.T) {
	alone, shared := t.TempDir(), t.TempDir()
	runs := []struct{ dir, jobs string }{{alone, "1"}, {shared, "2"}, {shared, "1"}}
	var all sync.WaitGroup
	for _, r := range runs {
		all.Go(func() {
			var out, errs bytes.Buffer
			if code := run(context.Background(), []string{"lab", "-o", r.dir, "--quick", "--jobs", r.jobs, "--scenario", "lab-giants,lab-databases", "--strategy", "scored,focus,random-start"}, &out, &errs); code != exitDone {
				t.Errorf("exit code %d: %s", code, errs.String())
			}
		})
	}
	all.Wait()
	if got, want := names(t, shared), names(t, alone); strings.Join(got, " ") != strings.Join(want, " ") || len(want) != 3 {
		t.Fatalf("%v and %v, want three files each", got, want)
	}
	for _, name := range names(t, alone) {
		a, _ := os.ReadFile(filepath.Join(alone, name))
		b, _ := os.ReadFile(filepath.Join(shared, name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}

// names are the files of a folder.
func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
