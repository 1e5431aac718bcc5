package workload

import (
	"math/rand/v2"
	"slices"
)

// FirstRelid is the oid of the first table of a population: PostgreSQL's
// FirstNormalObjectId, the first oid that user objects get.
const FirstRelid = 16384

// Counts is what the cumulative statistics say about one table.
type Counts struct {
	// LiveTuples is n_live_tup.
	LiveTuples int64
	// DeadTuples is n_dead_tup.
	DeadTuples int64
}

// Population is a number of equal tables in one database: the state of BUG
// #13750, in which autovacuum was off for a while and all tables, or a share
// of them, have dead rows. Tables that are not due stand in the statistics
// like all others, but in no worker's list.
type Population struct {
	// Tables is the number of tables, 1 or more.
	Tables int
	// DueShare is the share of tables with dead rows, 0 to 1.
	DueShare float64
	// LiveTuples is the number of live rows of every table, and its reltuples.
	LiveTuples int64
	// DeadTuples is the number of dead rows of a table that is due.
	DeadTuples int64
}

// TinyTables is the population of the recorded runs: n tables of one live row,
// of which the share due has one dead row.
func TinyTables(n int, due float64) Population {
	return Population{Tables: n, DueShare: due, LiveTuples: 1, DeadTuples: 1}
}

// Counts returns the statistics of each table, in the order of pg_class, which
// is that of the oids as tables are made one after the other. Which tables are
// due is drawn from r: a sample of exactly the share, rounded.
func (p Population) Counts(r *rand.Rand) []Counts {
	all := make([]Counts, p.Tables)
	for i := range all {
		all[i].LiveTuples = p.LiveTuples
	}
	n := int(float64(p.Tables)*p.DueShare + 0.5)
	if n >= p.Tables {
		for i := range all {
			all[i].DeadTuples = p.DeadTuples
		}
		return all
	}
	for _, i := range p.due(n, r) {
		all[i].DeadTuples = p.DeadTuples
	}
	return all
}

// due draws n tables with dead rows, which are not all.
func (p Population) due(n int, r *rand.Rand) []int {
	order := make([]int, p.Tables)
	for i := range order {
		order[i] = i
	}
	// The first n places of a shuffle are a sample without replacement.
	for i := range n {
		j := i + r.IntN(p.Tables-i)
		order[i], order[j] = order[j], order[i]
	}
	sample := order[:n]
	slices.Sort(sample)
	return sample
}
