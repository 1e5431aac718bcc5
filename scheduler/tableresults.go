package scheduler

import (
	"iter"
	"math"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// TableResults are what happened to each table, in the order of the world. Those of
// tables that nothing happened to are made when they are asked for. It is not for several
// goroutines at a time.
type TableResults struct {
	kept   []*TableResult // nil for those that are made
	make   func(place int) *TableResult
	names  func(place int) string        // of those
	forced func(place int) time.Duration // likewise
	sums   *tableSums                    // nil where nobody has added them up
	places map[string]int32              // by name; nil where nobody has asked
}

// ResultsOf is a list of results.
func ResultsOf(list ...TableResult) (out TableResults) {
	for i := range list {
		out.kept = append(out.kept, &list[i])
	}
	return out
}

// Len is how many tables there are.
func (r *TableResults) Len() int { return len(r.kept) }

// At is the result of the table at a place, from 0. A change to it may be lost.
func (r *TableResults) At(place int) *TableResult {
	if t := r.kept[place]; t != nil {
		return t
	}
	return r.make(place)
}

// All goes through all of them.
func (r *TableResults) All() iter.Seq2[int, *TableResult] {
	return func(yield func(int, *TableResult) bool) {
		for i := range r.kept {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// Visited goes through those of tables that were due at some time. To the others nothing
// happened, and they do not wait.
func (r *TableResults) Visited() iter.Seq2[int, *TableResult] {
	return func(yield func(int, *TableResult) bool) {
		for i, t := range r.kept {
			if t != nil && !yield(i, t) {
				return
			}
		}
	}
}

// Named is the result of the table database.table; ok is false where there is none. The
// first time that takes as long as all tables have names.
func (r *TableResults) Named(name string) (t *TableResult, ok bool) {
	if r.places == nil {
		r.places = make(map[string]int32, len(r.kept))
		for i := range r.kept {
			r.places[r.name(i)] = int32(i)
		}
	}
	place, ok := r.places[name]
	if !ok {
		return nil, false
	}
	return r.At(int(place)), true
}

// name is the name of a table with its database's.
func (r *TableResults) name(place int) string {
	if t := r.kept[place]; t != nil {
		return t.Database + "." + t.Name
	}
	return r.names(place)
}

// Names are those of all tables, with their databases'.
func (r *TableResults) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range r.kept {
			if !yield(r.name(i)) {
				return
			}
		}
	}
}

// NextForced is TableResult.NextForced of the table at a place, and takes less time than
// all of the result.
func (r *TableResults) NextForced(place int) time.Duration {
	if t := r.kept[place]; t != nil {
		return t.NextForced
	}
	return r.forced(place)
}

// tablesAtEnd takes stock of the tables, and checks that no row was lost.
func (c *live) tablesAtEnd(now sim.Time) (err error) {
	r, at := c.result, c.atWork()
	r.Tables = TableResults{kept: make([]*TableResult, len(c.tables.kept)), sums: new(tableSums)}
	for i := range c.tables.kept {
		t := c.lookAt(int32(i))
		res := new(TableResult)
		if t.result == nil && c.waiting(t, at, now) > 0 {
			t = c.retain(t)
		}
		if t.result != nil {
			res = t.result
			r.Tables.kept[i] = res
		}
		c.atEnd(t, res, at, now)
		r.Vacuums += res.Vacuums
		r.Analyzes += res.Analyzes
		r.Wraparound += res.Wraparound
		r.Tables.sums.add(res, r.Simulated.Seconds())
		if err == nil {
			err = res.conserved()
		}
	}
	r.Tables.names = func(place int) string {
		t := c.lookAt(int32(place))
		return t.db.name + "." + c.nameOf(t)
	}
	r.Tables.forced = func(place int) time.Duration { return c.nextForced(c.lookAt(int32(place)), now) }
	r.Tables.make = func(place int) *TableResult {
		var t liveTable
		var of workload.Table
		res := new(TableResult)
		c.makeTable(int32(place), &t, &of)
		res.reset(&t, c.nameOf(&t))
		c.atEnd(&t, res, at, now)
		res.NextForced = c.nextForced(&t, now)
		return res
	}
	return err
}

// atEnd completes the result of a table.
func (c *live) atEnd(t *liveTable, res *TableResult, at map[*liveTable]bool, now sim.Time) {
	sum := t.changed(now)
	res.DeadTold, _, _ = t.statistics(c.flushes, now)
	res.DeadRows, res.LiveRows = t.deadRows(now), t.rows(now)
	res.Inserted, res.Updated, res.Deleted = sum.inserted, sum.updated, sum.deleted
	res.RowsAtStart, res.DeadAtStart = float64(t.Rows), float64(t.Dead)
	res.Removed = t.removed
	res.AllVisible = math.Min(t.stillVisible(now)/t.Pages(res.LiveRows+res.DeadRows), 1)
	if !t.Partitioned {
		res.XIDAge = c.xids(now) - t.frozen
	}
	res.Pruned = sum.updated + sum.deleted - sum.dead
	res.DeadPeak = math.Max(res.DeadPeak, res.DeadRows)
	if t.result != nil {
		res.NextForced = c.nextForced(t, now)
		res.Waiting = c.waiting(t, at, now)
	}
	if res.Dropped = t.dropped; t.dropped {
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
