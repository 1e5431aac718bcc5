package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
	"avsim/workload"
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
	p.every = poolEvery + sim.Time(len(c.tables.kept))*poolEveryTable
	p.until = now + p.every
	var all vacuum.Pool
	var log writeLog
	for i := range c.tables.kept {
		t := c.lookAt(int32(i))
		dead, live := t.onAverage(now)
		r := t.within(now, p.every).over(p.every)
		all.Add(t.Pages(live+dead), r.lookups/t.Pages(live+dead))
		if pages := t.IndexPages(live + dead); pages > 0 {
			each, n := pages/float64(t.Indexes), float64(t.Indexes)
			all.Add(each, (r.keyLookups+r.indexChanges/n)/each)
			all.Add(each*(n-1), r.indexChanges/pages)
		}
		log.add(t, r, live+dead)
	}
	c.pace(&log, now)
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
	keyLookups   float64 // of leaves of the index through which rows are found, to find one
	indexChanges float64 // of leaves of all indexes, evenly, to change them
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
		out.keyLookups = found
	}
	return out
}

// over divides by seconds.
func (x touches) over(span sim.Time) touches {
	s := span.Sub(0).Seconds()
	return touches{x.lookups / s, x.left / s, x.keyLookups / s, x.indexChanges / s, x.added / s}
}

// found is what a vacuum finds of a table in memory: of the heap, of the index through
// which rows are found, and of the others.
type found struct{ dead, marked, rest, key, others vacuum.Cache }

// recency is the share of some pages that were looked up, or changed, among the
// touches of a span.
type recency func(touches) float64

// cacheOf works out what of a table's pages is where when it is vacuumed: of pages that
// have dead rows, so many in all, of those that took rows since the last vacuum, of
// those that did neither, and of index pages. Over the time that it lasts checkpoints
// begin.
func (c *live) cacheOf(t *liveTable, at, lasts sim.Time, pages, indexPages, removable, added float64) found {
	k := &c.lookBack // its memory is used again
	*k = lookBack{table: t, at: at, pool: c.pages(at)}
	k.used = t.within(at, k.pool.every)
	k.checkpoints(c.checkpoints, lasts)
	// A page of the heap has a dead row with probability 1 - exp(-m), m being the rows
	// that died on it. It was not looked up for a while if none of any kind was; then its
	// dead rows are from before.
	m := removable / pages
	var out found
	dead := func(x touches) float64 {
		if m <= 0 {
			return 0
		}
		left := math.Min(x.left/pages, m)
		return 1 - math.Exp(-math.Max(x.lookups/pages, left))*math.Expm1(-(m-left))/math.Expm1(-m)
	}
	out.dead = k.cache(k.used.lookups, dead, dead)
	marked := func(x touches) float64 { return ratioOf(x.added, added) }
	out.marked = k.cache(k.used.added, marked, marked)
	// Those left have not been changed since the last vacuum; what was looked up there
	// before left no dead row.
	out.rest = k.cache(k.used.lookups, func(x touches) float64 { return math.Max(-math.Expm1(m-x.lookups/pages), 0) }, nothing)
	if indexPages > 0 {
		each := indexPages / float64(t.Indexes)
		changed := func(x touches) float64 { return -math.Expm1(-x.indexChanges / indexPages) }
		out.key = k.cache(k.used.keyLookups+k.used.indexChanges,
			func(x touches) float64 { return -math.Expm1(-x.keyLookups/each - x.indexChanges/indexPages) }, changed)
		out.others = k.cache(k.used.indexChanges, changed, changed)
	}
	return out
}

func nothing(touches) float64 { return 0 }

// ratioOf is a part of a whole, at most 1; of nothing it is 0.
func ratioOf(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return math.Min(part/whole, 1)
}

// lookBack is what was done to a table before it is vacuumed.
type lookBack struct {
	table  *liveTable
	at     sim.Time
	pool   *bufferPool
	used   touches // in the pool's last span
	phases []lookBackPhase
	one    [1]lookBackPhase // of a vacuum that does not last
}

// lookBackPhase is where between two checkpoints a page is come to.
type lookBackPhase struct {
	logged, before touches // since the last began, and since the one before
	unwritten      float64 // share of the pages that the last has yet to write
}

// lookBackPhases is at how many points of its time a vacuum that lasts is looked at.
const lookBackPhases = 16

// checkpoints notes what was done since the last one, when a vacuum that lasts so long
// comes to its pages.
func (k *lookBack) checkpoints(c checkpoints, lasts sim.Time) {
	k.phases = k.one[:0]
	n := 1
	if lasts > c.every/(2*lookBackPhases) {
		n = lookBackPhases
	}
	for i := range n {
		began, unwritten := c.since(k.at + sim.Time((float64(i)+0.5)/float64(n)*float64(lasts)))
		k.phases = append(k.phases, lookBackPhase{k.table.within(k.at, began), k.table.within(k.at, began+c.every), unwritten})
	}
}

// cache is what is where of pages, from those looked up and those changed within a
// span; so many of them, or of their like, are looked up at all.
func (k *lookBack) cache(used float64, lookedUp, changed recency) vacuum.Cache {
	var c vacuum.Cache
	dirty, n := 0.0, float64(len(k.phases))
	for i := range k.phases {
		x := &k.phases[i]
		logged := changed(x.logged)
		c.Logged += logged / n
		dirty += (logged + x.unwritten*math.Max(changed(x.before)-logged, 0)) / n
	}
	c.Cached = k.within(k.pool.shared, used, lookedUp)
	c.Dirty = math.Min(c.Cached, dirty)
	c.InOS = among(k.within(k.pool.system, used, lookedUp), c.Cached)
	return c
}

// within is the share of pages that are in a cache. Where all that are looked up have
// room there, those that are not have it too as far as it goes.
func (k *lookBack) within(w vacuum.Window, used float64, lookedUp recency) float64 {
	switch {
	case !math.IsInf(w.Seconds, 1):
		return lookedUp(k.table.within(k.at, sim.Time(math.Min(w.Seconds*1e9, 1<<60))))
	case used > 0:
		return 1
	}
	return w.Idle
}

// among is the share of the pages not in shared buffers that the operating system
// has, if it has so many of all.
func among(system, shared float64) float64 {
	if shared >= 1 {
		return 1
	}
	return math.Max(system-shared, 0) / (1 - shared)
}
