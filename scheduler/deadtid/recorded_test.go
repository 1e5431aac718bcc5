package deadtid_test

import (
	"strconv"
	"testing"

	"avsim/scheduler/deadtid"
	"avsim/workload/guc"
	"avsim/workload/recorded"
)

// rowsOf reads a file of testdata.
func rowsOf(t *testing.T, name string) []map[string]string {
	t.Helper()
	rows, err := recorded.Figures("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func number(t *testing.T, row map[string]string, column string) int64 {
	t.Helper()
	x, err := strconv.ParseInt(row[column], 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return x
}

// forms are a version's stores, both ways.
func forms(version string, memory, heapPages int64) map[string]deadtid.Store {
	v := guc.MustVersion(version)
	return map[string]deadtid.Store{
		"account": deadtid.New(v, memory, heapPages),
		"keeper":  deadtid.NewKeeper(v, memory, heapPages),
	}
}

// passes are how often VACUUM goes through the indexes for a table.
func passes(s deadtid.Store, pages []deadPage) (n int) {
	for _, p := range pages {
		if s.Full() {
			s.Reset()
			n++
		}
		s.Add(p.block, p.offsets)
	}
	if s.Count() > 0 {
		n++
	}
	return n
}

// To the byte what PostgreSQL told of itself.
func TestRecordedMemory(t *testing.T) {
	for _, row := range rowsOf(t, "memory.csv") {
		heap := number(t, row, "heap_pages")
		step, dead := 10, 1
		if row["case"] != "m1of10p" {
			step, dead = 1, int(number(t, row, "dead_per_page"))
		}
		for form, s := range forms(row["version"], 64<<20, heap) {
			for _, p := range everyPage(int(heap), step, dead) {
				s.Add(p.block, p.offsets)
			}
			for what, x := range map[string]int64{"dead_tids": s.Count(), "max_bytes": s.Limit(), "used_bytes": s.Bytes()} {
				if want := number(t, row, what); x != want {
					t.Errorf("PostgreSQL %s, %s, %s: %s is %d, recorded %d", row["version"], row["case"], form, what, x, want)
				}
			}
		}
	}
}

func TestRecordedIndexPasses(t *testing.T) {
	for _, row := range rowsOf(t, "index_passes.csv") {
		heap := number(t, row, "heap_pages")
		pages := everyPage(int(heap), 1, int(number(t, row, "dead_tids")/heap))
		settings := guc.Defaults(guc.MustVersion(row["version"]))
		if err := settings.Set("maintenance_work_mem", row["maintenance_work_mem"]); err != nil {
			t.Fatal(err)
		}
		for form, s := range forms(row["version"], settings.Bytes("autovacuum_work_mem"), heap) {
			if got, want := passes(s, pages), int(number(t, row, "index_scans")); got != want {
				t.Errorf("PostgreSQL %s, %s: %d passes over the indexes, recorded %d", row["version"], form, got, want)
			}
		}
	}
}
