package deadtid

import "fmt"

// MaxHeapTuplesPerPage is the most line pointers that a heap page of 8 kB has:
// 8192 bytes less a header of 24, by 4 of a line pointer and 24 of a row
// without columns (htup_details.h).
const MaxHeapTuplesPerPage = (8192 - 24) / (4 + 24)

// intake looks at what comes in: pages in order, each with rows in order.
type intake struct {
	next  int64 // the lowest block that may come
	count int64 // rows so far
}

// Count is how many rows came in.
func (in *intake) Count() int64 { return in.count }

func (in *intake) take(block uint32, offsets []uint16) {
	if int64(block) < in.next {
		panic(fmt.Sprintf("deadtid: block %d after block %d", block, in.next-1))
	}
	if len(offsets) == 0 {
		panic(fmt.Sprintf("deadtid: block %d without dead rows", block))
	}
	last := uint16(0)
	for _, offset := range offsets {
		if offset <= last {
			panic(fmt.Sprintf("deadtid: block %d: offset %d after %d", block, offset, last))
		}
		last = offset
	}
	if last > MaxHeapTuplesPerPage {
		panic(fmt.Sprintf("deadtid: block %d: offset %d, a page has no more than %d", block, last, MaxHeapTuplesPerPage))
	}
	in.next = int64(block) + 1
	in.count += int64(len(offsets))
}
