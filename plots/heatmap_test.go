package plots

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"avsim/sim/experiment"
)

// TestHeatMapGolden compares a heat map with the one in testdata; -regen rewrites
// it. Look at it before you commit it.
func TestHeatMapGolden(t *testing.T) {
	figure, err := HeatMap(sweepTable(), HeatSpec{X: "tables", Y: "workers", Z: "throughput_per_s", Panel: "strategy", LogZ: true})
	if err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "heatmap", figure)
}

// Each usable row is a cell, and its data stands beside the figure.
func TestHeatMapShowsEveryRow(t *testing.T) {
	table := sweepTable()
	figure, err := HeatMap(table, HeatSpec{X: "tables", Y: "workers", Z: "throughput_per_s", Panel: "strategy"})
	if err != nil {
		t.Fatal(err)
	}
	if len(figure.Data().Rows) != len(table.Rows) {
		t.Errorf("%d cells of %d rows", len(figure.Data().Rows), len(table.Rows))
	}
	for i := range table.Rows {
		place := func(t *experiment.Table, row int) string {
			return strings.Join([]string{t.Text(row, "strategy"), t.Text(row, "tables"), t.Text(row, "workers"), t.Text(row, "throughput_per_s")}, " ")
		}
		if !slices.ContainsFunc(indices(figure.Data()), func(row int) bool { return place(figure.Data(), row) == place(table, i) }) {
			t.Errorf("no cell for %s", place(table, i))
		}
	}
}

func indices(t *experiment.Table) (out []int) {
	for i := range t.Rows {
		out = append(out, i)
	}
	return out
}

// What differs beyond the axes has panels of its own; an axis of a setting does
// not tell panels apart, though its assignment stands among the settings.
func TestHeatMapPanels(t *testing.T) {
	table := &experiment.Table{Columns: []string{"strategy", "tables", "host_cold_after_seconds", "settings", "cpus", "throughput_per_s"}}
	for _, cpus := range []string{"2", "4"} {
		for _, cold := range []string{"0.001", "0.002"} {
			for _, tables := range []string{"10", "20"} {
				table.AppendRow("leapfrog", tables, cold, "host.cold_after="+strings.TrimPrefix(cold, "0.00")+"ms", cpus, tables+cpus)
			}
		}
	}
	figure, err := HeatMap(table, HeatSpec{X: "tables", Y: "host_cold_after_seconds", Z: "throughput_per_s", Panel: "strategy"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(figure.Data().Columns, []string{"figure", "strategy", "cpus", "tables", "host_cold_after_seconds", "throughput_per_s"}) || len(figure.Data().Rows) != 8 {
		t.Errorf("%v: %v", figure.Data().Columns, figure.Data().Rows)
	}
	lines, err := Lines(table, Spec{X: "host_cold_after_seconds", Y: "throughput_per_s", Series: "cpus", Panel: "tables"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := lines.Data().Column("settings"); ok {
		t.Errorf("lines are told apart by the axis: %v", lines.Data().Columns)
	}
}

func TestHeatMapErrors(t *testing.T) {
	table := &experiment.Table{Columns: []string{"tables", "workers", "throughput_per_s"}, Rows: [][]string{{"10", "3", "0"}}}
	if _, err := HeatMap(table, HeatSpec{X: "tables", Y: "workers", Z: "throughput_per_s", LogZ: true}); !errors.Is(err, ErrNothingToDraw) {
		t.Errorf("error %v", err)
	}
	if _, err := HeatMap(table, HeatSpec{X: "tables", Y: "worker", Z: "throughput_per_s"}); err == nil || !strings.Contains(err.Error(), `no column "worker"`) {
		t.Errorf("error %v", err)
	}
	if _, err := HeatMap(&experiment.Table{}, HeatSpec{X: "a", Y: "b", Z: "c"}); err == nil {
		t.Error("an empty table is drawn")
	}
	if _, err := HeatMap(table, HeatSpec{X: "tables", Y: "workers", Z: "throughput_per_s"}); err != nil {
		t.Errorf("a single zero on a linear scale: %v", err)
	}
}

// The ratio is that of rows that agree in all but the series. Its interval is the
// paired one where the table has it, otherwise that of independent runs.
func TestRatioTo(t *testing.T) {
	table := &experiment.Table{Columns: []string{"strategy", "tables", "replications", "throughput_per_s", "throughput_per_s_lo", "throughput_per_s_hi",
		"ratio_to_first", "ratio_to_first_lo", "ratio_to_first_hi"}}
	table.AppendRow("original", "10", "5", "100", "98", "102", "1", "1", "1")
	table.AppendRow("leapfrog", "10", "5", "150", "147", "153", "1.5", "1.49", "1.51")
	table.AppendRow("leapfrog", "20", "5", "70", "69", "71", "", "", "")
	for base, want := range map[string][]string{
		"original": {"1 1 1", "1.5 1.49 1.51", "  "},
		"leapfrog": {"0.666667 0.651186 0.682515", "1 1 1", "1 1 1"},
	} {
		got, err := RatioTo(table, "throughput_per_s", "strategy", base)
		if err != nil {
			t.Fatal(err)
		}
		for row := range got.Rows {
			text := strings.Join(got.Rows[row][len(table.Columns):], " ")
			if text != want[row] {
				t.Errorf("to %s, row %d: %q, want %q", base, row, text, want[row])
			}
		}
	}
	if _, err := RatioTo(table, "throughput_per_s", "strategy", "scored"); err == nil || !strings.Contains(err.Error(), "original and leapfrog") {
		t.Errorf("error %v", err)
	}
}
