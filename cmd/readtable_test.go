package cmd

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// FuzzReadTable: whatever stands in a file, it is read as a table, with as many fields
// in each row as there are columns, or refused in one line that names it.
func FuzzReadTable(f *testing.F) {
	f.Add([]byte("tables,strategy\n1,original\n"))
	f.Add([]byte(`{"tables":1,"strategy":"original"}` + "\n" + `{"tables":null,"strategy":""}`))
	f.Add([]byte(`[{"tables":1},{"tables":2}]`))
	f.Add([]byte("PAR1\x15\x04\x15\x08PAR1"))
	f.Add([]byte(`{"crc32c":"00000000","journal":"2"}`))
	dir := f.TempDir()
	out := filepath.Join(dir, "out")
	var errs tail
	if code := run(context.Background(), []string{"sweep", "--tables", "10", "--workers", "1", "--replications", "1", "--format", "parquet", "--quiet", "-o", out}, &errs, &errs); code != exitDone {
		f.Fatal(errs)
	}
	whole, err := os.ReadFile(filepath.Join(out, "sweep.parquet"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := readTable(t.Context(), path)
		if err != nil {
			if !strings.Contains(err.Error(), path) || strings.Contains(message(err), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Fatalf("a row of %d fields for %d columns", len(row), len(table.Columns))
			}
		}
	})
}

// TestReadTableEnds: a pipe that never ends, or never begins, is given up on request.
func TestReadTableEnds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	path := filepath.Join("/dev/fd", itoa(int(r.Fd())))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here")
	}
	if _, err := readTable(ctx, path); err == nil {
		t.Error("a pipe without a writer's word is a table")
	}
	if _, err := readTable(t.Context(), "/dev/zero"); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("/dev/zero: %v", err)
	}
}

// TestDamagedParquet: whatever bytes of a Parquet file are changed, reading it ends, in
// little memory, with the same number of rows or an error.
func TestDamagedParquet(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	var errs tail
	if code := run(t.Context(), []string{"sweep", "--tables", "10", "--workers", "1", "--replications", "1", "--format", "parquet", "--quiet", "-o", out}, &errs, &errs); code != exitDone {
		t.Fatal(errs)
	}
	whole, err := os.ReadFile(filepath.Join(out, "sweep.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "damaged.parquet")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 {
		text := bytes.Clone(whole)
		for range 1 + r.IntN(3) {
			text[4+r.IntN(len(text)-4)] = byte(r.IntN(256))
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if table, err := readTable(t.Context(), path); err == nil && len(table.Rows) != 3 {
			t.Errorf("%d rows of 3", len(table.Rows))
		}
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 8000 {
		t.Errorf("%d MB were asked for", mb)
	} else {
		t.Logf("%d MB were asked for", mb)
	}
}
