package vacuum_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// Recorded analyzes: charges and times, off in the median by at most so much.
func TestAnalyzes(t *testing.T) {
	charges, times := offs{}, map[bool]offs{}
	for _, row := range rowsOf(t, "testdata/analyze.csv") {
		pages := number(t, row, "heap_pages")
		x := vacuum.Sample{Costs: costs18, Pages: pages, Rows: 55 * pages, RestCache: vacuum.All()}
		if strings.Contains(row["case"], "os") || strings.Contains(row["case"], "cold") {
			x.RestCache = vacuum.Cache{InOS: 1}
		}
		p := x.Plan()
		delay := seconds(number(t, row, "cost_delay_ms") / 1000)
		got := p.Elapsed(vacuum.Budget{Limit: int(number(t, row, "cost_limit")), Delay: delay, Slack: slack})
		charges = append(charges, math.Abs(p.Cost()/number(t, row, "cost")-1))
		o := times[delay > 0]
		o.add(got, number(t, row, "elapsed_ms")/1000)
		times[delay > 0] = o
	}
	if charges.median() > 0.02 {
		t.Errorf("charges are off by %.1f %% in the median", 100*charges.median())
	}
	for throttled, most := range map[bool]float64{false: 0.25, true: 0.33} { // single shots lie 20 % above those without delay
		if times[throttled].median() > most {
			t.Errorf("with delay %v: times are off by %.1f %% in the median", throttled, 100*times[throttled].median())
		}
	}
}

// ceilings is how fast pages go by that are all found, read, or changed, at the
// version's defaults, in MB of 1024² bytes a second.
func ceilings(s guc.Settings, hit, miss, dirty bool) float64 {
	c := vacuum.SettingsOf(s).Costs
	each := 0.0
	switch {
	case hit:
		each = c.Hit
	case miss:
		each = c.Miss
	case dirty:
		each = c.Dirty
	}
	const pages = 1e6
	b := vacuum.Budget{Limit: int(s.Int("autovacuum_vacuum_cost_limit")), Delay: s.Duration("autovacuum_vacuum_cost_delay")}
	slept := vacuum.SleepsOf([]vacuum.Charge{{Pages: pages, Each: each}}, b).Total
	return pages * vacuum.PageBytes / (1 << 20) / slept.Seconds()
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
		for what, x := range map[string][2]float64{
			"found":   {ceilings(s, true, false, false), c.hit},
			"read":    {ceilings(s, false, true, false), c.miss},
			"changed": {ceilings(s, false, false, true), c.dirty},
		} {
			if math.Abs(x[0]/x[1]-1) > 0.01 {
				t.Errorf("PostgreSQL %s: pages %s make %.2f MB/s, want %v", c.version, what, x[0], x[1])
			}
		}
	}
}

// A sleep is at most four delays, whatever has mounted up: 22 a page at a limit
// of 5 is 4.4 delays, at 6 it is 3.7.
func TestCapOfFourDelays(t *testing.T) {
	charges := []vacuum.Charge{{Pages: 1000, Each: 22}}
	for limit, want := range map[int]vacuum.Sleep{
		1:   {Times: 1000, Capped: 1000, Total: 8 * time.Second},
		5:   {Times: 1000, Capped: 1000, Total: 8 * time.Second},
		6:   {Times: 1000, Total: 22 * time.Second * 2 / 6},
		22:  {Times: 1000, Total: 2 * time.Second},
		44:  {Times: 500, Total: time.Second},
		200: {Times: 100, Total: 220 * time.Millisecond},
	} {
		got := vacuum.SleepsOf(charges, vacuum.Budget{Limit: limit, Delay: 2 * time.Millisecond})
		if got.Times != want.Times || got.Capped != want.Capped || (got.Total-want.Total).Abs() > time.Microsecond {
			t.Errorf("limit %d: %+v, want %+v", limit, got, want)
		}
	}
	if got := vacuum.SleepsOf([]vacuum.Charge{{Pages: 190, Each: 1}}, vacuum.Budget{Limit: 200, Delay: time.Millisecond}); got.Times != 0 {
		t.Errorf("190 of 200 make a sleep: %+v", got)
	}
}

// Indexes are left alone, from 14 on, where fewer than 2 % of the pages have dead
// rows and those take less than 32 MB.
func TestBypass(t *testing.T) {
	for _, c := range []struct {
		version            string
		pages, dead, pager float64
		bypassed           bool
	}{
		{"14", 20_000, 399, 399, true},
		{"14", 20_000, 400, 400, false},
		{"13", 20_000, 1, 1, false},
		{"16", 20e6, 5_592_405, 300_000, true},
		{"16", 20e6, 5_592_406, 300_000, false}, // 32 MB at 6 bytes
		{"17", 20e6, 5_592_406, 300_000, true},  // the tree takes less
	} {
		p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, c.version)), Table: vacuum.Table{
			Pages: c.pages, Dead: c.dead, DeadPages: c.pager, RowsPerPage: 61, Spread: vacuum.Clustered, Indexes: make([]vacuum.Index, 2)}}.Plan()
		if p.Bypassed != c.bypassed || (p.IndexScans == 0) != c.bypassed {
			t.Errorf("PostgreSQL %s, %.0f rows on %.0f of %.0f pages: bypassed %v, %d scans", c.version, c.dead, c.pager, c.pages, p.Bypassed, p.IndexScans)
		}
	}
}

// Indexes that no row has to be removed from are gone through to 10, in 11 to 13
// when they have grown by a tenth, and not from 14 on.
func TestCleanUpOnly(t *testing.T) {
	for version, want := range map[string]float64{"10": 200, "11": 100, "13": 100, "14": 0, "18": 0} {
		x := vacuum.Table{Pages: 1000, RowsPerPage: 61, Skippable: 1000, Indexes: []vacuum.Index{{Pages: 100, Grown: 0.05}, {Pages: 100, Grown: 0.1}}}
		p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, version)), Table: x}.Plan()
		if got := p.Total().IndexPages; got != want || p.IndexScans != 0 {
			t.Errorf("PostgreSQL %s reads %v index pages in %d scans, want %v in none", version, got, p.IndexScans, want)
		}
	}
}

// Pages at the end are given back where they are 1,000 or a sixteenth.
func TestTruncation(t *testing.T) {
	for _, c := range []struct {
		pages, tail, want float64
		set               string
	}{
		{100_000, 999, 0, ""}, {100_000, 1000, 1000, ""}, {160, 9, 0, ""}, {160, 10, 10, ""},
		{100_000, 1000, 0, "vacuum_truncate=off"},
	} {
		var set []string
		if c.set != "" {
			set = append(set, c.set)
		}
		p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, "18", set...)),
			Table: vacuum.Table{Pages: c.pages, EmptyTail: c.tail, RowsPerPage: 61}}.Plan()
		if p.Truncated != c.want {
			t.Errorf("%+v: %v pages are given back", c, p.Truncated)
		}
	}
}

// A recorded VACUUM of a saturated server (PostgreSQL 18.4): tables of which 17 %
// is in shared buffers spend 45 % of it in the heap scan; 10,240 hits, 15,344
// reads, 14,816 dirtied, 4.03 s.
func TestSaturatedVacuum(t *testing.T) {
	c := vacuum.Cache{Cached: 0.17, InOS: 1}
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, "18.4")), Machine: vacuum.MachineOf(h), Table: vacuum.Table{
		Pages: 7735, Dead: 19383, DeadPages: 6955, Marked: 780, RowsPerPage: 61, DeadCache: c, MarkedCache: c, RestCache: c,
		Indexes: []vacuum.Index{{Pages: 1538, Cache: c}, {Pages: 1538, Cache: c}}}}.Plan()
	if got := p.ScanShare(); math.Abs(got-0.45) > 0.02 {
		t.Errorf("heap scan is %.3f of the vacuum", got)
	}
	u := p.Total()
	took := p.Elapsed(vacuum.Budget{Limit: 200, Delay: 2 * time.Millisecond, Slack: slack}).Seconds()
	for name, x := range map[string][2]float64{"hits": {u.Hits, 10240}, "reads": {u.Reads, 15344}, "dirtied": {u.Dirtied, 14816}, "seconds": {took, 4.03}} {
		if r := x[0] / x[1]; r < 0.85 || r > 1.2 {
			t.Errorf("%s: %.2f, recorded %.2f", name, x[0], x[1])
		}
	}
}

// The smallest tables take under a millisecond.
func TestTinyTables(t *testing.T) {
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	c := vacuum.Cache{Cached: 1, Dirty: 1, Logged: 1}
	p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, "18")), Machine: vacuum.MachineOf(h), Table: vacuum.Table{
		Pages: 2, Dead: 50, RowsPerPage: 100, DeadCache: c, Indexes: []vacuum.Index{{Pages: 2, Cache: c}}}}.Plan()
	b := vacuum.Budget{Limit: 200, Delay: 2 * time.Millisecond, Slack: slack}
	if d := p.Elapsed(b); d > time.Millisecond || p.Cost() > 100 {
		t.Errorf("two pages take %v and cost %v", d, p.Cost())
	}
	if d := (vacuum.Sample{Costs: costs18, Pages: 3, Rows: 130, RestCache: vacuum.All()}).Plan().Elapsed(b); d > time.Millisecond {
		t.Errorf("an analyze of 130 rows takes %v", d)
	}
}

// anyJob is a VACUUM of any kind.
func anyJob(t *rapid.T) vacuum.Job {
	share := func(name string) float64 { return rapid.Float64Range(0, 1).Draw(t, name) }
	cache := func(name string) vacuum.Cache {
		c := vacuum.Cache{Cached: share(name + " cached"), Logged: share(name + " logged"), InOS: share(name + " in OS")}
		c.Dirty = c.Cached * share(name+" dirty")
		return c
	}
	x := vacuum.Table{RowsPerPage: rapid.IntRange(1, 291).Draw(t, "rows per page"), Seed: rapid.Uint64().Draw(t, "seed")}
	x.Pages = math.Floor(rapid.Float64Range(1, 1e6).Draw(t, "pages"))
	x.Dead = math.Floor(x.Pages * float64(x.RowsPerPage) * share("dead"))
	x.Spread = rapid.SampledFrom([]vacuum.Spread{vacuum.Random, vacuum.Even, vacuum.Clustered}).Draw(t, "spread")
	x.DeadPages = vacuum.DeadPagesOf(x.Spread, x.Pages, x.Dead, x.RowsPerPage)
	x.Marked = (x.Pages - x.DeadPages) * share("marked")
	x.Skippable = (x.Pages - x.DeadPages - x.Marked) * share("skippable")
	if x.Dead == x.Pages*float64(x.RowsPerPage) {
		x.EmptyTail = x.Pages
	}
	for range rapid.IntRange(0, 4).Draw(t, "indexes") {
		x.Indexes = append(x.Indexes, vacuum.Index{Pages: math.Ceil(x.Pages / 5), Correlated: rapid.Bool().Draw(t, "correlated"), Cache: cache("index")})
	}
	x.DeadCache, x.MarkedCache, x.RestCache = cache("dead"), cache("marked"), cache("rest")
	v := rapid.SampledFrom(guc.Branches()).Draw(t, "version")
	return vacuum.Job{Settings: vacuum.SettingsOf(guc.Defaults(v)), Machine: vacuum.Machine{Vacuum: host.MeasuredVacuum, Device: host.AssumedDevice}, Table: x}
}

// The charges add up to the cost; nothing is negative; every page of the heap is
// looked at once and each with dead rows a second time where indexes are gone
// through; no worker charges more in its time than its limit allows and what one
// sleep and one page may hold; a smaller limit is never faster.
func TestPlanKeepsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyJob(t).Plan()
		u := p.Total()
		for _, x := range []float64{u.Hits, u.Reads, u.Dirtied, u.HeapPages, u.IndexPages, u.FromDevice, u.Scattered, u.RingWrites, u.Reuses, u.Records, u.Images, u.WALBytes} {
			if !(x >= 0) || math.IsInf(x, 1) {
				t.Fatalf("%+v", u)
			}
		}
		heap := p.Scanned + p.Truncated
		if p.IndexScans > 0 {
			heap += p.Dead.Pages
		}
		if math.Abs(u.HeapPages-heap) > 1e-6*heap+1e-6 || p.Scanned > p.Pages*(1+1e-12) {
			t.Fatalf("%v heap pages, want %v (%v of %v scanned)", u.HeapPages, heap, p.Scanned, p.Pages)
		}
		charges := p.Charges()
		var sum, most float64
		for _, c := range charges {
			sum += c.Pages * c.Each
			most = max(most, c.Each)
		}
		if math.Abs(sum-p.Cost()) > 1e-9*p.Cost() || p.ScanShare() > 1 {
			t.Fatalf("charges are %v, cost %v, heap scan %v", sum, p.Cost(), p.ScanShare())
		}
		limit := rapid.IntRange(1, 10000).Draw(t, "limit")
		const delay = 2 * time.Millisecond
		s := p.Sleeps(vacuum.Budget{Limit: limit, Delay: delay})
		if s.Capped == 0 && p.Cost() > float64(limit)*(float64(s.Total)/float64(delay)+1)+most+1e-6*p.Cost() {
			t.Fatalf("%v charged in %v at %d", p.Cost(), s.Total, limit)
		}
		if slower := p.Elapsed(vacuum.Budget{Limit: max(limit/2, 1), Delay: delay}); slower < p.Elapsed(vacuum.Budget{Limit: limit, Delay: delay})-5*delay {
			t.Fatalf("faster at %d than at %d", limit/2, limit)
		}
	})
}

// The phases come in the order of vacuumlazy.c.
func TestOrderOfPhases(t *testing.T) {
	s := vacuum.SettingsOf(settings(t, "16", "maintenance_work_mem=1MB"))
	p := vacuum.Job{Settings: s, Table: vacuum.Table{Pages: 5000, Dead: 305_000, RowsPerPage: 61, Spread: vacuum.Even, EmptyTail: 5000,
		Indexes: []vacuum.Index{{Pages: 800}}}}.Plan()
	var got []string
	for _, x := range p.Phases {
		got = append(got, x.Kind.String())
	}
	want := []string{"initializing", "scanning heap", "vacuuming indexes", "vacuuming heap", "scanning heap", "vacuuming indexes", "vacuuming heap",
		"cleaning up indexes", "truncating heap", "performing final cleanup"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// With 19 helpers share the indexes of 512 kB and more: the phase takes as long as
// its largest, at the most as many times less as there are processes.
func TestParallel(t *testing.T) {
	for _, c := range []struct {
		version, set string
		pages        []float64
		helpers      int
		faster       float64
	}{
		{"18", "", []float64{1000, 1000, 1000}, 0, 1},
		{"19", "autovacuum_max_parallel_workers=0", []float64{1000, 1000, 1000}, 0, 1},
		{"19", "autovacuum_max_parallel_workers=2", []float64{1000, 1000, 1000}, 2, 3},
		{"19", "autovacuum_max_parallel_workers=2", []float64{1000, 1000, 1000, 1000}, 2, 3},
		{"19", "autovacuum_max_parallel_workers=8", []float64{1000, 500}, 1, 1.5},
		{"19", "autovacuum_max_parallel_workers=8", []float64{1000, 63}, 0, 1},
	} {
		var set []string
		if c.set != "" {
			set = append(set, c.set)
		}
		x := vacuum.Table{Pages: 10_000, RowsPerPage: 61, Dead: 100_000}
		for _, pages := range c.pages {
			x.Indexes = append(x.Indexes, vacuum.Index{Pages: pages, Cache: vacuum.All()})
		}
		j := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, c.version, set...)), Table: x, Machine: vacuum.Machine{Vacuum: host.MeasuredVacuum}}
		p := j.Plan()
		j.Settings.Parallel = 0
		alone := j.Plan()
		var got, want time.Duration
		for i := range p.Phases {
			if p.Phases[i].Kind == vacuum.VacuumingIndexes {
				got, want = p.Phases[i].Throttled.Total(), alone.Phases[i].Throttled.Total()
			}
		}
		if p.Helpers != c.helpers || math.Abs(float64(want)/float64(got)/c.faster-1) > 0.01 {
			t.Errorf("PostgreSQL %s, %s, indexes of %v pages: %d helpers, %.2f times faster, want %d and %.2f", c.version, c.set, c.pages, p.Helpers, float64(want)/float64(got), c.helpers, c.faster)
		}
	}
}

// Progress goes from the first block to the last; rows in the store mount up until
// the indexes are gone through, and start anew after the second heap pass.
func TestProgress(t *testing.T) {
	s := vacuum.SettingsOf(settings(t, "16", "maintenance_work_mem=1MB"))
	j := vacuum.Job{Settings: s, Machine: vacuum.Machine{Vacuum: host.MeasuredVacuum}, Table: vacuum.Table{
		Pages: 20_000, Dead: 1_220_000, RowsPerPage: 61, Spread: vacuum.Even, Indexes: []vacuum.Index{{Pages: 3355}, {Pages: 3355}}}}
	p := j.Plan()
	var last vacuum.Progress
	scans, full := 0, int64(0)
	for i := range 1001 {
		x := p.Progress(&j, float64(i)/1000, vacuum.Budget{})
		if x.HeapScanned < last.HeapScanned || x.HeapVacuumed < last.HeapVacuumed || x.IndexScans < last.IndexScans || x.HeapVacuumed > x.HeapScanned || x.DeadBytes > x.MaxDeadBytes {
			t.Fatalf("%+v after %+v", x, last)
		}
		if x.Phase == vacuum.VacuumingIndexes {
			scans++
			full = max(full, x.DeadItems)
			if x.IndexesTotal != 2 || x.IndexesPassed > 1 {
				t.Fatalf("%+v", x)
			}
		}
		last = x
	}
	if last.Phase != vacuum.FinalCleanup || last.HeapScanned != 20_000 || last.HeapVacuumed != 20_000 || last.IndexScans != 7 || scans == 0 {
		t.Errorf("at the end %+v", last)
	}
	if free := last.MaxDeadItems - full; free < 0 || free >= 291 {
		t.Errorf("the fullest store that the indexes were gone through for has %d of %d rows", full, last.MaxDeadItems)
	}
}
