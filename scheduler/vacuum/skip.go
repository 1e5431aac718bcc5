package vacuum

import "math"

// skipThreshold is SKIP_PAGES_THRESHOLD of vacuumlazy.c: VACUUM reads runs of
// skippable pages that are shorter, so that the kernel's read-ahead keeps
// going, and skips those of so many pages or more.
const skipThreshold = 32

// skipped is how many of the skippable pages of a heap are skipped. Where each
// page is skippable with probability v, by itself, a skippable one stands in a
// run of k or more with probability
//
//	Σ_{l≥k} l·v^(l-1)·(1-v)² = v^(k-1)·(k - (k-1)·v)
//
// since a run of l holds l of its pages, and ends at both sides with a page
// that is not skippable. The ends of the heap are ends of runs too, which
// matters in heaps of a few runs only and is left out; a heap that is skippable
// as a whole is one run. The last page is read from 9.6 on, to see whether
// pages at the end are empty.
func (t *Table) skipped(from since) float64 {
	skippable := min(t.Skippable, t.Pages)
	if skippable <= 0 {
		return 0
	}
	out := skippable
	if v := skippable / max(t.Pages-t.AtEnd, skippable); !t.Together && v < 1 {
		out *= inLongRun(v)
	}
	if skippable < skipThreshold {
		out = 0
	}
	if from.v96 {
		if t.AtEnd < 1 {
			out -= out / t.Pages
		}
		if skippable >= t.Pages {
			out = min(out, max(skippable-1, 0))
		}
	}
	return max(out, 0)
}

// inLongRun is the share of skippable pages that are in a run of the threshold
// or more, where a page is skippable with probability v.
func inLongRun(v float64) float64 {
	const k = skipThreshold
	return math.Pow(v, k-1) * (k - (k-1)*v)
}
