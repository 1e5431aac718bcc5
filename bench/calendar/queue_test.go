package calendar

import (
	"math/rand/v2"
	"testing"
)

var queues = []struct {
	name string
	make func() Queue
}{
	{"heap", func() Queue { return new(Heap) }},
	{"keyheap", func() Queue { return new(KeyHeap) }},
	{"ladder", func() Queue { return new(Ladder) }},
	{"radix", func() Queue { return new(Radix) }},
}

// All take the same events in the same order, on each distribution, with few
// and many pending.
func TestSameOrder(t *testing.T) {
	for _, d := range Distributions() {
		for _, pending := range []int{1, 7, 100, 5000} {
			r := rand.New(rand.NewPCG(3, uint64(pending)))
			var all []Queue
			for _, q := range queues {
				all = append(all, q.make())
			}
			now, left := int64(0), 0
			for i := range int64(30_000) {
				if e := (Event{now + d.Draw(r), i, uint32(i)}); i < 30_000-int64(left) {
					for _, q := range all {
						q.Push(e)
					}
					left++
				}
				if left > pending-r.IntN(3) || i >= 30_000-int64(left) {
					want := all[0].Pop()
					left--
					now = want.At
					for j, q := range all[1:] {
						if got := q.Pop(); got != want {
							t.Fatalf("%s, %d pending, event %d: %s takes %+v, heap %+v", d.Name, pending, i, queues[j+1].name, got, want)
						}
					}
				}
			}
		}
	}
}
