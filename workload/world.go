package workload

import (
	"math"
	"time"
)

// World is what is in a server's databases when a run starts, and what is done
// to it.
type World struct {
	Databases []Database
	Obstacles Obstacles
}

// Tables is how many there are, TOAST tables included.
func (w *World) Tables() (n int) {
	for i := range w.Databases {
		n += w.Databases[i].Tables.Len()
	}
	return n
}

// Database is one database. They stand in the order of pg_database, of which a
// launcher that has just started visits the last first.
type Database struct {
	Name   string
	Tables Tables // in the order of pg_class, TOAST tables included
	// XIDsPerSecond is how fast transaction ids are used up by this database's
	// sessions; they age every table of every database.
	XIDsPerSecond Rate
	// MultisPerSecond is the same of multixact ids.
	MultisPerSecond Rate
	// MembersPerMulti is how many transactions share a multixact, on average; 0 where
	// members are not followed.
	MembersPerMulti float64
	// Template: datistemplate, or connections are not allowed: vacuums there
	// freeze all that they can (freeze ages of zero).
	Template bool
	// ConnectTime is how long a worker takes to start, beside the host's own time: until
	// then no other starts.
	ConnectTime time.Duration
}

// StatsEntries is how many relations the statistics know: tables that were ever used,
// each with its indexes. At the start; who comes later is taken to be of them.
func (d *Database) StatsEntries() (n int) {
	var t Table
	for i := range d.Tables.Len() {
		if d.Tables.Fill(i, &t); !t.NoStats || !t.Activity.Idle() {
			n += 1 + t.Indexes
		}
	}
	return n
}

// Idle tells whether nobody does anything in it.
func (d *Database) Idle() bool {
	var t Table
	for i := range d.Tables.Len() {
		if d.Tables.Fill(i, &t); !t.Activity.Idle() {
			return false
		}
	}
	uses := func(r Rate) bool { return r != nil && r.Most(0) > 0 }
	return !uses(d.XIDsPerSecond) && !uses(d.MultisPerSecond)
}

// Table is one table, as it stands when a run starts.
type Table struct {
	Name string
	// SQLName is its name in SQL, quoted and with its schema, where Name does not tell.
	SQLName string
	// ToastOf is the place of the main table in Database.Tables for a TOAST
	// table, -1 for others.
	ToastOf int
	// Rows is the number of live rows, RowBytes the mean width of one with its
	// header and line pointer, Fillfactor a percentage.
	Rows       int64
	RowBytes   int
	Fillfactor int
	Indexes    int
	// Reltuples is pg_class.reltuples, -1 for a table that was never vacuumed or
	// analyzed; Relallvisible the share of pages in the visibility map, 0 to 1.
	Reltuples  float64
	AllVisible float64
	// AllFrozen is the share of pages that are all-frozen too.
	AllFrozen float64
	// Dead, ModsSinceAnalyze and InsertsSinceVacuum are what the statistics say.
	Dead, ModsSinceAnalyze, InsertsSinceVacuum int64
	// XIDAge and MultiAge are the ages of relfrozenxid and relminmxid.
	XIDAge, MultiAge int64
	// Temporary is a session's own table: no worker looks at it, but it is as old as
	// its transaction ids. One that is Orphaned is left by a session that crashed:
	// the next worker of its database drops it.
	Temporary, Orphaned bool
	// Partitioned is the parent of partitions (relkind p): autovacuum passes it by, and it
	// has no age.
	Partitioned bool
	// ForcedAge, if not nil, is an autovacuum_freeze_max_age of the table below what
	// PostgreSQL allows, as forks have had it.
	ForcedAge *int64
	// NoStats: the table has no entry in the statistics until something is done.
	NoStats bool
	// Options are storage parameters by name, as text in PostgreSQL's units.
	Options  map[string]string
	Activity Activity
}

// usable is what a heap page of 8 kB has for rows.
const usable = 8192 - 24

// Pages is the number of heap pages that so many rows take.
func (t *Table) Pages(rows float64) float64 {
	return math.Max(math.Ceil(rows/t.RowsInPage()), 1)
}

// RowsInPage is how many rows a heap page takes, at least 1.
func (t *Table) RowsInPage() float64 {
	return math.Max(1, math.Floor(usable*float64(t.Fillfactor)/100/float64(max(t.RowBytes, 1))))
}

// indexEntryBytes is an index entry of an 8-byte key with its line pointer, in
// pages filled to 90 %.
const indexEntryBytes = 20 / 0.9

// IndexPages is the number of pages of all indexes over so many rows.
func (t *Table) IndexPages(rows float64) float64 {
	return float64(t.Indexes) * math.Max(math.Ceil(rows*indexEntryBytes/usable)+1, 2)
}
