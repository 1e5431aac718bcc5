package vacuum_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"avsim/scheduler/vacuum"
)

// slack is what a sleep of 2 ms took longer on the machine of the recordings.
const slack = 100 * time.Microsecond

var (
	costs18 = vacuum.PageCosts{Hit: 1, Miss: 2, Dirty: 20} // from 14
	costs13 = vacuum.PageCosts{Hit: 1, Miss: 10, Dirty: 20}
)

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// offs are the errors of predictions, as shares.
type offs []float64

func (o *offs) add(got time.Duration, want float64) {
	*o = append(*o, math.Abs(got.Seconds()/want-1))
}

func (o offs) median() float64 { return slices.Sorted(slices.Values(o))[len(o)/2] }

// limits are the cost limits of a worker from an instant on: 200 shared out, a
// whole number each, among those that have begun a table and not exited.
func limits(t *testing.T, workers []map[string]string, start float64) []vacuum.LimitFrom {
	t.Helper()
	var times []float64
	count := func(at float64) (n int) {
		for _, w := range workers {
			if number(t, w, "from") <= at && (w["to"] == "" || at < number(t, w, "to")) {
				n++
			}
		}
		return max(n, 1)
	}
	for _, w := range workers {
		times = append(times, number(t, w, "from"))
		if w["to"] != "" {
			times = append(times, number(t, w, "to"))
		}
	}
	slices.Sort(times)
	out := []vacuum.LimitFrom{{From: 0, Limit: 200 / count(start)}}
	for _, at := range times {
		if at > start {
			out = append(out, vacuum.LimitFrom{From: seconds(at - start), Limit: 200 / count(at)})
		}
	}
	return out
}

// From what the log tells of each vacuum of a saturated server, and the number of
// workers over time, how long it took: median error at most 10 %.
func TestDurationsOfASaturatedServer(t *testing.T) {
	workers := rowsOf(t, "testdata/saturated_workers.csv")
	off := map[string]*offs{"vacuum": {}, "analyze": {}}
	for _, row := range rowsOf(t, "testdata/saturated_events.csv") {
		start := number(t, row, "start")
		l := vacuum.Logged{Hits: number(t, row, "hits"), Reads: number(t, row, "reads"),
			Dirtied: number(t, row, "dirtied"), CPU: seconds(number(t, row, "cpu_seconds"))}
		got := l.Elapsed(costs18, limits(t, workers, start), 2*time.Millisecond, slack)
		off[row["kind"]].add(got, number(t, row, "end")-start)
	}
	for kind, o := range off {
		t.Logf("%d of kind %s: median error %.1f %%, largest %.1f %%", len(*o), kind, 100*o.median(), 100*slices.Max(*o))
		if o.median() > 0.1 {
			t.Errorf("%s: median error %.1f %%, at most 10 %%", kind, 100*o.median())
		}
	}
}

// The same of single vacuums: with a delay a median error of at most 10 %,
// without, where processor time is all there is, at most 25 %.
func TestDurationsOfSingleVacuums(t *testing.T) {
	var with, without offs
	for _, row := range rowsOf(t, "testdata/single.csv") {
		l := vacuum.Logged{Hits: number(t, row, "hits"), Reads: number(t, row, "reads"),
			Dirtied: number(t, row, "dirtied"), CPU: seconds(number(t, row, "cpu_user_s") + number(t, row, "cpu_sys_s"))}
		delay := seconds(number(t, row, "cost_delay_ms") / 1000)
		took := number(t, row, "elapsed_ms") / 1000
		got := l.Elapsed(costs18, []vacuum.LimitFrom{{Limit: int(number(t, row, "cost_limit"))}}, delay, slack)
		if delay > 0 {
			with.add(got, took)
		} else {
			without.add(got, took)
		}
	}
	t.Logf("%d with a delay: median error %.1f %%; %d without: %.1f %%", len(with), 100*with.median(), len(without), 100*without.median())
	if with.median() > 0.1 {
		t.Errorf("with a delay: median error %.1f %%, at most 10 %%", 100*with.median())
	}
	if without.median() > 0.25 {
		t.Errorf("without a delay: median error %.1f %%, at most 25 %%", 100*without.median())
	}
}

// Two vacuums that were logged with a delay of 20 ms and a limit of 200, of
// PostgreSQL 11 or before by these.
func TestTwoLoggedDurations(t *testing.T) {
	for _, c := range []struct {
		logged vacuum.Logged
		took   float64
	}{
		{vacuum.Logged{Hits: 10_414, Dirtied: 769, CPU: 460 * time.Millisecond}, 3.19},
		{vacuum.Logged{Hits: 75_143, Reads: 73_378, Dirtied: 73_364, CPU: 2970 * time.Millisecond}, 231.2},
	} {
		got := c.logged.Elapsed(costs13, []vacuum.LimitFrom{{Limit: 200}}, 20*time.Millisecond, slack).Seconds()
		t.Logf("%.2f s, logged %.2f s: %+.1f %%", got, c.took, 100*(got/c.took-1))
		if math.Abs(got/c.took-1) > 0.1 {
			t.Errorf("%.2f s, logged %.2f s", got, c.took)
		}
	}
}
