package cmd

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"avsim/sim/experiment"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"avsim": func() { os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

var regenerate = flag.Bool("regen", false, "rewrite what scripts compare outputs with")

// TestScripts runs the command as a user does: testdata/script has a file per
// subject, with what is printed, where, and the exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *regenerate,
		Setup: func(e *testscript.Env) error {
			dir, err := filepath.Abs("../workload/recorded/twin")
			e.Setenv("RECORDED", dir)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":   checkCode,
			"big":    makeBig,
			"equal":  checkEqual,
			"reseal": reseal,
		},
	})
}

// checkCode runs a command and checks its exit code: code 2 avsim sweep …
func checkCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s: exit code %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// reseal gives the lines of a journal that was edited their checksums: reseal FILE.
func reseal(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var out bytes.Buffer
	header, table := uint32(0), crc32.MakeTable(crc32.Castagnoli)
	for line := range strings.Lines(string(text)) {
		object := "{" + strings.TrimSuffix(line[len(`{"crc32c":"01234567",`):], "\n")
		sealed := fmt.Sprintf(`{"crc32c":"%08x",%s`+"\n", crc32.Update(header, table, []byte(object)), object[1:])
		if out.WriteString(sealed); header == 0 { // the other lines' checksums go on from the header's
			header = crc32.Checksum([]byte(sealed), table)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o600))
}

// makeBig makes a file of that many megabytes, most of it a hole: big 300 FILE.
func makeBig(ts *testscript.TestScript, _ bool, args []string) {
	var size int64
	fmt.Sscan(args[0], &size)
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(f.Truncate(size << 20))
	ts.Check(f.Close())
}

// checkEqual compares two folders byte by byte.
func checkEqual(ts *testscript.TestScript, neg bool, args []string) {
	a, b := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	entries, err := os.ReadDir(a)
	ts.Check(err)
	for _, e := range entries {
		x, err := os.ReadFile(filepath.Join(a, e.Name()))
		ts.Check(err)
		y, err := os.ReadFile(filepath.Join(b, e.Name()))
		ts.Check(err)
		if bytes.Equal(x, y) == neg {
			ts.Fatalf("%s: equal is %v", e.Name(), !neg)
		}
	}
}

// TestInterruptedSweep: an interrupt in a sweep ends it with 130; the points
// that are finished are kept in a readable result, and the message says so.
func TestInterruptedSweep(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	root := newRoot()
	root.SetOut(&bytes.Buffer{})
	root.SetErr(&bytes.Buffer{})
	root.SetArgs([]string{"sweep", "-o", dir, "--tables", "1000", "--workers", "1..40", "--replications", "2", "--quiet"})
	afterPoints = func(n int) {
		if n == 5 {
			cancel()
		}
	}
	defer func() { afterPoints = nil }()
	err := root.ExecuteContext(ctx)
	if exitCode(err) != exitInterrupted {
		t.Fatalf("exit code %d, error %v; want %d", exitCode(err), err, exitInterrupted)
	}
	if text := message(err); !strings.Contains(text, "of 120 points finished, kept in ") || strings.Contains(text, "\n") {
		t.Errorf("message %q does not say in one line what is kept", text)
	}
	f, err := os.Open(filepath.Join(dir, "sweep.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := experiment.ReadCSV(f, "sweep.csv")
	if err != nil || len(table.Rows) < 5 || len(table.Rows) >= 120 {
		t.Errorf("%v; %d rows kept of a sweep interrupted after 5 of 120 points", err, len(table.Rows))
	}
}

// TestFiguresAreWhole: the pictures of a sweep decode and have a size to read.
func TestFiguresAreWhole(t *testing.T) {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"sweep", "-o", dir, "--tables", "100,200", "--workers", "1,3", "--replications", "2"}, &out, &errs)
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, name := range []string{"throughput.png", "workers.png", "time.png"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if b := img.Bounds(); b.Dx() < 1000 || b.Dy() < 500 {
			t.Errorf("%s: %v", name, b)
		}
	}
}

// writeText writes a file.
func writeText(file, text string) error { return os.WriteFile(file, []byte(text), 0o600) }
