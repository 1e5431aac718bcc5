package scheduler

import (
	"math"

	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// vacuumWork is what a vacuum or analyze under way is to do. Its memory is used
// again by the next one.
type vacuumWork struct {
	under   liveWork
	job     vacuum.Job
	plan    vacuum.Plan
	indexes []vacuum.Index
	// visible is the share of the pages that it changes which are all-visible then.
	visible float64
	// wereFrozen are the pages that are all-frozen at its start. readAll: it reads all
	// others, so that it can tell how old the table's rows are.
	wereFrozen float64
	readAll    bool
}

// newWork is one whose memory is free.
func (c *live) newWork() *vacuumWork {
	n := len(c.spare)
	if n == 0 {
		return new(vacuumWork)
	}
	w := c.spare[n-1]
	c.spare = c.spare[:n-1]
	return w
}

// workDone gives the memory back.
func (c *live) workDone(w *vacuumWork) { c.spare = append(c.spare, w) }

// touched is the share of pages that hold one of so many rows spread at random.
func touched(rows, pages float64) float64 { return vacuum.Touched(rows, pages) }

// intend works out what a vacuum of a table will do, and which pages it freezes: those
// whose rows are all old enough, and those that a change writes an image of.
// It is worked out a second time where it lasts so long that checkpoints begin meanwhile.
func (c *live) intend(w *vacuumWork, t *liveTable, i intent) {
	c.pages(i.at) // how often checkpoints begin
	c.intendLasting(w, t, i)
	if i.lasts = sim.Time(w.plan.Elapsed(i.budget)); i.lasts > c.checkpoints.every/(2*lookBackPhases) {
		c.intendLasting(w, t, i)
	}
}

// intent is what a vacuum of a table is for, and where it comes.
type intent struct {
	at, horizon sim.Time // what died after the horizon stays
	lasts       sim.Time // how long it takes, as far as is known; 0 for a moment
	removable   float64  // dead rows
	aggressive  bool
	ages        freezeAges
	budget      vacuum.Budget
}

func (c *live) intendLasting(w *vacuumWork, t *liveTable, i intent) {
	at, horizon := i.at, i.horizon
	c.describe(w, t, i)
	w.job.Budget, w.job.Checkpoints = i.budget, c.checkpoints.forVacuum()
	x := &w.job.Table
	whole := i.aggressive || w.job.Scanned() > x.Pages-0.5
	w.wereFrozen = t.stillFrozen(at)
	old := math.Max(t.frozenBy(at, min(c.oldSince(t, at, i.ages.min), horizon), whole)-w.wereFrozen, 0)
	x.Frozen = math.Min(old+(1-old/x.Pages)*c.frozenWithImages(w), x.Pages-w.wereFrozen)
	x.Marked = math.Max(x.Marked, old) // freezing changes a page, all-visible or not
	w.readAll = whole || x.Skippable < w.wereFrozen+0.5
	w.job.Plan()
}

// describe is what a vacuum of a table finds: so many dead rows at random places are
// removable. It reads the pages that are not all-visible, an aggressive one all that
// are not frozen, and those between them that are too few to skip; it sets all-visible
// those that were not and have neither dead rows nor any younger than the horizon.
func (c *live) describe(w *vacuumWork, t *liveTable, i intent) {
	at, horizon, removable := i.at, i.horizon, i.removable
	rows, dead := t.rows(at), t.deadRows(at)
	j := &w.job
	*j = vacuum.Job{Settings: c.vacuumSettings(t), Machine: c.machine, Count: c.keep || c.application != nil, Into: &w.plan}
	x := &j.Table
	x.Pages = t.Pages(rows + dead)
	x.RowsPerPage, x.RowBytes = t.rowsPerPage(), float64(t.RowBytes)
	x.Dead = removable + t.leftItems // with the identifiers that were left to an index scan
	x.DeadPages = vacuum.DeadPagesOf(vacuum.Random, x.Pages, x.Dead, x.RowsPerPage)
	x.Seed = uint64(t.id)<<32 | uint64(uint32(t.result.Vacuums))
	unset := math.Max(x.Pages-t.stillVisible(at), x.DeadPages)
	x.Marked = unset - x.DeadPages
	w.visible = 1
	if horizon < at {
		recent := touched(dead-removable+t.added(at)-t.added(horizon), x.Pages)
		x.Marked, w.visible = math.Max(x.Marked-x.Pages*recent, 0), 1-recent
	}
	x.Skippable = x.Pages - unset
	x.AtEnd = math.Max(x.Pages-math.Max(t.visible, x.DeadPages), 0)
	if i.aggressive { // from 9.6 the map tells what is frozen
		x.Skippable = 0
		if c.derived.from96 {
			x.Skippable = math.Min(t.stillFrozen(at), x.Pages-unset)
		}
	}
	x.EmptyTail = emptyTail(x.Pages, removable, rows+dead-removable)
	indexPages := t.IndexPages(rows + dead)
	added := t.addedSince(at)
	found, known := c.application.found(t, at)
	if !known {
		found = c.cacheOf(t, at, i.lasts, x.Pages, indexPages, removable, added)
	}
	x.DeadCache, x.MarkedCache, x.RestCache = found.dead, found.marked, found.rest
	w.indexes = w.indexes[:0]
	for n := range t.Indexes {
		index := vacuum.Index{Pages: indexPages / float64(t.Indexes), Cache: found.others}
		if n == 0 {
			index.Cache = found.key
		}
		if x.EmptyTail >= x.Pages {
			index.Emptied = math.Max(index.Pages-1, 0)
		}
		if rows > 0 {
			index.Grown = added / rows
		}
		w.indexes = append(w.indexes, index)
	}
	x.Indexes = w.indexes
}

// sample is what an analyze finds: rows changed since somebody last looked at all of
// them, on pages at random, and the rest.
func (c *live) sample(l *liveWork, t *liveTable, at sim.Time) vacuum.Sample {
	rows, dead := t.rows(at), t.deadRows(at)
	pages := t.Pages(rows + dead)
	since, now := t.done(t.hinted), t.done(at)
	left, added := now.dead-since.dead, t.added(at)-t.added(t.hinted)
	found := c.cacheOf(t, at, 0, pages, 0, left, added)
	return vacuum.Sample{Costs: c.derived.vacuum.Costs, Pages: pages, Rows: rows, Into: l.plan,
		Changed: touched(left+math.Min(added, t.free), pages), ChangedCache: found.dead, RestCache: found.rest}
}

// frozenWithImages are the pages that come to be all-frozen however young their rows
// are: from 16 on those that all can be frozen of, when an image of them is written
// anyway (commit 1de58df4fe). Pruning writes one, the first since a checkpoint, and
// from 18, with checksums, the first hint bit.
func (c *live) frozenWithImages(w *vacuumWork) float64 {
	x := &w.job.Table
	switch {
	case !c.derived.from16:
		return 0
	case !c.derived.from18:
		return w.visible * x.DeadPages * (1 - x.DeadCache.Logged)
	}
	return w.visible * (x.DeadPages*(1-x.DeadCache.Logged) + x.Marked*(1-x.MarkedCache.Logged))
}

// vacuumSettings are those of a table, with its storage parameters.
func (c *live) vacuumSettings(t *liveTable) vacuum.Settings {
	s := c.derived.vacuum
	if len(t.options) == 0 {
		return s
	}
	if x, ok := t.options["vacuum_truncate"]; ok {
		s.Truncate = x != 0
	}
	if x, ok := t.options["vacuum_index_cleanup"]; ok && x != indexCleanupAuto {
		s.IndexCleanup = vacuum.CleanupOff
		if x != 0 {
			s.IndexCleanup = vacuum.CleanupOn
		}
	}
	if x, ok := t.options["autovacuum_parallel_workers"]; ok && x >= 0 {
		s.Parallel = min(s.Parallel, int(x))
	}
	return s
}

// emptyTail is how many pages at the end of a heap have nothing left, where so many
// of its row versions are removed and so many kept, at random places: each page is
// without any with the same probability q, so that q/(1-q) of them follow one another
// at the end. All of them where nothing is kept.
func emptyTail(pages, removed, kept float64) float64 {
	if removed <= 0 {
		return 0
	}
	if kept <= 0 {
		return pages
	}
	q := math.Pow(removed/(removed+kept), (removed+kept)/pages)
	return math.Min(q/(1-q), pages)
}

// rowsPerPage is how many rows a full page of a table has.
func (t *liveTable) rowsPerPage() int {
	return int(math.Min(math.Max(math.Floor(t.RowsInPage()), 1), 291))
}

// addedSince are the rows put into the table since the last vacuum.
func (t *liveTable) addedSince(at sim.Time) float64 {
	return math.Max(t.added(at)-(t.since.inserted+t.since.updated*(1-t.Activity.HotShare)), 0)
}
