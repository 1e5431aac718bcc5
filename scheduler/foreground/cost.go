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
	heap = looks*versions + t.Updates*(1-t.HotShare) + t.Inserts
	indexes := float64(t.Indexes)
	leaf = looks + (t.Updates*(1-t.HotShare)+t.Inserts)*indexes
	return heap, leaf
}

// classes are a table's heap and leaf pages with the looks at each a transaction.
// Scans look at each page of the heap.
func (t *Table) classes() [2]PageClass {
	heap, leaf := t.pageLooks()
	per := func(looks, pages float64) float64 { return looks / math.Max(pages, 1) }
	return [2]PageClass{
		{t.Pages, per(heap, t.Pages) + t.Scans},
		{t.IndexPages, per(leaf, t.IndexPages)},
	}
}

// Changes are how often each heap page and each leaf page is changed a transaction.
func (t *Table) Changes() [2]float64 {
	moved := t.Updates*(1-t.HotShare) + t.Inserts
	return [2]float64{(t.Updates + t.Inserts) / math.Max(t.Pages, 1), moved * float64(t.Indexes) / math.Max(t.IndexPages, 1)}
}

// Found is where the pages that a transaction looks at are, as shares of the looks.
type Found struct{ Shared, OS, Device float64 }

// Hit is what share of the looks at pages of a kind find them in shared buffers, and
// what share of the others in the operating system's cache.
type Hit struct{ Shared, OS float64 }

// HitsOf has two for each table: of its heap and of its leaf pages.
func HitsOf(tables []Table, m Memory) []Hit {
	hits, _ := hitsOf(tables, m)
	return hits
}

func hitsOf(tables []Table, m Memory) ([]Hit, []PageClass) {
	var classes []PageClass
	for i := range tables {
		pair := tables[i].classes()
		classes = append(classes, pair[:]...)
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
		n := class.Pages * class.Rate
		missed := n * (1 - hits[i].Shared)
		looks, inShared, inOS = looks+n, inShared+n*hits[i].Shared, inOS+missed*hits[i].OS
		d.Reads += missed * (1 - hits[i].OS)
		d.CPU += time.Duration(missed * float64(c.Copy))
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

// add is what does not depend on where pages are.
func (c Costs) add(d *Demand, t *Table, between float64) {
	heap, leaf := t.pageLooks()
	inner := (t.Reads + t.Updates + (t.Updates*(1-t.HotShare)+t.Inserts)*float64(t.Indexes)) *
		height(t.IndexPages/math.Max(float64(t.Indexes), 1))
	rows := t.Reads + t.Updates + t.Inserts
	pages := heap + leaf + inner + t.Scans*t.Pages
	versions := (t.Reads+t.Updates)*t.VersionsPerLook() + t.Inserts + t.Scans*(t.Live+t.Dead)
	d.CPU += time.Duration((rows+t.Scans)*float64(c.Statement) + pages*float64(c.Page) + versions*float64(c.Version))

	if changed := t.Updates + t.Inserts; changed > 0 {
		moved := t.Updates*(1-t.HotShare) + t.Inserts
		heapImages, heapWrites := changedPages(changed, t.Pages, between)
		leafImages, leafWrites := changedPages(moved*float64(t.Indexes), t.IndexPages, between)
		d.LogBytes += changed*c.LogBytes + (heapImages+leafImages)*PageBytes
		d.Writes += heapWrites + leafWrites
	}
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
