package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
)

// bufferPool is what of tables and indexes is in memory. How long a page stays
// in shared buffers, and in the operating system's cache, follows from how often
// pages of all tables are looked up (vacuum.Pool); it is worked out anew now and
// then. What vacuums read goes through their ring and is left out.
type bufferPool struct {
	shared, system vacuum.Window
	until          sim.Time // as of which it is to be worked out anew
	every          sim.Time
}

// poolEvery is how often that is at least, where there are few tables, and
// poolEveryTable what each table adds, so that it costs little in all.
const (
	poolEvery      = sim.Time(5 * time.Minute)
	poolEveryTable = sim.Time(200 * time.Millisecond)
)

// pages brings the pool up to date.
func (c *live) pages(now sim.Time) *bufferPool {
	p := &c.pool
	if now < p.until {
		return p
	}
	p.every = poolEvery + sim.Time(len(c.tables))*poolEveryTable
	p.until = now + p.every
	var all vacuum.Pool
	for i := range c.tables {
		t := &c.tables[i]
		dead, live := t.onAverage(now)
		r := t.within(now, p.every).over(p.every)
		all.Add(t.Pages(live+dead), r.lookups/t.Pages(live+dead))
		if pages := t.IndexPages(live + dead); pages > 0 {
			all.Add(pages, r.indexLookups/pages)
		}
	}
	buffers := c.derived.vacuum.SharedBuffers
	p.shared = all.Window(buffers)
	p.system = vacuum.Window{Seconds: math.Inf(1), Idle: 1}
	if c.memoryPages > 0 {
		p.system = all.Window(math.Max(c.memoryPages, buffers))
	}
	return p
}

// touches are rows changed, and look-ups of pages for that, in a span of time, or a
// second: each row that is updated or deleted is found through one of the indexes
// and looked up in the heap; what is inserted, or updated and not HOT, goes into each
// index. That clients read rows besides is not known.
type touches struct {
	lookups      float64 // of heap pages at random places
	left         float64 // of these, those that leave a dead row behind
	indexLookups float64 // of leaves of all indexes
	indexChanges float64 // of these, those that change the leaf
	added        float64 // rows put into the heap
}

// within are the touches of a table in so long before an instant. Before the run began
// it is taken to have been as in its first minute.
func (t *liveTable) within(at, span sim.Time) touches {
	count := func(from, to sim.Time) (sum workload.Totals) {
		a, b := t.Activity.Expected(time.Duration(from)), t.Activity.Expected(time.Duration(to))
		return workload.Totals{Inserted: b.Inserted - a.Inserted, Updated: b.Updated - a.Updated, Deleted: b.Deleted - a.Deleted}
	}
	sum := count(max(at-span, 0), at)
	if before := span - at; before > 0 {
		const first = sim.Time(time.Minute)
		start, times := count(0, first), float64(before)/float64(first)
		sum.Inserted += start.Inserted * times
		sum.Updated += start.Updated * times
		sum.Deleted += start.Deleted * times
	}
	found := sum.Updated + sum.Deleted
	moved := sum.Updated * (1 - t.Activity.HotShare)
	out := touches{lookups: found, left: moved + sum.Deleted, added: sum.Inserted + moved}
	if t.Indexes > 0 {
		out.indexChanges = float64(t.Indexes) * out.added
		out.indexLookups = found + out.indexChanges
	}
	return out
}

// over divides by seconds.
func (x touches) over(span sim.Time) touches {
	s := span.Sub(0).Seconds()
	return touches{x.lookups / s, x.left / s, x.indexLookups / s, x.indexChanges / s, x.added / s}
}

// checkpoints tells when pages were last written: a checkpoint begins every
// checkpoint_timeout, counted from the start of the run, and writes what is dirty
// then, evenly, in the share of that time that checkpoint_completion_target allows.
// Checkpoints for the volume of the log (max_wal_size) are left out.
type checkpoints struct {
	every  sim.Time
	target float64
}

func checkpointsOf(s guc.Settings) checkpoints {
	return checkpoints{sim.Time(s.Duration("checkpoint_timeout")), s.Float("checkpoint_completion_target")}
}

// since is when the last one began, before an instant, and which share of the pages
// that it writes it has not written yet.
func (k checkpoints) since(at sim.Time) (began sim.Time, unwritten float64) {
	began = at % k.every
	return began, math.Max(0, 1-float64(began)/math.Max(k.target*float64(k.every), 1))
}

// found is what a vacuum finds of a table in memory.
type found struct{ dead, marked, rest, index vacuum.Cache }

// cacheOf works out what of a table's pages is where when it is vacuumed: of pages that
// have dead rows, so many in all, of those that took rows since the last vacuum, of
// those that did neither, and of index pages.
func (c *live) cacheOf(t *liveTable, at sim.Time, pages, indexPages, removable, added float64) found {
	p := c.pages(at)
	began, unwritten := c.checkpoints.since(at)
	within := func(span float64) touches { return t.within(at, sim.Time(math.Min(span*1e9, 1<<60))) }
	logged, before := t.within(at, began), t.within(at, began+c.checkpoints.every)
	var out found
	// A page of the heap has a dead row with probability 1 - exp(-m), m being the rows
	// that died on it. It was not looked up for a while if none of any kind was; then its
	// dead rows are from before.
	m := removable / pages
	recent := func(x touches) float64 {
		if m <= 0 {
			return 0
		}
		left := math.Min(x.left/pages, m)
		return 1 - math.Exp(-math.Max(x.lookups/pages, left))*math.Expm1(-(m-left))/math.Expm1(-m)
	}
	share := func(recent func(touches) float64) vacuum.Cache {
		var k vacuum.Cache
		k.Cached = inWindow(p.shared, within, recent)
		k.Logged = recent(logged)
		k.Dirty = math.Min(k.Cached, k.Logged+unwritten*math.Max(recent(before)-k.Logged, 0))
		k.InOS = among(inWindow(p.system, within, recent), k.Cached)
		return k
	}
	out.dead = share(recent)
	out.marked = share(func(x touches) float64 {
		if added <= 0 {
			return 0
		}
		return math.Min(x.added/added, 1)
	})
	out.rest = vacuum.Cache{Cached: 1, InOS: 1}
	if !math.IsInf(p.shared.Seconds, 1) {
		x := within(p.shared.Seconds)
		out.rest.Cached = math.Max(1-math.Exp(-math.Max(x.lookups/pages-m, 0)), 0)
		out.rest.InOS = 0
		if math.IsInf(p.system.Seconds, 1) {
			out.rest.InOS = p.system.Idle
		}
	} else if removable+added <= 0 {
		out.rest.Cached = p.shared.Idle
	}
	if indexPages > 0 {
		changed := func(x touches) float64 { return -math.Expm1(-x.indexChanges / indexPages) }
		out.index = share(changed)
		out.index.Cached = math.Max(inWindow(p.shared, within, func(x touches) float64 { return -math.Expm1(-x.indexLookups / indexPages) }), out.index.Cached)
		out.index.InOS = among(inWindow(p.system, within, func(x touches) float64 { return -math.Expm1(-x.indexLookups / indexPages) }), out.index.Cached)
	}
	return out
}

// inWindow is the share of pages that are in a cache, from those looked up within a
// span.
func inWindow(w vacuum.Window, within func(float64) touches, recent func(touches) float64) float64 {
	if math.IsInf(w.Seconds, 1) {
		return 1
	}
	return recent(within(w.Seconds))
}

// among is the share of the pages not in shared buffers that the operating system
// has, if it has so many of all.
func among(system, shared float64) float64 {
	if shared >= 1 {
		return 1
	}
	return math.Max(system-shared, 0) / (1 - shared)
}
