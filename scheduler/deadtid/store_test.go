package deadtid_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
)

// contents are what a keeper gives back, its offsets copied.
func contents(k deadtid.Keeper) []deadPage {
	var out []deadPage
	for block, offsets := range k.Blocks() {
		out = append(out, deadPage{block, slices.Clone(offsets)})
	}
	return out
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkAgainstDumb puts pages into both forms of a version's TidStore and into
// the dumb one: the bytes are the same at every page.
func checkAgainstDumb(t failer, version string, memory int64, pages []deadPage) {
	t.Helper()
	v := guc.MustVersion(version)
	store, keeper, want := deadtid.New(v, memory, 0), deadtid.NewKeeper(v, memory, 0), newDumb(version == "17", memory)
	rows := 0
	for i, p := range pages {
		store.Add(p.block, p.offsets)
		keeper.Add(p.block, p.offsets)
		want.add(p.block, p.offsets)
		rows += len(p.offsets)
		if store.Bytes() != want.bytes() || keeper.Bytes() != want.bytes() {
			t.Fatalf("PostgreSQL %s, page %d (block %d, %d dead): the account has %d bytes, the tree %d, PostgreSQL's allocators %d",
				version, i, p.block, len(p.offsets), store.Bytes(), keeper.Bytes(), want.bytes())
		}
		if full := want.bytes() > memory; store.Full() != full || keeper.Full() != full {
			t.Fatalf("PostgreSQL %s, page %d: %d of %d bytes, full: %v by the account, %v by the tree",
				version, i, want.bytes(), memory, store.Full(), keeper.Full())
		}
	}
	if store.Count() != int64(rows) || keeper.Count() != int64(rows) {
		t.Fatalf("%d rows went in, the account counts %d, the tree %d", rows, store.Count(), keeper.Count())
	}
}

// checkAgainstMap holds a keeper against a map of what was put in: what is
// there, what is near to it, and what comes out in order.
func checkAgainstMap(t failer, version string, pages []deadPage) {
	t.Helper()
	k := deadtid.NewKeeper(guc.MustVersion(version), 1<<30, math.MaxInt32)
	in := make(map[uint32]map[uint16]bool)
	for _, p := range pages {
		k.Add(p.block, p.offsets)
		in[p.block] = make(map[uint16]bool)
		for _, o := range p.offsets {
			in[p.block][o] = true
		}
	}
	ask := func(block uint32, offset uint16) {
		if got := k.Lookup(block, offset); got != in[block][offset] {
			t.Fatalf("PostgreSQL %s: row (%d,%d) found: %v, want %v", version, block, offset, got, in[block][offset])
		}
	}
	for _, p := range pages {
		for _, o := range append([]uint16{0, 1, 63, 64, 291, math.MaxUint16}, p.offsets...) {
			for _, b := range []uint32{p.block, p.block - 1, p.block + 1, p.block ^ 0x100, p.block ^ 0x10000, p.block ^ 1<<31} {
				ask(b, o)
				ask(b, o+1)
			}
		}
	}
	if diff := cmp.Diff(pages, contents(k), cmp.AllowUnexported(deadPage{})); diff != "" {
		t.Fatalf("PostgreSQL %s: the second heap pass gets other rows than went in:\n%s", version, diff)
	}
}

// The account and the tree take, page by page, the bytes of PostgreSQL's
// allocators.
func TestTidStoreBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages := pagesOf(rapid.SliceOfN(runs, 1, 8).Draw(t, "runs"))
		memory := rapid.SampledFrom([]int64{0, 64 << 10, 1 << 20, 1<<20 + 4096, 64 << 20, 1 << 40}).Draw(t, "memory")
		version := rapid.SampledFrom([]string{"17", "18", "19"}).Draw(t, "version")
		checkAgainstDumb(t, version, memory, pages)
	})
}

// Many nodes of each class, so that their slabs have several blocks.
func TestTidStoreBytesOfManyNodes(t *testing.T) {
	for _, step := range []int{1, 3, 6, 12, 40, 300, 70000} {
		var pages []deadPage
		for i := range 50_000 {
			pages = append(pages, deadPage{uint32(i * step), offsetsFrom(1+i%280, 1+i%7, 2)})
		}
		checkAgainstDumb(t, "18", 64<<20, pages)
	}
}

// Many entries, so that their blocks reach the largest size, by the memory and
// at all. The first is of the least size, and the end of a block is met to the
// entry.
func TestTidStoreBytesOfManyEntries(t *testing.T) {
	for _, c := range []struct {
		version string
		memory  int64
		pages   int
		offsets []uint16
	}{
		{"17", 64 << 20, 2_000, []uint16{1, 2, 3, 4}},
		{"18", 64 << 20, 2_000, []uint16{1, 2, 3, 4}},
		{"18", 1 << 20, 10_000, []uint16{1, 2, 3, 291}},
		{"18", 1 << 40, 800_000, []uint16{1, 2, 3, 291}},
	} {
		var pages []deadPage
		for block := range uint32(c.pages) {
			pages = append(pages, deadPage{block, c.offsets})
		}
		checkAgainstDumb(t, c.version, c.memory, pages)
	}
}

// More bitmaps than are kept in one piece.
func TestKeeperOfManyBitmaps(t *testing.T) {
	var pages []deadPage
	for block := range uint32(15_000) {
		pages = append(pages, deadPage{block, []uint16{1, 64, 200, uint16(258 + block%34)}})
	}
	checkAgainstMap(t, "18", pages)
}

func TestKeepersAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages := pagesOf(rapid.SliceOfN(runs, 1, 3).Draw(t, "runs"))
		checkAgainstMap(t, rapid.SampledFrom([]string{"16", "18"}).Draw(t, "version"), pages)
	})
}

func FuzzStores(f *testing.F) {
	f.Add([]byte{0, 1, 2, 200, 9, 255})
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0, 31, 31, 31, 31})
	f.Fuzz(func(t *testing.T, data []byte) {
		var all []run
		for ; len(data) >= 4; data = data[4:] {
			all = append(all, run{
				gap: int(data[0]) << (data[0] % 17), align: 1 << (data[1] % 17), pages: int(data[1])%70 + 1,
				step: int(data[2]) + 1, first: int(data[3]) + 1, dead: int(data[3])%7 + 1, apart: int(data[2])%9 + 1,
			})
		}
		pages := pagesOf(all[:min(len(all), 40)])
		checkAgainstDumb(t, "17", 1<<20, pages)
		checkAgainstDumb(t, "18", 64<<10, pages)
		checkAgainstMap(t, "16", pages)
		checkAgainstMap(t, "18", pages)
	})
}

// After Reset a store is as a new one, and takes blocks from the first again.
func TestResetIsNew(t *testing.T) {
	for _, version := range []string{"12", "16", "17", "18"} {
		v := guc.MustVersion(version)
		used, fresh := deadtid.NewKeeper(v, 1<<20, 1000), deadtid.NewKeeper(v, 1<<20, 1000)
		account := deadtid.New(v, 1<<20, 1000)
		empty := fresh.Bytes()
		for _, p := range everyPage(300, 1, 5) {
			used.Add(p.block, p.offsets)
			account.Add(p.block, p.offsets)
		}
		used.Reset()
		account.Reset()
		if used.Bytes() != empty || used.Count() != 0 || used.Full() || used.Lookup(0, 1) || len(contents(used)) != 0 {
			t.Errorf("PostgreSQL %s: after Reset %d bytes, %d rows, full %v; a new store has %d bytes", version, used.Bytes(), used.Count(), used.Full(), empty)
		}
		for _, p := range everyPage(70_000, 700, 10) {
			used.Add(p.block, p.offsets)
			fresh.Add(p.block, p.offsets)
			account.Add(p.block, p.offsets)
		}
		if used.Bytes() != fresh.Bytes() || account.Bytes() != fresh.Bytes() {
			t.Errorf("PostgreSQL %s: filled after Reset: %d bytes by the tree, %d by the account; a new store has %d", version, used.Bytes(), account.Bytes(), fresh.Bytes())
		}
		if diff := cmp.Diff(contents(fresh), contents(used), cmp.AllowUnexported(deadPage{})); diff != "" {
			t.Errorf("PostgreSQL %s: filled after Reset it has other rows than a new one:\n%s", version, diff)
		}
	}
}

// A reader may stop early.
func TestBlocksStops(t *testing.T) {
	for _, version := range []string{"16", "18"} {
		k := deadtid.NewKeeper(guc.MustVersion(version), 64<<20, 100_000)
		for _, p := range everyPage(70_000, 100, 1) {
			k.Add(p.block, p.offsets)
		}
		seen := 0
		for range k.Blocks() {
			if seen++; seen == 5 {
				break
			}
		}
		if seen != 5 {
			t.Errorf("PostgreSQL %s: %d pages read after a stop at the fifth", version, seen)
		}
	}
}

func TestMistakesOfTheCaller(t *testing.T) {
	for name, add := range map[string]func(deadtid.Store){
		"block again":            func(s deadtid.Store) { s.Add(7, []uint16{1}) },
		"block before":           func(s deadtid.Store) { s.Add(6, []uint16{1}) },
		"no rows":                func(s deadtid.Store) { s.Add(8, nil) },
		"offset 0":               func(s deadtid.Store) { s.Add(8, []uint16{0, 1}) },
		"offset again":           func(s deadtid.Store) { s.Add(8, []uint16{1, 2, 2}) },
		"offsets descend":        func(s deadtid.Store) { s.Add(8, []uint16{2, 1}) },
		"more than a page holds": func(s deadtid.Store) { s.Add(8, []uint16{292}) },
	} {
		for _, version := range []string{"16", "18"} {
			v := guc.MustVersion(version)
			for form, s := range map[string]deadtid.Store{"account": deadtid.New(v, 1<<20, 100), "keeper": deadtid.NewKeeper(v, 1<<20, 100)} {
				s.Add(7, []uint16{1})
				if !panics(func() { add(s) }) {
					t.Errorf("%s, PostgreSQL %s, %s: no panic", name, version, form)
				}
			}
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func ExampleStore() {
	all := make([]uint16, 50) // all rows of a page
	for i := range all {
		all[i] = uint16(i + 1)
	}
	for _, version := range []string{"16", "18"} {
		s := deadtid.New(guc.MustVersion(version), 64<<20, 1_000_000)
		passes := 1
		for block := range uint32(1_000_000) {
			if s.Full() {
				s.Reset()
				passes++
			}
			s.Add(block, all)
		}
		fmt.Printf("PostgreSQL %s: %d passes over the indexes, the last with %d kB\n", version, passes, s.Bytes()>>10)
	}
	// Output:
	// PostgreSQL 16: 5 passes over the indexes, the last with 30830 kB
	// PostgreSQL 18: 1 passes over the indexes, the last with 24640 kB
}
