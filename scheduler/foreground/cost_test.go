package foreground

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within*math.Abs(want)+1e-12 {
		t.Errorf("%s: %.6g, want %.6g", what, got, want)
	}
}

// A look-up goes through the live version, and through dead ones that nobody has met: as
// many as died since the row was last looked up, and no more than there are.
func TestVersionsPerLook(t *testing.T) {
	for _, c := range []struct {
		table Table
		want  float64
	}{
		{Table{Reads: 1, Live: 100, Dead: 500}, 1},                // all were met before
		{Table{Updates: 1, Live: 100, Dead: 500}, 2},              // each update meets the version that the last one left
		{Table{Reads: 3, Updates: 1, Live: 100, Dead: 500}, 1.25}, // one look-up of four is the first
		{Table{Updates: 1, HotShare: 1, Live: 100, Dead: 500}, 1}, // HOT: the index names none
		{Table{Updates: 1, Live: 100, Dead: 20}, 1.2},             // a vacuum was there
		{Table{Reads: 1, Updates: 1, HotShare: 0.5, Live: 100, Dead: 1000}, 1.25},
		{Table{Inserts: 1, Live: 100, Dead: 5}, 1},
	} {
		near(t, "versions", c.table.VersionsPerLook(), c.want, 0)
	}
}

// All in shared buffers, a transaction costs what its statements, pages and versions do:
// a row read through an index of two levels above its leaves looks at two inner pages, a
// leaf and a heap page.
func TestCostOfARead(t *testing.T) {
	c := Costs{Statement: 30 * time.Microsecond, Page: time.Microsecond, Version: 300 * time.Nanosecond}
	table := Table{Reads: 1, Live: 1e6, Pages: 1e4, Indexes: 1, IndexPages: 5000}
	d, found := c.Of([]Table{table}, Memory{Shared: 1e6})
	if want := 30*time.Microsecond + 4*time.Microsecond + 300*time.Nanosecond; d.CPU != want || d.Reads != 0 || d.LogBytes != 0 || found.Shared != 1 {
		t.Errorf("%+v, %+v, want %v of processor time and all in shared buffers", d, found, want)
	}
	table.Scans, table.Dead = 1, 1e6 // a scan goes through what is dead too
	d, _ = c.Of([]Table{table}, Memory{Shared: 1e6})
	near(t, "a scan", d.CPU.Seconds(), 64.3e-6+1e4*1e-6+2e6*300e-9, 1e-6)
}

// Dead rows that are left make a table of more pages, of which fewer fit into memory.
func TestBloatCostsCache(t *testing.T) {
	c := Costs{}
	lean := Table{Reads: 1, Live: 1e6, Pages: 1e4, Indexes: 1, IndexPages: 2000}
	bloated := lean
	bloated.Pages, bloated.IndexPages = 2e4, 4000
	m := Memory{Shared: 6000, OS: 6000}
	a, _ := c.Of([]Table{lean}, m)
	b, found := c.Of([]Table{bloated}, m)
	if b.Reads <= a.Reads || math.Abs(found.Shared+found.OS+found.Device-1) > 1e-12 {
		t.Errorf("%.3f pages from the device lean, %.3f bloated; found %+v", a.Reads, b.Reads, found)
	}
}

// The pages that so many changes at random places meet between two checkpoints.
func TestChangedPages(t *testing.T) {
	const pages, changes, transactions = 1000, 3, 500
	r := rand.New(rand.NewPCG(1, 2))
	sum := 0
	for range 200 {
		met := map[int]bool{}
		for range changes * transactions {
			met[r.IntN(pages)] = true
		}
		sum += len(met)
	}
	images, writes := changedPages(changes, pages, transactions)
	near(t, "pages a transaction", images, float64(sum)/200/transactions, 0.005)
	near(t, "written as often as logged", writes, images, 0)
	if images, _ := changedPages(changes, pages, 0); images != changes {
		t.Errorf("with checkpoints all the time each change is an image, not %v", images)
	}
}
