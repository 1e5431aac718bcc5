package deadtid_test

import (
	"testing"

	"pgregory.net/rapid"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
)

// A store that is told the number of a page's dead rows and the last of them
// takes the bytes of one that is told all, and is full when that is.
func TestCountedAsAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := guc.MustVersion(rapid.SampledFrom([]string{"9.4", "12", "13", "16", "17", "18"}).Draw(t, "version"))
		memory := rapid.SampledFrom([]int64{1 << 20, 4 << 20, 64 << 20}).Draw(t, "memory")
		pages := pagesOf(rapid.SliceOfN(runs, 1, 12).Draw(t, "runs"))
		all, counted := deadtid.New(v, memory, 1<<32), deadtid.NewCounter(v, memory, 1<<32)
		for _, p := range pages {
			if all.Full() != counted.Full() {
				t.Fatalf("before block %d: full is %v, of the counted one %v", p.block, all.Full(), counted.Full())
			}
			if all.Full() {
				all.Reset()
				counted.Reset()
			}
			all.Add(p.block, p.offsets)
			counted.AddCounted(p.block, len(p.offsets), p.offsets[len(p.offsets)-1])
			if all.Bytes() != counted.Bytes() || all.Count() != counted.Count() {
				t.Fatalf("after block %d: %d bytes and %d rows, of the counted one %d and %d", p.block, all.Bytes(), all.Count(), counted.Bytes(), counted.Count())
			}
		}
	})
}

func TestCountedRefuses(t *testing.T) {
	for name, add := range map[string]func(deadtid.Counter){
		"no rows":          func(c deadtid.Counter) { c.AddCounted(1, 0, 1) },
		"too few offsets":  func(c deadtid.Counter) { c.AddCounted(1, 3, 2) },
		"too many offsets": func(c deadtid.Counter) { c.AddCounted(1, 3, 292) },
		"a block again":    func(c deadtid.Counter) { c.AddCounted(1, 1, 1); c.AddCounted(1, 1, 1) },
	} {
		for _, version := range []string{"16", "18"} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("PostgreSQL %s: %s is taken", version, name)
					}
				}()
				add(deadtid.NewCounter(guc.MustVersion(version), 1<<20, 100))
			}()
		}
	}
}
