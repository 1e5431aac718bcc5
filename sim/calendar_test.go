package sim

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sorted is the calendar as simply as it can be: one row, in the order in which
// the events are due.
type sorted []event

func (s *sorted) push(e event) {
	i := sort.Search(len(*s), func(i int) bool { return (*s)[i].at > e.at })
	*s = slices.Insert(*s, i, e)
}

func (s *sorted) pop() event {
	e := (*s)[0]
	*s = (*s)[1:]
	return e
}

// spans are up to how far ahead events are scheduled: one instant, ties within a
// digit of the radix heap, across digits, and up to the end of time.
var spans = []int64{0, 1, 63, 64, 5000, 1e9, 1 << 50, math.MaxInt64}

// drawPush adds events up to span ahead of now to both, in a burst of one to
// more than a long list holds.
func drawPush(t *rapid.T, c *calendar, want *sorted, now Time, label *int64, most int) {
	span := rapid.SampledFrom(spans).Draw(t, "span")
	times := rapid.Uint64().Draw(t, "times") // of a burst: an LCG, as rapid draws slowly
	for range rapid.IntRange(1, most).Draw(t, "burst") {
		times = times*6364136223846793005 + 1442695040888963407
		ahead := int64(times>>1) % max(min(span, math.MaxInt64-int64(now)), 1)
		*label++
		e := event{at: now + Time(ahead), arg: *label, handler: HandlerID(-*label)}
		c.push(e.at, e.handler, e.arg)
		want.push(e)
	}
}

// checkPop takes the earliest event from both.
func checkPop(t *rapid.T, c *calendar, want *sorted) Time {
	first := (*want)[0].at
	if c.empty() || c.none(first) || first > 0 && !c.none(first-1) {
		t.Fatalf("%d events, the first at %d: empty %v, none up to then %v", len(*want), first, c.empty(), c.none(first))
	}
	if e, due := c.pop(first - 1); due {
		t.Fatalf("%+v is due before %d", e, first)
	}
	got, due := c.pop(first)
	got.next = 0
	if e := want.pop(); !due || got != e {
		t.Fatalf("took %+v, %v; want %+v", got, due, e)
	}
	return first
}

// Bursts, ties, far times and pauses, against the sorted row. Between pops the
// clock may move on without an event, as it does when a hold is elided.
func TestCalendarAgainstSortedRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c calendar
		var want sorted
		var now Time
		var label int64
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			drawPush(t, &c, &want, now, &label, rapid.SampledFrom([]int{1, fewEvents, 40, 2 * longList}).Draw(t, "most"))
			for range rapid.IntRange(0, len(want)).Draw(t, "pops") {
				now = checkPop(t, &c, &want)
				if rapid.IntRange(0, 9).Draw(t, "push") == 0 {
					drawPush(t, &c, &want, now, &label, 5)
				}
			}
			if len(want) > 0 && rapid.Bool().Draw(t, "elide") {
				now += (want[0].at - now) / 2
			}
		}
		for len(want) > 0 {
			checkPop(t, &c, &want)
		}
		if _, due := c.pop(Forever); due || !c.empty() || !c.none(Forever) {
			t.Fatal("an event that was not pushed, or taken before")
		}
	})
}

// A long life with about as many events pending at all times: what is left
// behind by events of long ago does not harm.
func TestCalendarInLongRun(t *testing.T) {
	for _, pending := range []int{fewEvents, fewEvents + 1, 100, 8 * longList} {
		var c calendar
		var want sorted
		r := NewStreams(1, pending).Named("calendar")
		now := Time(0)
		for i := range int64(50_000) {
			e := event{at: now.Add(time.Duration(r.ExpFloat64() * 1e6)), arg: i}
			if r.IntN(10) == 0 {
				e.at = now + Time(r.IntN(5))<<r.IntN(40)
			}
			c.push(e.at, e.handler, e.arg)
			want.push(e)
			if len(want) < pending-r.IntN(3) {
				continue
			}
			first := want.pop()
			now = first.at
			got, due := c.pop(now)
			if got.next = 0; !due || got != first {
				t.Fatalf("%d pending, at event %d: took %+v, %v; want %+v", pending, i, got, due, first)
			}
		}
		if n := len(c.many.events); n > 2*pending {
			t.Errorf("%d pending: room for %d linked events", pending, n)
		}
		if n := len(c.many.chunks.all) * len(chunk{}.events); n > 2*pending+1000 {
			t.Errorf("%d pending: room for %d events in chunks", pending, n)
		}
	}
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

// The last instant is one like others; what lies after it is refused.
func TestEndOfTime(t *testing.T) {
	var k Kernel
	var got []int64
	h := k.Handler(func(arg int64) { got = append(got, arg) })
	for i := range int64(20) {
		k.At(Forever, h, i)
		k.At(Forever-1, h, 100+i)
	}
	k.Run(Forever - 2)
	if len(got) > 0 {
		t.Fatalf("%v ran before their time", got)
	}
	k.Run(Forever)
	if len(got) != 40 || k.Now() != Forever || !slices.IsSortedFunc(got, func(a, b int64) int { return cmp.Or(cmp.Compare(b/100, a/100), cmp.Compare(a, b)) }) {
		t.Errorf("at %v ran %v", k.Now(), got)
	}
	defer func() {
		if recover() == nil {
			t.Error("an event after the end of time is accepted")
		}
	}()
	k.After(1, h, 0)
}
