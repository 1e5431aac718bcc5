package deadtid_test

import (
	"math"

	"pgregory.net/rapid"
)

// deadPage is what a heap page has for the store.
type deadPage struct {
	block   uint32
	offsets []uint16
}

// everyPage are pages with rows from the first on dead, one page in so many.
func everyPage(pages, step int, dead int) []deadPage {
	var out []deadPage
	for b := 0; b < pages; b += step {
		out = append(out, deadPage{uint32(b), offsetsFrom(1, dead, 1)})
	}
	return out
}

// offsetsFrom are so many offsets, a step apart, as far as a page has them.
func offsetsFrom(first, n, step int) []uint16 {
	var out []uint16
	for o := first; len(out) < n && o <= 291; o += step {
		out = append(out, uint16(o))
	}
	return out
}

// run is a part of a table: after a gap, and from a multiple of align on, so many
// pages, a step apart, each with dead rows from first on, so far apart.
type run struct {
	gap, align, pages, step int
	first, dead, apart      int
}

// Gaps and steps at which nodes change: a run that fills a class and one more;
// a stride that leaves every node with 1, 4, 5, 16, 17, 32, 33, 64 or 65
// children; a jump over a level.
var runs = rapid.Custom(func(t *rapid.T) run {
	return run{
		gap:   rapid.OneOf(rapid.IntRange(0, 300), rapid.SampledFrom([]int{65535, 65536, 70000, 1 << 24, 1<<24 + 1})).Draw(t, "gap"),
		align: rapid.SampledFrom([]int{1, 1, 256, 65536}).Draw(t, "align"),
		pages: rapid.OneOf(rapid.IntRange(1, 300), rapid.SampledFrom([]int{4, 5, 16, 17, 32, 33, 64, 65, 256, 257})).Draw(t, "pages"),
		step:  rapid.SampledFrom([]int{1, 1, 2, 3, 4, 7, 8, 15, 16, 52, 63, 64, 256, 257, 65536}).Draw(t, "step"),
		first: rapid.IntRange(1, 291).Draw(t, "first"),
		dead:  rapid.SampledFrom([]int{1, 2, 3, 4, 5, 10, 61, 291}).Draw(t, "dead"),
		apart: rapid.IntRange(1, 5).Draw(t, "apart"),
	}
})

// pagesOf are the pages of runs, one after another, while there are blocks.
func pagesOf(runs []run) []deadPage {
	var out []deadPage
	next := 0
	for _, r := range runs {
		b := (next + r.gap + r.align - 1) / r.align * r.align
		for range r.pages {
			if b > math.MaxUint32 {
				return out
			}
			out = append(out, deadPage{uint32(b), offsetsFrom(r.first, r.dead, r.apart)})
			next = b + 1
			b += r.step
		}
	}
	return out
}
