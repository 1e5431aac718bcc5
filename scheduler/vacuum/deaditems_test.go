package vacuum_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
)

// plan is of a table of so many pages of 61 rows with one index, with memory for
// its dead rows.
func plan(t *testing.T, version, memory string, pages, dead float64, s vacuum.Spread) *vacuum.Plan {
	t.Helper()
	return vacuum.Job{
		Settings: vacuum.Manual(settings(t, version, "maintenance_work_mem="+memory)), Count: true,
		Table: vacuum.Table{Pages: pages, RowsPerPage: 61, RowBytes: 132, Dead: dead, Spread: s,
			Indexes: []vacuum.Index{{Pages: pages / 6, Cache: vacuum.All()}}},
	}.Plan()
}

// The array takes 6 bytes a row: 600 MB for 100 million, and two passes for 200
// million at 1 GB, which is the most, however much there is.
func TestArrayMemory(t *testing.T) {
	const pages = 8_196_722 // 500 million rows
	for _, c := range []struct {
		version, memory string
		dead            float64
		passes          int
		peak            int64
	}{
		{"16", "1GB", 100e6, 1, 600_000_000},
		{"16", "1GB", 178e6, 1, 1_068_000_000},
		{"16", "1GB", 200e6, 2, 0},
		{"16", "64GB", 200e6, 2, 0},
		{"16", "64MB", 200e6, 18, 0},
		{"12", "64MB", 11_184_519, 1, 67_107_114}, // 291 slots are left
		{"16", "64MB", 11_184_518, 1, 67_107_108}, // one row less fits with the header of 13
	} {
		p := plan(t, c.version, c.memory, pages, c.dead, vacuum.Even)
		if p.IndexScans != c.passes {
			t.Errorf("PostgreSQL %s, %s, %.0f rows: %d passes, want %d", c.version, c.memory, c.dead, p.IndexScans, c.passes)
		}
		if c.peak > 0 && p.Dead.PeakBytes != c.peak {
			t.Errorf("PostgreSQL %s, %s, %.0f rows: %d bytes, want %d", c.version, c.memory, c.dead, p.Dead.PeakBytes, c.peak)
		}
		if p.Dead.PeakBytes > p.Dead.LimitBytes {
			t.Errorf("PostgreSQL %s: %d bytes of %d", c.version, p.Dead.PeakBytes, p.Dead.LimitBytes)
		}
	}
}

// The memory that PostgreSQL told of itself, to the byte: 10,000 pages with 1,
// 10 and all 61 rows dead; and one page in ten with one.
func TestRecordedMemory(t *testing.T) {
	for _, row := range rowsOf(t, "../deadtid/testdata/memory.csv") {
		spread := vacuum.Even // one page in ten too
		p := plan(t, row["version"], "64MB", number(t, row, "heap_pages"), number(t, row, "dead_tids"), spread)
		if got, want := float64(p.Dead.PeakBytes), number(t, row, "used_bytes"); got != want {
			t.Errorf("PostgreSQL %s, %s: %.0f bytes, recorded %.0f", row["version"], row["case"], got, want)
		}
		if got, want := float64(p.Dead.LimitBytes), number(t, row, "max_bytes"); got != want {
			t.Errorf("PostgreSQL %s, %s: at most %.0f bytes, recorded %.0f", row["version"], row["case"], got, want)
		}
	}
}

// From 17 on the same rows take as much less as they are dense.
func TestTreeMemory(t *testing.T) {
	const pages = 8_196_722
	for _, s := range []vacuum.Spread{vacuum.Random, vacuum.Even, vacuum.Clustered} {
		array, tree := plan(t, "16", "64GB", pages, 100e6, s), plan(t, "17", "64GB", pages, 100e6, s)
		t.Logf("spread %d: array %d bytes, tree %d: %.2f a row", s, array.Dead.PeakBytes, tree.Dead.PeakBytes, float64(tree.Dead.PeakBytes)/100e6)
		if tree.IndexScans != 1 || tree.Dead.PeakBytes > array.Dead.PeakBytes {
			t.Errorf("spread %d: %d passes, %d bytes of the array's %d", s, tree.IndexScans, tree.Dead.PeakBytes, array.Dead.PeakBytes)
		}
	}
}

// What a plan takes for certain to fit does fit: with the bytes counted there is
// one pass too.
func TestSurelyFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom([]string{"12", "13", "16", "17", "18"}).Draw(t, "version")
		s := guc.Defaults(guc.MustVersion(v))
		if err := s.Set("maintenance_work_mem", rapid.SampledFrom([]string{"1MB", "2MB", "5MB", "64MB"}).Draw(t, "memory")); err != nil {
			t.Fatal(err)
		}
		rows := rapid.IntRange(1, 291).Draw(t, "rows")
		pages := float64(rapid.IntRange(1, 200_000).Draw(t, "pages"))
		job := vacuum.Job{Settings: vacuum.Manual(s), Table: vacuum.Table{
			Pages: pages, RowsPerPage: rows, Dead: math.Ceil(pages * float64(rows) * rapid.Float64Range(0, 1).Draw(t, "dead")),
			Spread: rapid.SampledFrom([]vacuum.Spread{vacuum.Random, vacuum.Even, vacuum.Clustered}).Draw(t, "spread"),
			Seed:   rapid.Uint64().Draw(t, "seed"), Indexes: []vacuum.Index{{Pages: 1}}}}
		quick := job.Plan()
		job.Count = true
		counted := job.Plan()
		if quick.IndexScans != counted.IndexScans {
			t.Fatalf("%d passes, %d where counted", quick.IndexScans, counted.IndexScans)
		}
	})
}

// Rows and pages drawn for a store are those expected, within what chance allows.
func TestDrawsAreBinomial(t *testing.T) {
	const pages = 200_000
	for _, dead := range []float64{1000, 100e3, 2e6, 8e6} {
		p := plan(t, "12", "1GB", pages, dead, vacuum.Random) // an array: bytes are rows
		rows := float64(p.Dead.PeakBytes) / 6
		share := dead / (pages * 61)
		if sigma := math.Sqrt(dead * (1 - share)); math.Abs(rows-dead) > 5*sigma {
			t.Errorf("%.0f rows drawn, %.0f ± %.0f expected", rows, dead, sigma)
		}
	}
}

// The share of pages that the visibility map lets VACUUM skip, against maps made
// at random: runs of 32 or more.
func TestSkippedAgainstBitmaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const pages = 1_000_000
	for _, v := range []float64{0.5, 0.8, 0.9, 0.95, 0.98, 0.995} {
		skipped, run := 0, 0
		for i := range pages + 1 {
			if i < pages && random.Float64() < v {
				run++
				continue
			}
			if run >= 32 {
				skipped += run
			}
			run = 0
		}
		p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, "18")),
			Table: vacuum.Table{Pages: pages, RowsPerPage: 61, Skippable: v * pages}}.Plan()
		if got, want := (pages-p.Scanned)/pages, float64(skipped)/pages; math.Abs(got-want) > 0.005 {
			t.Errorf("of pages skippable with probability %v, %.4f are skipped, in a bitmap %.4f", v, got, want)
		}
	}
}

// A table that is all-visible has its last page read, from 9.6 on.
func TestLastPage(t *testing.T) {
	for version, want := range map[string]float64{"9.5": 0, "9.6": 1, "18": 1} {
		p := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, version)),
			Table: vacuum.Table{Pages: 8000, RowsPerPage: 61, Skippable: 8000}}.Plan()
		if math.Abs(p.Scanned-want) > 1e-9 {
			t.Errorf("PostgreSQL %s reads %v pages", version, p.Scanned)
		}
	}
}

// Dead rows on pages, in closed form, against a draw.
func TestDeadPages(t *testing.T) {
	for _, c := range []struct {
		spread            vacuum.Spread
		pages, dead, want float64
	}{
		{vacuum.Even, 100, 50, 50}, {vacuum.Even, 100, 500, 100},
		{vacuum.Clustered, 100, 61, 1}, {vacuum.Clustered, 100, 62, 2}, {vacuum.Clustered, 100, 6100, 100},
		{vacuum.Random, 100, 6100, 100}, {vacuum.Random, 100, 0, 0}, {vacuum.Random, 1e6, 1e6, 1e6 * (1 - math.Pow(60.0/61, 61))},
	} {
		if got := vacuum.DeadPagesOf(c.spread, c.pages, c.dead, 61); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("%v dead rows on %v pages, spread %d: %v pages, want %v", c.dead, c.pages, c.spread, got, c.want)
		}
	}
}

// In failsafe indexes are left, dead rows are still collected, and nothing counts as
// vacuumed: heap_blks_vacuumed goes with the heap pass of tables without indexes alone.
func TestFailsafeProgress(t *testing.T) {
	for _, version := range []string{"14", "16", "17", "18"} {
		j := vacuum.Job{Settings: vacuum.SettingsOf(settings(t, version)), Failsafe: true, Count: true,
			Table: vacuum.Table{Pages: 20_000, RowsPerPage: 61, RowBytes: 132, Dead: 100_000, Indexes: make([]vacuum.Index, 2)}}
		j.Machine.Free.Heap, j.Machine.Throttled.Heap = time.Microsecond, time.Microsecond
		p := j.Plan()
		got := p.Progress(&j, 0.5, vacuum.Budget{})
		if got.HeapVacuumed != 0 || got.HeapScanned == 0 || got.DeadItems == 0 || got.DeadItems > 100_000 || p.IndexScans != 0 || p.Dead.PeakBytes == 0 {
			t.Errorf("%s: %+v, %d index scans, %d bytes", version, got, p.IndexScans, p.Dead.PeakBytes)
		}
	}
}

// To 13 VACUUM with INDEX_CLEANUP off forgets a page's dead rows before the next; from 14 on
// they stay collected. Neither looks at an index.
func TestIndexCleanupOffMemory(t *testing.T) {
	for version, most := range map[string]int64{"12": 291 * 6, "13": 291 * 6, "14": 600_000, "17": 64 << 20} {
		s := vacuum.SettingsOf(settings(t, version))
		s.IndexCleanup = vacuum.CleanupOff
		p := vacuum.Job{Settings: s, Count: true, Table: vacuum.Table{Pages: 20_000, RowsPerPage: 61, RowBytes: 132, Dead: 100_000,
			Indexes: []vacuum.Index{{Pages: 3000, Grown: 1}}}}.Plan()
		if p.Dead.PeakBytes > most || p.Dead.PeakBytes == 0 || p.Total().IndexPages != 0 || version < "14" && p.Dead.LimitBytes != most {
			t.Errorf("%s: %d bytes of at most %d, limit %d, %.0f index pages", version, p.Dead.PeakBytes, most, p.Dead.LimitBytes, p.Total().IndexPages)
		}
	}
}

// No more dead rows are told than there are, though their places are drawn.
func TestNoMoreDeadThanThereAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dead := rapid.Float64Range(1, 300_000).Draw(t, "dead")
		j := vacuum.Job{Settings: vacuum.SettingsOf(guc.Defaults(guc.MustVersion(rapid.SampledFrom([]string{"12", "16", "17"}).Draw(t, "version")))), Count: true,
			Table: vacuum.Table{Pages: 10_000, RowsPerPage: 61, RowBytes: 132, Dead: dead, Seed: rapid.Uint64().Draw(t, "seed"), Indexes: make([]vacuum.Index, 1)}}
		j.Machine.Free.Heap, j.Machine.Throttled.Heap = time.Microsecond, time.Microsecond
		p := j.Plan()
		got := p.Progress(&j, rapid.Float64Range(0, 1).Draw(t, "done"), vacuum.Budget{})
		if float64(got.DeadItems) > math.Ceil(dead) || !j.Settings.Version.AtLeast(guc.MustVersion("17")) && float64(p.Dead.PeakBytes) > 6*math.Ceil(dead) {
			t.Fatalf("%.1f dead rows: progress has %d, the store %d bytes", dead, got.DeadItems, p.Dead.PeakBytes)
		}
	})
}
