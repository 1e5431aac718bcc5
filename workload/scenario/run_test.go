package scenario

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"avsim/workload"
	"avsim/workload/guc"
)

func good(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mustParse reads a scenario and makes its world.
func mustParse(t *testing.T, text string) (*Run, workload.World) {
	t.Helper()
	r, err := ParseRun([]byte(text), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.World(r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// Every key comes to what the manual says of it.
func TestParseRun(t *testing.T) {
	r, w := mustParse(t, good(t))
	if r.PG != guc.MustVersion("16") || r.Strategy != "shared-stats" || r.RunFor != time.Hour || r.WarmUp != 5*time.Minute || r.Seed != 7 {
		t.Errorf("head: %+v", r)
	}
	if got := r.Settings.Duration("autovacuum_naptime"); got != 15*time.Second {
		t.Errorf("a bare naptime of 15 is %v, want seconds", got)
	}
	wantChanges := []Change{
		{10 * time.Minute, [][2]string{{"autovacuum_naptime", "30s"}}},
		{20 * time.Minute, [][2]string{{"autovacuum", "off"}}},
	}
	if !reflect.DeepEqual(r.Changes, wantChanges) {
		t.Errorf("changes %v, want %v", r.Changes, wantChanges)
	}
	if got := r.Where("strategy"); got != "s.yaml:5:11" {
		t.Errorf("strategy stands at %s", got)
	}
	if got := r.Where("expect[0]"); got != "s.yaml:54:5" {
		t.Errorf("the first expectation stands at %s", got)
	}
	if len(w.Databases) != 2 || w.Databases[0].Name != "db1" || w.Databases[1].Name != "db2" {
		t.Fatalf("databases %v", w.Databases)
	}
	db := w.Databases[0]
	if db.XIDsPerSecond != workload.Constant(1) {
		t.Errorf("60 transaction ids a minute are %v a second", db.XIDsPerSecond)
	}
	var names []string
	for _, table := range db.Tables.All() {
		names = append(names, table.Name)
	}
	// The TOAST tables come after all others, as in a worker's list.
	if got := strings.Join(names, " "); got != "t_1 t_2 t_3 u pg_toast_t_1 pg_toast_t_2 pg_toast_t_3" {
		t.Errorf("tables %s", got)
	}
	if toast := db.Tables.At(5); toast.ToastOf != 1 || toast.Options["autovacuum_enabled"] != "false" {
		t.Errorf("TOAST table %+v", toast)
	}
	first := db.Tables.At(0)
	first.Rows, first.Activity = 0, workload.Activity{}
	want := workload.Table{
		Name: "t_1", ToastOf: -1, RowBytes: 100, Fillfactor: 90, Indexes: 2, Reltuples: 900, AllVisible: 0.5,
		Dead: 7, ModsSinceAnalyze: 8, InsertsSinceVacuum: 9, XIDAge: 10, MultiAge: 11, NoStats: true,
		Options: map[string]string{"autovacuum_vacuum_threshold": "20"},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("table\n got %+v\nwant %+v", first, want)
	}
	if u := db.Tables.At(3); u.Reltuples != 5 || u.AllVisible != 1 || u.Fillfactor != 100 || u.Indexes != 1 {
		t.Errorf("defaults: %+v", u)
	}
}

// Rates against their closed forms: rows in all by an instant.
func TestRates(t *testing.T) {
	const header = "name: x\ntitle: x\npg: '16'\nhost: generic-4core\nrun_for: 30d\n" +
		"progress: {load: [{at: 10s, done: 0}, {at: 20s, done: 4}, {at: 40s, done: 5}]}\n" +
		"databases: [{name: a, tables: [{name: t, rows: 1, row_bytes: 28, activity: {inserts: "
	for _, c := range []struct {
		rate string
		at   time.Duration
		want float64
	}{
		{"10/s", time.Hour, 36000},
		{"10", time.Hour, 36000},
		{"5/min", time.Hour, 300},
		{"600/h", time.Hour, 600},
		{"24/d", time.Hour, 1},
		{"{fixed: 5/min}", time.Hour, 300},
		{"{rate: 5/min}", time.Hour, 300},
		{"{lognormal: {median: 5/min, sigma: 0}}", time.Hour, 300},
		// Over whole periods a wave is its mean.
		{"{rate: 1/s, wave: {amplitude: 0.8, period: 1d, peak: 14h}}", 48 * time.Hour, 172800},
		// Over the half about its peak: mean × (T/2 + A·T/π).
		{"{rate: 1/s, wave: {amplitude: 0.8, period: 100s}}", 25 * time.Second, 25 + 0.8*100/(2*math.Pi)},
		{"{bursts: {rate: 2/s, every: 10s, length: 3s, first: 5s}}", 5 * time.Second, 0},
		{"{bursts: {rate: 2/s, every: 10s, length: 3s, first: 5s}}", 16 * time.Second, 8},
		{"{steps: [{from: 10s, rate: 2/s}, {from: 20s, rate: 60/min}]}", 25 * time.Second, 25},
		{"{total_by: [{at: 10s, rows: 0}, {at: 20s, rows: 30}, {at: 40s, rows: 40}]}", 15 * time.Second, 15},
		{"{total_by: [{at: 10s, rows: 0}, {at: 20s, rows: 30}, {at: 40s, rows: 40}]}", 30 * time.Second, 35},
		{"{total_by: [{at: 10s, rows: 0}, {at: 20s, rows: 30}, {at: 40s, rows: 40}]}", time.Hour, 40},
		{"{total_by: [{at: 10s, rows: 20}]}", 5 * time.Second, 10},
		{"{total: 1000, progress: load}", 15 * time.Second, 400},
		{"{total: 1000, progress: load}", time.Hour, 1000},
	} {
		_, w := mustParse(t, header+c.rate+"}}]}]\n")
		x := w.Databases[0].Tables.At(0)
		got := x.Activity.Expected(c.at).Inserted
		if math.Abs(got-c.want) > 1e-9*math.Max(1, c.want) {
			t.Errorf("%s: %.9g rows by %v, want %.9g", c.rate, got, c.at, c.want)
		}
	}
}

// Draws follow their distributions: the quartiles of 20,001 tables are within
// four standard errors of the closed ones.
func TestDistributions(t *testing.T) {
	const n = 20_001
	z := 0.674489750196 // third quartile of the standard normal law
	for _, c := range []struct {
		rows      string
		quartiles [3]float64
	}{
		{"{uniform: {min: 1000000, max: 5000000}}", [3]float64{2e6, 3e6, 4e6}},
		{"{lognormal: {median: 1000000, sigma: 2}}", [3]float64{1e6 * math.Exp(-2*z), 1e6, 1e6 * math.Exp(2*z)}},
		// Cut at its median, half of the mass is left.
		{"{lognormal: {median: 1000000, sigma: 2, max: 1000000}}", [3]float64{
			1e6 * math.Exp(-2*1.150349380376), 1e6 * math.Exp(-2*z), 1e6 * math.Exp(-2*0.318639363964)}},
		// Without the cut (a max far away): min/(1−p)^(1/alpha).
		{"{pareto: {min: 10000, alpha: 0.5, max: 1000000000000}}", [3]float64{1e4 / .5625, 4e4, 16e4}},
		{"{pareto: {min: 10000, alpha: 1, max: 20000}}", [3]float64{1e4 / 0.875, 1e4 / 0.75, 1e4 / 0.625}},
	} {
		_, w := mustParse(t, oneTable(n, c.rows, "{}"))
		below := [3]int{}
		for _, table := range w.Databases[0].Tables.All() {
			for q, x := range c.quartiles {
				if float64(table.Rows) <= x {
					below[q]++
				}
			}
		}
		for q, got := range below {
			p := float64(q+1) / 4
			if se := math.Sqrt(p * (1 - p) * n); math.Abs(float64(got)-p*n) > 4*se {
				t.Errorf("%s: %d of %d tables are below quartile %d, want %.0f ± %.0f", c.rows, got, n, q+1, p*n, 4*se)
			}
		}
	}
	_, w := mustParse(t, oneTable(10, "{zipf: {max: 1000, exponent: 1}}", "{}"))
	for i, want := range []int64{1000, 500, 333, 250, 200} {
		if got := w.Databases[0].Tables.At(i).Rows; got != want {
			t.Errorf("table %d by Zipf's law has %d rows, want %d", i+1, got, want)
		}
	}
}

func oneTable(count int, rows, activity string) string {
	return strings.NewReplacer("COUNT", itoa(count), "ROWS", rows, "ACTIVITY", activity).Replace(
		"name: x\ntitle: x\npg: '16'\nhost: generic-4core\nrun_for: 30d\ndatabases:\n" +
			"  - {name: a, tables: [{name: t, count: COUNT, rows: ROWS, row_bytes: 28, activity: ACTIVITY}]}\n")
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// The world is a function of file and seed, each population of its own stream,
// and a distribution of one thing does not move the draws of another.
func TestDrawsAreReproducible(t *testing.T) {
	text := oneTable(50, "{lognormal: {median: 1000, sigma: 1}}", "{inserts: {lognormal: {median: 1/s, sigma: 2}}}")
	r, a := mustParse(t, text)
	_, again := mustParse(t, text)
	if !reflect.DeepEqual(a, again) {
		t.Error("the same file and seed gave two worlds")
	}
	other, err := r.World(2)
	if err != nil || reflect.DeepEqual(a, other) {
		t.Errorf("another seed gave the same world (error %v)", err)
	}
	_, fixedRows := mustParse(t, oneTable(50, "100", "{inserts: {lognormal: {median: 1/s, sigma: 2}}}"))
	more := strings.Replace(text, "tables: [", "tables: [{name: before, count: 3, rows: {uniform: {min: 0, max: 9}}, row_bytes: 28},", 1)
	_, withBefore := mustParse(t, more)
	for i, table := range a.Databases[0].Tables.All() {
		if got := fixedRows.Databases[0].Tables.At(i).Activity; !reflect.DeepEqual(got, table.Activity) {
			t.Fatalf("with fixed rows, table %d is done other things to: %v, %v", i, got, table.Activity)
		}
		if got := withBefore.Databases[0].Tables.At(i + 3); !reflect.DeepEqual(got, table) {
			t.Fatalf("with another population before it, table %d is %v, not %v", i, got, table)
		}
	}
}

// With rates drawn together, a table with more inserts has more deletes.
func TestRatesAreDrawnTogether(t *testing.T) {
	_, w := mustParse(t, oneTable(500, "0", "{inserts: {lognormal: {median: 2/s, sigma: 2}}, deletes: {lognormal: {median: 1/s, sigma: 2}}}"))
	for _, table := range w.Databases[0].Tables.All() {
		sum := table.Activity.Expected(time.Hour)
		if math.Abs(sum.Deleted/sum.Inserted-0.5) > 1e-9 {
			t.Fatalf("%s: %g deleted of %g inserted, want half", table.Name, sum.Deleted, sum.Inserted)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	_, want := mustParse(t, good(t))
	_, got := mustParse(t, "\ufeff"+good(t))
	if !reflect.DeepEqual(got, want) {
		t.Error("a byte order mark made another world")
	}
}

// A storage parameter with a unit reaches the table as the bare number that
// PostgreSQL takes there; one without stays what it is.
func TestOptionUnits(t *testing.T) {
	for text, want := range map[string]string{
		"autovacuum_vacuum_cost_delay: 5ms":     "5",
		"autovacuum_vacuum_cost_delay: 500us":   "0.5",
		"autovacuum_vacuum_cost_delay: 2.5":     "2.5",
		"log_autovacuum_min_duration: 1min":     "60000",
		"log_autovacuum_min_duration: -1":       "-1",
		"autovacuum_freeze_max_age: 1000000000": "1000000000",
		"autovacuum_enabled: off":               "off",
	} {
		_, w := mustParse(t, strings.Replace(good(t), "autovacuum_vacuum_threshold: 20", text, 1))
		name, _, _ := strings.Cut(text, ":")
		if got := w.Databases[0].Tables.At(0).Options[name]; got != want {
			t.Errorf("%s: %q reaches the table, want %q", text, got, want)
		}
	}
}

// vacuum_index_cleanup was a switch until 14.
func TestIndexCleanupByVersion(t *testing.T) {
	text := strings.NewReplacer("autovacuum_vacuum_threshold: 20", "vacuum_index_cleanup: auto", `"16"`, `"13"`).Replace(good(t))
	_, err := ParseRun([]byte(text), "s.yaml")
	if want := `options.vacuum_index_cleanup: found "auto"; accepted is one of on, off, true, false`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("under 13:\n got %v\nwant %s", err, want)
	}
}

// A longer run of the same file is held to what can be, and leaves the file's
// own as it was.
func TestLasting(t *testing.T) {
	r, _ := mustParse(t, strings.Replace(oneTable(1, "1000", "{deletes: 1/s}"), "30d", "15m", 1))
	_, err := r.Lasting(time.Hour).World(1)
	if want := "found 3600 rows deleted by 1h from table t, which has had 1000"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("for an hour: %v, want %q", err, want)
	}
	if _, err := r.World(1); err != nil {
		t.Errorf("for the file's own length: %v", err)
	}
}

func TestMentions(t *testing.T) {
	r, _ := mustParse(t, strings.Replace(good(t), "toast.autovacuum_enabled", "toast.Vacuum_Truncate", 1))
	want := []string{"all_visible", "autovacuum", "autovacuum_naptime", "autovacuum_vacuum_threshold", "maintenance_work_mem", "vacuum_truncate"}
	if got := r.Mentions(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestForPG(t *testing.T) {
	r, _ := mustParse(t, strings.Replace(good(t), "maintenance_work_mem: 64MB", "vacuum_buffer_usage_limit: 1MB", 1))
	newer, err := r.ForPG(guc.MustVersion("17"))
	if err != nil || newer.PG != guc.MustVersion("17") || newer.Settings.Version() != newer.PG {
		t.Errorf("under 17: %v, %v", newer, err)
	}
	_, err = r.ForPG(guc.MustVersion("15"))
	if want := "s.yaml:8:3: settings.vacuum_buffer_usage_limit: vacuum_buffer_usage_limit exists from PostgreSQL 16 on, not in 15"; err == nil || err.Error() != want {
		t.Errorf("under 15:\n got %v\nwant %s", err, want)
	}
}

func TestKindOf(t *testing.T) {
	for _, e := range List() {
		want := KindRun
		if e.Name == "bug-13750" {
			want = KindMeasure
		}
		if e.Kind != want || e.Title == "" {
			t.Errorf("%+v, want kind %s and a title", e, want)
		}
	}
	if got := KindOf([]byte(good(t))); got != KindRun {
		t.Errorf("the good file is of kind %s", got)
	}
}

// Every built-in scenario of run reads, bears its file's name, and makes a
// world.
func TestBuiltInRuns(t *testing.T) {
	for _, name := range namesOf(KindRun) {
		r, err := LoadRun(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := r.World(2); r.Name != name || err != nil {
			t.Errorf("%s: name %q, with another seed: %v", name, r.Name, err)
		}
	}
}

// The documents' totals, and dead rows from the rules alone: rows deleted and
// old versions of rows updated that HOT pruning does not remove.
func TestONAPTotals(t *testing.T) {
	found := 0
	for _, c := range []struct {
		scenario, table    string
		ins, upd, del, end float64 // end: dead rows with autovacuum off
	}{
		{"onap-cps", "fragment", 98473, 100841, 26, 0},
		{"onap-cps", "schema_set", 23456, 0, 3830, 0},
		{"onap-cps", "anchor", 23451, 0, 3827, 0},
		{"onap-cps", "schema_set_yang_resources", 257982, 0, 42134, 0},
		{"onap-cps-off", "fragment", 98136, 101826, 200, 96592},
		{"onap-cps-off", "schema_set", 23548, 0, 4015, 4016},
		{"onap-cps-off", "anchor", 23546, 0, 4014, 4014},
		{"onap-cps-off", "schema_set_yang_resources", 259012, 0, 44169, 44178},
	} {
		r, err := LoadRun(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		w, err := r.World(r.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range w.Databases[1].Tables.All() {
			if table.Name != c.table {
				continue
			}
			found++
			sum := table.Activity.Expected(r.RunFor)
			for _, x := range [][2]float64{{sum.Inserted, c.ins}, {sum.Updated, c.upd}, {sum.Deleted, c.del}} {
				if math.Abs(x[0]-x[1]) > 0.01 {
					t.Errorf("%s, %s: %+v at the end, want %v, %v, %v", c.scenario, c.table, sum, c.ins, c.upd, c.del)
				}
			}
			dead := sum.Deleted + sum.Updated*(1-table.Activity.HotShare)
			if c.end > 0 && math.Abs(dead/c.end-1) > 0.1 {
				t.Errorf("%s, %s: %.0f dead rows by the rules, recorded %.0f", c.scenario, c.table, dead, c.end)
			}
		}
	}
	if found != 8 {
		t.Errorf("%d of the 8 tables are in the scenarios", found)
	}
}

// The recorded autovacuums of the document, and what the rules of 14 come to by
// hand: a visit a minute, no time for a vacuum, statistics at once. 50 + 0.2 ×
// reltuples dead rows or 1,000 + 0.2 × reltuples inserted ones make a table due
// for vacuum, 50 + 0.1 × reltuples changed ones for analyze; both set reltuples.
// The number of vacuums is within 1, three quarters of the recorded ones have
// one by the rules within 75 s, dead rows at the end are within a factor of 2.
func TestONAPByHand(t *testing.T) {
	recorded := map[string]struct {
		times string
		dead  float64
	}{
		"fragment":                  {"1m26s 2m26s 3m26s 4m26s 5m26s 6m26s 8m27s 10m26s 14m26s 18m27s 29m28s", 16436},
		"schema_set":                {"3m26s 5m26s 8m26s 12m26s 19m26s 23m27s 33m27s", 803},
		"anchor":                    {"3m26s 5m26s 8m26s 12m26s 19m27s 23m27s 33m27s", 800},
		"schema_set_yang_resources": {"2m26s 3m26s 4m26s 5m26s 6m27s 8m27s 10m27s 13m27s 19m27s 22m27s 31m27s 37m27s", 3850},
	}
	r, err := LoadRun("onap-cps")
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.World(r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	all, met := 0, 0
	for _, table := range w.Databases[1].Tables.Slice()[:4] {
		times, dead := byHand(table.Activity, r.RunFor)
		want := recorded[table.Name]
		list := strings.Fields(want.times)
		for _, text := range list {
			at, err := time.ParseDuration(text)
			if err != nil {
				t.Fatal(err)
			}
			all++
			if slices.ContainsFunc(times, func(x time.Duration) bool { return (x - at).Abs() <= 75*time.Second }) {
				met++
			}
		}
		if d := len(times) - len(list); d < -1 || d > 1 {
			t.Errorf("%s: %d vacuums by the rules, %d recorded", table.Name, len(times), len(list))
		}
		if dead/want.dead > 2 || want.dead/dead > 2 {
			t.Errorf("%s: %.0f dead rows at the end, %.0f recorded", table.Name, dead, want.dead)
		}
	}
	if float64(met) < 0.75*float64(all) {
		t.Errorf("%d of %d recorded vacuums have one by the rules within 75 s", met, all)
	}
}

// byHand returns the times of the vacuums of a table that is empty at first, and
// the dead rows at the end.
func byHand(a workload.Activity, end time.Duration) (times []time.Duration, dead float64) {
	var vacuumed, analyzed workload.Totals
	reltuples := 0.0
	deadSince := func(now workload.Totals) float64 {
		return now.Deleted - vacuumed.Deleted + (now.Updated-vacuumed.Updated)*(1-a.HotShare)
	}
	for at := 30 * time.Second; at <= end; at += time.Minute {
		now := a.Expected(at)
		changed := now.Inserted + now.Updated + now.Deleted - analyzed.Inserted - analyzed.Updated - analyzed.Deleted
		vacuum := deadSince(now) > 50+0.2*reltuples || now.Inserted-vacuumed.Inserted > 1000+0.2*reltuples
		analyze := changed > 50+0.1*reltuples
		if vacuum {
			times, vacuumed = append(times, at), now
		}
		if analyze {
			analyzed = now
		}
		if vacuum || analyze {
			reltuples = now.Inserted - now.Deleted
		}
	}
	return times, deadSince(a.Expected(end))
}

// 5,000 vacuums an hour: updates in all over the 71 that make a table due.
func TestManyTablesRate(t *testing.T) {
	r, err := LoadRun("many-tables")
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.World(r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, table := range w.Databases[0].Tables.All() {
		sum += table.Activity.Expected(time.Hour).Updated
	}
	if got := sum / 71; w.Databases[0].Tables.Len() != 100_000 || math.Abs(got-5000) > 50 {
		t.Errorf("%d tables, %.0f vacuums an hour, want 100,000 and 5,000", w.Databases[0].Tables.Len(), got)
	}
}

// The schema in docs/ is that of the code. UPDATE_SCHEMA=1 writes it.
func TestSchemaIsCurrent(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "scenario.schema.json")
	if os.Getenv("UPDATE_SCHEMA") != "" {
		if err := os.WriteFile(file, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(text, Schema()) {
		t.Errorf("%s is not the schema of the code (error %v): UPDATE_SCHEMA=1 go test ./workload/scenario -run SchemaIsCurrent", file, err)
	}
}

// The manual's examples are scenarios, and it names every key.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "scenario.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for i, block := range strings.Split(string(text), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if !strings.Contains(block, "\nrun_for:") {
			continue // a part of a file
		}
		examples++
		if _, err := ParseRun([]byte(block), "example.yaml"); err != nil {
			t.Errorf("example %d: %v", i+1, err)
		}
	}
	if examples == 0 {
		t.Error("the manual has no example of a whole file")
	}
	code := strings.Join(regexp.MustCompile("`[^`\n]+`").FindAllString(string(text), -1), " ")
	for _, key := range keysOfSchema() {
		if !regexp.MustCompile(`\b` + key + `\b`).MatchString(code) {
			t.Errorf("the manual does not tell of the key %s", key)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(good(f)))
	f.Add([]byte(obstacles(f)))
	for _, name := range namesOf(KindRun) {
		if name == "many-tables" {
			continue // slow, and no other syntax
		}
		text, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseRun(text, "f")
		if err != nil && (strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "f:")) {
			t.Errorf("an error that is not one line with the file's name: %v", err)
		}
		if err == nil && (r.RunFor <= 0 || len(r.file.databases) == 0) {
			t.Errorf("accepted without a run or a database: %q", text)
		}
	})
}
