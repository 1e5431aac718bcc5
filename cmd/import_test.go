package cmd

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logged is what import log --format json tells, as far as tests ask.
type logged struct {
	Summary struct {
		Vacuums, Analyzes, Cancelled, Skipped, Failsafe, Incomplete int
		NotUnderstood                                               int    `json:"not_understood"`
		PGVersion                                                   string `json:"pg_version"`
		Lines                                                       int
	}
	Inferred []struct {
		Name       string
		Value      float64
		Confidence string
	}
	Tables []struct {
		Name              string
		Vacuums, Analyzes int
	}
}

// avsim runs a command that is to succeed.
func avsim(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, &out, &errs); code != exitDone {
		t.Fatalf("avsim %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

func readLog(t *testing.T, files ...string) (l logged) {
	t.Helper()
	text := avsim(t, append([]string{"import", "log", "--format", "json"}, files...)...)
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestRecordedLogs: in the logs of recorded runs, each vacuum and analyze is found,
// and what was set on the server is inferred.
func TestRecordedLogs(t *testing.T) {
	for _, r := range []struct {
		name              string
		vacuums, analyzes int
		version           string
		naptime           float64
	}{{"r1", 342, 789, "18.4", 5}, {"r2", 108, 47, "18.4", 5}, {"r3", 1119, 1335, "18.4", 20}, {"r4p13", 1526, 1526, "13.23", 5}} {
		l := readLog(t, "../workload/imported/testdata/"+r.name+"/server.log.gz")
		s := l.Summary
		if s.Vacuums != r.vacuums || s.Analyzes != r.analyzes || s.PGVersion != r.version || s.NotUnderstood != 0 || s.Incomplete != 0 {
			t.Errorf("%s: %+v, recorded are %d vacuums and %d analyzes of %s", r.name, s, r.vacuums, r.analyzes, r.version)
		}
		inferred := make(map[string]float64)
		for _, i := range l.Inferred {
			inferred[i.Name] = i.Value
		}
		within := func(name string, want, share float64) {
			if got := inferred[name]; got < want*(1-share) || got > want*(1+share) {
				t.Errorf("%s: %s is inferred as %v, recorded is %v", r.name, name, got, want)
			}
		}
		within("naptime", r.naptime, 0.01)
		if r.name == "r2" { // throttled all the time, with three workers, then six
			within("cost_per_second", (89600+91200)/2, 0.05)
			within("most_workers_at_work", 6, 0)
			within("cost_limit", 200, 0.1)
			// The recording's own I/O timings over its pages: a page from the system's cache.
			within("read_microseconds", 3.4, 0.1)
		}
	}
}

// TestOwnLogs: what run writes as the log of each version is read back, table by
// table.
func TestOwnLogs(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"} {
		for _, scenario := range []string{"onap-cps", "lock-queue"} {
			log, events := filepath.Join(dir, "x.log"), filepath.Join(dir, "x.csv")
			avsim(t, "run", scenario, "--pg", version, "--log", log, "--events", events, "--quiet")
			want := make(map[string]int)
			for _, row := range readRows(t, events) {
				if row["outcome"] != "done" {
					want[row["outcome"]]++
					continue
				}
				want[row["kind"]]++
				want[row["kind"]+" "+row["table"]]++
			}
			l := readLog(t, log)
			got := map[string]int{"vacuum": l.Summary.Vacuums, "analyze": l.Summary.Analyzes, "cancelled": l.Summary.Cancelled, "skipped": l.Summary.Skipped}
			for _, x := range l.Tables {
				name := x.Name[strings.LastIndexByte(x.Name, '.')+1:]
				got["vacuum "+name] += x.Vacuums
				got["analyze "+name] += x.Analyzes
			}
			for what, n := range want {
				if got[what] != n {
					t.Errorf("%s under %s: %d of %s in the log, %d took place", scenario, version, got[what], what, n)
				}
			}
			if l.Summary.NotUnderstood != 0 || l.Summary.Incomplete != 0 || l.Summary.PGVersion != sameForm(version) {
				t.Errorf("%s under %s: %+v", scenario, version, l.Summary)
			}
		}
	}
}

// sameForm is the newest version whose messages have the form of a version's.
func sameForm(version string) string {
	switch version {
	case "10", "11":
		return "12"
	case "16":
		return "17"
	}
	return version
}

func readRows(t *testing.T, path string) (out []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatal(fmt.Errorf("%s: %w", path, err))
	}
	for _, row := range rows[1:] {
		m := make(map[string]string)
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

// TestInterruptedLog: an interrupt ends the reading of a log with 130, and leaves no file.
func TestInterruptedLog(t *testing.T) {
	log, dir := filepath.Join(t.TempDir(), "server.log"), t.TempDir()
	if err := os.WriteFile(log, []byte(strings.Repeat("2026-01-01 00:00:00 UTC [12] LOG:  hello\n", 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	for _, form := range []string{"table", "csv", "json"} {
		var out, errs bytes.Buffer
		if code := run(ctx, []string{"import", "log", log, "--format", form, "-o", filepath.Join(dir, form)}, &out, &errs); code != exitInterrupted || !strings.Contains(errs.String(), "interrupted while "+log+" was read") {
			t.Errorf("%s: exit code %d, %q; want %d", form, code, errs.String(), exitInterrupted)
		}
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
}
