package scenario

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"avsim/workload"
)

func obstacles(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/obstacles.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const (
	hour   = time.Hour
	minute = time.Minute
)

// without is a text that lacks some lines of the file.
func without(t *testing.T, text string, lines ...string) string {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			t.Fatalf("the file has no line %q", line)
		}
		text = strings.Replace(text, line+"\n", "", 1)
	}
	return text
}

const atRandom = "  - {rate: 2/h, length: 10m, database: tenant2}"

// The file by hand. Of shop's tables the four catalogues come first, then jobs
// (4) and article_1 (5) to article_20; the tenants are databases 1 to 5.
func TestObstacles(t *testing.T) {
	r, w := mustParse(t, without(t, obstacles(t), atRandom))
	locks := []workload.Lock{
		{Database: 0, Table: 4, First: hour, Hold: 30 * minute},
		{Database: 0, Table: 21, First: 5 * minute, Every: 10 * minute, Hold: time.Second},
		{Database: 4, Table: 0, Every: hour, Hold: hour},
	}
	incidents := []workload.Incident{
		{At: 3 * hour, Kind: workload.KillWorkers, Database: -1},
		{At: 4 * hour, Kind: workload.ResetStatistics, Database: 0},
		{At: 4 * hour, Kind: workload.ResetStatistics, Database: -1},
		{At: 5 * hour, Kind: workload.Restart, Database: -1},
		{At: 6 * hour, Kind: workload.Crash, Database: -1},
	}
	held := func(database int, from, to time.Duration) workload.Horizon {
		return workload.Horizon{Database: database, From: from, To: to}
	}
	own := workload.Obstacles{Locks: locks, Incidents: incidents, Horizons: []workload.Horizon{
		held(0, hour, 5*hour),
		held(-1, 2*hour, 5*hour), held(-1, 6*hour, 9*hour), // the next would begin as the run ends
		held(3, 0, 10*minute), held(3, 5*hour, 5*hour+10*minute),
	}}
	if !reflect.DeepEqual(w.Obstacles, own) {
		t.Errorf("of the file:\n got %+v\nwant %+v", w.Obstacles, own)
	}
	for length, want := range map[time.Duration]workload.Obstacles{
		30 * minute: {Locks: locks[1:], Horizons: []workload.Horizon{held(3, 0, 10*minute)}},
		4 * hour: {Locks: locks, Incidents: incidents[:3], Horizons: []workload.Horizon{
			held(0, hour, 4*hour), held(-1, 2*hour, 4*hour), held(3, 0, 10*minute)}},
		11 * hour: {Locks: locks, Incidents: incidents, Horizons: []workload.Horizon{
			held(0, hour, 5*hour),
			held(-1, 2*hour, 5*hour), held(-1, 6*hour, 9*hour), held(-1, 10*hour, 11*hour),
			held(3, 0, 10*minute), held(3, 5*hour, 5*hour+10*minute), held(3, 10*hour, 10*hour+10*minute)}},
	} {
		w, err := r.Lasting(length).World(1)
		if err != nil || !reflect.DeepEqual(w.Obstacles, want) {
			t.Errorf("for %v (error %v):\n got %+v\nwant %+v", length, err, w.Obstacles, want)
		}
	}
	if _, plain := mustParse(t, good(t)); !reflect.DeepEqual(plain.Obstacles, workload.Obstacles{}) {
		t.Errorf("a file without any has obstacles: %+v", plain.Obstacles)
	}
}

// Horizons at random over so many hours that their number, which is Poisson's,
// and their mean length are within four standard errors.
func TestHorizonsAtRandom(t *testing.T) {
	const hours, perHour = 10_000, 2
	r, _ := mustParse(t, obstacles(t))
	w, err := r.Lasting(hours * hour).World(7)
	if err != nil {
		t.Fatal(err)
	}
	n, sum, last, long := 0.0, 0.0, time.Duration(0), 0.0
	for _, h := range w.Obstacles.Horizons {
		if h.Database != 2 {
			continue
		}
		if h.From < last || h.To <= h.From || h.To > hours*hour {
			t.Fatalf("%+v after one that begins at %v", h, last)
		}
		length := (h.To - h.From).Minutes()
		n, sum, last = n+1, sum+length, h.From
		if length > 10*math.Ln2 {
			long++
		}
	}
	if want := float64(hours * perHour); math.Abs(n-want) > 4*math.Sqrt(want) {
		t.Errorf("%.0f horizons, want %.0f ± %.0f", n, want, 4*math.Sqrt(want))
	}
	if mean, se := sum/n, 10/math.Sqrt(n); math.Abs(mean-10) > 4*se {
		t.Errorf("held for %.2f minutes on average, want 10 ± %.2f", mean, 4*se)
	}
	// Half of an exponential law is above ln 2 of its mean.
	if share, se := long/n, 0.5/math.Sqrt(n); math.Abs(share-0.5) > 4*se {
		t.Errorf("%.3f are held for longer than the median, want 0.5 ± %.3f", share, 4*se)
	}
}

// What is drawn is a function of seed and entry: neither another entry nor the
// length of the run moves it, but another seed does; equal entries differ.
func TestHorizonsAreReproducible(t *testing.T) {
	drawn := func(text string, seed uint64) []workload.Horizon {
		r, _ := mustParse(t, text)
		w, err := r.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(w.Obstacles.Horizons, func(h workload.Horizon) bool { return h.Database != 2 })
	}
	text := strings.Replace(obstacles(t), "run_for: 10h", "run_for: 100h", 1)
	one := drawn(text, 7)
	if !slices.Equal(one, drawn(text, 7)) || len(one) < 100 {
		t.Errorf("the same file and seed gave other horizons, or only %d", len(one))
	}
	if slices.Equal(one, drawn(text, 8)) {
		t.Error("another seed gave the same horizons")
	}
	before := strings.Replace(text, "horizons:\n", "horizons:\n  - {rate: 3/h, length: 1m, database: tenant1}\n  - {rate: 2/h, length: 10m}\n", 1)
	if !slices.Equal(one, drawn(before, 7)) {
		t.Error("entries before it moved the horizons of another")
	}
	twice := drawn(strings.Replace(text, atRandom, atRandom+"\n"+atRandom, 1), 7)
	if !slices.Equal(one, twice[:len(one)]) || twice[len(one)] == one[0] {
		t.Error("an equal entry moved the first, or is drawn like it")
	}
	longer := drawn(strings.Replace(text, "run_for: 100h", "run_for: 200h", 1), 7)
	for i, h := range one {
		if longer[i].From != h.From || min(longer[i].To, 100*hour) != h.To {
			t.Fatalf("in a longer run horizon %d is %+v, not %+v", i, longer[i], h)
		}
	}
	rows := func(text string) []workload.Table {
		_, w := mustParse(t, text)
		return w.Databases[0].Tables.Slice()
	}
	plain := oneTable(5, "{uniform: {min: 0, max: 1000}}", "{}")
	if !reflect.DeepEqual(rows(plain), rows(plain+"horizons: [{rate: 1/d, length: 1h}]\n")) {
		t.Error("horizons moved the tables")
	}
}

// Every table of a world is found by its name, and no other name finds one.
func TestTableAt(t *testing.T) {
	for _, text := range []string{good(t), obstacles(t)} {
		r, w := mustParse(t, text)
		for i, db := range w.Databases {
			b, place, ok := r.file.databaseAt(db.Name)
			if !ok || place != i {
				t.Fatalf("database %s is found at %d (%v), want %d", db.Name, place, ok, i)
			}
			for k, table := range db.Tables.All() {
				if got, ok := b.tableAt(table.Name); !ok || got != k {
					t.Errorf("%s.%s is found at %d (%v), want %d", db.Name, table.Name, got, ok, k)
				}
			}
			for _, none := range []string{"", "t", "t_0", "t_4", "t_01", "t_+1", "article_", "pg_toast_left", "pg_toast_", "pg_toast_u", "jobs_1"} {
				if place, ok := b.tableAt(none); ok {
					t.Errorf("%s.%s is found at %d", db.Name, none, place)
				}
			}
		}
	}
}

// numberOf is the inverse of numbered.
func TestNumberOf(t *testing.T) {
	for _, pattern := range []string{"t", "t%d", "%d", "a%da", "t_%d_0", "0%d0"} {
		for _, count := range []int{1, 12} {
			for k := 1; k <= count; k++ {
				name := numbered(pattern, k, count)
				if got, ok := numberOf(name, pattern, count); !ok || got != k {
					t.Errorf("%s is number %d (%v) of %s, want %d", name, got, ok, pattern, k)
				}
			}
			for _, k := range []int{0, count + 1} {
				if name := fmt.Sprint("t_", k); pattern == "t" {
					if got, ok := numberOf(name, pattern, count); ok {
						t.Errorf("%s is number %d of %d", name, got, count)
					}
				}
			}
		}
	}
}

// A name with several dots is found where just one of the ways to read it is a
// table's.
func TestDottedNames(t *testing.T) {
	text := strings.Replace(obstacles(t), "shop.jobs, at", "a.b.c, at", 1)
	text = strings.Replace(text, "databases:\n", "databases:\n"+
		"  - {name: a, tables: [{name: x.c, rows: 1, row_bytes: 100}]}\n"+
		"  - {name: a.b, tables: [{name: d, rows: 1, row_bytes: 100}, {name: c, rows: 1, row_bytes: 100}]}\n", 1)
	_, w := mustParse(t, text)
	if got := w.Obstacles.Locks[0]; got.Database != 1 || got.Table != 1 {
		t.Errorf("a.b.c is table %d of database %d, want table c of a.b", got.Table, got.Database)
	}
}

// Temporary tables, and their TOAST tables, are told from others.
func TestTemporaryTables(t *testing.T) {
	_, w := mustParse(t, strings.Replace(obstacles(t), "temporary: orphaned", "toast: true, temporary: orphaned", 1))
	want := map[string][2]bool{
		"scratch": {true, false}, "pg_toast_scratch": {true, false}, "left": {true, true}, "pg_toast_left": {true, true},
	}
	for _, table := range w.Databases[0].Tables.All() {
		if got := [2]bool{table.Temporary, table.Orphaned}; got != want[table.Name] {
			t.Errorf("%s: temporary, orphaned: %v, want %v", table.Name, got, want[table.Name])
		}
	}
}

// The catalogues that five temporary tables of ten columns a second bloat: they
// stand first, TOAST tables know their places after them, and rows go as they
// come: 1 in pg_class, 10 + 6 in pg_attribute, 2 in pg_type and 3 in pg_depend
// for each.
func TestTempTables(t *testing.T) {
	_, w := mustParse(t, obstacles(t))
	tables := w.Databases[0].Tables.Slice()
	for i, want := range []struct {
		name string
		rows float64
	}{{"pg_type", 2}, {"pg_attribute", 16}, {"pg_class", 1}, {"pg_depend", 3}} {
		sum := tables[i].Activity.Totals(hour)
		wanted := workload.Totals{Inserted: 5 * 3600 * want.rows, Deleted: 5 * 3600 * want.rows}
		if tables[i].Name != want.name || sum != wanted || tables[i].Rows == 0 {
			t.Errorf("table %d is %s, %+v in an hour, want %s, %+v", i, tables[i].Name, sum, want.name, wanted)
		}
	}
	for i, table := range tables {
		if main, ok := strings.CutPrefix(table.Name, "pg_toast_"); ok && tables[table.ToastOf].Name != main {
			t.Errorf("table %d, %s, is of %s", i, table.Name, tables[table.ToastOf].Name)
		}
	}
	if got := w.Databases[1].Tables.Len(); got != 1 {
		t.Errorf("a database without temp_tables has %d tables, want its own", got)
	}
}
