package plots

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
)

func TestScaleTicks(t *testing.T) {
	labelled := func(s scale) []string {
		return slices.DeleteFunc(tickLabels(s), func(label string) bool { return label == "" })
	}
	tests := []struct {
		log    bool
		values []float64
		want   []string
	}{
		{true, []float64{100, 100000}, []string{"100", "1,000", "10,000", "100,000"}},
		{true, []float64{0.7, 4000}, []string{"1", "10", "100", "1,000"}},
		{true, []float64{3, 40}, []string{"5", "10", "20"}},
		{true, []float64{1e3, 1e7}, []string{"1,000", "10,000", "100,000", "1 M", "10 M"}},
		{false, []float64{0, 100}, []string{"0", "50", "100"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, labelled(newScale(test.log, test.values))); diff != "" {
			t.Errorf("log %v, %v:\n%s", test.log, test.values, diff)
		}
	}
}

// TestScaleKeepsValuesInside for values of any size, alone or close together.
func TestScaleKeepsValuesInside(t *testing.T) {
	for _, values := range [][]float64{{1}, {1e-90, 1e90}, {1e12, 1e12 + 1}, {0}, {-5, 5}, {-3, -1}, {1e100}, {0.1, 0.1000001}} {
		for _, log := range []bool{false, true} {
			if log && values[0] <= 0 {
				continue
			}
			s := newScale(log, values)
			if len(s.ticks) > 1000 {
				t.Errorf("log %v, %v: %d ticks", log, values, len(s.ticks))
			}
			for _, v := range values {
				if at := s.at(v, 0, 100); !(at >= 0 && at <= 100) || v < s.min || v > s.max {
					t.Errorf("log %v, %v: %g at %v of an axis from %g to %g", log, values, v, at, s.min, s.max)
				}
			}
		}
	}
}

// TestZeroOnLogScale: zero stands below a break, and nothing else does.
func TestZeroOnLogScale(t *testing.T) {
	s := newScale(true, []float64{0, 0.5, 300})
	if !s.zero || s.ticks[0].Label != "0" || s.min <= 0 {
		t.Fatalf("no place for zero: %+v", s)
	}
	if at := s.at(0, 100, 200); at <= 100 || at >= 100+breakPlace {
		t.Errorf("zero at %v: not between the axis' end and its break", at)
	}
	for _, v := range []float64{1e-300, 0.5, 300} {
		if at := s.at(v, 100, 200); at <= 100+breakPlace || at > 200 {
			t.Errorf("%g at %v: not above the break", v, at)
		}
	}
	if newScale(true, []float64{0.5, 300}).zero || newScale(false, []float64{0, 300}).zero {
		t.Error("a break without need")
	}
}

func TestScaleUsesFewValuesAsTicks(t *testing.T) {
	s := newScale(true, []float64{1, 3, 10, 30})
	width := func(label string) vg.Length { return vg.Length(6 * len(label)) }
	s.useValues([]float64{30, 1, 3, 10, 3}, 200, width)
	if diff := cmp.Diff([]string{"1", "3", "10", "30"}, tickLabels(s)); diff != "" {
		t.Error(diff)
	}
	narrow := newScale(true, []float64{1, 3, 10, 30})
	narrow.useValues([]float64{1, 3, 10, 30}, 20, width)
	if diff := cmp.Diff(newScale(true, []float64{1, 3, 10, 30}), narrow, cmp.AllowUnexported(scale{})); diff != "" {
		t.Errorf("labels without room replaced the ticks:\n%s", diff)
	}
}

// TestApart checks what apart promises on random places, and a case by hand.
func TestApart(t *testing.T) {
	if got, want := apart([]float64{50, 52, 10}, 10, 0, 100), []float64{46, 56, 10}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		places := make([]float64, 1+random.IntN(9))
		for i := range places {
			places[i] = 100 * random.Float64()
		}
		moved := apart(places, 10, 0, 100)
		sorted := slices.Clone(moved)
		slices.Sort(sorted)
		for i := range sorted {
			if sorted[i] < -1e-9 || sorted[i] > 100+1e-9 || i > 0 && sorted[i]-sorted[i-1] < 10-1e-9 {
				t.Fatalf("%v moved to %v: too close or outside", places, moved)
			}
		}
		for i := range places {
			for j := range places {
				if places[i] < places[j] && moved[i] > moved[j] {
					t.Fatalf("%v moved to %v: order lost", places, moved)
				}
			}
		}
	}
}

func TestSpread(t *testing.T) {
	tests := []struct{ items, n, first, last, want int }{
		{40, 6, 0, 39, 6}, {6, 6, 0, 5, 6}, {3, 6, 0, 2, 3}, {7, 6, 0, 6, 6}, {9, 1, 8, 8, 1},
	}
	for _, test := range tests {
		items := make([]int, test.items)
		for i := range items {
			items[i] = i
		}
		got := spread(items, test.n)
		if len(slices.Compact(slices.Clone(got))) != test.want || got[0] != test.first || got[len(got)-1] != test.last {
			t.Errorf("%d of %d: %v", test.n, test.items, got)
		}
	}
}

func TestChoose(t *testing.T) {
	tests := []struct{ column, values, want string }{
		{"tables", "100 200 500 1000 2000 5000 10000 20000 50000 100000", "100 1000 2000 10000 20000 100000"},
		{"tables", "1 2 3 4 5 6 7", "1 2 3 4 5 7"},
		{"cpus", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", "1 2 4 8 11 16"},
		{"tables", "7 50 300", "7 50 300"},
		{"tables", "1 10 100 1000 10000 100000 1000000 10000000", "1 10 1000 10000 1000000 10000000"},
		{"settings", "a b c d e f g", "a b c e f g"},
	}
	for _, test := range tests {
		if got := strings.Join(choose(test.column, strings.Fields(test.values), 6), " "); got != test.want {
			t.Errorf("6 %s of %s: got %s, want %s", test.column, test.values, got, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		number(0): "0", number(1000): "1,000", number(100000): "100,000", number(2.5e6): "2.5 M", number(0.25): "0.25",
		number(1e12): "1e+12", number(-12345.5): "-12,345.5", number(1234567): "1,234,567", number(1e-7): "1e-07",
		rate(77.81): "77.8", rate(2.98): "3.0", rate(1037.2): "1,037", rate(0.4567): "0.46", rate(99.97): "100",
		multiple(80.2): "80 times", multiple(9.52): "9.5 times", multiple(1234): "1,234 times",
		percent(0.97): "97 %", percent(0.004): "0.4 %", percent(0): "0 %", percent(1): "100 %",
		counted("1", "worker"): "1 worker", counted("30", "worker"): "30 workers", counted("10000", "table"): "10,000 tables",
		counted("1000000", "table"): "1,000,000 tables", counted("many", "table"): "table many",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
