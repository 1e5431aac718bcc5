package pglog

import (
	"strings"
	"time"
)

// Kind is what a message tells of.
type Kind string

// The kinds.
const (
	Vacuum    Kind = "vacuum"    // an automatic vacuum that ended
	Analyze   Kind = "analyze"   // an automatic analyze that ended
	Cancelled Kind = "cancelled" // one that somebody's lock request ended
	Skipped   Kind = "skipped"   // a table that was locked, or gone
	Failsafe  Kind = "failsafe"  // vacuum_failsafe_age was exceeded
	Visit     Kind = "visit"     // a worker came to a database (DEBUG1)
	Limit     Kind = "limit"     // the server warns that transaction ids run out
	Trouble   Kind = "trouble"   // anything else that autovacuum complains of
	Killed    Kind = "killed"    // a worker was ended by the administrator
	Setting   Kind = "setting"   // a reload changed a parameter
	Start     Kind = "start"     // the server started
)

// Kinds are all kinds.
var Kinds = []Kind{Vacuum, Analyze, Cancelled, Skipped, Failsafe, Visit, Limit, Trouble, Killed, Setting, Start}

// Event is what one message tells. Numbers that the version does not log are
// zero, save for those that say otherwise.
type Event struct {
	Kind Kind
	// At is when it was logged: the end of a vacuum or analyze. Zero where the line
	// has no time.
	At time.Time
	// PID is that of the worker, 0 where the line has none.
	PID int
	// Name is database.schema.table as logged, without quoting; of a skipped table
	// PostgreSQL logs the table's own name only. Database, Schema and Table are its
	// parts, taking the first two dots as the ones that separate them.
	Name                    string
	Database, Schema, Table string
	// OfAnalyze: what was cancelled or skipped was an analyze.
	OfAnalyze bool
	// Text is the message of a Trouble or a Limit, a Skipped table's reason, the name
	// of a Setting, the version at a Start.
	Text string
	// Value is a setting's new value.
	Value string

	// Of a vacuum.
	Aggressive, Wraparound             bool
	IndexScans                         int
	PagesRemoved, PagesRemain          int64
	PagesScanned                       int64 // from 15; -1 where not logged
	SkippedPins, SkippedFrozen         int64 // pages, 9.5 to 14
	TuplesRemoved, TuplesRemain        int64
	NotRemovable                       int64
	OldestXmin                         int64 // or removable cutoff; from 10
	CutoffAge                          int64 // in transaction ids, from 15; -1 where not logged
	NewRelfrozenxid, NewRelminmxid     int64 // 0 where they stay, from 15
	FrozenPages, FrozenTuples          int64 // from 16
	DeadPages, DeadItems               int64 // from 14
	IndexScanBypassed, FailsafeReached bool
	Indexes                            int   // that were scanned, from 14
	IndexPages                         int64 // of all of them
	DeadItemResets                     int   // from 19

	// Of a vacuum and, from 14, of an analyze.
	Hits, Misses, Dirtied           int64
	HasBuffers                      bool
	ReadRate, WriteRate             float64       // MB/s
	Delayed                         time.Duration // slept for the cost limit; with track_cost_delay_timing, from 18
	HasDelayed                      bool
	IORead, IOWrite                 time.Duration // with track_io_timing, from 14
	WALRecords, WALImages, WALBytes int64

	// Of both, in hundredths of a second.
	User, System, Elapsed time.Duration
	// Complete: the message has its last line, with the times.
	Complete bool

	// From and To are the oldest and newest version that logs such a block, as 94 for
	// 9.4 and 130 for 13; 0 where nothing tells.
	From, To int
}

// atLeast and atMost narrow the version down.
func (e *Event) atLeast(version int) { e.From = max(e.From, version) }

func (e *Event) atMost(version int) {
	if e.To == 0 || version < e.To {
		e.To = version
	}
}

// Start is when a vacuum or analyze began, to the hundredth of a second below.
func (e *Event) Start() time.Time { return e.At.Add(-e.Elapsed) }

// named splits database.schema.table.
func (e *Event) named(name string) {
	e.Name = name
	parts := strings.SplitN(name, ".", 3)
	if len(parts) == 3 {
		e.Database, e.Schema, e.Table = parts[0], parts[1], parts[2]
		return
	}
	e.Table = name
}
