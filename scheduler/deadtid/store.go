package deadtid

import (
	"iter"

	"avsim/workload/guc"
)

// Store is what VACUUM has of its dead rows.
type Store interface {
	// Add puts in the dead rows of a heap page. Blocks ascend from one call to
	// the next, and so do the offsets of a page, of which there is at least
	// one, from 1 to MaxHeapTuplesPerPage. Whatever else is a mistake of the
	// caller, and panics.
	Add(block uint32, offsets []uint16)
	// Full tells whether VACUUM goes through the indexes before it looks at
	// another page. An array that is full may lack the room for one, and Add
	// panics then; a TidStore takes more.
	Full() bool
	// Bytes are those in use: what pg_stat_progress_vacuum has as
	// dead_tuple_bytes from 17 on, and 6 for each row before. They do not fall
	// but by Reset.
	Bytes() int64
	// Limit is what Bytes is held against: memory as given to a TidStore; of
	// an array all of its slots, which are taken from the operating system at
	// the start.
	Limit() int64
	// Count is how many rows are in it.
	Count() int64
	// Reset empties it, as VACUUM does after each pass over the indexes.
	// Blocks start from any number again.
	Reset()
}

// Keeper is a store that can be asked for what was put in.
type Keeper interface {
	Store
	// Lookup tells whether a row is in it, as an index pass asks for each of
	// the index's entries.
	Lookup(block uint32, offset uint16) bool
	// Blocks are the pages and their dead rows in order, as the second heap
	// pass goes through them. The offsets are good until the next page.
	Blocks() iter.Seq2[uint32, []uint16]
}

// New makes a store that keeps account. Memory is maintenance_work_mem, or
// autovacuum_work_mem, in bytes. The size of the heap, in pages, bounds the
// array and does not matter from 17 on.
func New(v guc.Version, memory, heapPages int64) Store {
	if v.AtLeast(guc.MustVersion("17")) {
		return newAccount(v, memory)
	}
	return newArray(v, memory, heapPages)
}

// NewKeeper makes a store that keeps what is put in. It takes, of Go's memory,
// about 2 bytes for each row and 12 for each page to 16, and from 17 on about
// what PostgreSQL's would.
func NewKeeper(v guc.Version, memory, heapPages int64) Keeper {
	if v.AtLeast(guc.MustVersion("17")) {
		return newTree(v, memory)
	}
	return &keptArray{array: newArray(v, memory, heapPages)}
}
