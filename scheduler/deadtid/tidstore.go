package deadtid

import "avsim/workload/guc"

// tidStore is what both forms of a TidStore have: contexts and a limit.
type tidStore struct {
	intake
	contexts
	version guc.Version
	limit   int64 // bytes
}

func newTidStore(v guc.Version, memory int64) tidStore {
	return tidStore{contexts: newContexts(v, memory), version: v, limit: memory}
}

// Full tells whether the contexts have gone beyond the limit. An empty store is
// never full, however little memory there is.
func (s *tidStore) Full() bool { return s.count > 0 && s.allocated > s.limit }

// Bytes are those of all blocks.
func (s *tidStore) Bytes() int64 { return s.allocated }

// Limit is memory as it was given.
func (s *tidStore) Limit() int64 { return s.limit }

// embedded is how many offsets go into the place of a pointer: 8 bytes less
// two, by 2 each.
const embedded = 3

// wordBits are those of a word of a page's bitmap.
const wordBits = 64

// words is how many words a page's bitmap has: up to its last offset, bit 0 for
// offset 0; none where the offsets go into the place of a pointer.
func words(offsets []uint16) int { return wordsTo(len(offsets), offsets[len(offsets)-1]) }

// wordsTo is the same of n offsets to a last one.
func wordsTo(n int, last uint16) int {
	if n <= embedded {
		return 0
	}
	return int(last)/wordBits + 1
}
