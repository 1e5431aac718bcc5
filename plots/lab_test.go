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
