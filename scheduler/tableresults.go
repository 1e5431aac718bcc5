package scheduler

import (
	"iter"
	"math"
	"time"

	"avsim/sim"
)

// TableResults are what happened to each table, in the order of the world. What can be
// worked out anew is, whenever somebody asks. It is not for several goroutines at a time.
type TableResults struct {
	n      int
	made   []TableResult // of a list that somebody has made
	live   *live         // of a run: its tables as they are at the end
	sums   *tableSums    // nil where nobody has added them up
	places map[string]int32
}

// ResultsOf is a list of results.
func ResultsOf(list ...TableResult) TableResults { return TableResults{n: len(list), made: list} }

// Len is how many tables there are.
func (r *TableResults) Len() int { return r.n }

// At is the result of the table at a place, from 0.
func (r *TableResults) At(place int) *TableResult {
	if r.live == nil {
		return &r.made[place]
	}
	c, id := r.live, int32(place)
	out := new(TableResult)
	t := c.lookAt(id)
	c.atEnd(t, out)
	out.NextForced = c.nextForced(t, c.sys.kernel.Now())
	out.Database, out.Name = t.db.name, c.nameOf(t)
	return out
}

// All goes through all of them.
func (r *TableResults) All() iter.Seq2[int, *TableResult] {
	return func(yield func(int, *TableResult) bool) {
		for i := range r.n {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// Visited goes through what workers did with tables that were due at some time. With the
// others they did nothing, nor do these wait.
func (r *TableResults) Visited() iter.Seq2[int, *TableVisits] {
	return func(yield func(int, *TableVisits) bool) {
		for i := range r.n {
			if t := r.Visits(i); t != nil && !yield(i, t) {
				return
			}
		}
	}
}

// Visits are those of the table at a place, nil for one that was never due.
func (r *TableResults) Visits(place int) *TableVisits {
	if r.live == nil {
		return &r.made[place].TableVisits
	}
	if t := r.live.tables.kept[place]; t != nil {
		return t.result
	}
	return nil
}

// Named is the result of the table database.table; ok is false where there is none. The
// first time that takes as long as all tables have names.
func (r *TableResults) Named(name string) (t *TableResult, ok bool) {
	if r.places == nil {
		r.places = make(map[string]int32, r.n)
		for i := range r.n {
			r.places[r.Name(i)] = int32(i)
		}
	}
	place, ok := r.places[name]
	if !ok {
		return nil, false
	}
	return r.At(int(place)), true
}

// Name is the name of the table at a place, with its database's.
func (r *TableResults) Name(place int) string {
	if r.live == nil {
		return r.made[place].Database + "." + r.made[place].Name
	}
	t := r.live.lookAt(int32(place))
	return t.db.name + "." + r.live.nameOf(t)
}

// Database is the name of the database of the table at a place.
func (r *TableResults) Database(place int) string {
	if r.live == nil {
		return r.made[place].Database
	}
	return r.live.sys.databaseOf(int32(place)).name
}

// Names are those of all tables, with their databases'.
func (r *TableResults) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range r.n {
			if !yield(r.Name(i)) {
				return
			}
		}
	}
}

// NextForced is TableResult.NextForced of the table at a place, and takes less time than
// all of the result.
func (r *TableResults) NextForced(place int) time.Duration {
	if r.live == nil {
		return r.made[place].NextForced
	}
	return r.live.nextForced(r.live.lookAt(int32(place)), r.live.sys.kernel.Now())
}

// tablesAtEnd takes stock of the tables, and checks that no row was lost.
func (c *live) tablesAtEnd(now sim.Time) (err error) {
	r, at := c.result, c.atWork()
	r.Tables = TableResults{n: len(c.tables.kept), live: c, sums: new(tableSums)}
	var res TableResult
	for i := range c.tables.kept {
		t := c.lookAt(int32(i))
		if waits := c.waiting(t, at, now); waits > 0 {
			t = c.retain(t)
			t.result.Waiting = waits
			c.lateFull += c.full.between(now.Add(-inSeconds(waits)), now)
		}
		c.atEnd(t, &res)
		r.Vacuums += res.Vacuums
		r.Analyzes += res.Analyzes
		r.Wraparound += res.Wraparound
		r.Tables.sums.add(&res, r.Simulated.Seconds())
		if err == nil && res.conserved() != nil {
			err = r.Tables.At(i).conserved() // with its name
		}
	}
	return err
}

// atEnd makes res the result of a table, but for names and NextForced.
func (c *live) atEnd(t *liveTable, res *TableResult) {
	now := c.sys.kernel.Now()
	sum := t.changed(now)
	*res = TableResult{
		Inserted: sum.inserted, Updated: sum.updated, Deleted: sum.deleted,
		RowsAtStart: float64(t.Rows), DeadAtStart: float64(t.Dead),
		Removed: t.removed, Pruned: sum.updated + sum.deleted - sum.dead, Dropped: t.dropped,
	}
	if res.TableVisits.reset(); t.result != nil {
		res.TableVisits = *t.result
	}
	res.DeadTold, _, _ = t.statistics(c.flushes, now)
	res.DeadRows, res.LiveRows = t.deadRows(now), t.rows(now)
	res.AllVisible = math.Min(t.stillVisible(now)/t.Pages(res.LiveRows+res.DeadRows), 1)
	if !t.Partitioned {
		res.XIDAge = c.xids(now) - t.frozen
	}
	res.DeadPeak = math.Max(res.DeadPeak, res.DeadRows)
	if t.dropped {
		res.DeadTold, res.DeadRows, res.LiveRows = 0, 0, 0
	}
}

// tableSums are figures of all tables together.
type tableSums struct {
	removed, dead, live, indexPages, vacuuming, oldest float64
	indexScans                                         int
	// The time for which tables that have something to wait for could have, and of it
	// that for which they were due, in seconds.
	waits, late float64
}

// add adds a table's result of a run of so many seconds.
func (s *tableSums) add(t *TableResult, seconds float64) {
	s.removed, s.dead, s.live = s.removed+t.Removed, s.dead+t.DeadRows, s.live+t.LiveRows
	s.indexPages, s.vacuuming, s.indexScans = s.indexPages+t.IndexPages, s.vacuuming+t.VacuumSeconds, s.indexScans+t.IndexScans
	s.oldest = math.Max(s.oldest, t.XIDAge)
	if t.DeadRows < 1 && t.Inserted+t.Updated+t.Deleted == 0 && t.Waiting == 0 { // all done
		return
	}
	s.waits += math.Max(seconds-t.VacuumSeconds, 0)
	s.late += t.Waiting
	for _, x := range t.Lateness {
		s.late += x
	}
}

// tableSums adds up the tables, once.
func (r *RunResult) tableSums() *tableSums {
	if r.Tables.sums == nil {
		r.Tables.sums = new(tableSums)
		for _, t := range r.Tables.All() {
			r.Tables.sums.add(t, r.Simulated.Seconds())
		}
	}
	return r.Tables.sums
}
