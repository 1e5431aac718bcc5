package vacuum

// page is what is done with pages.
type page struct {
	changed bool
	// beside are look-ups beside the page's own, all hits.
	beside float64
	// read from the device: where pages do not follow one another.
	scattered bool
	// imaged: the change writes an image of the page where it is the first
	// since the last checkpoint.
	imaged bool
}

// visit looks up so many pages, of which a part is in shared buffers, and
// charges them: found or read, dirtied where they are changed and were clean.
func (b *builder) visit(n float64, how page, c Cache) {
	if n <= 0 {
		return
	}
	u := &b.phase.Usage
	dirty := min(c.Dirty, c.Cached)
	u.Hits += n * (c.Cached + how.beside)
	u.Beside += n * how.beside
	u.Reads += n * (1 - c.Cached)
	u.FromDevice += n * (1 - c.Cached) * (1 - c.InOS)
	if how.scattered {
		u.Scattered += n * (1 - c.Cached) * (1 - c.InOS)
	}
	clean, away := c.Cached-dirty, 1-c.Cached
	if how.changed {
		u.Dirtied += n * (clean + away)
	}
	if how.imaged {
		u.Images += n * (1 - c.Logged)
	}
	costs := b.Settings.Costs
	beside := how.beside * costs.Hit
	b.charge(n*dirty, beside+costs.Hit)
	dirtied := 0.0
	if how.changed {
		dirtied = costs.Dirty
	}
	b.charge(n*clean, beside+costs.Hit+dirtied)
	b.charge(n*away, beside+costs.Miss+dirtied)
	b.intoRing(n*away, how.changed)
}

// charge notes pages that cost the same.
func (b *builder) charge(pages, each float64) {
	if pages <= 0 {
		return
	}
	b.charges = append(b.charges, Charge{pages, each, b.by})
	b.phase.charge[1] = len(b.charges)
	b.phase.Cost += pages * each
}

// intoRing are pages read through the ring: a page that was changed is written
// out before its place is taken, and all but the first ring full of a phase
// take the place of another.
func (b *builder) intoRing(pages float64, changed bool) {
	if b.Settings.Ring <= 0 || pages <= b.Settings.Ring {
		return
	}
	u := &b.phase.Usage
	u.Reuses += pages - b.Settings.Ring
	if changed {
		u.RingWrites += pages - b.Settings.Ring
	}
}
