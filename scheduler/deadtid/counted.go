package deadtid

import (
	"fmt"

	"avsim/workload/guc"
)

// Counter is a store that keeps account of pages of which no more is known than
// how many rows are dead and which is the last of them: all that the bytes
// depend on.
type Counter interface {
	Store
	// AddCounted puts in a page with n dead rows, of which last is the last
	// offset. What Add asks of its input holds here too.
	AddCounted(block uint32, n int, last uint16)
}

// NewCounter makes a store that keeps account, as New.
func NewCounter(v guc.Version, memory, heapPages int64) Counter {
	if v.AtLeast(guc.MustVersion("17")) {
		return newAccount(v, memory)
	}
	return newArray(v, memory, heapPages)
}

// countIn takes a page in that is known by its numbers.
func (in *intake) countIn(block uint32, n int, last uint16) {
	if int64(block) < in.next {
		panic(fmt.Sprintf("deadtid: block %d after block %d", block, in.next-1))
	}
	if n < 1 || int(last) < n || last > MaxHeapTuplesPerPage {
		panic(fmt.Sprintf("deadtid: block %d: %d rows to offset %d", block, n, last))
	}
	in.next = int64(block) + 1
	in.count += int64(n)
}

// AddCounted puts in a page's dead rows.
func (a *array) AddCounted(block uint32, n int, last uint16) {
	a.fits(n)
	a.countIn(block, n, last)
}

// AddCounted puts in a page's dead rows.
func (a *account) AddCounted(block uint32, n int, last uint16) {
	before, empty := uint32(a.next-1), a.count == 0
	a.countIn(block, n, last)
	a.place(block, before, empty)
	a.enter(wordsTo(n, last))
}
