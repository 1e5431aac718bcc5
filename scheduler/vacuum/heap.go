package vacuum

// scanHeap is the first heap pass over a part of the heap: a page takes one
// look-up; its free space is recorded with a second where it is done with,
// which a page with dead rows is only where there is no index (it stays
// unrecorded where the indexes are bypassed in the end). A page with dead rows is pruned, others are marked in the visibility
// map or left as they are.
func (b *builder) scanHeap(f *Fill) {
	t := &b.Job.Table
	share := ratio(f.To-f.From, t.Pages)
	p := b.open(ScanningHeap)
	p.From, p.To, p.items = f.From, f.To, f.Items
	recorded := 1.0
	if len(t.Indexes) > 0 {
		recorded = 0
	}
	others := max(b.Plan.Scanned-t.DeadPages, 0)
	marked := min(t.Marked, others) * share
	rest := others*share - marked
	p.Usage.HeapPages = f.Pages + marked + rest
	scattered := b.Plan.Scanned < t.Pages/2
	b.visit(f.Pages, page{changed: true, imaged: true, beside: recorded, scattered: scattered}, t.DeadCache)
	b.visit(marked, page{changed: true, imaged: true, beside: 1, scattered: scattered}, t.MarkedCache)
	b.visit(rest, page{beside: 1, scattered: scattered}, t.RestCache)
	b.logHeapScan(f, marked, share)
}

// vacuumHeap is the second heap pass: each page with dead rows is looked up and
// its free space recorded. Pages that were read in the first pass and, with the
// indexes, are more than the ring holds have been written out and are read
// again.
func (b *builder) vacuumHeap(f *Fill) {
	t := &b.Job.Table
	p := b.open(VacuumingHeap)
	p.From, p.To, p.items = f.From, f.To, f.Items
	p.Usage.HeapPages = f.Pages
	c := Cache{Cached: 1, Dirty: 1, Logged: 1, InOS: t.DeadCache.InOS}
	if away := 1 - t.DeadCache.Cached; !b.stays(away*f.Pages + b.indexesAway()) {
		c.Cached, c.Dirty = 1-away, 1-away
		c.InOS = b.readAgain(f.Pages * away)
	}
	b.visit(f.Pages, page{changed: true, beside: 1, scattered: f.Pages < t.Pages/2}, c)
	b.logVacuumHeap(f)
}

// stays tells whether pages read by a phase are in shared buffers when all of
// them are wanted again: within the ring, or without one within the pool.
func (b *builder) stays(pages float64) bool {
	room := b.Settings.Ring
	if room <= 0 {
		room = b.Settings.SharedBuffers
	}
	return pages <= room
}

// readAgain is the share of so many pages, read a while ago, that is still in
// the operating system's cache: all of them if they fit.
func (b *builder) readAgain(pages float64) float64 {
	if pages <= 0 || b.Machine.MemoryBytes <= 0 {
		return 1
	}
	room := b.Machine.MemoryBytes/PageBytes - b.Settings.SharedBuffers
	if pages <= room {
		return 1
	}
	return 0 // in order, least recently used first: each is gone when it is wanted
}

// truncate gives empty pages at the end back (lazy_truncate_heap): where they
// are 1,000 or a sixteenth of the heap, and not where it is switched off. They
// are read once more, backwards. In failsafe it is left out.
func (b *builder) truncate() {
	const minimum, fraction = 1000, 16
	t := &b.Job.Table
	tail := min(t.EmptyTail, t.Pages)
	if !b.Settings.Truncate || b.Failsafe || tail < 1 || tail < minimum && tail < t.Pages/fraction {
		return
	}
	p := b.open(TruncatingHeap)
	p.From, p.To = t.Pages, t.Pages-tail
	p.Usage.HeapPages = tail
	c := Cache{Cached: t.DeadCache.Cached, InOS: 1}
	if b.stays((1 - c.Cached) * tail) {
		c.Cached = 1
	}
	b.visit(tail, page{}, c)
	p.Usage.Records++
	p.Usage.WALBytes += walTruncate
	b.Truncated = tail
}
