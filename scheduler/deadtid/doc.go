// Package deadtid has the stores in which VACUUM collects the identifiers of
// dead rows (block and offset) until it goes through the indexes: the array of
// PostgreSQL 9.3 to 16 and the TidStore, a radix tree, of 17 on. Each takes
// the stream of a table's pages as VACUUM scans them, and tells at every page
// the bytes that PostgreSQL would hold and whether it would stop there for a
// pass over every index.
//
//	s := deadtid.New(guc.MustVersion("18"), 64<<20, heapPages)
//	for block, offsets := range deadRows {
//		if s.Full() {
//			// every index, the second heap pass
//			s.Reset()
//		}
//		s.Add(block, offsets)
//	}
//
// New makes a store that only keeps account, in a few hundred bytes whatever
// the table; NewKeeper makes one that also keeps the identifiers, for the
// look-ups of an index pass and for the second heap pass. Both tell the same
// bytes.
//
// Nothing here is estimated. The bytes of a TidStore are those of the blocks
// that PostgreSQL's allocators take as the tree grows, node by node (file
// contexts.go); they follow from the sizes of its structures on a 64-bit
// machine, built without assertions, with pages of 8 kB. 19 is taken to be as
// 18.
//
// What is left out: the store in shared memory of a parallel vacuum, which
// only a manual VACUUM does to 18; and tables without indexes, of which VACUUM
// holds one page's rows at a time.
//
// Sources: vacuumlazy.c, tidstore.c, radixtree.h, bump.c, slab.c and aset.c of
// PostgreSQL 13 to 18; commits 667e65aac354 (VACUUM uses TidStore, 17) and
// 30e144287a (TidStore). What PostgreSQL was recorded to take: testdata.
package deadtid
