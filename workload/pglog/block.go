package pglog

import (
	"strconv"
	"strings"
	"time"
)

// vacuumHead and analyzeHead read the first line of a block:
//
//	automatic aggressive vacuum to prevent wraparound of table "d.s.t": index scans: 1
//	automatic analyze of table "d.s.t" system usage: CPU: …
//
// A name is logged as it is, quotes, dots and line breaks included: it ends where
// what must follow it stands last. rest is what follows the head.
func blockHead(text string) (e Event, rest string, ok bool) {
	head, ok := strings.CutPrefix(text, "automatic ")
	if !ok {
		return e, "", false
	}
	e.Kind = Vacuum
	if head, e.Aggressive = cut(head, "aggressive "); strings.HasPrefix(head, "analyze of table \"") {
		e.Kind = Analyze
	}
	head = strings.TrimPrefix(strings.TrimPrefix(head, "vacuum "), "analyze ")
	head, e.Wraparound = cut(head, "to prevent wraparound ")
	head, ok = strings.CutPrefix(head, "of table \"")
	if !ok {
		return e, "", false
	}
	var name string
	if e.Kind == Vacuum {
		name, rest, ok = strings.Cut(head, "\": index scans: ")
		digits, after, _ := strings.Cut(rest, "\n")
		e.IndexScans = int(first(digits))
		rest = after
	} else {
		name, rest, ok = analyzeName(head)
	}
	if name == "" {
		ok = false
	}
	e.named(name)
	return e, rest, ok
}

// analyzeName ends the name of an analyzed table: to 13 the usage follows on the
// same line, later a new line.
func analyzeName(head string) (name, rest string, ok bool) {
	if name, rest, ok = strings.Cut(head, "\" system usage: "); ok {
		return name, "system usage: " + rest, true
	}
	if name, rest, ok = strings.Cut(head, "\"\n"); ok {
		return name, rest, true
	}
	if name, ok = strings.CutSuffix(strings.TrimRight(head, "\r\n "), "\""); ok {
		return name, "", true
	}
	name, behind, ok := strings.Cut(head, "\" ") // what a wrapper put there
	_, rest, _ = strings.Cut(behind, "\n")
	return name, rest, ok
}

// ends tells whether a text begins with a unit that ends there: what a wrapper puts
// behind it stands apart.
func ends(text, unit string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " .0123456789"), unit)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \"'},\r"))
}

func cut(text, prefix string) (string, bool) { return strings.CutPrefix(text, prefix) }

// blockOf reads a whole message. Lines that it does not know are given to strange.
func blockOf(text string, strange func(line string)) (Event, bool) {
	e, rest, ok := blockHead(text)
	if !ok {
		line, _, _ := strings.Cut(text, "\n")
		strange(line)
		return e, false
	}
	e.PagesScanned, e.CutoffAge = -1, -1
	for line := range strings.SplitSeq(rest, "\n") {
		line = strings.Trim(line, " \t\r")
		if line != "" && !e.line(line) {
			strange(line)
		}
	}
	if e.Kind == Vacuum && e.Complete {
		e.olderThan(rest)
	}
	return e, true
}

// olderThan tells versions by what a whole block lacks.
func (e *Event) olderThan(block string) {
	for _, x := range []struct {
		line  string
		newer int // the newest version without it
	}{{"WAL usage:", 120}, {"index scan ", 130}, {"frozen: ", 150}} {
		if !strings.Contains(block, x.line) {
			e.atMost(x.newer)
		}
	}
}

// line takes in one line of a block, in any version's form; false for one that no
// version has.
func (e *Event) line(line string) bool {
	key, text, ok := strings.Cut(line, ":")
	if !ok {
		return false
	}
	switch key {
	case "pages":
		e.PagesRemoved, e.PagesRemain = before(text, " removed"), before(text, " remain")
		e.SkippedPins, e.SkippedFrozen = before(text, " skipped due to pins"), before(text, " skipped frozen")
		if strings.Contains(text, " scanned (") {
			e.PagesScanned = before(text, " scanned (")
		}
		e.versionOfPages(text)
	case "tuples":
		e.TuplesRemoved, e.TuplesRemain = before(text, " removed"), before(text, " remain")
		e.NotRemovable = before(text, " are dead but not yet removable")
		if _, xmin, ok := strings.Cut(text, "oldest xmin:"); ok {
			e.OldestXmin = first(xmin)
			e.atLeast(100)
		}
	case "removable cutoff":
		e.OldestXmin, e.CutoffAge = first(text), before(text, " XIDs old")
	case "new relfrozenxid":
		e.NewRelfrozenxid = first(text)
	case "new relminmxid":
		e.NewRelminmxid = first(text)
	case "frozen":
		e.atLeast(160)
		e.FrozenPages, e.FrozenTuples = before(text, " pages"), before(text, " tuples frozen")
	case "delay time":
		e.atLeast(180)
		e.Delayed, e.HasDelayed = milliseconds(text), true
	case "I/O timings":
		_, write, _ := strings.Cut(text, "write:")
		e.IORead, e.IOWrite = milliseconds(strings.TrimPrefix(text, " read:")), milliseconds(write)
	case "avg read rate":
		_, write, _ := strings.Cut(text, "avg write rate:")
		e.ReadRate, e.WriteRate = decimal(text), decimal(write)
	case "buffer usage":
		e.HasBuffers = true
		e.Hits, e.Dirtied = before(text, " hits"), before(text, " dirtied")
		e.Misses = max(before(text, " misses"), before(text, " reads"))
	case "WAL usage":
		e.atLeast(130)
		e.WALRecords, e.WALImages, e.WALBytes = before(text, " records"), before(text, " full page images"), before(text, " bytes")
	case "memory usage":
		e.atLeast(190)
		e.DeadItemResets = int(before(text, " reset"))
	case "system usage":
		return e.usage(strings.TrimSpace(text))
	case "visibility map", "tuples missed", "parallel workers":
	default:
		return e.indexLine(key, text)
	}
	return true
}

// indexLine takes in the lines of indexes.
func (e *Event) indexLine(key, text string) bool {
	if scan, ok := strings.CutPrefix(key, "index scan "); ok {
		e.atLeast(140)
		e.IndexScanBypassed = strings.HasPrefix(scan, "bypassed")
		e.FailsafeReached = scan == "bypassed by failsafe"
		e.DeadPages, e.DeadItems = before(text, " pages from table"), before(text, " dead item identifiers")
		return true
	}
	if strings.HasPrefix(key, "index \"") {
		if _, pages, ok := strings.Cut(text, "pages: "); ok || strings.Contains(text, " in total") {
			e.Indexes++
			e.IndexPages += before(pages, " in total")
		}
		return true
	}
	return false
}

// usage is pg_rusage_show, to 9.6 "CPU 0.01s/0.23u sec elapsed 3.19 sec", later
// "CPU: user: 0.23 s, system: 0.01 s, elapsed: 3.19 s".
func (e *Event) usage(text string) bool {
	if rest, ok := strings.CutPrefix(text, "CPU: user: "); ok {
		e.atLeast(100)
		_, system, _ := strings.Cut(rest, "system: ")
		_, elapsed, found := strings.Cut(rest, "elapsed: ")
		e.User, e.System, e.Elapsed, e.Complete = seconds(rest), seconds(system), seconds(elapsed), found && ends(elapsed, "s")
		return found
	}
	e.atMost(96)
	rest, ok := strings.CutPrefix(text, "CPU ")
	_, user, _ := strings.Cut(rest, "/")
	_, elapsed, found := strings.Cut(rest, "sec elapsed ")
	e.System, e.User, e.Elapsed, e.Complete = seconds(rest), seconds(user), seconds(elapsed), found && ends(elapsed, "sec")
	return ok && found
}

// versionOfPages tells versions by what is logged of pages.
func (e *Event) versionOfPages(text string) {
	has := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case has(" eagerly scanned"):
		e.atLeast(180)
	case has(" scanned ("):
		e.atLeast(150)
		e.atMost(170)
	case has(" skipped frozen"):
		e.atLeast(96)
		e.atMost(140)
	case has(" skipped due to pins"):
		e.atLeast(95)
		e.atMost(95)
	default:
		e.atMost(94)
	}
}

// before is the whole number that stands before a word, 0 for none.
func before(text, word string) int64 {
	i := strings.Index(text, word)
	if i < 0 {
		return 0
	}
	from := i
	for from > 0 && text[from-1] >= '0' && text[from-1] <= '9' {
		from--
	}
	n, _ := strconv.ParseInt(text[from:i], 10, 64)
	return n
}

// first is the whole number that a text begins with, 0 for none.
func first(text string) int64 {
	text = strings.TrimLeft(text, " ")
	n, _ := strconv.ParseInt(text[:numberEnd(text, "0123456789")], 10, 64)
	return n
}

// decimal is the number that a text begins with, 0 for none.
func decimal(text string) float64 {
	text = strings.TrimLeft(text, " ")
	x, _ := strconv.ParseFloat(text[:numberEnd(text, "0123456789.")], 64)
	return x
}

func numberEnd(text, of string) int {
	for i := range len(text) {
		if strings.IndexByte(of, text[i]) < 0 {
			return i
		}
	}
	return len(text)
}

func seconds(text string) time.Duration { return inUnit(decimal(text), time.Second) }

func milliseconds(text string) time.Duration { return inUnit(decimal(text), time.Millisecond) }

// inUnit is a number of units; what does not fit is a damaged line, and none.
func inUnit(x float64, unit time.Duration) time.Duration {
	const most = 1e9 // 30 years of seconds
	if x*unit.Seconds() > most {
		return 0
	}
	return time.Duration(x*float64(unit) + 0.5)
}
