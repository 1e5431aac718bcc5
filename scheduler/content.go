package scheduler

// content is what is in the databases: it knows what the statistics say, what
// needs work, and how the work is done.
type content interface {
	// due lists the tables of a worker's database that need work by its
	// snapshot, in the order of the pg_class scan: in parts that other lists may
	// share, and that are only to be read.
	due(w *worker) [][]int32
	// needs tells what work a table needs by the worker's snapshot.
	needs(w *worker, table int32) need
	// done tells whether a table needs nothing by the newest statistics, and never
	// will but for what others do to it meanwhile.
	done(table int32) bool
	// facts are what a strategy may order a table of the worker's list by.
	facts(w *worker, table int32) Facts
	// begins and ends are told of a worker's visit to a table.
	begins(w *worker, table int32)
	ends(w *worker, table int32)
	// perform does the work, and tells the statistics.
	perform(w *worker, table int32, n need)
	// reported takes in what a vacuum or analyze reported; taken is the number of
	// reports so far, this one included.
	reported(r report, taken uint32)
}

// report is what a vacuum or analyze says about its table at its end.
type report struct {
	table           int32
	vacuum, analyze bool
	live, dead      float64 // rows, as the vacuum or the analyze found them
}

// any tells whether there is something to do.
func (n need) any() bool { return n.vacuum || n.analyze }
