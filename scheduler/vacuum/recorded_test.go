package vacuum_test

import (
	"math"
	"strconv"
	"testing"

	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
	"avsim/workload/recorded"
)

// rowsOf reads a file of recorded figures.
func rowsOf(t *testing.T, name string) []map[string]string {
	t.Helper()
	rows, err := recorded.Figures(name)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func number(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return x
}

func settings(t *testing.T, version string, assignments ...string) guc.Settings {
	t.Helper()
	s := guc.Defaults(guc.MustVersion(version))
	for _, a := range assignments {
		if err := s.Assign(a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if off := got/want - 1; math.Abs(off) > within {
		t.Errorf("%s: %.0f, recorded %.0f: off by %+.2f %%", what, got, want, 100*off)
	}
}

// The recorded VACUUM of 20,000 pages of which every row is dead, with 1 MB for
// them and two indexes, one of them in the order of the table: passes to the
// number, and pages found, read and dirtied. That all of it fell out of the
// indexes, whose pages were deleted, is what keeps these in shared buffers from
// one pass to the next. The table kept a last row, so that it was not truncated.
func TestRecordedPasses(t *testing.T) {
	const leaves = 3345 // of 1.22 million entries, 365 a page
	for _, row := range rowsOf(t, "testdata/index_passes.csv") {
		version := row["version"]
		s := vacuum.Manual(settings(t, version, "maintenance_work_mem="+row["maintenance_work_mem"]))
		heap := number(t, row, "heap_pages")
		dead := number(t, row, "dead_tids")
		in := vacuum.Index{Pages: 3355, Emptied: leaves, Cache: vacuum.Cache{InOS: 1}}
		pk := in
		pk.Correlated = true
		out := vacuum.Cache{InOS: 1}
		p := vacuum.Job{Settings: s, Count: true, Table: vacuum.Table{
			Pages: heap, Dead: dead, RowsPerPage: int(dead / heap), Spread: vacuum.Even, RowBytes: 132,
			Indexes: []vacuum.Index{pk, in}, DeadCache: out, MarkedCache: out, RestCache: out}}.Plan()
		if want := int(number(t, row, "index_scans")); p.IndexScans != want {
			t.Errorf("PostgreSQL %s: %d passes, recorded %d", version, p.IndexScans, want)
		}
		u := p.Total()
		t.Logf("PostgreSQL %s: %.0f hits, %.0f reads, %.0f dirtied", version, u.Hits, u.Reads, u.Dirtied)
		if row["hits"] == "" {
			continue
		}
		near(t, "PostgreSQL "+version+", hits", u.Hits, number(t, row, "hits"), 0.005)
		near(t, "PostgreSQL "+version+", reads", u.Reads, number(t, row, "reads"), 0.005)
		near(t, "PostgreSQL "+version+", dirtied", u.Dirtied, number(t, row, "dirtied"), 0.005)
	}
}
