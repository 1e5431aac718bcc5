package pgexport

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"avsim/workload/guc"
)

// Export is what a server told of itself, at one time or several.
type Export struct {
	// First and Last are the times of the earliest and the latest rows; zero where no
	// row has a time.
	First, Last time.Time
	Version     guc.Version
	Settings    []Setting
	Databases   []*Database // in the order of pg_database where it is told

	Files []string // that were read
	// Notes tell what was left out or is doubtful, a line each.
	Notes []string
	// Bad are rows that could not be read, with the first of them.
	Bad      int
	BadFirst []string
	// Dropped counts relations that autovacuum does not look at, by relkind.
	Dropped map[string]int

	databases map[string]*Database
	version   string // as the server writes it
}

// Setting is a row of pg_settings: the value in the setting's own unit.
type Setting struct{ Name, Value, Unit, Source string }

// Database is one database.
type Database struct {
	Name       string
	OID        int64
	XIDAge     int64
	MultiAge   int64
	Template   bool // datistemplate, or no connections allowed
	NoStats    bool // the statistics know nothing of it: no worker comes
	StatsReset time.Time
	// XIDs are readings of the next transaction id, in the order of time.
	XIDs   []Reading
	Tables []*Table // in the order of pg_class, as far as it is told
	// First and Last are the times of the earliest and the latest rows of its tables.
	First, Last time.Time
	// Listed: it is in the export's list of databases.
	Listed bool

	tables map[string]*Table
}

// Reading is a number at an instant.
type Reading struct {
	At    time.Time
	Value int64
}

// Table is a table, materialized view, TOAST table or catalogue.
type Table struct {
	OID          int64
	Schema, Name string
	Kind         string // relkind: r, m or t
	Place        int64  // in pg_class; 0 for unknown
	Toast        int64  // oid of its TOAST table, 0 for none
	Shared       bool   // one for all databases
	Temporary    bool
	Indexes      int
	IndexPages   int64
	RowWidth     float64 // of the data of a row, 0 for unknown
	Bytes        int64   // pg_table_size, TOAST included, 0 for unknown
	Options      [][2]string

	// First and Last are its counters; equal where it stands at one time only.
	First, Last Counters
	// Backwards: a counter fell between two times, so that First is from after that.
	Backwards bool
	// Gone: it is not in the last complete export.
	Gone bool

	complete time.Time // the last complete export that has it
	untimed  Counters  // of a file without times
}

// Counters are what the statistics and pg_class tell of a table at an instant; -1
// stands for what is not told.
type Counters struct {
	At                                    time.Time
	Inserted, Updated, Deleted            int64
	HOT, NewPage                          int64
	Live, Dead, Mods, InsertedSinceVacuum int64
	Vacuums, Autovacuums, Autoanalyzes    int64
	Reltuples, Pages                      float64
	AllVisible, AllFrozen                 int64 // pages
	XIDAge, MultiAge                      int64
	LastAutovacuum                        time.Time
}

// none are counters of which nothing is told.
var none = Counters{
	Inserted: -1, Updated: -1, Deleted: -1, HOT: -1, NewPage: -1, Live: -1, Dead: -1, Mods: -1, InsertedSinceVacuum: -1,
	Vacuums: -1, Autovacuums: -1, Autoanalyzes: -1, Reltuples: -1, Pages: -1, AllVisible: -1, AllFrozen: -1, XIDAge: -1, MultiAge: -1,
}

// database is the one of that name, made where it is new.
func (e *Export) database(name string) *Database {
	if d := e.databases[name]; d != nil {
		return d
	}
	if e.databases == nil {
		e.databases = make(map[string]*Database)
	}
	d := &Database{Name: name, tables: make(map[string]*Table)}
	e.databases[name] = d
	e.Databases = append(e.Databases, d)
	return d
}

// note tells something once.
func (e *Export) note(form string, args ...any) {
	text := fmt.Sprintf(form, args...)
	if !slices.Contains(e.Notes, text) {
		e.Notes = append(e.Notes, text)
	}
}

// seen widens the span of time.
func (e *Export) seen(at time.Time) { widen(&e.First, &e.Last, at) }

func widen(first, last *time.Time, at time.Time) {
	if at.IsZero() {
		return
	}
	if first.IsZero() || at.Before(*first) {
		*first = at
	}
	if at.After(*last) {
		*last = at
	}
}

// Twice tells whether the tables of a database stand at two times.
func (d *Database) Twice() bool { return d.Last.Sub(d.First) >= time.Second }

// Finish sorts what was read, and refuses an export without tables or version.
func (e *Export) Finish() error {
	tables := 0
	for _, d := range e.Databases {
		d.finish(e)
		tables += len(d.Tables)
	}
	if tables == 0 {
		return errors.New("no table in the export; accepted are CSV files with a header that names relname and columns of pg_class or pg_stat_all_tables ('avsim import sql' prints queries that make them)")
	}
	if e.version == "" {
		return errors.New("no version of PostgreSQL in the export: it stands in the settings, as server_version; give it by --pg")
	}
	v, err := guc.NearestSupported(cleanVersion(e.version))
	if err != nil {
		return fmt.Errorf("server_version: %w", err)
	}
	if exact, err := guc.ParseVersion(cleanVersion(e.version)); err != nil || exact != v {
		e.note("PostgreSQL %s is not modelled; %s is taken for it", e.version, v)
	}
	e.Version = v
	return nil
}

// SetVersion overrides what the settings tell.
func (e *Export) SetVersion(v guc.Version) { e.version = v.String() }

// cleanVersion drops what distributions add: 15.18 (Debian 15.18-0+deb12u1), and makes
// a released version of 19beta1.
func cleanVersion(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	for _, word := range []string{"beta", "rc", "devel", "alpha"} {
		text, _, _ = strings.Cut(text, word)
	}
	return text
}

// finish drops tables that are gone, and puts the others in order.
func (d *Database) finish(e *Export) {
	latest := time.Time{}
	for _, t := range d.Tables {
		if t.complete.After(latest) {
			latest = t.complete
		}
	}
	if latest.IsZero() && !d.First.IsZero() { // rows of what has changed only
		d.First, d.Last = e.First, e.Last
	}
	gone := 0
	d.Tables = slices.DeleteFunc(d.Tables, func(t *Table) bool {
		t.Gone = !t.complete.IsZero() && t.complete.Before(latest)
		if t.Gone {
			gone++
		}
		return t.Gone
	})
	if gone > 0 {
		e.note("database %q: %d tables of the first export are not in the last one; left out", d.Name, gone)
	}
	slices.SortStableFunc(d.Tables, func(a, b *Table) int {
		if a.Place != b.Place {
			return int(max(min(a.Place-b.Place, 1), -1))
		}
		return int(max(min(a.OID-b.OID, 1), -1))
	})
	backwards, new := 0, 0
	for _, t := range d.Tables {
		switch {
		case t.Backwards:
			backwards++
		case t.First.At.After(d.First) && d.Twice():
			t.begin(d.First)
			new++
		}
	}
	if new > 0 {
		e.note("database %q: tables that stand in later rows only: %d; what they count is taken to have happened since the first", d.Name, new)
	}
	if backwards > 0 {
		e.note("database %q: tables whose counters went backwards, as when statistics are reset: %d; what came before is left out", d.Name, backwards)
	}
}

// begin gives a table that the first rows do not have, since it was not there or had
// not changed, counters of then: none, but for the rows and changes that it is known
// to have had by a file without a time.
func (t *Table) begin(at time.Time) {
	rows := max(t.untimed.Live, 0)
	if t.complete.IsZero() && t.untimed.Live < 0 {
		rows = max(t.First.Inserted, 0)
	}
	changes := max(t.untimed.Dead, t.untimed.Mods, 0)
	updates := min(changes, max(t.Last.Updated, 0))
	share := float64(updates) / float64(max(t.Last.Updated, 1))
	t.First.At = at
	t.First.Inserted, t.First.Updated, t.First.Deleted = min(rows, t.Last.Inserted), updates, min(changes-updates, max(t.Last.Deleted, 0))
	t.First.HOT, t.First.NewPage = int64(share*float64(max(t.Last.HOT, 0))), int64(share*float64(max(t.Last.NewPage, 0)))
}

// Setting is the value of a setting, in its own unit.
func (e *Export) Setting(name string) (string, bool) {
	for _, s := range e.Settings {
		if s.Name == name {
			return s.Value, true
		}
	}
	return "", false
}
