package foreground

import (
	"math"
	"time"
)

// Table is what a transaction does to a table, and how the table stands.
type Table struct {
	// Reads, Updates and Inserts are rows a transaction: found by their key, through
	// an index; Scans are reads of the whole table.
	Reads, Updates, Inserts, Scans float64
	HotShare                       float64 // of updates

	Live, Dead float64 // row versions
	Pages      float64 // of the heap: as many as it had at its largest
	Indexes    int
	IndexPages float64 // of all indexes, likewise
}

// Costs are what things cost a transaction.
type Costs struct {
	Statement time.Duration // parsing, planning, the way there and back, of each row asked for
	Page      time.Duration // a look at a page in shared buffers
	Version   time.Duration // a look at a row version
	Copy      time.Duration // a page from the operating system's memory
	LogBytes  float64       // of a changed row with its index entries, apart from page images
}

// Memory is where pages may be, in pages.
type Memory struct {
	Shared float64 // shared buffers
	OS     float64 // what the operating system keeps besides
	// Once are pages that pass through each a second, and PerSecond the transactions
	// a second that they are set against.
	OnceShared, OnceOS, PerSecond float64
	// ImagesEvery is how many transactions come between two checkpoints: the first
	// change of a page after each writes the page to the log.
	ImagesEvery float64
}

// fanout is how many entries an inner page of an index has: 8 kB less a header, at
// 70 % after splits, by 24 bytes of an entry with an 8-byte key.
const fanout = 238

// height is the number of levels of an index above its leaves.
func height(leaves float64) float64 {
	return math.Max(math.Ceil(math.Log(math.Max(leaves, 1))/math.Log(fanout)), 0)
}

// VersionsPerLook is how many versions of a row a look-up by its key goes through:
// the live one, and the dead ones that an index still names. The first look-up that
// meets a dead version marks its entry (LP_DEAD), and the next one passes it by. So
// it is no more than the row has, and no more than died since the last look-up.
func (t *Table) VersionsPerLook() float64 {
	looks := t.Reads + t.Updates
	if looks <= 0 || t.Live <= 0 {
		return 1
	}
	fresh := t.Updates * (1 - t.HotShare) / looks
	return 1 + math.Min(t.Dead/t.Live, fresh)
}

// pageLooks is at how many heap and leaf pages a transaction looks, one by one.
func (t *Table) pageLooks() (heap, leaf float64) {
	looks := t.Reads + t.Updates
	versions := t.VersionsPerLook()
	heap = looks*versions + t.moved()
	indexes := float64(t.Indexes)
	leaf = looks + t.moved()*indexes
	return heap, leaf
}

// Kinds of pages of a table: of the heap, leaves of the index through which rows are
// found by their key, and leaves of the others.
const (
	HeapPages = iota
	KeyPages
	OtherPages
	Kinds // how many
)

// ringShare: a table of more than one part in so many of shared buffers is scanned
// through a ring (heapam.c, initscan), so that it leaves them as they are.
const ringShare = 4

// classes are a table's pages by kind with the looks at each a transaction. A scan looks
// at each page of the heap. Rows are found through one index; what is inserted, or
// updated and not HOT, goes into all.
func (t *Table) classes(shared float64) [Kinds]PageClass {
	heap, _ := t.pageLooks()
	per := func(looks, pages float64) float64 { return looks / math.Max(pages, 1) }
	n := math.Max(float64(t.Indexes), 1)
	key, others := t.IndexPages/n, t.IndexPages*(n-1)/n
	out := [Kinds]PageClass{
		{Pages: t.Pages, Rate: per(heap, t.Pages)},
		{Pages: key, Rate: per(t.Reads+t.Updates+t.moved(), key)},
		{Pages: others, Rate: per(t.moved()*(n-1), others)},
	}
	if t.Pages > shared/ringShare {
		out[HeapPages].Ring = t.Scans
	} else {
		out[HeapPages].Rate += t.Scans
	}
	return out
}

// moved is how many rows a transaction puts into all indexes.
func (t *Table) moved() float64 { return t.Updates*(1-t.HotShare) + t.Inserts }

// Changes are how often each page of a kind is changed a transaction.
func (t *Table) Changes() [Kinds]float64 {
	leaf := t.moved() * float64(t.Indexes) / math.Max(t.IndexPages, 1)
	return [Kinds]float64{(t.Updates + t.Inserts) / math.Max(t.Pages, 1), leaf, leaf}
}

// Found is where the pages that a transaction looks at are, as shares of the looks.
type Found struct{ Shared, OS, Device float64 }

// Hit is what share of the looks at pages of a kind find them in shared buffers, and
// what share of the others in the operating system's cache.
type Hit struct{ Shared, OS float64 }

// HitsOf has one for each kind of each table's pages.
func HitsOf(tables []Table, m Memory) []Hit {
	hits, _ := hitsOf(tables, m)
	return hits
}

func hitsOf(tables []Table, m Memory) ([]Hit, []PageClass) {
	var classes []PageClass
	for i := range tables {
		kinds := tables[i].classes(m.Shared)
		classes = append(classes, kinds[:]...)
	}
	once := func(pages float64) float64 {
		if m.PerSecond <= 0 {
			return 0
		}
		return pages / m.PerSecond
	}
	shared := Cache(classes, once(m.OnceShared), m.Shared)
	os := Beneath(classes, shared, once(m.OnceOS), m.OS)
	hits := make([]Hit, len(classes))
	for i := range hits {
		hits[i] = Hit{shared[i], os[i]}
	}
	return hits, classes
}

// Of is what a transaction asks for with the tables as they stand, and where it
// finds its pages.
func (c Costs) Of(tables []Table, m Memory) (Demand, Found) {
	hits, classes := hitsOf(tables, m)
	var d Demand
	var looks, inShared, inOS float64
	for i, class := range classes {
		n := class.Pages * (class.Rate + class.Ring)
		missed := n * (1 - hits[i].Shared)
		looks, inShared, inOS = looks+n, inShared+n*hits[i].Shared, inOS+missed*hits[i].OS
		away := missed * (1 - hits[i].OS)
		if i%Kinds == HeapPages { // of these a scan reads its part in order
			scans := tables[i/Kinds].Scans
			ordered := away * scans / math.Max(class.Rate+class.Ring, scans)
			d.Ordered, away = d.Ordered+ordered, away-ordered
		}
		d.Reads += away
		d.CPU = later(d.CPU, missed*float64(c.Copy))
	}
	for i := range tables {
		c.add(&d, &tables[i], m.ImagesEvery)
	}
	d.CPU = max(d.CPU, time.Nanosecond) // so that time goes on
	found := Found{Shared: 1}
	if looks > 0 {
		found = Found{inShared / looks, inOS / looks, 1 - (inShared+inOS)/looks}
	}
	return d, found
}

// later is a time so many nanoseconds longer; 292 years at most.
func later(d time.Duration, by float64) time.Duration {
	return time.Duration(math.Min(float64(d)+by, math.MaxInt64/2))
}

// add is what does not depend on where pages are.
func (c Costs) add(d *Demand, t *Table, between float64) {
	heap, leaf := t.pageLooks()
	inner := (t.Reads + t.Updates + t.moved()*float64(t.Indexes)) *
		height(t.IndexPages/math.Max(float64(t.Indexes), 1))
	rows := t.Reads + t.Updates + t.Inserts
	pages := heap + leaf + inner + t.Scans*t.Pages
	versions := (t.Reads+t.Updates)*t.VersionsPerLook() + t.Inserts + t.Scans*(t.Live+t.Dead)
	d.CPU = later(d.CPU, (rows+t.Scans)*float64(c.Statement)+pages*float64(c.Page)+versions*float64(c.Version))

	log, writes := c.changes(t, between)
	d.LogBytes += log
	d.Writes += writes
}

// Log is how much log a transaction writes, where so many come between two checkpoints.
func (c Costs) Log(tables []Table, between float64) (bytes float64) {
	for i := range tables {
		log, _ := c.changes(&tables[i], between)
		bytes += log
	}
	return bytes
}

// changes are the bytes of log of a transaction's changes to a table, and the pages that
// are written out for them.
func (c Costs) changes(t *Table, between float64) (log, writes float64) {
	changed := t.Updates + t.Inserts
	if changed <= 0 {
		return 0, 0
	}
	heapImages, heapWrites := changedPages(changed, t.Pages, between)
	leafImages, leafWrites := changedPages(t.moved()*float64(t.Indexes), t.IndexPages, between)
	return changed*c.LogBytes + (heapImages+leafImages)*PageBytes, heapWrites + leafWrites
}

// changedPages is how many pages are changed for the first time since a checkpoint,
// a transaction: each of them is written to the log, and out at the next checkpoint.
// So many changes fall on pages at random.
func changedPages(changes, pages, between float64) (images, writes float64) {
	if changes <= 0 || pages <= 0 {
		return 0, 0
	}
	if between <= 0 {
		return changes, changes
	}
	distinct := pages * -math.Expm1(-changes*between/pages) / between
	return distinct, distinct
}
