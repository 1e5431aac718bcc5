package plots

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"avsim/sim/experiment"
)

// TestDataIsWhatIsDrawn: as many rows as marks, each one's cells from the table.
func TestDataIsWhatIsDrawn(t *testing.T) {
	table := sweepTable()
	for _, f := range figures {
		figure, err := f.draw(table)
		if err != nil {
			t.Fatal(err)
		}
		data := figure.Data()
		if got := data.Distinct(figureColumn); !slices.Equal(got, []string{f.name}) {
			t.Errorf("%s: column %q holds %q", f.name, figureColumn, got)
		}
		for row := range data.Rows {
			point := table
			for _, column := range []string{"strategy", "tables", "workers"} {
				point = point.Where(column, data.Text(row, column))
			}
			if len(point.Rows) != 1 {
				t.Fatalf("%s: row %d is of %d points", f.name, row, len(point.Rows))
			}
			for _, column := range data.Columns[1:] {
				if got, want := data.Text(row, column), point.Text(0, column); got != want {
					t.Errorf("%s: row %d, %s: got %s, want %s", f.name, row, column, got, want)
				}
			}
		}
	}
}

// TestDataHasDrawnRowsOnly: 10 table counts, of which Workers draws 6 and
// TimeShare 3, by 4 worker counts and 3 strategies.
func TestDataHasDrawnRowsOnly(t *testing.T) {
	want := map[string]int{"throughput": 10 * 4 * 3, "workers": 6 * 4 * 3, "time": 3 * 4 * 3}
	for _, f := range figures {
		figure, err := f.draw(sweepTable())
		if err != nil {
			t.Fatal(err)
		}
		if got := len(figure.Data().Rows); got != want[f.name] {
			t.Errorf("%s: %d rows of data, want %d", f.name, got, want[f.name])
		}
	}
	figure, err := TimeShare(sweepTable(), 500, 2000)
	if err != nil {
		t.Fatal(err)
	}
	if got := figure.Data().Distinct("tables"); !slices.Equal(got, []string{"500", "2000"}) {
		t.Errorf("TimeShare at 500 and 2000 tables drew %q", got)
	}
}

// TestFooterCounts: nothing is left out in silence.
func TestFooterCounts(t *testing.T) {
	row := sweepRow("original", 1000, 3)
	table := tableOf(row, row,
		with(row, "tables", "0"), with(row, "throughput_per_s", "NaN"), with(row, "throughput_per_s", "-1"),
		with(row, "throughput_per_s", ""), with(row, "throughput_per_s", "+Inf"), with(row, "tables", "many"))
	figure, err := Throughput(table)
	if err != nil {
		t.Fatal(err)
	}
	footer := strings.Join(figure.page.footer, "\n")
	for _, want := range []string{"Left out: 6 rows without a number", "Left out: 1 row for a point that is already drawn", "avsim 0.9.0 · seed 1 · inputs 3f9ac02b771d · 5 replications · 95 % intervals (bands)"} {
		if !strings.Contains(footer, want) {
			t.Errorf("footer lacks %q:\n%s", want, footer)
		}
	}
	if got := len(figure.Data().Rows); got != 1 {
		t.Errorf("%d rows of data, want 1", got)
	}

	figure, err = Throughput(crowdedTable(2, 40))
	if err != nil {
		t.Fatal(err)
	}
	if footer := strings.Join(figure.page.footer, "\n"); !strings.Contains(footer, "Shown: 6 of 40 worker counts.") {
		t.Errorf("footer does not count the panels left out:\n%s", footer)
	}
}

// TestSettingsApart: the axes of a sweep beyond those drawn make lines of their own.
func TestSettingsApart(t *testing.T) {
	chart, err := newLineChart(twoSettings(), Spec{X: "tables", Y: "throughput_per_s", Series: "strategy", Panel: "workers"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"original, 2 CPUs", "claim-release, 2 CPUs", "leapfrog, 2 CPUs",
		"original, 64 CPUs", "claim-release, 64 CPUs", "leapfrog, 64 CPUs",
	}
	var labels []string
	for _, line := range chart.panels[0].series {
		labels = append(labels, line.label())
	}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("lines:\n%s", diff)
	}
	if chart.repeated != 0 {
		t.Errorf("%d rows taken for repetitions", chart.repeated)
	}
}

func TestErrors(t *testing.T) {
	without := func(column string) *experiment.Table {
		table := sweepTable()
		i, _ := table.Column(column)
		table.Columns = slices.Replace(slices.Clone(table.Columns), i, i+1, "another")
		return table
	}
	row := sweepRow("original", 1000, 3)
	noShares := row
	for _, column := range shareColumns() {
		noShares = with(noShares, column, "")
	}
	tests := map[string]struct {
		draw  func(*experiment.Table) (*Figure, error)
		table *experiment.Table
		want  string
	}{
		"no table":           {Throughput, nil, "the table has no rows"},
		"no columns":         {Throughput, &experiment.Table{}, "the table has no rows"},
		"no rows":            {Workers, tableOf(), "the table has no rows"},
		"no rows for time":   {timeShare, tableOf(), "the table has no rows"},
		"no strategy":        {Throughput, without("strategy"), `no column "strategy"`},
		"no tables":          {Workers, without("tables"), `no column "tables"`},
		"no rate":            {Throughput, without("throughput_per_s"), `no column "throughput_per_s"`},
		"no share":           {timeShare, without("io_share"), `no column "io_share"`},
		"nothing above zero": {Throughput, tableOf(with(row, "throughput_per_s", "0")), "nothing to draw: no row has a number above zero"},
		"nothing usable":     {Throughput, tableOf(with(row, "throughput_per_s", "-1")), "nothing to draw: none of 1 row"},
		"one worker count":   {Workers, tableOf(row, with(row, "tables", "2000")), "nothing to compare: one worker count"},
		"no account":         {timeShare, tableOf(noShares), "nothing to draw: none of 1 row"},
		"a count not there": {func(t *experiment.Table) (*Figure, error) { return TimeShare(t, 7) },
			sweepTable(), "numbers of tables asked for: [7]"},
		"no x": {func(t *experiment.Table) (*Figure, error) { return Lines(t, Spec{Y: "vacuums"}) },
			sweepTable(), "a column for x and one for y"},
		"unknown y": {func(t *experiment.Table) (*Figure, error) { return Lines(t, Spec{X: "tables", Y: "vacuum"}) },
			sweepTable(), `no column "vacuum"`},
	}
	for name, test := range tests {
		_, err := test.draw(test.table)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", name, err, test.want)
		}
		drawless := strings.Contains(test.want, "nothing to")
		if got := errors.Is(err, ErrNothingToDraw); got != drawless {
			t.Errorf("%s: is ErrNothingToDraw: got %v, want %v", name, got, drawless)
		}
	}
}

func TestSave(t *testing.T) {
	figure, err := Throughput(tableOf(sweepRow("original", 1000, 3)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"a.png", "b.svg", "c.PDF"} {
		path := filepath.Join(folder, name)
		for range 2 { // over what is there as well
			if err := figure.Save(path); err != nil {
				t.Fatal(err)
			}
		}
		magic := map[string]string{"a.png": "\x89PNG", "b.svg": "<?xml", "c.PDF": "%PDF"}[name]
		if file, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(file, []byte(magic)) {
			t.Errorf("%s is no such file: %v", name, err)
		}
		var want bytes.Buffer
		if err := figure.Data().WriteCSV(&want); err != nil {
			t.Fatal(err)
		}
		beside, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".csv")
		if err != nil || !bytes.Equal(beside, want.Bytes()) {
			t.Errorf("data beside %s: %v, got\n%s", name, err, beside)
		}
	}
}

func TestSaveErrors(t *testing.T) {
	figure, err := Throughput(tableOf(sweepRow("original", 1000, 3)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	result := filepath.Join(folder, "sweep.csv")
	if err := experiment.WriteFile(result, sweepTable().WriteCSV); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"figure.jpg":        "one of .pdf, .png, .svg",
		"figure":            "one of .pdf, .png, .svg",
		"":                  "one of .pdf, .png, .svg",
		"sweep.png":         "sweep.csv: not a figure's data",
		"no/folder/fig.png": "no such file or directory",
	} {
		err := figure.Save(filepath.Join(folder, path))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", path, err, want)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("failed saves left %v", entries)
	}
	if err := figure.Encode(&bytes.Buffer{}, "gif"); err == nil || !strings.Contains(err.Error(), "pdf, png, svg") {
		t.Errorf("format gif: got error %v", err)
	}
}
