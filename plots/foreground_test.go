package plots_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"avsim/plots"
	"avsim/sim/experiment"
)

func feltRows(variants ...string) *experiment.Table {
	t := &experiment.Table{Columns: []string{"scenario", "variant", "from_seconds", "to_seconds", "phase", "vacuum_share", "throughput_per_s", "throughput_without_per_s",
		"throughput_with_per_s", "latency_p50_seconds", "latency_p95_seconds", "latency_p99_seconds", "latency_p99_without_seconds"}}
	for _, v := range variants {
		t.AppendRow("s", v, "0", "60", "", "0", "1000", "1000", "1000", "0.001", "0.002", "0.003", "0.003")
		t.AppendRow("s", v, "60", "120", "scanning heap", "1", "900", "1000", "900", "0.001", "0.002", "0.004", "0.003")
	}
	return t
}

// The title tells what is lost over the time of vacuums; variants are lines of one figure.
func TestForeground(t *testing.T) {
	one, err := plots.Foreground(feltRows(""))
	if err != nil {
		t.Fatal(err)
	}
	if want := "10.0 % less"; !strings.Contains(one.Title(), want) {
		t.Errorf("title %q, want %q in it", one.Title(), want)
	}
	several, err := plots.Foreground(feltRows("a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*plots.Figure{one, several} {
		var b bytes.Buffer
		if err := f.Encode(&b, "png"); err != nil || b.Len() == 0 {
			t.Errorf("%q: %d bytes, %v", f.Title(), b.Len(), err)
		}
		if n := len(f.Data().Rows); n != 2 && n != 4 {
			t.Errorf("%q: %d rows of data", f.Title(), n)
		}
	}
	if _, err := plots.Foreground(feltRows()); !errors.Is(err, plots.ErrNothingToDraw) {
		t.Errorf("a table without rows: %v", err)
	}
}

// The title sets the second variant against the first.
func TestVariants(t *testing.T) {
	table := &experiment.Table{Columns: []string{"scenario", "variant", "pg", "index_scans", "dead_tid_peak_bytes", "vacuum_loaded_seconds",
		"pages_read", "throughput_drop_share", "latency_p99_vacuum_seconds"}}
	table.AppendRow("s", "old", "16.4", "18", "67108864", "7200", "5000000", "0.1", "0.02")
	table.AppendRow("s", "new", "17.0", "1", "33554432", "3600", "1000000", "-0.01", "")
	f, err := plots.Variants(table)
	if err != nil {
		t.Fatal(err)
	}
	if want := "new takes 60 minutes where old takes 120 minutes, with 1 passes over the indexes instead of 18"; f.Title() != want {
		t.Errorf("title %q, want %q", f.Title(), want)
	}
	var b bytes.Buffer
	if err := f.Encode(&b, "png"); err != nil {
		t.Error(err)
	}
}
