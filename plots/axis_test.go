package plots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"avsim/sim/experiment"
)

// grid returns a row per combination of strategy and cells, given as a column
// and its values in turn.
func grid(axes ...string) *experiment.Table {
	table := &experiment.Table{Columns: sweepColumns}
	for _, strategy := range []string{"original", "leapfrog"} {
		table.Rows = append(table.Rows, sweepRow(strategy, 10000, 10))
	}
	for i := 0; i < len(axes); i += 2 {
		var rows [][]string
		for _, row := range table.Rows {
			for _, v := range strings.Fields(axes[i+1]) {
				if axes[i] == naptimeColumn {
					rows = append(rows, naptime(row, v))
				} else {
					rows = append(rows, with(row, axes[i], v))
				}
			}
		}
		table.Rows = rows
	}
	return table
}

// TestSweptAxisIsX: what a sweep varies is the x axis, then panels, then lines.
func TestSweptAxisIsX(t *testing.T) {
	const oneTo16 = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
	tests := []struct {
		axes   []string
		x      string
		log    bool
		panels string // the heads
		lines  string
	}{
		{nil, "tables", true, "10 workers", "original; leapfrog"},
		{[]string{"tables", "100 1000", "workers", "1 3"}, "tables", true, "1 worker; 3 workers", "original; leapfrog"},
		{[]string{"cpus", oneTo16}, "cpus", false, "10 workers", "original; leapfrog"},
		{[]string{"cpus", "1 2 4 8"}, "cpus", true, "10 workers", "original; leapfrog"},
		{[]string{"cpus", "1 2", "workers", "3 10"}, "workers", false, "1 CPU; 2 CPUs", "original; leapfrog"},
		{[]string{"tables", "100 1000", "cpus", "1 2"}, "tables", true, "1 CPU; 2 CPUs", "original; leapfrog"},
		{[]string{"due_share", "0.1 0.5 1"}, "due_share", false, "10 workers", "original; leapfrog"},
		{[]string{naptimeColumn, "5 15 60"}, naptimeColumn, true, "10 workers", "original; leapfrog"},
		{[]string{"settings", "autovacuum_vacuum_cost_delay=0 autovacuum_vacuum_cost_delay=2ms"},
			"tables", true, "cost_delay 0; cost_delay 2ms", "original; leapfrog"},
		{[]string{"tables", "100 1000", "workers", "3 10", naptimeColumn, "5 60"}, "tables", true, "3 workers; 10 workers",
			"original, naptime 5 s; original, naptime 60 s; leapfrog, naptime 5 s; leapfrog, naptime 60 s"},
	}
	for _, test := range tests {
		chart, err := rateChart(grid(test.axes...), "throughput", xColumns...)
		if err != nil {
			t.Errorf("%q: %v", test.axes, err)
			continue
		}
		var heads, lines []string
		for _, panel := range chart.panels {
			heads = append(heads, chart.panelName(panel))
		}
		for _, line := range chart.panels[0].series {
			lines = append(lines, line.label())
		}
		got := fmt.Sprint(chart.spec.X, chart.spec.LogX, strings.Join(heads, "; "), strings.Join(lines, "; "))
		if want := fmt.Sprint(test.x, test.log, test.panels, test.lines); got != want {
			t.Errorf("%q:\n got %s\nwant %s", test.axes, got, want)
		}
		if chart.repeated != 0 {
			t.Errorf("%q: %d rows taken for repetitions", test.axes, chart.repeated)
		}
	}
}

// TestTimeShareShowsSweptAxis: the bars are of what is swept.
func TestTimeShareShowsSweptAxis(t *testing.T) {
	for _, test := range []struct{ axis, values, rowBy, panelBy string }{
		{"tables", "100 1000", "workers", "tables"},
		{"workers", "1 3", "workers", "tables"},
		{"cpus", "1 2 3 4 5 6", "cpus", "tables"},
		{naptimeColumn, "5 60", naptimeColumn, "tables"},
	} {
		chart, err := newTimeChart(grid(test.axis, test.values), nil)
		if err != nil {
			t.Fatal(err)
		}
		if chart.rowBy != test.rowBy || chart.panelBy != test.panelBy || len(chart.groups) != 2 {
			t.Errorf("%s: bars of %s, panels of %s, %d groups; want %s, %s, 2",
				test.axis, chart.rowBy, chart.panelBy, len(chart.groups), test.rowBy, test.panelBy)
		}
	}
}

// TestThinLeavesCombinations: of many variants, some values of each axis in all
// combinations are left, and the footer counts.
func TestThinLeavesCombinations(t *testing.T) {
	figure, err := Throughput(grid("tables", "100 1000", "workers", "3 10", "cpus", "1 2 3 4 5 6", "due_share", "0.1 1"))
	if err != nil {
		t.Fatal(err)
	}
	data := figure.Data()
	var combinations []string
	for row := range data.Rows {
		combinations = append(combinations, data.Text(row, "cpus")+"/"+data.Text(row, "due_share"))
	}
	if got, want := distinct(combinations), []string{"1/0.1", "1/1", "4/0.1", "4/1", "6/0.1", "6/1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if footer := strings.Join(figure.page.footer, "\n"); !strings.Contains(footer, "Shown: 12 of 24 lines.") {
		t.Errorf("footer does not count the lines:\n%s", footer)
	}
}

// TestZerosAreDrawn: a rate of zero has a place and a word in the footer.
func TestZerosAreDrawn(t *testing.T) {
	row := sweepRow("original", 1000, 3)
	figure, err := Throughput(tableOf(row, with(row, "strategy", "leapfrog", "throughput_per_s", "0")))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(figure.Data().Rows); n != 2 {
		t.Errorf("%d rows of data, want 2", n)
	}
	footer := strings.Join(figure.page.footer, "\n")
	if !strings.Contains(footer, "Zeros: at 0, below the break") || strings.Contains(footer, "Left out") {
		t.Errorf("footer:\n%s", footer)
	}
}

// TestPageExplainsStrategies: those that are drawn and known.
func TestPageExplainsStrategies(t *testing.T) {
	row := sweepRow("original", 1000, 3)
	figure, err := Throughput(tableOf(row, with(row, "strategy", "mine")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := figure.page.keyLines(), []string{"original: recheck under the lock"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCoincidingLinesAreNamedTogether: equal values do not hide a strategy.
func TestCoincidingLinesAreNamedTogether(t *testing.T) {
	row := sweepRow("original", 1000, 3)
	figure, err := Throughput(tableOf(row, with(row, "strategy", "claim-release"), with(row, "strategy", "leapfrog", "throughput_per_s", "9000")))
	if err != nil {
		t.Fatal(err)
	}
	texts := textsOf(figure)
	for _, want := range []string{"original", "claim-release =", "leapfrog"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q: %q", want, texts)
		}
	}
}

func TestShareText(t *testing.T) {
	style := textStyle(barTextSize, textColor)
	wide, narrow := style.Width("8 %"), style.Width("8")
	for _, test := range []struct {
		share float64
		room  vg.Length
		want  string
	}{
		{0.08, wide, "8 %"}, {0.08, narrow, "8"}, {0.05, narrow, ""}, {0.08, 1, ""},
	} {
		if got := shareText(style, test.share, test.room); got != test.want {
			t.Errorf("%g in %.1f: got %q, want %q", test.share, test.room, got, test.want)
		}
	}
}
