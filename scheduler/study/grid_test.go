package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/host"
)

func must(t rapid.TB) func(Axis, error) Axis {
	return func(a Axis, err error) Axis {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// axesOf are the axes that every point needs, with some values each.
func axesOf(t rapid.TB, tables, workers, cpus, strategies string, settings ...[2]string) []Axis {
	ok := must(t)
	hosts := ok(Hosts("epyc-2core", host.Load))
	versions := ok(Versions("13", false, false))
	axes := []Axis{
		ok(Tables(tables)), ok(Workers(workers)), hosts, ok(CPUs(cpus)), ok(DueShares("1")), ok(Starts("gated")), versions,
	}
	for _, s := range settings {
		axes = append(axes, ok(Setting(s[0], s[1], versions)))
	}
	return append(axes, ok(Strategies(strategies)))
}

func gridOf(t rapid.TB, axes []Axis, where string, zip ...[]string) *Grid {
	g, err := NewGrid(axes, zip)
	if err != nil {
		t.Fatal(err)
	}
	g.Window = func(s scheduler.Strategy, longest time.Duration) scheduler.Window {
		w := scheduler.DefaultWindow(s)
		if longest > 0 {
			w.Max = longest
		}
		return w
	}
	if where != "" {
		if g.Where, err = NewWhere(where, axes); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func pointsOf(t rapid.TB, g *Grid) (out []GridPoint) {
	for p, err := range g.Points() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func place(p GridPoint) string {
	return fmt.Sprint(p.Tables, " ", p.Workers, " ", p.Host.Cores, " ", strings.Join(p.Settings, ","), " ", p.Strategy.Name)
}

// A grid is what nested loops come to, the last axis fastest, less what the
// condition leaves out.
func TestGridIsNestedLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := func(name string) []string {
			xs := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 1, 4, rapid.ID[int]).Draw(t, name)
			var out []string
			for _, x := range xs {
				out = append(out, strconv.Itoa(x))
			}
			return out
		}
		tables, workers, cpus, scales := numbers("tables"), numbers("workers"), numbers("cpus"), numbers("thresholds")
		strategies := []string{"original", "leapfrog"}
		factor := rapid.IntRange(1, 40).Draw(t, "factor")
		join := func(s []string) string { return strings.Join(s, ",") }
		axes := axesOf(t, join(tables), join(workers), join(cpus), join(strategies), [2]string{"autovacuum_vacuum_threshold", join(scales)})
		g := gridOf(t, axes, fmt.Sprintf("workers <= cpus*%d", factor))

		var want, got []string
		for _, n := range tables {
			for _, w := range workers {
				for _, c := range cpus {
					for _, x := range scales {
						for _, s := range strategies {
							w1, _ := strconv.Atoi(w)
							c1, _ := strconv.Atoi(c)
							if w1 <= c1*factor {
								want = append(want, n+" "+w+" "+c+" autovacuum_vacuum_threshold="+x+" "+s)
							}
						}
					}
				}
			}
		}
		for i, p := range pointsOf(t, g) {
			got = append(got, place(p))
			if p.Index != i || p.First != (p.Strategy.Name == "original") {
				t.Fatalf("point %d has the index %d, first %v", i, p.Index, p.First)
			}
			if p.Host.Cores*factor < p.Workers {
				t.Fatal("a point is there for which the condition does not hold")
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
		if size := g.Size(); size != float64(len(tables)*len(workers)*len(cpus)*len(scales)*len(strategies)) {
			t.Errorf("size %v", size)
		}
	})
}

// Axes in step take their values together, at the place of the last.
func TestZip(t *testing.T) {
	axes := axesOf(t, "10,20", "1,2,3", "4,5,6", "original,leapfrog")
	var got []string
	for _, p := range pointsOf(t, gridOf(t, axes, "", []string{"workers", "cpus"})) {
		got = append(got, place(p))
	}
	want := []string{
		"10 1 4  original", "10 1 4  leapfrog", "10 2 5  original", "10 2 5  leapfrog", "10 3 6  original", "10 3 6  leapfrog",
		"20 1 4  original", "20 1 4  leapfrog", "20 2 5  original", "20 2 5  leapfrog", "20 3 6  original", "20 3 6  leapfrog",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	// With the strategy, the pairs are compared.
	axes = axesOf(t, "10", "1,2", "4", "original,leapfrog")
	ps := pointsOf(t, gridOf(t, axes, "", []string{"workers", "strategy"}))
	if len(ps) != 2 || ps[0].Group != ps[1].Group || !ps[0].First || ps[1].First {
		t.Errorf("points %+v", ps)
	}
}

// Conditions see times in seconds, sizes in bytes, versions as numbers.
func TestWhereUnits(t *testing.T) {
	axes := axesOf(t, "10", "3", "2", "original", [2]string{"autovacuum_naptime", "1s,1min,2min"}, [2]string{"maintenance_work_mem", "1MB,64MB"})
	for condition, want := range map[string]int{
		"autovacuum_naptime == 60":                      2,
		"maintenance_work_mem == 1048576":               3,
		"pg == 13 and host == 'epyc-2core'":             6,
		"strategy in ['original', 'leapfrog']":          6,
		"let n = autovacuum_naptime; n > 59 && n < 121": 4,
		"cpus * 1.5 == workers":                         6,
	} {
		if got := len(pointsOf(t, gridOf(t, axes, condition))); got != want {
			t.Errorf("%s: %d points, want %d", condition, got, want)
		}
	}
}

// Every value of an axis is in the row of its point, in the unit of its column.
func TestColumnsOfAxes(t *testing.T) {
	ok := must(t)
	hosts, versions := ok(Hosts("epyc-2core", host.Load)), ok(Versions("17", false, false))
	for _, c := range []struct {
		axis         Axis
		column, want string
	}{
		{ok(Setting("autovacuum_vacuum_cost_delay", "2ms,0.5ms", versions)), "autovacuum_vacuum_cost_delay_seconds", "0.002 0.0005"},
		{ok(Setting("maintenance_work_mem", "1MB,64MB", versions)), "maintenance_work_mem_bytes", "1.04858e+06 6.71089e+07"},
		{ok(Setting("autovacuum_vacuum_threshold", "1..3", versions)), "autovacuum_vacuum_threshold", "1 2 3"},
		{ok(Setting("autovacuum_vacuum_threshold", "5", versions)), "", ""},
		{ok(Setting("autovacuum_naptime", "5s,6s", versions)), "", ""}, // every table has its column
		{ok(HostFigure("cold_after", "1ms..3ms/+1", hosts)), "host_cold_after_seconds", "0.001 0.002 0.003"},
		{ok(HostFigure("variation", "0,0.15", hosts)), "host_variation", "0 0.15"},
		{ok(Windows("10s..20s/+5s")), "longest_window_seconds", "10 15 20"},
		{ok(Choice("freshness", "10ms,none")), "choice_freshness", "10ms none"},
	} {
		axes := axesOf(t, "10", "1", "2", "leapfrog")
		axes = slices.Insert(axes, len(axes)-1, c.axis)
		g := gridOf(t, axes, "")
		if c.axis.Column != c.column {
			t.Errorf("%s has the column %q, want %q", c.axis.Name, c.axis.Column, c.column)
		}
		if c.column == "" {
			continue
		}
		var got []string
		st := Contest{Common: Common{Replications: 1}, Population: workload.TinyTables(0, 1)}
		for _, p := range pointsOf(t, g) {
			row := st.Fields("hash", p.Point, scheduler.Summary{}, g.Columns())
			got = append(got, row[len(row)-1])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.column, got, c.want)
		}
	}
}

// Paired columns are the mean difference and the ratio of the means over the
// replications that both have; a group without its first point has none.
func TestPairing(t *testing.T) {
	var p Pairing
	p.Fields(4, true, []experiment.Samples{{100, 110, 120}})
	got := p.Fields(4, false, []experiment.Samples{{110, 121, 132, 1000}})
	if got[0] != "1.1" || got[1] != "1.1" || got[2] != "1.1" || got[3] != "11" {
		t.Errorf("got %q", got)
	}
	// mean 11, standard deviation 1, t(2, 97.5 %) = 4.302653: 11 ± 4.302653/√3
	if lo, _ := strconv.ParseFloat(got[4], 64); math.Abs(lo-(11-4.302653/math.Sqrt(3))) > 1e-4 {
		t.Errorf("the lower end of the difference is %s", got[4])
	}
	if got := strings.Join(p.Fields(5, false, []experiment.Samples{{1, 2}}), ""); got != "" {
		t.Errorf("a group without its first point has %q", got)
	}
}

// With common random numbers the interval of a difference is narrower than that
// of two independent runs.
func TestCommonRandomNumbersPair(t *testing.T) {
	s, p := small(t)
	s.Replications = 10
	points := []GridPoint{{Point: p, First: true}, {Point: p, Index: 1}}
	points[1].Tables++
	var rates [][]float64
	if err := s.Run(context.Background(), slices.Values(points), Options{}, func(r Result) error {
		rates = append(rates, r.Rates())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	same := 0
	for i := range rates[0] {
		if math.Abs(rates[0][i]-rates[1][i]) < 0.2*rates[0][i] {
			same++
		}
	}
	if same < 8 {
		t.Errorf("replications of 50 and 51 tables differ: %v, %v", rates[0], rates[1])
	}
}

// An estimate rises with what there is to do, and is that of the whole grid.
func TestCostAndSurvey(t *testing.T) {
	axes := axesOf(t, "10,1000", "1,30", "2", "original,shared-stats")
	g := gridOf(t, axes, "")
	st := Contest{Common: Common{Replications: 1}, Population: workload.TinyTables(0, 1)}
	sum := 0.0
	least := map[string]float64{}
	for _, p := range pointsOf(t, g) {
		cost := st.Cost(p.Point).Seconds()
		sum += cost
		if cost <= least[p.Strategy.Name] && p.Tables == 1000 && p.Workers == 30 {
			t.Errorf("%s costs %v s, no more than with less to do", place(p), cost)
		}
		least[p.Strategy.Name] = max(least[p.Strategy.Name], cost)
	}
	survey, err := Look(st, g, nil)
	if err != nil || survey.Points != 8 || math.Abs(survey.Cost.Seconds()-sum) > 1e-9 {
		t.Errorf("survey %+v, error %v, want 8 points of %v s", survey, err, sum)
	}
	var points []Point
	for _, p := range pointsOf(t, g) {
		points = append(points, p.Point)
	}
	if hash := Hash(st, points); hash != survey.Hash {
		t.Errorf("hashes %s and %s of the same points", hash, survey.Hash)
	}
}

func TestRanges(t *testing.T) {
	for text, want := range map[string]string{
		"5s,10s":           "5s 10s",
		"1s..5s":           "1s 2s 3s 4s 5s",
		"1s..5s/+2s":       "1s 3s 5s",
		"1..10000/log10x1": "1 10 100 1000 10000",
		"0.1..0.3/+0.1":    "0.1 0.2 0.3",
		"1MB..64MB/log2x1": "1MB 2MB 4MB 8MB 16MB 32MB 64MB",
		"{a: 1, b: 2},x":   "{a: 1, b: 2} x",
		"-1,1..2":          "-1 1 2",
		"on,off":           "on off",
	} {
		got, err := rangesOf(text)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, error %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"1s..5min", "1s..", "..5s", "5s..1s", "1s,1s", "1s,1s..2s", "a..b", "", ",", "1,", "0.5..1", "1..9/x"} {
		if got, err := rangesOf(text); err == nil {
			t.Errorf("%s is read as %q", text, got)
		}
	}
}
