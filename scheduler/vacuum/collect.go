package vacuum

import (
	"math"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
)

// Fill is one filling of the store of dead rows: the part of the heap from the
// last one, or the start, to the page before which VACUUM stops to go through
// the indexes, or the end.
type Fill struct {
	From, To float64 // heap blocks
	Items    float64 // dead rows
	Pages    float64 // that have them
	Bytes    int64   // of the store at its end; 0 where not counted
}

// DeadItems is what the store of dead rows held.
type DeadItems struct {
	Items, Pages float64
	// PeakBytes are the most that were in use, and LimitBytes what they are held
	// against; peaks are counted only where Job.Count asks for it or the store
	// may have been filled, and are 0 otherwise.
	PeakBytes, LimitBytes int64
	Fills                 []Fill
}

// collect fills the store with the dead rows of a table, page by page, as often
// as it takes. Without indexes a page's rows are removed at once.
func (j *Job) collect(fills []Fill) DeadItems {
	t := &j.Table
	d := DeadItems{Items: t.Dead, Pages: t.DeadPages, Fills: fills}
	d.LimitBytes = j.limitBytes()
	if len(t.Indexes) == 0 || t.Dead <= 0 {
		d.Fills = append(d.Fills, Fill{To: t.Pages, Items: t.Dead, Pages: t.DeadPages})
		return d
	}
	if j.Settings.IndexCleanup == CleanupOff && !j.Settings.from.v14 {
		// A page's are forgotten before the next (lazy_space_alloc without useindex).
		d.LimitBytes = deadtid.MaxHeapTuplesPerPage * tidBytes
		d.PeakBytes = min(int64(t.RowsPerPage), deadtid.MaxHeapTuplesPerPage) * tidBytes
		d.Fills = append(d.Fills, Fill{To: t.Pages, Items: t.Dead, Pages: t.DeadPages})
		return d
	}
	if !j.Count && j.surelyFits(d.LimitBytes) {
		d.Fills = append(d.Fills, Fill{To: t.Pages, Items: t.Dead, Pages: t.DeadPages})
		return d
	}
	d.Fills = j.fill(fills)
	if n := len(d.Fills); n == 1 && !j.Settings.tidTree { // none more than there are, though they are drawn
		d.Fills[0].Bytes = min(d.Fills[0].Bytes, int64(math.Ceil(t.Dead))*tidBytes)
	}
	for _, f := range d.Fills {
		d.PeakBytes = max(d.PeakBytes, f.Bytes)
	}
	d.scale(t)
	return d
}

// collected is all that the dead rows of a job depend on.
type collected struct {
	pages, dead, deadPages float64
	rowsPerPage            int
	spread                 Spread
	seed                   uint64
	indexed, count         bool
	memory                 int64
	version                guc.Version
}

func (j *Job) collected() collected {
	t := &j.Table
	return collected{t.Pages, t.Dead, t.DeadPages, t.RowsPerPage, t.Spread, t.Seed, len(t.Indexes) > 0, j.Count, j.Settings.Memory, j.Settings.Version}
}

// limitBytes is what the store may take.
func (j *Job) limitBytes() int64 {
	if j.Settings.tidTree {
		return j.Settings.Memory
	}
	return j.store().Limit()
}

func (j *Job) store() deadtid.Counter {
	return deadtid.NewCounter(j.Settings.Version, j.Settings.Memory, int64(math.Ceil(j.Table.Pages)))
}

// surelyFits tells whether the dead rows cannot fill the store whatever their
// places. Of an array that is exact. A page takes of a TidStore, at most, an
// entry of 8 bytes and five words, and, where it is the only one far and wide,
// three nodes of the smallest class; blocks are at most half empty, but the
// first of each of the five classes of nodes (192 kB in all) and the last one
// of entries (at most a sixteenth of the limit).
func (j *Job) surelyFits(limit int64) bool {
	t := &j.Table
	if !j.Settings.tidTree {
		return t.Dead <= float64(limit/6-deadtid.MaxHeapTuplesPerPage)
	}
	const entry, nodes, first = 8 + 5*8, 3 * (8 + 4*8 + 8), 192 << 10
	return 2*(entry+nodes)*t.DeadPages+first < float64(limit-limit/16)
}

// fill puts all dead rows into the store.
func (j *Job) fill(fills []Fill) []Fill {
	store, stream := j.store(), newPageStream(&j.Table)
	var now Fill
	end := func(block float64) {
		now.To, now.Items, now.Bytes = block, float64(store.Count()), store.Bytes()
		fills = append(fills, now)
		now = Fill{From: block}
		store.Reset()
	}
	for block := range stream.pages {
		dead := stream.on(block)
		if dead.n == 0 {
			continue
		}
		store.AddCounted(uint32(block), dead.n, dead.last)
		now.Pages++
		if next := block + 1; store.Full() && next < stream.pages { // VACUUM looks before each page
			end(float64(next))
		}
	}
	if store.Count() > 0 || len(fills) == 0 {
		end(float64(stream.pages))
	}
	fills[len(fills)-1].To = j.Table.Pages
	return fills
}

// scale brings the rows and pages of the fills, which are drawn, to those that
// are expected.
func (d *DeadItems) scale(t *Table) {
	var items, pages float64
	for _, f := range d.Fills {
		items += f.Items
		pages += f.Pages
	}
	if items == 0 { // expected, but by chance none drawn
		d.Fills[len(d.Fills)-1].Items, d.Fills[len(d.Fills)-1].Pages = t.Dead, t.DeadPages
		return
	}
	for i := range d.Fills {
		d.Fills[i].Items *= ratio(t.Dead, items)
		d.Fills[i].Pages *= ratio(t.DeadPages, pages)
	}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
