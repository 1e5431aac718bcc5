package scheduler

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload/guc"
)

// TestNeeds holds the triggers to testdata/needs/cases.txt.
func TestNeeds(t *testing.T) {
	f, err := os.Open("testdata/needs/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases := 0
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != 5 {
			t.Fatalf("cases.txt:%d: %d fields", n, len(fields))
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		for _, v := range versionsOf(t, fields[0]) {
			cases++
			if got := needsOf(t, v, fields[1], fields[2], fields[3]); got != fields[4] {
				t.Errorf("cases.txt:%d: PostgreSQL %s: %q, want %q", n, v, got, fields[4])
			}
		}
	}
	if cases < 200 {
		t.Errorf("%d cases only", cases)
	}
}

// versionsOf reads 13, or 9.4-12: all branches between.
func versionsOf(t *testing.T, text string) (out []guc.Version) {
	t.Helper()
	first, last, between := strings.Cut(text, "-")
	if !between {
		last = first
	}
	for _, b := range guc.Branches() {
		if b.AtLeast(guc.MustVersion(first)) && guc.MustVersion(last).AtLeast(b) {
			out = append(out, b)
		}
	}
	if out == nil {
		t.Fatalf("no versions in %q", text)
	}
	return out
}

func needsOf(t *testing.T, v guc.Version, settings, options, state string) string {
	t.Helper()
	s := guc.Defaults(v)
	for _, a := range strings.Fields(settings) {
		if err := s.Assign(a); err != nil {
			t.Fatal(err)
		}
	}
	texts := make(map[string]string)
	for _, a := range strings.Fields(options) {
		name, value, _ := strings.Cut(a, "=")
		texts[name] = value
	}
	in := needInputs{hasStats: true}
	var err error
	if in.options, err = parseTableOptions(v, texts); err != nil {
		t.Fatal(err)
	}
	for _, a := range strings.Fields(state) {
		name, value, _ := strings.Cut(a, "=")
		x, err := strconv.ParseFloat(value, 64)
		if value != "" && err != nil {
			t.Fatal(err)
		}
		switch name {
		case "rows":
			in.reltuples = x
		case "pages":
			in.relpages = int64(x)
		case "frozen":
			in.relallfrozen = int64(x)
		case "dead":
			in.dead = x
		case "inserts":
			in.inserted = x
		case "mods":
			in.mods = x
		case "age":
			in.xidAge = int64(x)
		case "multis":
			in.multiAge = int64(x)
		case "toast":
			in.isToast = true
		case "statistic":
			in.isStatistic = true
		case "nostats":
			in.hasStats = false
		default:
			t.Fatalf("what is %q?", name)
		}
	}
	n := newThresholds(s).needs(in)
	var out []string
	if n.vacuum {
		text := "vacuum for " + n.reason
		if n.wraparound {
			text += ", forced"
		}
		out = append(out, text)
	}
	if n.analyze {
		out = append(out, "analyze")
	}
	if out == nil {
		return "nothing"
	}
	return strings.Join(out, "; ")
}

// TestDecisions compares with what real workers logged.
func TestDecisions(t *testing.T) {
	for _, r := range readTable(t, "testdata/needs/decisions18.csv") {
		s := guc.Defaults(guc.MustVersion("18.4"))
		if r["run"] == "r2" {
			if err := s.Set("autovacuum_vacuum_scale_factor", "0.03"); err != nil {
				t.Fatal(err)
			}
		}
		in := needInputs{reltuples: number(t, r, "reltuples"), relpages: 100, hasStats: true}
		in.relallfrozen = int64(100 * number(t, r, "frozen"))
		n := newThresholds(s).needs(in)
		for name, got := range map[string]float64{
			"vacuum_threshold": n.vacuumThreshold, "insert_threshold": n.insertThreshold, "analyze_threshold": n.analyzeThreshold,
		} {
			if want := r[name]; fmt.Sprintf("%.0f", got) != want {
				t.Errorf("%s rows: %s is %v, the server has %s", r["reltuples"], name, got, want)
			}
		}
	}
}

func TestThresholdValues(t *testing.T) {
	in := needInputs{reltuples: 1e9, relpages: 1000, relallfrozen: 750, hasStats: true}
	for v, want := range map[string][3]float64{
		"9.4": {200000050, 0, 100000050},
		"13":  {200000050, 200001000, 100000050},
		"17":  {200000050, 200001000, 100000050},
		"18":  {100000000, 50001000, 100000050},
	} {
		n := newThresholds(guc.Defaults(guc.MustVersion(v))).needs(in)
		for i, got := range []float64{n.vacuumThreshold, n.insertThreshold, n.analyzeThreshold} {
			if math.Abs(got-want[i]) > 1e-7*want[i] { // float4
				t.Errorf("PostgreSQL %s: threshold %d is %.0f, want %.0f", v, i, got, want[i])
			}
		}
	}
}

// A vacuum every 17 nights: 43 million rows, insert scale factor 0.02, 50,708
// inserts a night, which add to the rows that the vacuums count.
func TestNightsBetweenInsertVacuums(t *testing.T) {
	for _, v := range versionsOf(t, "13-17") {
		s := guc.Defaults(v)
		if err := s.Set("autovacuum_vacuum_insert_scale_factor", "0.02"); err != nil {
			t.Fatal(err)
		}
		th := newThresholds(s)
		const night = 86400
		in := needInputs{reltuples: 43e6, hasStats: true, options: tableOptions{"autovacuum_analyze_threshold": 2e9}}
		d, ok := th.nextDue(in, rates{inserted: 50708.0 / night})
		if nights := math.Ceil(d.Hours() / 24); !ok || nights != 17 {
			t.Errorf("PostgreSQL %s: due after %v, %v nights", v, d, nights)
		}
	}
}

// 200 million transactions at 1,000 a second take 2.3 days.
func TestFreezeAgeReached(t *testing.T) {
	for _, v := range versionsOf(t, "9.4-19") {
		d, ok := newThresholds(guc.Defaults(v)).nextDue(needInputs{}, rates{xids: 1000})
		if !ok || d != 200000001*time.Millisecond {
			t.Errorf("PostgreSQL %s: forced after %v", v, d)
		}
	}
}

func TestNeverDue(t *testing.T) {
	th := newThresholds(guc.Defaults(guc.MustVersion("18")))
	for _, c := range []struct {
		in needInputs
		r  rates
	}{
		{needInputs{hasStats: true}, rates{}},
		{needInputs{hasStats: true, dead: 10}, rates{dead: -1, inserted: -1}},
		{needInputs{}, rates{dead: 1e6, inserted: 1e6, mods: 1e6}},
		{needInputs{hasStats: true, options: tableOptions{"autovacuum_enabled": 0}}, rates{dead: 1e6}},
		{needInputs{hasStats: true, isToast: true}, rates{mods: 1e6}},
		{needInputs{hasStats: true}, rates{dead: 1e-9}},
	} {
		if d, ok := th.nextDue(c.in, c.r); ok {
			t.Errorf("%+v at %+v is due after %v", c.in, c.r, d)
		}
	}
}

// nextDue against looking at the table again and again.
func TestNextDueAgreesWithStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(guc.Branches()).Draw(t, "version")
		th := newThresholds(guc.Defaults(v))
		rate := func(name string) float64 {
			return rapid.SampledFrom([]float64{0, 0.013, 1, 77.7, 5000}).Draw(t, name)
		}
		in := needInputs{
			reltuples: rapid.SampledFrom([]float64{-1, 0, 1, 999, 12345, 2e7, 3e9}).Draw(t, "rows"),
			relpages:  1000, relallfrozen: rapid.Int64Range(0, 1200).Draw(t, "frozen"),
			dead: rapid.Float64Range(0, 1e7).Draw(t, "dead"), inserted: rapid.Float64Range(0, 1e7).Draw(t, "inserts"),
			mods:     rapid.Float64Range(0, 1e7).Draw(t, "mods"),
			hasStats: rapid.Bool().Draw(t, "stats"), isToast: rapid.Bool().Draw(t, "toast"),
			xidAge: rapid.Int64Range(0, 210e6).Draw(t, "age"),
		}
		if rapid.Bool().Draw(t, "own") {
			in.options = tableOptions{"autovacuum_vacuum_scale_factor": 0.01, "autovacuum_freeze_max_age": 150e6}
		}
		r := rates{rate("dead/s"), rate("inserts/s"), rate("mods/s"), rate("xids/s"), rate("multis/s")}
		d, ok := th.nextDue(in, r)
		due := func(after time.Duration) bool { return th.needs(in.after(after, r)).any() }
		if !ok {
			if due(100 * 365 * 24 * time.Hour) {
				t.Fatal("never due, but due after 100 years")
			}
			return
		}
		if !due(d) {
			t.Fatalf("not due after %v", d)
		}
		// What rounding of the counts to 53 bits may move.
		early := time.Microsecond + d/(1<<40)
		if d > early && due(d-early) {
			t.Fatalf("due before %v", d)
		}
		for i := range 200 {
			if at := d / 200 * time.Duration(i); at < d-early && due(at) {
				t.Fatalf("due after %v already, not %v", at, d)
			}
		}
	})
}

func TestParseTableOptions(t *testing.T) {
	v18 := guc.MustVersion("18")
	got, err := parseTableOptions(v18, map[string]string{
		"autovacuum_enabled": "off", "autovacuum_vacuum_scale_factor": "0.05", "autovacuum_vacuum_cost_delay": "0.5",
		"autovacuum_vacuum_insert_threshold": "-1", "autovacuum_freeze_min_age": "0", "vacuum_index_cleanup": "AUTO", "vacuum_truncate": "false",
	})
	want := tableOptions{
		"autovacuum_enabled": 0, "autovacuum_vacuum_scale_factor": 0.05, "autovacuum_vacuum_cost_delay": 0.5,
		"autovacuum_vacuum_insert_threshold": -1, "autovacuum_freeze_min_age": 0, "vacuum_index_cleanup": indexCleanupAuto, "vacuum_truncate": 0,
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, c := range []struct{ version, name, value, want string }{
		{"18", "autovacuum_vacuum_treshold", "5", "did you mean autovacuum_vacuum_threshold"},
		{"18", "autovacuum_vacuum_threshold", "many", "bare number"},
		{"18", "autovacuum_vacuum_threshold", "-1", "valid range"},
		{"18", "autovacuum_vacuum_cost_delay", "2ms", "bare number"},
		{"18", "autovacuum_vacuum_cost_delay", "-1", "leave the parameter out"},
		{"18", "autovacuum_vacuum_cost_limit", "-1", "leave the parameter out"},
		{"18", "autovacuum_vacuum_cost_limit", "0", "outside the valid range"},
		{"18", "autovacuum_vacuum_cost_limit", "10001", "valid range"},
		{"18", "autovacuum_enabled", "perhaps", "Boolean"},
		{"18", "fillfactor", "70", "does not concern"},
		{"17", "autovacuum_vacuum_max_threshold", "1", "from PostgreSQL 18 on"},
		{"12", "autovacuum_vacuum_insert_threshold", "1", "from PostgreSQL 13 on"},
		{"11", "vacuum_truncate", "on", "from PostgreSQL 12 on"},
		{"9.4", "log_autovacuum_min_duration", "0", "from PostgreSQL 9.5 on"},
		{"9.5", "autovacuum_freeze_max_age", "100000", "valid range"},
		{"13", "vacuum_index_cleanup", "auto", "Boolean"},
	} {
		_, err := parseTableOptions(guc.MustVersion(c.version), map[string]string{c.name: c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name[:10]) {
			t.Errorf("%s: %s=%s: error %v, want one with %q", c.version, c.name, c.value, err, c.want)
		}
	}
}

func TestAggressive(t *testing.T) {
	s := guc.Defaults(guc.MustVersion("16"))
	th := newThresholds(s)
	for _, c := range []struct {
		what     string
		options  tableOptions
		template bool
		age      int64
		want     bool
	}{
		{"below freeze_table_age", nil, false, 149999999, false},
		{"at freeze_table_age", nil, false, 150e6, true},
		{"a template database", nil, true, 0, true},
		{"zeroed by the table", tableOptions{"autovacuum_freeze_table_age": 0}, false, 0, true},
		{"95 % of freeze_max_age at most", tableOptions{"autovacuum_freeze_table_age": 2e9, "autovacuum_multixact_freeze_table_age": 2e9}, false, 190e6, true},
		{"and not below", tableOptions{"autovacuum_freeze_table_age": 2e9}, false, 190e6 - 1, false},
	} {
		if got := th.aggressive(newFreezeAges(s, c.options, c.template), c.age, 0); got != c.want {
			t.Errorf("%s: aggressive is %v", c.what, got)
		}
	}
}

// readTable reads a CSV file with comments and a line of names.
func readTable(t *testing.T, path string) (out []map[string]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, ",")
		if names == nil {
			names = fields
			continue
		}
		row := make(map[string]string)
		for i, name := range names {
			row[name] = fields[i]
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return out
}

func number(t *testing.T, row map[string]string, name string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return x
}
