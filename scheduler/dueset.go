package scheduler

import (
	"slices"

	"avsim/sim"
)

// dueSet are the tables of a database that were found due and of which nothing has been
// told since, in the order of the catalogue, by runs of neighbours. Workers' lists share
// the runs: one that is on a list is copied before it changes. So a hundred workers with a
// million tables each cost little more than one.
type dueSet struct {
	first int32 // of the database's tables
	runs  []dueRun
	size  int
}

// dueRun are the due ones of runTables tables.
type dueRun struct {
	tables []int32
	lent   bool     // a list has them
	asOf   sim.Time // the newest statistics by which one of them was found due
}

// runTables is a power of two: with runs of 4 kB a change costs no more than a look at
// the statistics.
const runTables = 1024

// run is that of a table.
func (s *dueSet) run(table int32) *dueRun {
	i := int(table-s.first) / runTables
	if i >= len(s.runs) {
		s.runs = append(s.runs, make([]dueRun, i+1-len(s.runs))...)
	}
	return &s.runs[i]
}

// own makes a run one that may change.
func (r *dueRun) own() {
	if r.lent {
		r.tables, r.lent = slices.Clone(r.tables), false
	}
}

// add puts in a table that is due by statistics of an instant.
func (s *dueSet) add(table int32, stamp sim.Time) {
	r := s.run(table)
	r.asOf = max(r.asOf, stamp)
	i, there := slices.BinarySearch(r.tables, table)
	if there {
		return
	}
	r.own()
	r.tables = slices.Insert(r.tables, i, table)
	s.size++
}

// remove takes out a table that is in it.
func (s *dueSet) remove(table int32) {
	r := s.run(table)
	i, _ := slices.BinarySearch(r.tables, table)
	r.own()
	r.tables = slices.Delete(r.tables, i, i+1)
	s.size--
}

// doubtful adds to tables, in order, those that statistics of an instant may show as not
// due: of runs with one that was found due by newer ones only; all, if pruning or a
// falling limit may have changed what was.
func (s *dueSet) doubtful(tables []int32, stamp sim.Time, all bool) []int32 {
	n := len(tables)
	for i := range s.runs {
		if r := &s.runs[i]; all || stamp < r.asOf {
			tables = append(tables, r.tables...)
		}
	}
	if len(tables) > n {
		slices.Sort(tables)
	}
	return tables
}

// list lends all runs, those apart to which others in order belong that are not in the
// set.
func (s *dueSet) list(others []int32) (out [][]int32) {
	if n := len(others); n > 0 {
		s.run(others[n-1])
	}
	out = make([][]int32, 0, len(s.runs))
	for i := range s.runs {
		r := &s.runs[i]
		n, _ := slices.BinarySearch(others, s.first+int32(i+1)*runTables)
		switch {
		case n > 0:
			out = append(out, slices.Concat(r.tables, others[:n]))
			slices.Sort(out[len(out)-1])
			others = others[n:]
		case len(r.tables) > 0:
			r.lent = true
			out = append(out, r.tables)
		}
	}
	return out
}

// clear empties it.
func (s *dueSet) clear() { s.runs, s.size = nil, 0 }
