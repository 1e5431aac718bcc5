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
