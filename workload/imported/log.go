package imported

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"avsim/workload/guc"
	"avsim/workload/pglog"
)

// Log is what a server's log tells in all. Add takes in its events.
type Log struct {
	First, Last time.Time // of events with a time
	Counts      map[pglog.Kind]int
	Aggressive  int
	Wraparound  int
	Tables      map[string]*LogTable // by database.schema.table
	Changes     []pglog.Event        // of settings, in the order of the log
	Troubles    map[string]int       // by text

	started  string // the version, as told at a start of the server
	from, to int    // versions that the form of the blocks allows
	mixed    bool   // some blocks allow no version that others do
	runs     []run
	visits   []visit
	xids     []xidAt
	untimed  int
}

// LogTable is what the log tells of one table.
type LogTable struct {
	Database, Name                          string
	Vacuums, Analyzes, Wraparound           int
	Cancelled, Skipped                      int
	VacuumSeconds, AnalyzeSeconds, Longest  float64
	Hits, Misses, Dirtied                   int64
	Pages, Tuples, Removed, NotRemovableEnd int64 // as the last vacuum left them; Removed in all
	FirstEnd, LastEnd                       time.Time
}

// run is a vacuum or analyze that ended.
type run struct {
	start, end            time.Time
	pid                   int
	database              string
	hits, misses, dirtied int64
	buffers               bool
	delayed               time.Duration // 0 for not told
}

// visit is when a worker was first seen in a database.
type visit struct {
	at       time.Time
	pid      int
	database string
}

// xidAt is the next transaction id at an instant.
type xidAt struct {
	at  time.Time
	xid int64
}

// mostRuns bounds what is kept for inference: the first so many.
const mostRuns = 1_000_000

// Add takes in an event.
func (l *Log) Add(e *pglog.Event) {
	if l.Counts == nil {
		l.Counts = make(map[pglog.Kind]int)
		l.Tables = make(map[string]*LogTable)
		l.Troubles = make(map[string]int)
	}
	l.Counts[e.Kind]++
	if !e.At.IsZero() {
		if l.First.IsZero() || e.At.Before(l.First) {
			l.First = e.At
		}
		if e.At.After(l.Last) {
			l.Last = e.At
		}
	}
	switch e.Kind {
	case pglog.Vacuum, pglog.Analyze:
		l.addRun(e)
	case pglog.Cancelled:
		l.table(e).Cancelled++
	case pglog.Skipped:
		l.table(e).Skipped++
	case pglog.Visit:
		l.visits = append(l.visits, visit{e.At, e.PID, e.Database})
	case pglog.Setting:
		l.Changes = append(l.Changes, *e)
	case pglog.Trouble, pglog.Limit:
		if len(l.Troubles) < 1000 {
			l.Troubles[e.Text]++
		}
	case pglog.Start:
		l.started = e.Text
	}
}

func (l *Log) table(e *pglog.Event) *LogTable {
	t := l.Tables[e.Name]
	if t == nil {
		t = &LogTable{Database: e.Database, Name: e.Name}
		l.Tables[e.Name] = t
	}
	return t
}

func (l *Log) addRun(e *pglog.Event) {
	l.version(e)
	t := l.table(e)
	t.Hits, t.Misses, t.Dirtied = t.Hits+e.Hits, t.Misses+e.Misses, t.Dirtied+e.Dirtied
	if t.FirstEnd.IsZero() {
		t.FirstEnd = e.At
	}
	t.LastEnd = e.At
	if e.Kind == pglog.Analyze {
		t.Analyzes++
		t.AnalyzeSeconds += e.Elapsed.Seconds()
	} else {
		t.Vacuums++
		t.VacuumSeconds += e.Elapsed.Seconds()
		t.Longest = max(t.Longest, e.Elapsed.Seconds())
		t.Pages, t.Tuples, t.NotRemovableEnd = e.PagesRemain, e.TuplesRemain, e.NotRemovable
		t.Removed += e.TuplesRemoved
		if e.Aggressive {
			l.Aggressive++
		}
		if e.Wraparound {
			l.Wraparound++
			t.Wraparound++
		}
		l.addXID(e)
	}
	switch {
	case e.At.IsZero():
		l.untimed++
	case e.Complete && len(l.runs) < mostRuns:
		l.runs = append(l.runs, run{e.Start(), e.At, e.PID, e.Database, e.Hits, e.Misses, e.Dirtied, e.HasBuffers, e.Delayed})
	}
}

// version narrows down what version the server is of.
func (l *Log) version(e *pglog.Event) {
	from, to := max(l.from, e.From), l.to
	if e.To > 0 && (to == 0 || e.To < to) {
		to = e.To
	}
	if to > 0 && from > to {
		l.mixed = true // an upgrade, or logs of two servers
		from, to = e.From, e.To
	}
	l.from, l.to = from, to
}

// addXID notes the next transaction id: a vacuum's cutoff and how old it is.
func (l *Log) addXID(e *pglog.Event) {
	if e.CutoffAge >= 0 && e.OldestXmin > 0 && !e.At.IsZero() && len(l.xids) < mostRuns {
		l.xids = append(l.xids, xidAt{e.At, e.OldestXmin + e.CutoffAge})
	}
}

// Version is the newest version of PostgreSQL that the log can be of, and whether it
// is told: otherwise the form of the messages alone speaks for it. ok is false for a
// log without vacuums and analyzes.
func (l *Log) Version() (v guc.Version, told, ok bool) {
	if l.started != "" {
		if v, err := guc.NearestSupported(l.started); err == nil {
			return v, true, true
		}
	}
	if l.from == 0 && l.to == 0 {
		return v, false, false
	}
	newest := l.to
	if newest == 0 {
		newest = l.from
	}
	text := fmt.Sprintf("9.%d", newest-90)
	if newest >= 100 {
		text = strconv.Itoa(newest / 10)
	}
	v, err := guc.NearestSupported(text)
	return v, false, err == nil
}

// Sorted are the tables with most vacuums first, then by name.
func (l *Log) Sorted() []*LogTable {
	return slices.SortedFunc(maps.Values(l.Tables), func(a, b *LogTable) int {
		return cmp.Or(b.Vacuums-a.Vacuums, b.Analyzes-a.Analyzes, cmp.Compare(a.Name, b.Name))
	})
}
