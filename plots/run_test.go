package plots

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"avsim/sim/experiment"
)

// runTable is a table of a run with the columns that tell what the run was.
func runTable(columns ...string) (*experiment.Table, func(cells ...any)) {
	about := []string{"1", "0123456789ab", "1", "example", "17", "generic-4core", "60", "3", "60", ""}
	t := &experiment.Table{Columns: append(strings.Fields("model_version input_hash seed scenario pg host tables workers autovacuum_naptime_seconds settings"), columns...)}
	return t, func(cells ...any) {
		row := append([]string{}, about...)
		for _, c := range cells {
			row = append(row, fmt.Sprint(c))
		}
		t.AppendRow(row...)
	}
}

// fewWorks is an hour in which two slots of three have something to do.
func fewWorks() *experiment.Table {
	t, add := runTable("slot", "kind", "start_seconds", "end_seconds", "share", "from_seconds", "to_seconds")
	for i := range 12 {
		begin := 300 * i
		add(1, "worker", begin, begin+60+12*i, 1, 0, 3600)
		add(1, "start-up", begin, begin+2, 1, 0, 3600)
		add(1, "vacuum", begin+2, begin+40+11*i, 1, 0, 3600)
		add(1, "analyze", begin+40+11*i, begin+55+12*i, 1, 0, 3600)
	}
	add(2, "worker", 1000, 2900, 1, 0, 3600)
	add(2, "vacuum to prevent wraparound", 1001, 2899, 1, 0, 3600)
	return t
}

// manyWorks is a week of three slots in shares of intervals.
func manyWorks() *experiment.Table {
	t, add := runTable("slot", "kind", "start_seconds", "end_seconds", "share", "from_seconds", "to_seconds")
	const n, step = 168, 3600
	for slot := 1; slot <= 3; slot++ {
		for i := range n {
			day := 0.16 * (1 - math.Cos(2*math.Pi*float64(i)/24)) / float64(slot)
			add(slot, "worker", i*step, (i+1)*step, day, 0, n*step)
			add(slot, "vacuum", i*step, (i+1)*step, 0.7*day, 0, n*step)
			add(slot, "analyze", i*step, (i+1)*step, 0.2*day, 0, n*step)
		}
	}
	return t
}

func samples() *experiment.Table {
	t, add := runTable("time_seconds", "tables_due", "dead_rows", "live_rows")
	for i := range 101 {
		add(864*i, (7*i*i)%11, 1e6*math.Sqrt(float64(i))+2e5*float64(i%9), 1e8)
	}
	return t
}

// oldAges are databases that are frozen in time, and a setting that changes.
func oldAges() *experiment.Table {
	t, add := runTable("series", "kind", "time_seconds", "age_transactions")
	add("vacuum_freeze_min_age", "limit", 0, 50_000_000)
	add("vacuum_freeze_table_age", "limit", 0, 150_000_000)
	add("autovacuum_freeze_max_age", "limit", 0, 200_000_000)
	add("vacuum_failsafe_age", "limit", 0, 1_600_000_000)
	add("wraparound (2^31)", "limit", 0, 1<<31)
	add("autovacuum_freeze_max_age", "limit", 43200, 400_000_000)
	for i := range 101 {
		add("app", "age", 864*i, 60_000_000+(2_900_000*i)%145_000_000)
		add("postgres", "age", 864*i, 2_900_000*i)
	}
	return t
}

func visits() *experiment.Table {
	t, add := runTable("class", "visits", "share", "lateness_seconds", "due_at_end")
	for j, class := range []string{"fewer than 1,000 rows", "1,000 to 9,999 rows", "1 to 10 million rows"} {
		for i := 1; i <= 50; i++ {
			share := float64(i) / 50
			add(class, 50*(3-j), share, 60*share*math.Pow(3, float64(j)*share), 4)
		}
	}
	add("10 million rows or more", 1, 1, 100, 4)
	return t
}

// runFigures are the four of a run, the timeline in both its forms.
var runFigures = []struct {
	name  string
	draw  func(*experiment.Table) (*Figure, error)
	table func() *experiment.Table
	title string
}{
	{"timeline", Timeline, fewWorks, "3 worker slots spend 29 % of their time on vacuums and 2 % on analyzes (18 % to prevent wraparound)"},
	{"timeline_shares", Timeline, manyWorks, "3 worker slots spend 7 % of their time on vacuums and 2 % on analyzes"},
	{"backlog", Backlog, samples, "6 of 60 tables are due on average, 10 at most; dead row versions grow from 0 to 10.2 million"},
	{"lateness", Lateness, visits, "Nine of ten visits come within 6.5 minutes of the moment at which the table is due if it has 1 to 10 million rows, within 54 s if it has fewer than 1,000 rows"},
	{"ages", Ages, oldAges, "The oldest table gets 290 million transactions old, beyond vacuum_freeze_table_age and at 72 % of autovacuum_freeze_max_age"},
}

// TestRunGolden compares the figures of a run with those in testdata, at half
// their size, and their titles; -regen rewrites the files.
func TestRunGolden(t *testing.T) {
	for _, f := range runFigures {
		figure, err := f.draw(f.table())
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, "run_"+f.name, figure)
		checkTexts(t, f.name, figure)
		if figure.Title() != f.title {
			t.Errorf("%s: the title is %q, want %q", f.name, figure.Title(), f.title)
		}
		if data := figure.Data(); len(data.Rows) == 0 || data.Text(0, "input_hash") == "" || data.Columns[0] != figureColumn {
			t.Errorf("%s: the data is %v", f.name, data.Columns)
		}
	}
}

// TestRunOfNothing: a table without rows, or without a row that can be drawn, is
// nothing to draw; one without a column is another error.
func TestRunOfNothing(t *testing.T) {
	for _, f := range runFigures {
		whole := f.table()
		empty := &experiment.Table{Columns: whole.Columns}
		if _, err := f.draw(empty); !errors.Is(err, ErrNothingToDraw) {
			t.Errorf("%s of no rows: %v", f.name, err)
		}
		blank := &experiment.Table{Columns: whole.Columns, Rows: [][]string{make([]string, len(whole.Columns))}}
		if _, err := f.draw(blank); !errors.Is(err, ErrNothingToDraw) {
			t.Errorf("%s of blank cells: %v", f.name, err)
		}
		if _, err := f.draw(&experiment.Table{Columns: []string{"x"}}); err == nil || errors.Is(err, ErrNothingToDraw) {
			t.Errorf("%s of another table: %v", f.name, err)
		}
		if _, err := f.draw(nil); err == nil {
			t.Errorf("%s of nil: no error", f.name)
		}
	}
}

// TestRunOfOddTables draws what is crowded, nearly empty or odd.
func TestRunOfOddTables(t *testing.T) {
	slots, add := runTable("slot", "kind", "start_seconds", "end_seconds", "share")
	for slot := 1; slot <= 300; slot++ {
		add(slot, "vacuum", 0, 1e-3, 1)
	}
	check := func(name string, draw func(*experiment.Table) (*Figure, error), table *experiment.Table) {
		t.Helper()
		figure, err := draw(table)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		checkTexts(t, name, figure)
	}
	check("many slots", Timeline, slots)

	one, add := runTable("slot", "kind", "start_seconds", "end_seconds", "share")
	add(1, "vacuum", 5, 5, 1)
	add("x", "vacuum", 5, 5, 1)
	add(1, "nap", 5, 5, 1)
	check("one moment", Timeline, one)

	ages, add := runTable("series", "kind", "time_seconds", "age_transactions")
	for i := range 40 {
		for _, at := range []int{0, 3 * 86400, 3000 * 86400} {
			add(fmt.Sprintf("a_database_with_quite_a_long_name_of_its_own_%d", i), "age", at, i*at)
		}
	}
	check("many databases", Ages, ages)

	still, add := runTable("time_seconds", "tables_due", "dead_rows")
	add(0, 0, 0)
	check("one sample", Backlog, still)

	late, add := runTable("class", "visits", "share", "lateness_seconds", "due_at_end")
	add("few", 3, 0.5, 0, "")
	add("few", 3, 1, 1e7, "")
	check("few visits", Lateness, late)
	late, add = runTable("class", "visits", "share", "lateness_seconds", "due_at_end")
	add("punctual", 30, 1, 0, "")
	check("no lateness", Lateness, late)
}

// TestTimeScale: ticks are round, few, and within the axis.
func TestTimeScale(t *testing.T) {
	for _, length := range []float64{0.001, 1, 59, 61, 150, 3600, 5 * 3600, 86400, 7 * 86400, 400 * 86400, 3650 * 86400} {
		s, unit := newTimeScale(0, length)
		if n := len(s.ticks); n == 0 || n > maxTimeTicks+1 {
			t.Errorf("%v s: %d ticks", length, n)
		}
		for _, tick := range s.ticks {
			if tick.Value > s.max*(1+1e-9) {
				t.Errorf("%v s, in %s: a tick at %v", length, unit.name, tick.Value)
			}
		}
	}
}
