package vacuum

import "math"

// Touched is the share of pages that hold one of so many entries spread at
// random over them.
func Touched(entries, pages float64) float64 {
	if pages <= 0 {
		return 0
	}
	return -math.Expm1(-entries / pages)
}

// vacuumIndexes goes through all indexes for the rows of a fill (ambulkdelete).
// Each page is looked up once; those with an entry to be removed change. In a
// later pass pages in shared buffers are dirty where an earlier one changed
// them and no checkpoint has written them since; those outside are read again each time, unless the ring keeps them all.
func (b *builder) vacuumIndexes(f *Fill, pass int) {
	t := &b.Job.Table
	p := b.open(VacuumingIndexes)
	p.From, p.To, p.items = f.From, f.To, f.Items
	b.share()
	stays := b.stays(b.indexesAway())
	for i := range t.Indexes {
		x := &t.Indexes[i]
		now := b.touchedIn(x, f)
		p.Usage.IndexPages += x.Pages
		c := x.Cache
		loggedBefore, dirtyBefore := b.changedBefore(x, pass)
		deletedBefore := b.deletedBefore(x, pass)
		if pass > 0 && stays {
			c.Cached = 1
			c.Dirty = max(c.Dirty, dirtyBefore)
		}
		// A page that was deleted was looked up so often that the ring left it in
		// shared buffers (GetBufferFromRing: used more than once).
		b.visit(deletedBefore, page{}, All())
		rest := x.Pages - deletedBefore
		changed := min(now, rest)
		kept := c
		if !x.Correlated { // entries of a fill are anywhere in it
			kept.Dirty = min(c.Cached, c.Dirty+(c.Cached-c.Dirty)*dirtyBefore)
			kept.Logged = c.Logged + (1-c.Logged)*loggedBefore
		}
		b.visit(changed, page{changed: true, imaged: true}, kept)
		b.visit(rest-changed, page{}, c)
		emptied := b.emptiedIn(x, pass)
		b.visit(emptied*deletionLooks(x), page{}, All())
		b.logVacuumIndex(f, x, now, kept, emptied)
	}
}

// deletionLooks is how many look-ups the deletion of a page takes, as recorded
// (18.4): 8, where it has no page to its left 6. That is so of each page of an
// index of which nothing is left.
func deletionLooks(x *Index) float64 {
	const looks, leftmost = 8, 6
	if x.Emptied >= 0.99*(x.Pages-1) { // all leaves
		return leftmost
	}
	return looks
}

// emptiedIn are the pages of an index that a pass deletes: of one in the order
// of the heap those of its part of it; of another all in the last pass, before
// which rows that are not yet gone are on each.
func (b *builder) emptiedIn(x *Index, pass int) float64 {
	if x.Correlated {
		return x.Emptied * ratio(b.Dead.Fills[pass].Items, b.Job.Table.Dead)
	}
	if pass == len(b.Dead.Fills)-1 {
		return x.Emptied
	}
	return 0
}

// touchedIn are the pages of an index that hold an entry of a fill. In an index
// in the order of the heap these lie in the part that the fill's pages take.
func (b *builder) touchedIn(x *Index, f *Fill) float64 {
	pages := x.Pages
	if x.Correlated {
		t := &b.Job.Table
		pages *= ratio(f.To-f.From, t.Pages)
		if t.Spread == Clustered { // all entries of its pages, side by side
			return min(pages, x.Pages*ratio(f.Pages, t.Pages))
		}
	}
	return pages * Touched(f.Items, pages)
}

// deletedBefore are the pages of an index that passes before have deleted.
func (b *builder) deletedBefore(x *Index, pass int) (sum float64) {
	if x.Emptied > 0 {
		for i := range pass {
			sum += b.emptiedIn(x, i)
		}
	}
	return sum
}

// indexesAway are the index pages that are not in shared buffers.
func (b *builder) indexesAway() (sum float64) {
	for i := range b.Job.Table.Indexes {
		sum += b.Job.Table.Indexes[i].away()
	}
	return sum
}

func (x *Index) away() float64 { return x.Pages * (1 - x.Cache.Cached) }

// cleanupGrowth is vacuum_cleanup_index_scale_factor: the growth of an index,
// as a share of its entries, from which on it is gone through for a clean-up.
const cleanupGrowth = 0.1

// cleanUpIndexes is amvacuumcleanup. A btree that was gone through already has
// nothing left to do. One that was not is gone through to 10 always, in 11 to
// 13 where it has grown by a tenth since the last time, and from 14 on only for
// pages deleted before, which are left out here (_bt_vacuum_needs_cleanup).
func (b *builder) cleanUpIndexes() {
	t := &b.Job.Table
	if len(t.Indexes) == 0 {
		return
	}
	p := b.open(CleaningUpIndexes)
	b.share()
	if b.IndexScans > 0 || b.Settings.from.v14 || b.Settings.IndexCleanup == CleanupOff {
		return
	}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		if !b.Settings.from.v11 || x.Grown >= cleanupGrowth {
			p.Usage.IndexPages += x.Pages
			b.visit(x.Pages, page{}, x.Cache)
		}
	}
}
