package scheduler

import (
	"math"
	"time"

	"avsim/workload/guc"
)

// What a vacuum and an analyze cost. The number of charges follows from what
// PostgreSQL does with the pages of a table; the times are those of single
// vacuums of PostgreSQL 18 on a guest with 2 processors, AMD EPYC (family 25,
// model 17) at 2.6 GHz, fsync off (testdata/vacuumcost/measured.csv). A table
// that is truncated at its end costs more than is said here.

// pageCosts are the charges of one page.
type pageCosts struct {
	hit, miss, dirty float64
}

func newPageCosts(s guc.Settings) pageCosts {
	return pageCosts{
		float64(s.Int("vacuum_cost_page_hit")),
		float64(s.Int("vacuum_cost_page_miss")),
		float64(s.Int("vacuum_cost_page_dirty")),
	}
}

// vacuumInputs are what a vacuum finds. Shares are 0 to 1.
type vacuumInputs struct {
	costs  pageCosts
	pages  float64 // heap pages of the table
	read   float64 // those that the heap scan reads: not all-visible, or all
	dead   float64 // of these, with dead rows or dead line pointers
	marked float64 // of these, without dead rows, to be set all-visible or frozen

	indexes      int
	indexPages   float64 // of all indexes
	indexTouched float64 // share of them with an entry to remove; see touched

	cached     float64 // share of heap and index pages in shared buffers
	dirty      float64 // share of heap pages in shared buffers and changed since the last checkpoint; at most cached
	indexDirty float64 // of index pages likewise

	deadRows float64 // dead line pointers, which take memory

	ring      float64 // pages of the buffer ring; 0 for no ring
	slots     float64 // row identifiers that fit in memory; +Inf from 17
	mayBypass bool    // few dead rows make index scans superfluous: from 14
}

// newVacuumInputs has what follows from the settings.
func newVacuumInputs(s guc.Settings) vacuumInputs {
	in := vacuumInputs{costs: newPageCosts(s), mayBypass: s.Version().AtLeast(guc.MustVersion("14.0")), slots: math.Inf(1)}
	in.ring = 256 << 10 / 8192
	if s.Has("vacuum_buffer_usage_limit") {
		in.ring = float64(s.Bytes("vacuum_buffer_usage_limit") / 8192)
	}
	if !s.Version().AtLeast(guc.MustVersion("17.0")) {
		name := "maintenance_work_mem"
		if s.Has("autovacuum_work_mem") {
			name = "autovacuum_work_mem"
		}
		// 6 bytes a row, at most 1 GB, from 13 after a header of 8 bytes.
		memory := float64(min(s.Bytes(name), 1<<30-1))
		if s.Version().AtLeast(guc.MustVersion("13.0")) {
			memory -= 8
		}
		in.slots = math.Floor(memory / 6)
	}
	return in
}

// touched is the share of index pages that hold one of so many entries spread
// at random. An index in the order of the table is touched as the table is.
func touched(entries, pages float64) float64 {
	if pages <= 0 {
		return 0
	}
	return 1 - math.Exp(-entries/pages)
}

// perHeapPage is the most line pointers of a heap page.
const perHeapPage = 291

// indexScans is how often the indexes are read.
func (in vacuumInputs) indexScans() int {
	const bypassPages, bypassBytes = 0.02, 32 << 20
	switch {
	case in.indexes == 0 || in.dead <= 0:
		return 0
	case in.mayBypass && in.dead < bypassPages*in.pages && in.deadRows*6 < bypassBytes:
		return 0
	}
	// The array is also bounded by what all pages could hold. A scan of the
	// indexes begins before the page that might not fit.
	full := max(min(in.slots, perHeapPage*in.pages)-perHeapPage, 1)
	if math.IsInf(in.slots, 1) || in.deadRows <= full {
		return 1
	}
	perPage := max(in.deadRows/in.dead, 1)
	return int(math.Ceil(in.deadRows / (math.Floor(full/perPage)*perPage + perPage)))
}

// charge is a number of pages that cost the same.
type charge struct {
	pages, each float64
}

// vacuumPlan is what a vacuum or an analyze will cost.
type vacuumPlan struct {
	work          time.Duration // processor and I/O where it sleeps in between
	unthrottled   time.Duration // and where it does not
	cost          float64
	heapScanShare float64 // part of the duration in the heap scan
	indexScans    int
	indexes       int
	bypassed      bool // the scan of the indexes, for few dead rows

	hits, reads, dirtied, images float64 // as the log tells them

	charges  []charge // in groups of pages that cost the same
	scan     float64  // of the cost, in the heap scan
	ofVacuum bool     // not of an analyze
	inputs   vacuumInputs
}

// withoutIndexes is the plan of the heap scan alone, as failsafe leaves it.
func (p vacuumPlan) withoutIndexes() vacuumPlan {
	in := p.inputs
	in.indexes, in.indexPages = 0, 0
	return planVacuum(in)
}

// summed is the plan without its single charges, to be kept.
func (p vacuumPlan) summed() vacuumPlan {
	p.charges = nil
	return p
}

// page is how pages are used: found or read, changed or not, with so many hits
// beside them.
type page struct {
	missed, dirtied bool
	beside          float64
}

func (p *vacuumPlan) add(c pageCosts, n float64, how page) (cost float64) {
	if n <= 0 {
		return 0
	}
	each := how.beside * c.hit
	p.hits += n * how.beside
	if how.missed {
		each += c.miss
		p.reads += n
	} else {
		each += c.hit
		p.hits += n
	}
	if how.dirtied {
		each += c.dirty
		p.dirtied += n
	}
	p.charges = append(p.charges, charge{n, each})
	p.cost += n * each
	return n * each
}

// planVacuum counts what a vacuum does. A page takes one look-up; its free
// space is recorded with a second where the page is done with. With indexes a
// page with dead rows is visited again after them. Pages that are not in shared
// buffers come through a small ring: when there are more of them than it holds
// they are written out and read again.
func planVacuum(in vacuumInputs) vacuumPlan {
	p := vacuumPlan{ofVacuum: true, inputs: in}
	c := in.costs
	p.indexScans, p.indexes = in.indexScans(), in.indexes
	p.bypassed = in.indexes > 0 && in.dead > 0 && p.indexScans == 0
	scans := float64(p.indexScans)
	away := 1 - in.cached
	dirty := min(in.dirty, in.cached)

	// Catalogues, metapages, free space and visibility maps.
	beside := 40 + 4*float64(in.indexes)
	if scans > 0 {
		beside = 40 + 17*float64(in.indexes)
	}
	p.add(c, beside, page{})

	recorded := 1.0
	if in.indexes > 0 {
		recorded = 0 // after the indexes
	}
	for _, part := range []struct {
		pages, beside float64
		changed       bool
	}{
		{in.dead, recorded, true},
		{in.marked, 1, true},
		{max(in.read-in.dead-in.marked, 0), 1, false},
	} {
		n := part.pages
		p.scan += p.add(c, n*dirty, page{beside: part.beside})
		p.scan += p.add(c, n*(in.cached-dirty), page{dirtied: part.changed, beside: part.beside})
		p.scan += p.add(c, n*away, page{missed: true, dirtied: part.changed, beside: part.beside})
	}
	if scans > 0 {
		n, t := in.indexPages, in.indexTouched
		fresh := in.cached * t * (1 - in.indexDirty) // changed in the first scan, dirty after it
		p.add(c, n*fresh, page{dirtied: true})
		p.add(c, n*(in.cached*scans-fresh), page{})
		p.add(c, n*away*t*scans, page{missed: true, dirtied: true})
		p.add(c, n*away*(1-t)*scans, page{missed: true})
		gone := away
		if in.ring == 0 || in.read*away <= in.ring {
			gone = 0
		}
		p.add(c, in.dead*(1-gone), page{beside: 1})
		p.add(c, in.dead*gone, page{missed: true, dirtied: true, beside: 1})
	}
	p.heapScanShare = p.scan / p.cost
	p.images = (in.dead+in.marked)*(1-dirty) + min(scans, 1)*in.indexPages*in.indexTouched*(1-in.indexDirty)

	// Times from 500 pages on as measured; below, the constant part shrinks to
	// the 0.35 ms that automatic vacuums of a page or two take, in proportion to
	// the cost (which is what wakes the worker up again and again) or the pages.
	const fromCost, fromPages = 13400, 100
	read, index := in.read, in.indexPages*scans
	p.work = milliseconds(0.35 + 12.15*min(1, p.cost/fromCost) + 0.0084*read + 0.016*index + 0.017*p.reads)
	p.unthrottled = milliseconds(0.35 + 1.45*min(1, read/fromPages) + 0.0067*read + 0.0022*index + 0.0125*p.images + 0.0133*p.reads)
	return p
}

// analyzeInputs are what an analyze finds.
type analyzeInputs struct {
	costs  pageCosts
	pages  float64
	rows   float64
	cached float64 // share of pages in shared buffers
}

// sampleRows is the sample at the default statistics target: 300 rows for each
// of 100 histogram bins, from as many pages at most.
const sampleRows = 30000

// analyzeWork are pages and the milliseconds that an analyze of a table of
// seven columns takes, all of its sample rows found.
var analyzeWork = [...]struct{ pages, ms float64 }{{500, 43}, {2000, 65}, {8000, 106}, {32000, 148}}

// planAnalyze is the plan of an analyze. Between the measured sizes its work is
// interpolated by the logarithm of the pages; where the table has fewer rows
// than the sample wants, the part of 500 pages shrinks with the rows to the
// 0.35 ms that the smallest tables take.
func planAnalyze(in analyzeInputs) vacuumPlan {
	var p vacuumPlan
	full := min(in.rows/sampleRows, 1)
	sampled := min(in.pages, sampleRows)
	p.add(in.costs, 45+200*full, page{}) // catalogues, and rows of pg_statistic
	p.add(in.costs, sampled*in.cached, page{})
	p.add(in.costs, sampled*(1-in.cached), page{missed: true})
	first := analyzeWork[0]
	ms := 0.35 + (first.ms-0.35)*full
	for i, a := range analyzeWork[:len(analyzeWork)-1] {
		b := analyzeWork[i+1]
		within := (math.Log(max(in.pages, 1)) - math.Log(a.pages)) / (math.Log(b.pages) - math.Log(a.pages))
		ms += full * (b.ms - a.ms) * min(max(within, 0), 1)
	}
	p.work = milliseconds(ms + 0.0009*p.reads)
	p.unthrottled = p.work
	return p
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// sleep is what vacuum_delay_point adds up to.
type sleep struct {
	times  float64
	capped float64 // times that it would have been longer than four delays
	total  time.Duration
}

// sleeps counts the sleeps at a limit. Charges mount up page by page until they
// reach the limit; then the worker sleeps for delay × charges / limit, at most
// four delays, and counts anew. What does not reach the limit any more at the
// end costs no sleep.
func (p vacuumPlan) sleeps(limit int, delay, slack time.Duration) sleep {
	var s sleep
	if limit <= 0 || delay <= 0 {
		return s
	}
	const most = 4
	var delays float64
	for _, c := range p.charges {
		if c.each <= 0 {
			continue
		}
		pages := math.Ceil(float64(limit) / c.each) // between two sleeps
		n, of := c.pages/pages, pages*c.each/float64(limit)
		if of > most {
			of = most
			s.capped += n
		}
		s.times += n
		delays += n * of
	}
	n := math.Floor(s.times + 1e-9)
	if n == 0 {
		return sleep{}
	}
	s.capped *= n / s.times
	delays *= n / s.times
	s.times = n
	s.total = time.Duration(delays*float64(delay) + n*float64(slack))
	return s
}

// elapsed is how long it takes at a limit. Slack is how much longer than asked
// for a sleep lasts.
func (p vacuumPlan) elapsed(limit int, delay, slack time.Duration) time.Duration {
	slept := p.sleeps(limit, delay, slack).total
	return p.working(slept) + slept
}

// working is how long the work itself takes with so much sleep. Between sleeping
// nearly all the time and not at all it is interpolated: while a worker sleeps
// others write out what it dirtied, and after each sleep its caches are cold.
// Half-way is where it sleeps four times as long as it would take without.
func (p vacuumPlan) working(slept time.Duration) time.Duration {
	asleep := float64(slept) / (float64(slept) + 4*float64(p.unthrottled) + 1)
	return time.Duration(asleep*float64(p.work) + (1-asleep)*float64(p.unthrottled))
}
