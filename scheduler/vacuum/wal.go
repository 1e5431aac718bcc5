package vacuum

// Sizes of what is written to the log, in bytes (xlogrecord.h, heapam_xlog.h,
// nbtxlog.h). Records are rounded up to 8.
const (
	recordHeader = 24 // XLogRecord
	blockHeader  = 20 // of a block: 4, its relation 12, its number 4
	sameRelation = 8  // of a further block of the same relation
	dataHeader   = 2
	imageHeader  = 7 // of an image: 5, and 2 for its hole
	offsetBytes  = 2

	walPrune    = recordHeader + blockHeader + dataHeader + 8 // and its offsets
	walVacuum   = recordHeader + blockHeader + dataHeader + 4 // likewise
	walVisible  = recordHeader + blockHeader + sameRelation + dataHeader + 8
	walFreeze   = recordHeader + blockHeader + dataHeader + 8
	walBtree    = recordHeader + blockHeader + dataHeader + 4 // and its offsets
	walDeletion = 2 * 96                                      // a page marked half-dead, then unlinked
	walTruncate = recordHeader + dataHeader + 20

	pageHeader   = 24
	btreeSpecial = 16
	// freezePlan is what freezing a row adds to 15; from 16 rows frozen alike
	// share a plan (commit 9e5405993c) and add an offset each.
	freezePlan = 12
)

func (b *builder) record(n, bytes float64) {
	b.phase.Usage.Records += n
	b.phase.Usage.WALBytes += n * bytes
}

// logHeapScan is what the first heap pass writes: a record of pruning for each
// page with dead rows, one for freezing where rows are frozen (one for both
// from 17 on, commit 6dbb49026), one for each page set in the visibility map.
// Images are of the page before it was pruned, since its first hint bit is what
// writes one with checksums, which are on from 18 (initdb); to 17 they are of
// the page pruned.
func (b *builder) logHeapScan(f *Fill, marked, share float64) {
	t := &b.Job.Table
	perPage := ratio(f.Items, f.Pages)
	u := &b.phase.Usage
	images := u.Images
	b.record(f.Pages, walPrune+offsetBytes*perPage)
	if len(t.Indexes) == 0 {
		b.record(f.Pages, walVisible)
	}
	b.record(marked, walVisible)
	b.logFreezing(t.Frozen * share)
	filled := t.RowBytes * float64(t.RowsPerPage)
	if t.RowBytes <= 0 || filled > PageBytes-pageHeader {
		filled = PageBytes - pageHeader
	}
	if !b.Settings.from.v18 && images > 0 {
		filled -= t.RowBytes * perPage * ratio(f.Pages, f.Pages+marked)
	}
	u.WALBytes += images * (pageHeader + max(filled, 0) + imageHeader)
}

// logFreezing is what freezing all rows of so many pages adds: to 16 records of its own.
func (b *builder) logFreezing(pages float64) {
	each := float64(freezePlan)
	if b.Settings.from.v16 {
		each = offsetBytes
	}
	b.phase.Usage.WALBytes += pages * float64(b.Job.Table.RowsPerPage) * each
	if !b.Settings.from.v17 {
		b.record(pages, walFreeze)
	}
}

// logVacuumHeap is what the second heap pass writes: a record for each page, and
// one in the visibility map.
func (b *builder) logVacuumHeap(f *Fill) {
	b.record(f.Pages, walVacuum+offsetBytes*ratio(f.Items, f.Pages))
	b.record(f.Pages, walVisible)
}

// logVacuumIndex is what a pass over an index writes: a record for each page
// changed, two for each deleted. An image has a hole where entries were; that of
// a page of which all are gone has none, as recorded.
func (b *builder) logVacuumIndex(f *Fill, x *Index, changed float64, c Cache, emptied float64) {
	perPage := ratio(f.Items, changed)
	b.record(changed, walBtree+offsetBytes*perPage)
	b.record(emptied, walDeletion)
	full := min(btreeEntry*ratio(b.entries(), x.Pages)+btreeSpecial, PageBytes-pageHeader)
	left := max(full-btreeEntry*perPage, btreeSpecial)
	whole := min(emptied, changed)
	filled := whole*full + (changed-whole)*left
	b.phase.Usage.WALBytes += (1 - c.Logged) * (filled + changed*(pageHeader+imageHeader))
}

// btreeEntry is an entry of a btree of one 8-byte key, with its line pointer.
const btreeEntry = 20

// entries is how many an index has at the start: the table's line pointers.
func (b *builder) entries() float64 {
	return b.Job.Table.Pages * float64(b.Job.Table.RowsPerPage)
}
