package validate

import (
	"context"
	"math"
	"testing"
	"time"

	"avsim/workload/host"
	"avsim/workload/twin"
)

func recordedTwin(t *testing.T, name string) *twin.Run {
	t.Helper()
	r, err := twin.Read("../../workload/recorded/twin/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func runTwin(t *testing.T, name string, seed uint64) *Twin {
	t.Helper()
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	out, err := RunTwin(context.Background(), recordedTwin(t, name), h, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTwins: recorded runs from their state before and their true workload. In the mean of
// six seeds, since within one a launch some milliseconds earlier moves all that follows:
// total vacuums within 5 % (eleven of r1's are of catalogues, which the model knows little
// of), 95 % of the tables within one or 10 %, 85 % of the vacuums met and meant, starts apart
// by half a naptime at most; workers within 20 % where they are at work at all (r4p13).
func TestTwins(t *testing.T) {
	for name, naptime := range map[string]float64{"r1": 5, "r3": 20, "r4p13": 5} {
		const seeds = 6
		var vacuums, tables, recall, precision, apart, busy float64
		for seed := range uint64(seeds) {
			s := runTwin(t, name, seed+1).Summary
			vacuums += (float64(s.VacuumsPredicted)/float64(s.VacuumsRecorded) - 1) / seeds
			tables += *s.TablesWithin / seeds
			recall += *s.Recall / seeds
			precision += *s.Precision / seeds
			apart += *s.TimeError / seeds
			busy += *s.BusyError / seeds
		}
		if math.Abs(vacuums) > 0.05 || tables < 0.95 || recall < 0.85 || precision < 0.85 || apart > naptime/2 {
			t.Errorf("%s: vacuums off by %+.1f %%, tables %.3f, recall %.3f, precision %.3f, starts apart by %.2f s", name, 100*vacuums, tables, recall, precision, apart)
		}
		if name == "r4p13" && math.Abs(busy) > 0.2 {
			t.Errorf("%s: workers off by %.0f %%", name, 100*busy)
		}
	}
}

// TestTwinWindows: r2, of which 47 and 31 vacuums of user tables lie wholly in two
// windows, with three workers and with six, and take 8.5 and 15.2 s in the median;
// 89,600 and 91,200 cost units are charged a second. Predicted in the mean of eight seeds.
// Which table is whose turn when differs after a while, so that only half of the vacuums
// are met within 5 s.
func TestTwinWindows(t *testing.T) {
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	const seeds = 8
	type window struct{ vacuums, seconds, cost float64 }
	want, got := []window{{47, 8.5, 89_600}, {31, 15.2, 91_200}}, make([]window, 2)
	for seed := range uint64(seeds) {
		windows := []TwinWindow{{From: 15 * time.Second, To: 185 * time.Second}, {From: 215 * time.Second, To: 355 * time.Second}}
		out, err := RunTwin(context.Background(), recordedTwin(t, "r2"), h, seed+1, windows)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range out.Windows {
			got[i].vacuums += float64(w.VacuumsPredicted) / seeds
			got[i].seconds += *w.DurationPredicted / seeds
			got[i].cost += w.CostPerSecondPredicted / seeds
		}
		s := out.Summary
		if *s.TablesWithin < 0.95 || *s.DurationError > 0.1 || math.Abs(*s.BusyError) > 0.1 || *s.TimeError > 2.5 || *s.Recall < 0.4 || *s.Precision < 0.4 {
			t.Errorf("seed %d: tables %.3f, durations off by %.2f, workers by %.2f, starts by %.2f s, recall %.2f, precision %.2f", seed+1,
				*s.TablesWithin, *s.DurationError, *s.BusyError, *s.TimeError, *s.Recall, *s.Precision)
		}
	}
	for i, x := range got {
		if math.Abs(x.vacuums/want[i].vacuums-1) > 0.1 || math.Abs(x.seconds/want[i].seconds-1) > 0.2 || math.Abs(x.cost/want[i].cost-1) > 0.05 {
			t.Errorf("window %d: %+v, recorded %+v", i, x, want[i])
		}
	}
}

// TestMatch: pairs by hand.
func TestMatch(t *testing.T) {
	at := func(seconds ...float64) (out []twin.Event) {
		for _, s := range seconds {
			start := time.Duration(s * 1e9)
			out = append(out, twin.Event{Table: "t", Vacuum: true, Start: start, End: start + time.Second})
		}
		return out
	}
	for _, test := range []struct {
		recorded, predicted []float64
		pairs               int
		off                 float64
	}{
		{nil, []float64{1}, 0, math.NaN()},
		{[]float64{10}, []float64{15}, 1, 5},
		{[]float64{10}, []float64{15.1}, 0, math.NaN()},
		{[]float64{10, 13}, []float64{6, 12}, 2, 2.5},
		{[]float64{10, 20, 30}, []float64{1, 21, 22, 29}, 2, 1},
	} {
		got := match(at(test.recorded...), at(test.predicted...), 5*time.Second)
		starts, _ := matchErrors(got)
		if len(got) != test.pairs || (starts == nil) != math.IsNaN(test.off) || starts != nil && math.Abs(*starts-test.off) > 1e-9 {
			t.Errorf("%v and %v: %d pairs, starts apart by %v", test.recorded, test.predicted, len(got), starts)
		}
	}
}

// TestTwinWindow: two vacuums wholly inside, a third by half of its cost.
func TestTwinWindow(t *testing.T) {
	events := []twin.Event{
		{Vacuum: true, Start: 10 * time.Second, End: 12 * time.Second, Cost: 100},
		{Vacuum: true, Start: 13 * time.Second, End: 17 * time.Second, Cost: 300},
		{Vacuum: true, Start: 19 * time.Second, End: 21 * time.Second, Cost: 80},
		{Vacuum: true, System: true, Start: 14 * time.Second, End: 15 * time.Second},
	}
	n, took, cost := TwinWindow{From: 10 * time.Second, To: 20 * time.Second}.of(events)
	if n != 2 || *took != 2 && *took != 3 || cost != 44 {
		t.Errorf("%d vacuums of %v s in the median, %v units/s; want 2, 3 s and 44", n, *took, cost)
	}
}
