package cmd

import (
	"strings"
	"testing"

	"avsim/scheduler/lab"
	"avsim/sim"
)

func labCellOf(mark lab.Mark, value, best, half float64) lab.Cell {
	d := value - best
	return lab.Cell{Value: sim.Interval{Mean: value, Lo: value - half, Hi: value + half},
		Difference: sim.Interval{Mean: d, Lo: d - half, Hi: d + half}, Mark: mark}
}

// TestLabCell: a hundredth and a four hundredth of the best are told apart, many times the
// best is a ratio that keeps its mark, and beside a best of 0 a value stands for itself.
func TestLabCell(t *testing.T) {
	for _, c := range []struct {
		cell lab.Cell
		want string
	}{
		{labCellOf(lab.Best, 7549, 7549, 0), "7,549 *"},
		{labCellOf(lab.Worse, 30.8, 7549, 100), "1/245  "},
		{labCellOf(lab.Worse, 123, 7549, 100), "1/61  "},
		{labCellOf(lab.Tie, 150, 10, 300), "× 15 ="},
		{labCellOf(lab.Worse, 0, 10, 1), "0  "},
		{labCellOf(lab.Worse, 30, 10, 1), "+200±10 %  "},
		{labCellOf(lab.Worse, 1.5, 10, 0.1), "−85±1.0 %  "},
		{labCellOf(lab.Worse, 100, 10, 1), "+900±10 %  "},
		{labCellOf(lab.Worse, 0.0123, 0, 0.001), "0.0123  "},
		{labCellOf(lab.Tie, 0.0123, 0, 1), "0.0123 ="},
		{labCellOf(lab.Tie, 0, 0, 0), "same ="},
		{labCellOf(lab.Ended, 1800, 1800, 0), "1,800 end"},
		{labCellOf(lab.Exhausted, 133, 133, 0), "133 exhausted"},
	} {
		if got := labCell(c.cell); got != c.want {
			t.Errorf("%+v: %q, want %q", c.cell, got, c.want)
		}
	}
}

// TestLabLegend: what stands in a table beside percentages is told below it, and nothing else.
func TestLabLegend(t *testing.T) {
	words := func(cells ...lab.Cell) string {
		var out strings.Builder
		labLegend(&out, cells)
		return out.String()
	}
	if got := words(labCellOf(lab.Best, 10, 10, 0), labCellOf(lab.Worse, 12, 10, 1), labCellOf(lab.Tie, 10, 10, 0)); got != "" {
		t.Errorf("nothing is to be told: %q", got)
	}
	for begin, cell := range map[string]lab.Cell{
		"end: ":                   labCellOf(lab.Ended, 60, 60, 0),
		"exhausted: ":             labCellOf(lab.Exhausted, 60, 60, 0),
		"where the best is 0":     labCellOf(lab.Worse, 60, 0, 1),
		"× 15: fifteen times the": labCellOf(lab.Tie, 600, 10, 1),
	} {
		if got := words(cell); !strings.HasPrefix(got, begin) || strings.Count(got, "\n") > 2 {
			t.Errorf("%q, want one line that begins with %q", got, begin)
		}
	}
}
