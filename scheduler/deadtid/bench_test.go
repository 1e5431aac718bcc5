package deadtid_test

import (
	"fmt"
	"runtime"
	"testing"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
)

// BenchmarkAdd puts pages in, up to a million in a store. ns/op is a page; bytes/tid are
// those of PostgreSQL, gobytes/tid those that the store itself takes, of a store of a
// million pages, or a full one, however many were put in for the time.
func BenchmarkAdd(b *testing.B) {
	const pages = 1 << 20
	for _, version := range []string{"16", "18"} {
		v := guc.MustVersion(version)
		for _, dead := range []int{1, 10, 61} {
			offsets := offsetsFrom(1, dead, 1)
			fill := func(b *testing.B, create func() deadtid.Store) {
				s, next := create(), uint32(0)
				b.ResetTimer()
				for range b.N {
					if next == pages || s.Full() {
						s, next = create(), 0
					}
					s.Add(next, offsets)
					next++
				}
				b.StopTimer()
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*dead), "ns/tid")
				s = nil
				before := heapBytes()
				s = create()
				for block := uint32(0); block < pages && !s.Full(); block++ {
					s.Add(block, offsets)
				}
				b.ReportMetric(float64(s.Bytes())/float64(s.Count()), "bytes/tid")
				b.ReportMetric(float64(heapBytes()-before)/float64(s.Count()), "gobytes/tid")
				runtime.KeepAlive(s)
			}
			name := fmt.Sprintf("pg=%s/dead=%d", version, dead)
			b.Run(name+"/account", func(b *testing.B) {
				fill(b, func() deadtid.Store { return deadtid.New(v, 1<<30, 2*pages) })
			})
			b.Run(name+"/keeper", func(b *testing.B) {
				fill(b, func() deadtid.Store { return deadtid.NewKeeper(v, 1<<30, 2*pages) })
			})
		}
	}
}

// BenchmarkLookup asks for rows of a million pages in the order of an index
// that has nothing of the table's.
func BenchmarkLookup(b *testing.B) {
	const pages = 1 << 20
	for _, version := range []string{"16", "18"} {
		b.Run("pg="+version, func(b *testing.B) {
			k := deadtid.NewKeeper(guc.MustVersion(version), 1<<30, pages)
			offsets := offsetsFrom(1, 10, 2)
			for block := range uint32(pages) {
				k.Add(block, offsets)
			}
			block, found := uint32(0), 0
			b.ResetTimer()
			for i := range b.N {
				block = (block*1664525 + 1013904223) % pages
				if k.Lookup(block, uint16(i%20)) {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
		})
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
