package scheduler

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload/guc"
)

// slack18 is what a sleep of 2 ms took longer on the measured machine.
const slack18 = 100 * time.Microsecond

func measuredVacuum(t *testing.T, r map[string]string) vacuumInputs {
	t.Helper()
	in := newVacuumInputs(guc.Defaults(guc.MustVersion("18.4")))
	in.pages = number(t, r, "heap_pages")
	in.dead = math.Ceil(in.pages * number(t, r, "dead_share"))
	in.read = in.dead
	in.deadRows = 6 * in.dead
	in.indexes = int(number(t, r, "n_indexes"))
	in.indexPages = number(t, r, "index_pages")
	in.indexTouched = 1
	if in.indexes == 1 { // in the order of the table
		in.indexTouched = number(t, r, "dead_share")
	}
	if r["fresh"] == "1" {
		in.read, in.marked = in.pages, in.pages
	}
	if r["cache"] != "os" {
		in.cached = 1
	}
	if r["cache"] == "dirty" {
		in.dirty = 1
	}
	in.read = max(in.read, 1)
	return in
}

func measuredAnalyze(t *testing.T, r map[string]string) analyzeInputs {
	t.Helper()
	pages := number(t, r, "heap_pages")
	in := analyzeInputs{newPageCosts(guc.Defaults(guc.MustVersion("18.4"))), pages, 55 * pages, 1}
	if strings.Contains(r["case"], "os") {
		in.cached = 0
	}
	return in
}

// ratios collects predicted over measured.
type ratios []float64

func (x ratios) median() float64 {
	y := slices.Sorted(slices.Values(x))
	return y[len(y)/2]
}

// off is the median of how many times the prediction is too high or too low.
func (x ratios) off() float64 {
	var y ratios
	for _, r := range x {
		y = append(y, max(r, 1/r))
	}
	return y.median()
}

func TestMeasuredVacuums(t *testing.T) {
	charges, times := make(map[string]ratios), make(map[string]ratios)
	for _, r := range readTable(t, "testdata/vacuumcost/measured.csv") {
		var p vacuumPlan
		group := "analyze"
		if strings.HasPrefix(r["case"], "analyze") {
			p = planAnalyze(measuredAnalyze(t, r))
		} else {
			p = planVacuum(measuredVacuum(t, r))
			group = r["cache"]
		}
		delay := time.Duration(number(t, r, "cost_delay_ms") * 1e6)
		if delay > 0 {
			group += ", throttled"
		}
		got := p.elapsed(int(number(t, r, "cost_limit")), delay, slack18)
		cost := p.cost / number(t, r, "cost")
		took := inMilliseconds(got) / number(t, r, "elapsed_ms")
		charges[group] = append(charges[group], cost)
		times[group] = append(times[group], took)
		t.Logf("%-18s %-18s cost %6.0f ×%.3f  %8.1f ms ×%.2f", group, r["case"], p.cost, cost, inMilliseconds(got), took)
	}
	for group, most := range map[string]float64{
		"hot": 1.3, "dirty": 1.3, "os": 1.3, "analyze": 1.3,
		"hot, throttled": 1.05, "dirty, throttled": 1.05, "os, throttled": 1.05,
		"analyze, throttled": 1.5, // single shots 20 % above those without delay
	} {
		if got := charges[group].off(); got > 1.02 {
			t.Errorf("%s: charges are off by ×%.3f in the median", group, got)
		}
		if got := times[group].off(); got > most {
			t.Errorf("%s: times are off by ×%.2f in the median, more than ×%v", group, got, most)
		}
	}
}

// What a cluster's workers can do at most at the defaults, in MB of 1024² bytes
// a second: hits, reads, and changes of pages that are found.
func TestCeilings(t *testing.T) {
	for _, c := range []struct {
		version          string
		hit, miss, dirty float64
	}{
		{"9.4", 78, 7.8, 3.9},
		{"11", 78, 7.8, 3.9},
		{"12", 781, 78, 39},
		{"13", 781, 78, 39},
		{"14", 781, 391, 39},
		{"19", 781, 391, 39},
	} {
		s := guc.Defaults(guc.MustVersion(c.version))
		costs, b := newPageCosts(s), newBudget(s)
		for each, want := range map[float64]float64{costs.hit: c.hit, costs.miss: c.miss, costs.dirty: c.dirty} {
			const pages = 1e6
			p := vacuumPlan{cost: pages * each, charges: []charge{{pages, each}}}
			got := pages * 8192 / (1 << 20) / p.elapsed(b.limit, b.delay, 0).Seconds()
			if math.Abs(got/want-1) > 0.01 {
				t.Errorf("PostgreSQL %s: pages of %v make %.2f MB/s, want %v", c.version, each, got, want)
			}
		}
	}
}

// A sleep is at most four delays, whatever has mounted up: 22 a page at a limit
// of 5 is 4.4 delays, at 6 it is 3.7.
func TestCapOfFourDelays(t *testing.T) {
	p := vacuumPlan{cost: 22000, charges: []charge{{1000, 22}}}
	for limit, want := range map[int]sleep{
		1:   {1000, 1000, 8 * time.Second},
		5:   {1000, 1000, 8 * time.Second},
		6:   {1000, 0, 22 * time.Second * 2 / 6},
		22:  {1000, 0, 2 * time.Second},
		44:  {500, 0, time.Second},
		200: {100, 0, 220 * time.Millisecond},
	} {
		got := p.sleeps(limit, 2*time.Millisecond, 0)
		if got.times != want.times || got.capped != want.capped || (got.total-want.total).Abs() > time.Microsecond {
			t.Errorf("limit %d: %+v, want %+v", limit, got, want)
		}
	}
	if got := (vacuumPlan{charges: []charge{{190, 1}}}).sleeps(200, time.Millisecond, 0); got.times != 0 {
		t.Errorf("190 of 200 make a sleep: %+v", got)
	}
}

// The number of scans of the indexes with 1 MB and 1.22 million dead rows on
// 20,000 pages, as measured; and the rules around it.
func TestIndexScans(t *testing.T) {
	base := func(version, memory string) vacuumInputs {
		in := newVacuumInputs(settings(t, version, "maintenance_work_mem="+memory))
		in.pages, in.read, in.dead, in.deadRows, in.indexes = 20000, 20000, 20000, 1220000, 2
		return in
	}
	for _, c := range []struct {
		version string
		memory  string
		want    int
	}{{"13", "1MB", 7}, {"16", "1MB", 7}, {"18", "1MB", 1}, {"13", "64MB", 1}, {"9.4", "1MB", 7}} {
		if got := base(c.version, c.memory).indexScans(); got != c.want {
			t.Errorf("PostgreSQL %s with %s: %d scans, want %d", c.version, c.memory, got, c.want)
		}
	}
	few := base("14", "64MB")
	few.dead, few.deadRows = 399, 399
	if got := few.indexScans(); got != 0 {
		t.Errorf("1.99 %% of the pages: %d scans", got)
	}
	few.dead = 400
	if got := few.indexScans(); got != 1 {
		t.Errorf("2 %% of the pages: %d scans", got)
	}
	old := base("13", "64MB")
	old.dead, old.deadRows = 1, 1
	if got := old.indexScans(); got != 1 {
		t.Errorf("one dead row in PostgreSQL 13: %d scans", got)
	}
	for _, none := range []func(*vacuumInputs){func(in *vacuumInputs) { in.indexes = 0 }, func(in *vacuumInputs) { in.dead = 0 }} {
		in := base("18", "64MB")
		none(&in)
		if got := in.indexScans(); got != 0 {
			t.Errorf("%d scans without indexes or dead rows", got)
		}
	}
}

// r2 of the recorded runs: tables of which 17 % is in shared buffers spend
// 45 % of a vacuum in the heap scan.
func TestHeapScanShare(t *testing.T) {
	in := newVacuumInputs(guc.Defaults(guc.MustVersion("18.4")))
	in.pages, in.read, in.dead, in.marked = 7735, 7735, 6955, 780
	in.indexes, in.indexPages, in.indexTouched, in.deadRows = 2, 3076, 1, 19383
	in.cached = 0.17
	p := planVacuum(in)
	if math.Abs(p.heapScanShare-0.45) > 0.02 {
		t.Errorf("heap scan is %.3f of the vacuum", p.heapScanShare)
	}
	// What the server logged of this one: 10240 hits, 15344 reads, 14816
	// dirtied, 4.03 s.
	took := p.elapsed(200, 2*time.Millisecond, slack18).Seconds()
	for name, c := range map[string][2]float64{"hits": {p.hits, 10240}, "reads": {p.reads, 15344}, "dirtied": {p.dirtied, 14816}, "seconds": {took, 4.03}} {
		if r := c[0] / c[1]; r < 0.85 || r > 1.2 {
			t.Errorf("%s: %.2f, recorded %.2f", name, c[0], c[1])
		}
	}
}

func TestTinyTables(t *testing.T) {
	in := newVacuumInputs(guc.Defaults(guc.MustVersion("18")))
	in.pages, in.read, in.dead, in.deadRows = 2, 2, 2, 50
	in.indexes, in.indexPages, in.indexTouched, in.cached, in.dirty, in.indexDirty = 1, 2, 1, 1, 1, 1
	p := planVacuum(in)
	if d := p.elapsed(200, 2*time.Millisecond, slack18); d > time.Millisecond || p.cost > 100 {
		t.Errorf("two pages take %v and cost %v", d, p.cost)
	}
	a := planAnalyze(analyzeInputs{in.costs, 3, 130, 1})
	if d := a.elapsed(200, 2*time.Millisecond, slack18); d > time.Millisecond {
		t.Errorf("an analyze of 130 rows takes %v", d)
	}
}

func anyPlan(t *rapid.T) vacuumPlan {
	s := guc.Defaults(rapid.SampledFrom(guc.Branches()).Draw(t, "version"))
	in := newVacuumInputs(s)
	share := func(name string) float64 { return rapid.Float64Range(0, 1).Draw(t, name) }
	in.pages = math.Floor(rapid.Float64Range(1, 1e6).Draw(t, "pages"))
	in.read = math.Floor(in.pages * share("read"))
	in.dead = math.Floor(in.read * share("dead"))
	in.marked = math.Floor((in.read - in.dead) * share("marked"))
	in.deadRows = in.dead * rapid.Float64Range(1, 200).Draw(t, "rows")
	in.indexes = rapid.IntRange(0, 4).Draw(t, "indexes")
	in.indexPages = float64(in.indexes) * math.Ceil(in.pages/5)
	in.indexTouched, in.cached, in.dirty, in.indexDirty = share("touched"), share("cached"), share("dirty"), share("index dirty")
	return planVacuum(in)
}

// The charges add up to the cost; no worker charges more in its time than its
// limit allows and what one sleep and one page may hold; a smaller limit is
// never faster.
func TestPlanKeepsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		var sum, most float64
		for _, c := range p.charges {
			sum += c.pages * c.each
			most = max(most, c.each)
		}
		if math.Abs(sum-p.cost) > 1e-9*p.cost || p.scan > p.cost {
			t.Fatalf("charges are %v, cost %v, heap scan %v", sum, p.cost, p.scan)
		}
		limit := rapid.IntRange(1, 10000).Draw(t, "limit")
		const delay = 2 * time.Millisecond
		s := p.sleeps(limit, delay, 0)
		if s.capped == 0 && p.cost > float64(limit)*(float64(s.total)/float64(delay)+1)+most+1e-6*p.cost {
			t.Fatalf("%v charged in %v at %d", p.cost, s.total, limit)
		}
		if slower := p.elapsed(max(limit/2, 1), delay, 0); slower < p.elapsed(limit, delay, 0)-5*delay {
			t.Fatalf("faster at %d than at %d", limit/2, limit)
		}
	})
}
