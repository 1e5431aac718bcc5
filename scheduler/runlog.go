package scheduler

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"avsim/sim"
	"avsim/workload/guc"
)

// logStart is the wall clock at the start of a run, in its log: any would do,
// but it must not depend on the machine.
var logStart = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// WriteLog writes the vacuums and analyzes as a server of that version logs
// them with log_autovacuum_min_duration = 0, each with the prefix '%m [%p] '.
func (r *RunResult) WriteLog(w io.Writer, v guc.Version) error {
	b := bufio.NewWriter(w)
	notices := r.notices
	for _, e := range r.Events {
		for len(notices) > 0 && notices[0].at <= e.At {
			b.WriteString(notices[0].logLines())
			notices = notices[1:]
		}
		b.WriteString(e.logLines(v))
	}
	for _, x := range notices {
		b.WriteString(x.logLines())
	}
	return b.Flush()
}

// logLines is what the server's log has of an event, newline included.
func (e RunEvent) logLines(v guc.Version) string {
	at, pid := wallClock(e.At), firstPID+e.Worker
	kind := "analyze"
	if e.Vacuum {
		kind = "vacuum"
	}
	name := fmt.Sprintf("%s.%s.%s", e.Database, schemaOf(e.Table), e.Table)
	switch e.Outcome {
	case SkippedTable:
		return logLine(at, pid, fmt.Sprintf("skipping %s of %q --- lock not available", kind, e.Table))
	case CancelledTable:
		return severityLine(at, pid, "ERROR", "canceling autovacuum task") +
			severityLine(at, pid, "CONTEXT", fmt.Sprintf("automatic %s of table %q", kind, name))
	case KilledWorker:
		return severityLine(at, pid, "FATAL", "terminating autovacuum process due to administrator command")
	}
	return logLine(at, pid, e.logEvent().lines(v))
}

// logLines is a notice in the log, newline included.
func (n notice) logLines() string {
	out := severityLine(wallClock(n.at), firstPID+n.worker, n.severity, n.text)
	if n.detail != "" {
		out += severityLine(wallClock(n.at), firstPID+n.worker, "DETAIL", n.detail)
	}
	return out
}

// wallClock is an instant of the run by the clock of the log.
func wallClock(at sim.Time) time.Time { return logStart.Add(at.Sub(0)) }

// firstPID is the process id before that of the first worker.
const firstPID = 1000

// firstXID is the next transaction id at the start of a run, in its log; any
// would do.
const firstXID = 1 << 30

// schemaOf is the schema of a table: TOAST tables and catalogues have theirs.
func schemaOf(table string) string {
	switch {
	case strings.HasPrefix(table, "pg_toast_"):
		return "pg_toast"
	case strings.HasPrefix(table, "pg_"):
		return "pg_catalog"
	}
	return "public"
}

// frozen are pages of which rows are frozen, and these, in whole numbers: one or more of
// each page.
func frozen(pages, rowsInPage float64) (wholePages, rows int64) {
	wholePages, rows = int64(math.Round(pages)), int64(math.Round(pages*rowsInPage))
	if wholePages == 0 {
		return 0, 0
	}
	return min(wholePages, rows), rows
}

// logEvent is what the server's log tells of an event.
func (e RunEvent) logEvent() logEvent {
	n := func(x float64) int64 { return int64(math.Round(x)) }
	p := e.plan
	frozenPages, frozenRows := frozen(e.froze, e.rows/max(e.pages, 1))
	out := logEvent{
		analyze: !e.Vacuum, database: e.Database, schema: schemaOf(e.Table), table: e.Table,
		wraparound: e.Wraparound, aggressive: e.aggressive,
		indexScans:   p.indexScans,
		pagesRemoved: n(p.truncated), pagesRemain: n(e.pages - p.truncated), pagesBefore: n(e.pages), pagesScanned: n(e.read), skippedFrozen: n(e.pages - e.read),
		removed: n(e.Removed), remain: n(e.rows + e.Left), notRemovable: n(e.Left),
		cutoff: firstXID + uint32(n(e.cutoff)), cutoffAge: n(e.xidsAtEnd - e.cutoff),
		frozenPages: frozenPages, frozenRows: frozenRows, setVisible: n(e.marked + e.deadPages), setFrozen: n(e.froze),
		bypassed: p.bypassed, failsafe: e.Failsafe,
		hits: n(p.usage.Hits), misses: n(p.usage.Reads), dirtied: n(p.usage.Dirtied),
		walRecords: n(p.usage.Records), walImages: n(p.usage.Images), walBytes: n(p.usage.WALBytes),
		deadBytes: p.deadPeak, deadLimit: p.deadLimit, deadResets: max(p.indexScans-1, 0),
		elapsed: e.At.Sub(e.Start), delayed: e.delayed, delayTimed: e.delayTimed,
	}
	if e.newXID.by >= 1 {
		out.frozenXID, out.frozenAhead = firstXID+uint32(n(e.newXID.to)), n(e.newXID.by)
	}
	if e.newMulti.by >= 1 {
		out.minMulti, out.minMultiAhead = firstXID+uint32(n(e.newMulti.to)), n(e.newMulti.by)
	}
	if p.indexes > 0 || e.Failsafe {
		out.deadPages, out.deadItems = n(e.deadPages), n(e.Removed)
	}
	out.user = min(p.free, out.elapsed)
	return out
}
