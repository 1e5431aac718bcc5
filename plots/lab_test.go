package plots

import (
	"bytes"
	"testing"

	"avsim/sim/experiment"
)

// TestLabCounts: best and tied count, worse does not; the strategy with most comes first,
// and the title says so.
func TestLabCounts(t *testing.T) {
	table := &experiment.Table{Columns: []string{"scenario", "measure", "strategy", "mark", "seed"}}
	for _, row := range [][]string{
		{"a", "wait_max_seconds", "x", "worse"}, {"a", "wait_max_seconds", "y", "best"},
		{"b", "wait_max_seconds", "x", "best"}, {"b", "wait_max_seconds", "y", "tie"},
	} {
		table.AppendRow(append(row, "1")...)
	}
	f, err := Lab(table)
	if err != nil {
		t.Fatal(err)
	}
	if want := "y is best or tied in 2 of 2 comparisons"; f.Title() != want {
		t.Errorf("title %q, want %q", f.Title(), want)
	}
	if got := f.Data().Where("strategy", "x").Text(0, "best_or_tied"); got != "1" {
		t.Errorf("x is best or tied in %s scenarios, want 1", got)
	}
	var png bytes.Buffer
	if _, err := f.WriteTo(&png); err != nil || png.Len() == 0 {
		t.Errorf("no picture: %v", err)
	}
	if _, err := Lab(&experiment.Table{Columns: table.Columns}); err == nil {
		t.Error("a table without rows is drawn")
	}
}

// TestLabBounded: what the run bounded is neither best nor tied, and a comparison without a
// best is none of those that the title counts.
func TestLabBounded(t *testing.T) {
	table := &experiment.Table{Columns: []string{"scenario", "measure", "strategy", "mark", "seed"}}
	for _, row := range [][]string{
		{"a", "wait_max_seconds", "x", "end"}, {"a", "wait_max_seconds", "y", "end"},
		{"b", "wait_max_seconds", "x", "best"}, {"b", "wait_max_seconds", "y", "worse"},
		{"a", "vacuums_per_s", "x", "exhausted"}, {"a", "vacuums_per_s", "y", "exhausted"},
		{"b", "vacuums_per_s", "x", "tie"}, {"b", "vacuums_per_s", "y", "best"},
	} {
		table.AppendRow(append(row, "1")...)
	}
	f, err := Lab(table)
	if err != nil {
		t.Fatal(err)
	}
	if want := "x is best or tied in 2 of 2 comparisons"; f.Title() != want {
		t.Errorf("title %q, want %q", f.Title(), want)
	}
	if got := f.Data().Where("strategy", "y").Text(0, "best_or_tied"); got != "0" {
		t.Errorf("y's longest wait is best or tied in %s scenarios, want 0", got)
	}
}

// TestBarWords: many times the best is a ratio, beside a best of 0 a value stands for itself,
// and so does the mark of what the run bounded.
func TestBarWords(t *testing.T) {
	for _, c := range []struct {
		bar  labBar
		want string
	}{
		{labBar{mean: 14, mark: "worse"}, "× 15"}, {labBar{mean: -0.9959, mark: "worse"}, "1/244"}, {labBar{mean: -1, mark: "worse"}, "0"},
		{labBar{mean: 2, mark: "tie"}, "+200.0 %"}, {labBar{mean: 7, mark: "worse", plain: true}, "7.0"},
		{labBar{mark: "end"}, "end"}, {labBar{mark: "exhausted"}, "exhausted"}, {labBar{mark: "tie"}, "same"}, {labBar{mark: "best"}, "best"},
	} {
		if got := c.bar.words(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.bar, got, c.want)
		}
	}
}

// TestLabMeasure: a panel for each scenario, a bar for each strategy, as long in parts of the
// best as its difference; a best of 0 leaves the difference as it is; one replication has
// no intervals.
func TestLabMeasure(t *testing.T) {
	table := &experiment.Table{Columns: []string{"scenario", "measure", "strategy", "value", "difference", "difference_lo", "difference_hi", "mark", "seed"}}
	for _, row := range [][]string{
		{"a", "wait_max_seconds", "x", "150", "50", "40", "60", "worse"}, {"a", "wait_max_seconds", "y", "100", "0", "0", "0", "best"},
		{"b", "wait_max_seconds", "x", "0", "0", "", "", "best"}, {"b", "wait_max_seconds", "y", "7", "7", "", "", "tie"},
		{"b", "other", "y", "7", "7", "", "", "tie"},
	} {
		table.AppendRow(append(row, "1")...)
	}
	bars := newLabBars(table.Where("measure", "wait_max_seconds"))
	if len(bars.panels) != 2 || len(bars.panels[0].bars) != 2 {
		t.Fatalf("%+v, want two panels of two bars", bars)
	}
	if got := bars.panels[0].bars[0]; got.mean != 0.5 || got.lo != 0.4 || got.hi != 0.6 || got.words() != "+50.0 %" {
		t.Errorf("%+v, %s; want 50 %% above the best, 40 to 60", got, got.words())
	}
	if got := bars.panels[1].bars[1]; got.mean != 7 || got.hi != 0 {
		t.Errorf("%+v, want 7 above 0 without an interval", got)
	}
	f, err := LabMeasure(table, "wait_max_seconds", "Longest wait, s")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Data().Rows); n != 4 {
		t.Errorf("%d rows of data, want 4", n)
	}
	var png bytes.Buffer
	if _, err := f.WriteTo(&png); err != nil || png.Len() == 0 {
		t.Errorf("no picture: %v", err)
	}
	if _, err := LabMeasure(table, "nothing", ""); err == nil {
		t.Error("a measure without rows is drawn")
	}
}
