package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The heap against a slice that is sorted anew for every event taken.
func TestCalendarAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c calendar
		var want []event
		span := rapid.Int64Range(1, 1000).Draw(t, "span")
		fill := rapid.IntRange(2, 4).Draw(t, "fill") // of 5 operations so many push
		for i := range rapid.IntRange(1, 400).Draw(t, "operations") {
			push := rapid.IntRange(1, 5).Draw(t, "operation") <= fill
			if push || len(want) == 0 {
				e := event{at: Time(rapid.Int64Range(0, span).Draw(t, "at")), seq: uint64(i), arg: int64(-i), handler: HandlerID(i)}
				c.push(e)
				want = append(want, e)
				continue
			}
			slices.SortFunc(want, func(a, b event) int {
				return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq))
			})
			if c.len() != len(want) || *c.min() != want[0] {
				t.Fatalf("%d events, first %+v; want %d, %+v", c.len(), *c.min(), len(want), want[0])
			}
			if got := c.pop(); got != want[0] {
				t.Fatalf("popped %+v, want %+v", got, want[0])
			}
			want = want[1:]
		}
	})
}

func TestEqualTimesInOrderOfScheduling(t *testing.T) {
	var k Kernel
	var got []int64
	h := k.Handler(func(arg int64) { got = append(got, arg) })
	for i := range int64(1000) {
		k.At(Time(i%3), h, i)
	}
	k.Run(Forever)
	if !slices.IsSortedFunc(got, func(a, b int64) int { return cmp.Or(cmp.Compare(a%3, b%3), cmp.Compare(a, b)) }) {
		t.Error("events at the same instant do not run in the order in which they were scheduled")
	}
}
