package scheduler

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"avsim/workload/guc"
)

var (
	anyNumber = regexp.MustCompile(`\d+(\.\d+)?`)
	anyName   = regexp.MustCompile(`"[^"]*"`)
	ratesLine = regexp.MustCompile(`avg read rate: .* MB/s`)
)

// shapeOf replaces numbers and names.
func shapeOf(message string) string {
	return anyNumber.ReplaceAllString(anyName.ReplaceAllString(message, `"X"`), "N")
}

// readEvent reads a message back, as a tool would.
func readEvent(t *testing.T, message string) (e logEvent) {
	t.Helper()
	num := func(text string) int64 { n, _ := strconv.ParseInt(text, 10, 64); return n }
	dur := func(text string, unit time.Duration) time.Duration {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(x*float64(unit) + 0.5)
	}
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		names := anyName.FindAllString(line, -1)
		n := anyNumber.FindAllString(anyName.ReplaceAllString(line, ""), -1)
		key, _, _ := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "automatic"):
			e.analyze = strings.HasPrefix(line, "automatic analyze")
			e.aggressive, e.wraparound = strings.Contains(line, "aggressive"), strings.Contains(line, "wraparound")
			parts := strings.SplitN(strings.Trim(names[0], `"`), ".", 3)
			e.database, e.schema, e.table = parts[0], parts[1], parts[2]
			if !e.analyze {
				e.indexScans = int(num(n[0]))
				continue
			}
			if len(n) == 3 {
				e.user, e.system, e.elapsed = dur(n[0], time.Second), dur(n[1], time.Second), dur(n[2], time.Second)
			}
		case key == "pages" && strings.Contains(line, "skipped"):
			e.pagesRemoved, e.pagesRemain, e.pinned = num(n[0]), num(n[1]), num(n[2])
			if len(n) > 3 {
				e.skippedFrozen = num(n[3])
			}
		case key == "pages":
			e.pagesRemoved, e.pagesRemain = num(n[0]), num(n[1])
			e.pagesBefore = e.pagesRemoved + e.pagesRemain
			if len(n) > 2 {
				e.pagesScanned = num(n[2])
				if n[3] == "100.00" {
					e.pagesBefore = e.pagesScanned
				}
			}
			if len(n) > 4 {
				e.eagerlyScanned = num(n[4])
			}
		case key == "tuples":
			e.removed, e.remain, e.notRemovable = num(n[0]), num(n[1]), num(n[2])
			if len(n) > 3 {
				e.cutoff = uint32(num(n[3]))
			}
		case key == "tuples missed":
			e.missedRows, e.missedPages = num(n[0]), num(n[1])
		case key == "removable cutoff":
			e.cutoff, e.cutoffAge = uint32(num(n[0])), num(n[1])
		case key == "new relfrozenxid":
			e.frozenXID, e.frozenAhead = uint32(num(n[0])), num(n[1])
		case key == "new relminmxid":
			e.minMulti, e.minMultiAhead = uint32(num(n[0])), num(n[1])
		case key == "frozen":
			e.frozenPages, e.frozenRows = num(n[0]), num(n[2])
		case key == "visibility map":
			e.setVisible, e.setFrozen, e.wereVisible = num(n[0]), num(n[1]), num(n[2])
		case strings.HasPrefix(key, "index scan"):
			e.deadPages, e.deadItems = num(n[0]), num(n[2])
			e.bypassed = strings.Contains(key, "bypassed")
		case strings.HasPrefix(key, "index "):
			e.indexes = append(e.indexes, logIndex{strings.Trim(names[0], `"`), num(n[0]), num(n[1]), num(n[2]), num(n[3])})
		case key == "delay time":
			e.delayTimed, e.delayed = true, dur(n[0], time.Millisecond)
		case key == "I/O timings":
			e.ioTimed, e.ioRead, e.ioWrite = true, dur(n[0], time.Millisecond), dur(n[1], time.Millisecond)
		case strings.HasPrefix(key, "avg"):
		case key == "buffer usage":
			e.hits, e.misses, e.dirtied = num(n[0]), num(n[1]), num(n[2])
		case key == "WAL usage":
			e.walRecords, e.walImages, e.walBytes = num(n[0]), num(n[1]), num(n[2])
			e.walBuffersFull = num(n[len(n)-1])
		case key == "memory usage":
			e.deadResets = int(num(n[1])) + 1
		case key == "system usage":
			e.user, e.system, e.elapsed = dur(n[0], time.Second), dur(n[1], time.Second), dur(n[2], time.Second)
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	return e
}

// TestRecordedMessages writes what real servers wrote: the same text to the
// digit, save for the rates, which hang on the microseconds.
func TestRecordedMessages(t *testing.T) {
	for _, version := range []string{"13.23", "18.4"} {
		for _, block := range blocksOf(t, "testdata/pglogline/recorded-"+version+".txt") {
			want := strings.ReplaceAll(block, "\t", "")
			got := readEvent(t, block).lines(guc.MustVersion(version))
			if shapeOf(got) != shapeOf(want) {
				t.Errorf("PostgreSQL %s has the shape\n%s\nnot\n%s", version, shapeOf(want), shapeOf(got))
				continue
			}
			if a, b := ratesLine.ReplaceAllString(got, ""), ratesLine.ReplaceAllString(want, ""); a != b {
				t.Errorf("PostgreSQL %s writes\n%s\nnot\n%s", version, b, a)
			}
		}
	}
}

// TestPublicMessages holds the other versions to the shapes of messages found
// in documentation, articles and other programs.
func TestPublicMessages(t *testing.T) {
	seen := make(map[string]bool)
	for _, block := range blocksOf(t, "testdata/pglogline/public.txt") {
		head, want, _ := strings.Cut(block, "\n")
		versions, _, _ := strings.Cut(strings.TrimPrefix(head, "== "), ":")
		filled := strings.ReplaceAll(strings.ReplaceAll(want, `"X"`, `"d.s.t"`), "N", "1")
		for _, v := range versionsOf(t, versions) {
			seen[v.String()] = true
			e := readEvent(t, filled)
			for i := range e.indexes {
				e.indexes[i].name = "x"
			}
			if e.deadItems > 0 && strings.Contains(want, "not needed") {
				e.indexScans = 0
			}
			got := shapeOf(e.lines(v))
			if !strings.Contains(want, "\n") && strings.Contains(want, "wraparound") { // the first line alone
				got, _, _ = strings.Cut(got, "\n")
			}
			if got != want {
				t.Errorf("PostgreSQL %s (%s):\n%s\nwant\n%s", v, head, got, want)
			}
		}
	}
	for _, v := range []string{"9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "19"} {
		if !seen[v] {
			t.Errorf("no message of PostgreSQL %s", v)
		}
	}
}

// The words for aggressive and forced vacuums, and the numbers that are
// computed.
func TestMessageDetails(t *testing.T) {
	forced := logEvent{database: "d", schema: "s", table: "t", aggressive: true, wraparound: true}
	for version, want := range map[string]string{
		"10": "automatic vacuum of table", "11": "automatic aggressive vacuum of table",
		"12": "automatic aggressive vacuum to prevent wraparound of table", "19": "automatic aggressive vacuum to prevent wraparound of table",
	} {
		if got := forced.lines(guc.MustVersion(version)); !strings.HasPrefix(got, want+` "d.s.t": index scans: 0`) {
			t.Errorf("PostgreSQL %s: %s", version, got)
		}
	}
	e := logEvent{
		database: "d", schema: "s", table: "t", pagesBefore: 3, pagesScanned: 1, failsafe: true, deadPages: 2, deadItems: 9,
		misses: 1280, dirtied: 640, elapsed: 2*time.Second + 9*time.Millisecond, user: 1239 * time.Millisecond,
	}
	text := e.lines(guc.MustVersion("17"))
	for _, want := range []string{
		"1 scanned (33.33% of total)",
		"index scan bypassed by failsafe: 2 pages from table (66.67% of total) have 9 dead item identifiers",
		"avg read rate: 4.978 MB/s, avg write rate: 2.489 MB/s", // 10 MB and 5 MB
		"CPU: user: 1.23 s, system: 0.00 s, elapsed: 2.00 s",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if got := (logEvent{}).lines(guc.MustVersion("18")); !strings.Contains(got, "0 scanned (100.00% of total)") || !strings.Contains(got, "avg read rate: 0.000") {
		t.Errorf("an empty table in no time: %s", got)
	}
}

func TestLogLine(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 29, 40, 60e6, time.UTC)
	got := logLine(at, 3422, "automatic vacuum\npages: 0")
	if want := "2026-11-30 09:29:40.060 UTC [3422] LOG:  automatic vacuum\n\tpages: 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// blocksOf reads paragraphs, without comments.
func blocksOf(t *testing.T, path string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "\n\n") {
		if block = strings.Trim(block, "\n"); !strings.HasPrefix(block, "#") {
			out = append(out, block)
		}
	}
	if len(out) == 0 {
		t.Fatal(fmt.Errorf("%s is empty", path))
	}
	return out
}
