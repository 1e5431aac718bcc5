package vacuum

// Table is what a VACUUM finds. Pages and rows are expectations.
type Table struct {
	// Pages are those of the heap; Skippable those that the visibility map lets
	// VACUUM skip (all-visible ones, for an aggressive one all-frozen ones),
	// spread at random among the others unless they are Together, in one run. Of
	// the others so many may be AtEnd, side by side, as pages just added are.
	Pages, Skippable, AtEnd float64
	Together                bool
	// Dead are the row versions to be removed, at DeadPages pages; 0 pages for
	// as many as Spread makes it. Marked are the pages without any that are set
	// all-visible or frozen, and Frozen those of all that get rows frozen.
	Dead, DeadPages float64
	Marked, Frozen  float64
	// RowsPerPage is how many line pointers a full page has, 1 to 291.
	RowsPerPage int
	Spread      Spread
	// Seed is that of the random places of dead rows.
	Seed uint64
	// EmptyTail are the pages at the end of the heap that have no row left
	// after the VACUUM.
	EmptyTail float64
	// RowBytes is the mean width of a row with its line pointer.
	RowBytes float64

	Indexes []Index

	// What of the pages with dead rows, of those to be marked, and of the
	// others that are read is in memory.
	DeadCache, MarkedCache, RestCache Cache
}

// Index is an index of the table.
type Index struct {
	Pages float64
	// Correlated: its order is that of the heap, so that entries of pages side
	// by side are side by side. Otherwise they are spread at random.
	Correlated bool
	// Emptied are the pages that have no entry left and are deleted.
	Emptied float64
	// Grown is how many entries were inserted since the last clean-up, as a
	// share of all: to 13 it decides on a clean-up of its own.
	Grown float64
	Cache Cache
}

// Cache is what of some pages is where, as shares from 0 to 1.
type Cache struct {
	Cached float64 // in shared buffers
	Dirty  float64 // in shared buffers and changed since they were last written; at most Cached
	Logged float64 // changed since the last checkpoint began: the next change writes no image of the page
	InOS   float64 // of those not in shared buffers, in the operating system's cache
}

// All is a table that is all in shared buffers and clean.
func All() Cache { return Cache{Cached: 1} }
