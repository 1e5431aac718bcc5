package scheduler

import (
	"fmt"
	"strings"
	"time"

	"avsim/workload/guc"
)

// logEvent is an automatic vacuum or analyze, as PostgreSQL logs it. The formats
// to 18 are held against recorded messages or format strings of the versions
// (testdata/pglogline); that of 19 is put together from reports of its new
// lines, whose order is unverified.
type logEvent struct {
	analyze                 bool
	database, schema, table string

	// The rest of the first line.
	aggressive, wraparound bool
	indexScans             int

	pagesRemoved, pagesRemain, pagesScanned, eagerlyScanned int64
	pinned, skippedFrozen                                   int64 // pages skipped: to 14
	pagesBefore                                             int64 // the table's size at the start: percentages are of it
	removed, remain, notRemovable                           int64 // rows
	missedRows, missedPages                                 int64 // not removed as someone held the page: from 15
	cutoff                                                  uint32
	cutoffAge                                               int64
	frozenXID, minMulti                                     uint32 // new values, 0 where they stay
	frozenAhead, minMultiAhead                              int64
	frozenPages, frozenRows                                 int64
	setVisible, setFrozen, wereVisible                      int64 // pages in the visibility map
	deadPages, deadItems                                    int64
	bypassed, failsafe                                      bool // the index scan was; failsafe says why
	indexes                                                 []logIndex
	delayed                                                 time.Duration
	delayTimed                                              bool // track_cost_delay_timing
	ioRead, ioWrite                                         time.Duration
	ioTimed                                                 bool // track_io_timing
	hits, misses, dirtied                                   int64
	walRecords, walImages, walBytes                         int64
	walImageBytes, walBuffersFull                           int64
	deadBytes, deadLimit                                    int64 // memory of dead items, in all and at most at a time: from 19
	deadResets                                              int
	user, system, elapsed                                   time.Duration
}

// logIndex is an index that was scanned.
type logIndex struct {
	name                                   string
	pages, newlyDeleted, deleted, reusable int64
}

// lines is the message in the format of a version, without log_line_prefix and
// severity, its lines separated by newlines.
func (e logEvent) lines(v guc.Version) string {
	w := &logWriter{version: v}
	if e.analyze {
		e.analyzeLines(w)
	} else {
		e.vacuumLines(w)
	}
	return strings.Join(w.lines, "\n")
}

type logWriter struct {
	version guc.Version
	lines   []string
}

func (w *logWriter) from(branch string) bool { return w.version.AtLeast(guc.MustVersion(branch)) }

func (w *logWriter) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (e logEvent) vacuumLines(w *logWriter) {
	w.line("%s of table \"%s.%s.%s\": index scans: %d", e.kind(w), e.database, e.schema, e.table, e.indexScans)
	e.pageLine(w)
	e.tupleLines(w)
	if w.from("14.0") {
		e.indexLines(w)
		e.timingLines(w)
		e.rateLine(w)
		e.bufferLine(w)
		e.walLine(w)
		if w.from("19.0") {
			resets := "resets"
			if e.deadResets == 1 {
				resets = "reset"
			}
			w.line("memory usage: dead item storage %.2f MB accumulated across %d %s (limit %.2f MB each)",
				megabytes(e.deadBytes), e.deadResets, resets, megabytes(e.deadLimit))
		}
		e.usageLine(w)
		return
	}
	e.bufferLine(w)
	e.rateLine(w)
	e.usageLine(w)
	if w.from("13.0") {
		e.walLine(w)
	}
}

// kind says what made the vacuum: aggressive ones are told from 11 on, those
// against wraparound from 12.
func (e logEvent) kind(w *logWriter) string {
	out := "automatic"
	if e.aggressive && w.from("11.0") {
		out += " aggressive"
	}
	out += " vacuum"
	if e.wraparound && w.from("12.0") {
		out += " to prevent wraparound"
	}
	return out
}

func (e logEvent) pageLine(w *logWriter) {
	text := fmt.Sprintf("pages: %d removed, %d remain", e.pagesRemoved, e.pagesRemain)
	switch {
	case w.from("15.0"):
		text += fmt.Sprintf(", %d scanned (%.2f%% of total)", e.pagesScanned, e.percent(e.pagesScanned))
		if w.from("18.0") {
			text += fmt.Sprintf(", %d eagerly scanned", e.eagerlyScanned)
		}
	case w.from("9.5.0"):
		text += fmt.Sprintf(", %d skipped due to pins", e.pinned)
		if w.from("9.6.0") {
			text += fmt.Sprintf(", %d skipped frozen", e.skippedFrozen)
		}
	}
	w.line("%s", text)
}

func (e logEvent) tupleLines(w *logWriter) {
	text := fmt.Sprintf("tuples: %d removed, %d remain", e.removed, e.remain)
	if w.from("9.4.0") {
		text += fmt.Sprintf(", %d are dead but not yet removable", e.notRemovable)
	}
	if w.from("10.0") && !w.from("15.0") {
		text += fmt.Sprintf(", oldest xmin: %d", e.cutoff)
	}
	w.line("%s", text)
	if w.from("15.0") {
		if e.missedRows > 0 {
			w.line("tuples missed: %d dead from %d pages not removed due to cleanup lock contention", e.missedRows, e.missedPages)
		}
		w.line("removable cutoff: %d, which was %d XIDs old when operation ended", e.cutoff, e.cutoffAge)
		if e.frozenXID != 0 {
			w.line("new relfrozenxid: %d, which is %d XIDs ahead of previous value", e.frozenXID, e.frozenAhead)
		}
		if e.minMulti != 0 {
			w.line("new relminmxid: %d, which is %d MXIDs ahead of previous value", e.minMulti, e.minMultiAhead)
		}
	}
	if w.from("16.0") {
		w.line("frozen: %d pages from table (%.2f%% of total) had %d tuples frozen", e.frozenPages, e.percent(e.frozenPages), e.frozenRows)
	}
	if w.from("18.0") {
		w.line("visibility map: %d pages set all-visible, %d pages set all-frozen (%d were all-visible)", e.setVisible, e.setFrozen, e.wereVisible)
	}
}

func (e logEvent) indexLines(w *logWriter) {
	which, outcome := "not needed", "had %d dead item identifiers removed"
	switch {
	case e.failsafe:
		which, outcome = "bypassed by failsafe", "have %d dead item identifiers"
	case e.bypassed:
		which, outcome = "bypassed", "have %d dead item identifiers"
	case e.indexScans > 0:
		which = "needed"
	}
	w.line("index scan %s: %d pages from table (%.2f%% of total) "+outcome, which, e.deadPages, e.percent(e.deadPages), e.deadItems)
	for _, x := range e.indexes {
		w.line("index \"%s\": pages: %d in total, %d newly deleted, %d currently deleted, %d reusable",
			x.name, x.pages, x.newlyDeleted, x.deleted, x.reusable)
	}
}

// percent is of the table's pages when the vacuum began.
func (e logEvent) percent(pages int64) float64 {
	if e.pagesBefore == 0 {
		return 100
	}
	return 100 * float64(pages) / float64(e.pagesBefore)
}

func (e logEvent) timingLines(w *logWriter) {
	if e.delayTimed && w.from("18.0") {
		w.line("delay time: %.3f ms", inMilliseconds(e.delayed))
	}
	if e.ioTimed {
		w.line("I/O timings: read: %.3f ms, write: %.3f ms", inMilliseconds(e.ioRead), inMilliseconds(e.ioWrite))
	}
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func (e logEvent) rateLine(w *logWriter) {
	rate := func(pages int64) float64 {
		if e.elapsed <= 0 {
			return 0
		}
		return megabytes(8192*pages) / e.elapsed.Seconds()
	}
	w.line("avg read rate: %.3f MB/s, avg write rate: %.3f MB/s", rate(e.misses), rate(e.dirtied))
}

func (e logEvent) bufferLine(w *logWriter) {
	read := "misses"
	if w.from("18.0") {
		read = "reads"
	}
	w.line("buffer usage: %d hits, %d %s, %d dirtied", e.hits, e.misses, read, e.dirtied)
}

func (e logEvent) walLine(w *logWriter) {
	text := fmt.Sprintf("WAL usage: %d records, %d full page images, %d bytes", e.walRecords, e.walImages, e.walBytes)
	if w.from("19.0") {
		text += fmt.Sprintf(", %d full page image bytes", e.walImageBytes)
	}
	if w.from("18.0") {
		text += fmt.Sprintf(", %d buffers full", e.walBuffersFull)
	}
	w.line("%s", text)
}

func (e logEvent) usageLine(w *logWriter) { w.line("system usage: %s", e.usage(w)) }

// usage is pg_rusage_show: hundredths of seconds, cut.
func (e logEvent) usage(w *logWriter) string {
	cut := func(d time.Duration) string {
		c := int64(d / (10 * time.Millisecond))
		return fmt.Sprintf("%d.%02d", c/100, c%100)
	}
	if w.from("10.0") {
		return fmt.Sprintf("CPU: user: %s s, system: %s s, elapsed: %s s", cut(e.user), cut(e.system), cut(e.elapsed))
	}
	return fmt.Sprintf("CPU %ss/%su sec elapsed %s sec", cut(e.system), cut(e.user), cut(e.elapsed))
}

func (e logEvent) analyzeLines(w *logWriter) {
	if !w.from("14.0") {
		w.line("automatic analyze of table \"%s.%s.%s\" system usage: %s", e.database, e.schema, e.table, e.usage(w))
		return
	}
	w.line("automatic analyze of table \"%s.%s.%s\"", e.database, e.schema, e.table)
	e.timingLines(w)
	e.rateLine(w)
	e.bufferLine(w)
	if w.from("18.0") {
		e.walLine(w)
	}
	e.usageLine(w)
}

// logLine is a message as it stands in a server's log with log_line_prefix
// '%m [%p] ': further lines of it follow a tab.
func logLine(at time.Time, pid int, message string) string {
	return severityLine(at, pid, "LOG", message)
}

func severityLine(at time.Time, pid int, severity, message string) string {
	return fmt.Sprintf("%s [%d] %s:  %s\n", at.Format("2006-01-02 15:04:05.000 MST"), pid, severity, strings.ReplaceAll(message, "\n", "\n\t"))
}
