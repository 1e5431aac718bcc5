package deadtid

import (
	"fmt"
	"iter"
	"slices"

	"avsim/workload/guc"
)

// tidBytes is an identifier in the array (ItemPointerData): 4 bytes of block, 2
// of offset.
const tidBytes = 6

// maxAllocSize is the most that palloc gives in one piece, in bytes (memutils.h).
const maxAllocSize = 1<<30 - 1

// array is the store to 16: identifiers in the order of the heap.
type array struct {
	intake
	slots int64
}

func newArray(v guc.Version, memory, heapPages int64) *array {
	return &array{slots: arraySlots(v, memory, heapPages)}
}

// arraySlots is how many identifiers the array has room for: what fits in
// memory, at most 1 GB, after the 8 bytes of header that it has from 13 on; no
// more than the heap can have, for a heap of fewer pages than the room divides
// into; and a page's at least (dead_items_max_items, before 14 lazy_space_alloc).
func arraySlots(v guc.Version, memory, heapPages int64) int64 {
	header := int64(0)
	if v.AtLeast(guc.MustVersion("13")) {
		header = 8
	}
	slots := (min(memory, maxAllocSize) - header) / tidBytes
	if slots/MaxHeapTuplesPerPage > heapPages {
		slots = heapPages * MaxHeapTuplesPerPage
	}
	return max(slots, MaxHeapTuplesPerPage)
}

// Add puts in a page's dead rows.
func (a *array) Add(block uint32, offsets []uint16) {
	a.fits(len(offsets))
	a.take(block, offsets)
}

// fits panics where so many rows do not.
func (a *array) fits(n int) {
	if left := a.slots - a.count; int64(n) > left {
		panic(fmt.Sprintf("deadtid: %d rows for %d slots: not reset when full", n, left))
	}
}

// Full tells whether the next page might not fit.
func (a *array) Full() bool { return a.slots-a.count < MaxHeapTuplesPerPage }

// Bytes are the slots in use.
func (a *array) Bytes() int64 { return a.count * tidBytes }

// Limit is all slots.
func (a *array) Limit() int64 { return a.slots * tidBytes }

// Reset empties the array.
func (a *array) Reset() { a.intake = intake{} }

// keptArray is an array that keeps the identifiers, in less than 6 bytes each:
// a page's block stands once.
type keptArray struct {
	*array
	blocks  []uint32
	ends    []int // of each block's offsets
	offsets []uint16
}

// Add puts in a page's dead rows.
func (k *keptArray) Add(block uint32, offsets []uint16) {
	k.array.Add(block, offsets)
	k.blocks = append(k.blocks, block)
	k.offsets = append(k.offsets, offsets...)
	k.ends = append(k.ends, len(k.offsets))
}

// of are the offsets of the page at a place.
func (k *keptArray) of(i int) []uint16 {
	start := 0
	if i > 0 {
		start = k.ends[i-1]
	}
	return k.offsets[start:k.ends[i]]
}

// Lookup is the binary search that an index pass makes.
func (k *keptArray) Lookup(block uint32, offset uint16) bool {
	i, found := slices.BinarySearch(k.blocks, block)
	if !found {
		return false
	}
	_, found = slices.BinarySearch(k.of(i), offset)
	return found
}

// Blocks are the pages in order.
func (k *keptArray) Blocks() iter.Seq2[uint32, []uint16] {
	return func(yield func(uint32, []uint16) bool) {
		for i, block := range k.blocks {
			if !yield(block, k.of(i)) {
				return
			}
		}
	}
}

// Reset empties the array.
func (k *keptArray) Reset() {
	k.array.Reset()
	k.blocks, k.ends, k.offsets = k.blocks[:0], k.ends[:0], k.offsets[:0]
}
