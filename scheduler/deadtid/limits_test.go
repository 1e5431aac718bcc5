package deadtid_test

import (
	"testing"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
)

// The slots of the array: memory by 6 bytes, the header of 13, 1 GB less a byte
// at most (178,956,970 identifiers, as the 1 GB limit is told in the thread on
// its end), 291 for each page.
func TestArraySlots(t *testing.T) {
	const large = 100_000_000 // pages
	for _, c := range []struct {
		version       string
		memory, pages int64
		want          int64
	}{
		{"9.3", 64 << 20, large, 11_184_810},
		{"12", 64 << 20, large, 11_184_810},
		{"13", 64 << 20, large, 11_184_809},
		{"16", 64 << 20, large, 11_184_809},
		{"12", 1 << 30, large, 178_956_970},
		{"13", 1 << 30, large, 178_956_969},
		{"16", 8 << 30, large, 178_956_969},
		{"16", 64 << 20, 10_000, 2_910_000},
		{"16", 64 << 20, 0, 291},
		{"16", 0, large, 291},
		// 11,184,809 is 38,435 pages of 291 and 224 more: a heap of 38,435 pages
		// is not below the quotient, and has those as well.
		{"16", 64 << 20, 38_435, 11_184_809},
		{"16", 64 << 20, 38_434, 38_434 * 291},
	} {
		for form, s := range forms(c.version, c.memory, c.pages) {
			if got := s.Limit(); got != 6*c.want {
				t.Errorf("PostgreSQL %s, %s, %d bytes of memory, %d pages: room for %d bytes, want %d of 6", c.version, form, c.memory, c.pages, got, c.want)
			}
		}
	}
}

// A pass begins when fewer than 291 slots are left, not when the next page's
// rows do not fit.
func TestArrayKeepsRoomForAPage(t *testing.T) {
	for form, s := range forms("16", 1000*6+8, 1<<20) {
		for block := range uint32(10) {
			s.Add(block, offsetsFrom(1, 70, 1))
		}
		if s.Full() { // 300 left
			t.Errorf("%s: full with %d of %d bytes", form, s.Bytes(), s.Limit())
		}
		s.Add(10, offsetsFrom(1, 9, 1))
		if s.Full() { // 291 left
			t.Errorf("%s: full with %d of %d bytes, a page still fits", form, s.Bytes(), s.Limit())
		}
		s.Add(11, offsetsFrom(1, 1, 1))
		if !s.Full() {
			t.Errorf("%s: not full with %d of %d bytes, a page may not fit", form, s.Bytes(), s.Limit())
		}
		if !panics(func() { s.Add(12, offsetsFrom(1, 291, 1)) }) {
			t.Errorf("%s: took 291 rows more than there is room for", form)
		}
	}
}

// addRows puts rows of a table with so many dead on each page in, with passes
// as they become due, and returns how many there are with the last.
func addRows(s deadtid.Store, rows, aPage int) (passes int) {
	offsets := offsetsFrom(1, aPage, 1)
	for block := range uint32(rows / aPage) {
		if s.Full() {
			s.Reset()
			passes++
		}
		s.Add(block, offsets)
	}
	return passes + 1
}

// 100 million dead rows are 600 MB; 200 million are more than the 1 GB that the
// array may have, whatever memory there is, and no matter for a TidStore.
func TestHundredsOfMillions(t *testing.T) {
	if testing.Short() {
		t.Skip("20 million pages a store")
	}
	for _, version := range []string{"12", "16"} {
		s := deadtid.New(guc.MustVersion(version), 1<<30, 100_000_000)
		if n := addRows(s, 100_000_000, 10); n != 1 || s.Bytes() != 600_000_000 {
			t.Errorf("PostgreSQL %s: 100 million rows: %d passes, %d bytes, want one and 600,000,000", version, n, s.Bytes())
		}
		s.Reset()
		if n := addRows(s, 200_000_000, 10); n != 2 {
			t.Errorf("PostgreSQL %s: 200 million rows in 1 GB: %d passes, want 2", version, n)
		}
	}
	s := deadtid.New(guc.MustVersion("18"), 1<<30, 0)
	if n := addRows(s, 200_000_000, 10); n != 1 {
		t.Errorf("PostgreSQL 18: 200 million rows in 1 GB: %d passes, want 1 (%d bytes)", n, s.Bytes())
	}
}

// The least memory, 64 kB from 17.3 on, by hand. The first block of the entries
// and a block of class 4 are there at the start: 16 kB. Embedded rows add
// nothing but nodes: 8 kB for class 16lo with the fifth page, 16 kB for 16hi
// with the 17th, 32 kB for 48 with the 33rd: 72 kB. At its limit a store is not
// full yet, and an empty one never, even if it is over it from the start.
func TestTidStoreInLittleMemory(t *testing.T) {
	for form, s := range forms("18", 64<<10, 0) {
		want := map[uint32]int64{0: 16 << 10, 4: 24 << 10, 16: 40 << 10, 32: 72 << 10}
		bytes := int64(0)
		for block := range uint32(33) {
			if s.Full() {
				t.Fatalf("%s: full before page %d, with %d bytes", form, block, s.Bytes())
			}
			s.Add(block, []uint16{7})
			if x, ok := want[block]; ok {
				bytes = x
			}
			if s.Bytes() != bytes {
				t.Errorf("%s: %d bytes with page %d, want %d", form, s.Bytes(), block, bytes)
			}
		}
		if !s.Full() {
			t.Errorf("%s: %d bytes of %d and not full", form, s.Bytes(), s.Limit())
		}
	}
	for form, s := range forms("18", 16<<10, 0) {
		if s.Add(0, []uint16{1}); s.Full() {
			t.Errorf("%s: %d bytes of as many and full", form, s.Bytes())
		}
	}
	for form, s := range forms("18", 0, 0) {
		if s.Full() {
			t.Errorf("%s: empty and full: VACUUM would not get on", form)
		}
		if s.Add(0, []uint16{1}); !s.Full() {
			t.Errorf("%s: %d bytes of none and not full", form, s.Bytes())
		}
	}
}
