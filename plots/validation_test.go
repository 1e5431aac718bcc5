package plots

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"avsim/sim/experiment"
)

// validations are the two figures of a validation.
var validations = []struct {
	name string
	draw func(*experiment.Table) (*Figure, error)
}{
	{"validation", Validation},
	{"residuals", Residuals},
}

// validationTable reads the example: rates recorded of real PostgreSQL, and
// predictions that are made up, the recorded rate times a smooth factor.
func validationTable(t *testing.T) *experiment.Table {
	t.Helper()
	file, err := os.Open("testdata/validation.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := experiment.ReadCSV(file, file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var comparedColumns = append(slices.Clone(pointColumns), "start", summaryColumn,
	recordedColumn, recordedColumn+lowerEnding, recordedColumn+upperEnding,
	predictedColumn, predictedColumn+lowerEnding, predictedColumn+upperEnding)

// compared returns a table of points of 9.5's claim-release with 3 workers and
// 1000 tables, recorded at 100 a second and predicted at the given rates.
func compared(predicted ...string) *experiment.Table {
	table := &experiment.Table{Columns: comparedColumns}
	for _, p := range predicted {
		table.AppendRow("9.5.13", "claim-release", "10", "1000", "3", "gated", "yes", "100", "", "", p, "", "")
	}
	return table
}

// set returns the table with another text in a row.
func set(table *experiment.Table, row int, cells ...string) *experiment.Table {
	for i := 0; i < len(cells); i += 2 {
		column, ok := table.Column(cells[i])
		if !ok {
			panic("no column " + cells[i])
		}
		table.Rows[row][column] = cells[i+1]
	}
	return table
}

func TestValidationGolden(t *testing.T) {
	for _, f := range validations {
		figure, err := f.draw(validationTable(t))
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, f.name, figure)
	}
}

func TestValidationFinding(t *testing.T) {
	var twenty []string // off by 1 %, 2 %, … 20 %, every other one below
	for i := 1; i <= 20; i++ {
		rate := 100 + float64(i)
		if i%2 == 0 {
			rate = 100 * 100 / rate
		}
		twenty = append(twenty, fmt.Sprint(rate))
	}
	tests := map[string]struct {
		table *experiment.Table
		want  string
	}{
		// The middle two are off by 1.10 and 1.11, the 18th of 20 by 1.18.
		"twenty": {compared(twenty...), "The model is within 11 % of real PostgreSQL in the median; 90 % of 20 points are within 1.18 times"},
		"too few for 90 %": {compared("100", "104", "50"),
			"The model is within 4 % of real PostgreSQL in the median; all 3 points are within 2.00 times"},
		"rounded up": {compared("100.1", "100.1", "123.01"),
			"The model is within 1 % of real PostgreSQL in the median; all 3 points are within 1.24 times"},
		"far off": {compared("25", "1000000", "30"),
			"The model is within 4.00 times of real PostgreSQL in the median; all 3 points are within 10,000 times"},
		"exact":     {compared("100"), "The model is within 0 % of real PostgreSQL at the one point compared"},
		"one":       {compared("80"), "The model is within 25 % of real PostgreSQL at the one point compared"},
		"not in it": {set(compared("100", "300"), 1, summaryColumn, "no"), "The model is within 0 % of real PostgreSQL at the one point compared"},
		"none":      {set(compared("300"), 0, summaryColumn, "no"), "Predicted against recorded automatic vacuums per second"},
	}
	for name, test := range tests {
		figure, err := Validation(test.table)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if figure.Title() != test.want {
			t.Errorf("%s: got title\n%s, want\n%s", name, figure.Title(), test.want)
		}
	}
}

func TestResidualsFinding(t *testing.T) {
	workers := func(table *experiment.Table, workers ...string) *experiment.Table {
		for row, w := range workers {
			set(table, row, "workers", w)
		}
		return table
	}
	tests := map[string]struct {
		table *experiment.Table
		want  string
	}{
		"within 10 %": {compared("95", "104", "108"),
			"At any number of tables or workers the median is within 4 %; the furthest point is within 1.08 times"},
		"too slow with 30": {workers(compared("100", "100", "100", "100", "60", "70", "80"), "1", "1", "1", "1", "30", "30", "30"),
			"The model is furthest off with 30 workers: 30 % too slow in the median of 3 points"},
		"too fast": {compared("150", "100", "150"),
			"The model is furthest off at 1,000 tables: 50 % too fast in the median of 3 points"},
		"much too slow": {compared("10", "20", "30"),
			"The model is furthest off at 1,000 tables: 5.0 times too slow in the median of 3 points"},
		"too few": {compared("10", "20"), "Predicted through recorded automatic vacuums per second"},
	}
	for name, test := range tests {
		figure, err := Residuals(test.table)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if figure.Title() != test.want {
			t.Errorf("%s: got title\n%s, want\n%s", name, figure.Title(), test.want)
		}
	}
}

// TestDepartures: points that are not their strategy as it usually is.
func TestDepartures(t *testing.T) {
	table := compared("100", "100", "100", "100", "100", "100")
	set(table, 1, "pg_version", "9.5.12")
	set(table, 2, "pg_version", "13.23")
	set(table, 3, "freshness_ms", "500")
	set(table, 4, "strategy", "leapfrog", "freshness_ms", "500")
	set(table, 5, "strategy", "shared-stats", "freshness_ms", "", "pg_version", "18.4")
	chart, err := newValidationChart("validation", table)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "", "PostgreSQL 13", "500 ms", "", ""}
	for i, p := range chart.points {
		if p.departs != want[i] {
			t.Errorf("row %d departs in %q, want %q", i, p.departs, want[i])
		}
	}
}

// TestWorst: five at most, the summary's first, none that is close.
func TestWorst(t *testing.T) {
	table := compared("100", "124", "130", "70", "900", "800", "140", "60", "81")
	set(table, 4, summaryColumn, "no")
	chart, err := newValidationChart("validation", table)
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for _, p := range chart.worst() {
		rows = append(rows, p.row)
	}
	if want := []int{5, 7, 3, 6, 2}; !slices.Equal(rows, want) {
		t.Errorf("worst are rows %v, want %v", rows, want)
	}
}

func TestValidationLeavesOut(t *testing.T) {
	table := compared("100", "0", "NaN", "-3", "", "+Inf", "100", "100", "100", "many", "90")
	set(table, 6, recordedColumn, "0")
	set(table, 7, "tables", "0")
	set(table, 8, "workers", "")
	for _, f := range validations {
		figure, err := f.draw(table)
		if err != nil {
			t.Fatal(err)
		}
		unusable := map[string]int{"validation": 7, "residuals": 9}[f.name]
		footer := strings.Join(figure.page.footer, "\n")
		if want := fmt.Sprintf("Left out: %d rows without a number", unusable); !strings.Contains(footer, want) {
			t.Errorf("%s: footer lacks %q:\n%s", f.name, want, footer)
		}
		if got := len(figure.Data().Rows); got != len(table.Rows)-unusable {
			t.Errorf("%s: %d rows of data, want %d", f.name, got, len(table.Rows)-unusable)
		}
	}
}

func TestValidationErrors(t *testing.T) {
	for _, f := range validations {
		for _, column := range append(slices.Clone(pointColumns), summaryColumn, recordedColumn, predictedColumn) {
			table := compared("100")
			i, _ := table.Column(column)
			table.Columns = slices.Replace(slices.Clone(table.Columns), i, i+1, "another")
			_, err := f.draw(table)
			if want := fmt.Sprintf("no column %q", column); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s without %s: got error %v, want one with %q", f.name, column, err, want)
			}
		}
		for want, table := range map[string]*experiment.Table{
			"the table has no rows":             compared(),
			"nothing to draw: none of 2 rows":   compared("0", "NaN"),
			`row 2, column in_summary: "maybe"`: set(compared("1", "2"), 1, summaryColumn, "maybe"),
		} {
			if _, err := f.draw(table); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want one with %q", f.name, err, want)
			}
		}
		if _, err := f.draw(nil); err == nil {
			t.Errorf("%s of no table: no error", f.name)
		}
	}
}

// TestValidationDataIsWhatIsDrawn: the data are the table's rows and columns.
func TestValidationDataIsWhatIsDrawn(t *testing.T) {
	table := validationTable(t)
	for _, f := range validations {
		figure, err := f.draw(table)
		if err != nil {
			t.Fatal(err)
		}
		data := figure.Data()
		if len(data.Rows) != len(table.Rows) {
			t.Fatalf("%s: %d rows of data, want %d", f.name, len(data.Rows), len(table.Rows))
		}
		for row := range data.Rows {
			if got := data.Text(row, figureColumn); got != f.name {
				t.Errorf("%s: row %d is of figure %q", f.name, row, got)
			}
			for _, column := range data.Columns[1:] {
				if got, want := data.Text(row, column), table.Text(row, column); got != want {
					t.Errorf("%s: row %d, %s: got %s, want %s", f.name, row, column, got, want)
				}
			}
		}
	}
}

// manyStrategies returns points of strategies with long names.
func manyStrategies(n int) *experiment.Table {
	table := compared(slices.Repeat([]string{"100", "210", "33"}, n)...)
	for row := range table.Rows {
		set(table, row, "strategy", fmt.Sprintf("a-strategy-with-quite-a-long-name-of-its-own-%d", row/3))
	}
	return table
}

// TestValidationTexts draws what is crowded, nearly empty or odd.
func TestValidationTexts(t *testing.T) {
	for name, table := range map[string]*experiment.Table{
		"example":         validationTable(t),
		"one point":       compared("100"),
		"equal points":    compared(slices.Repeat([]string{"300"}, 60)...),
		"50 strategies":   manyStrategies(50),
		"long texts":      set(compared("300"), 0, "strategy", strings.Repeat("w", 500), "start", strings.Repeat("m ", 300)),
		"markup":          set(compared("300"), 0, "strategy", "<b>\"R&D\"</b>\x00\n", "pg_version", "スケ 🐘"),
		"nothing known":   set(compared("300"), 0, "strategy", "", "pg_version", "", "freshness_ms", "", "start", ""),
		"words":           set(compared("300"), 0, "freshness_ms", "never"),
		"extreme":         set(compared("1e-90", "1e90"), 1, recordedColumn, "1e-9", "tables", "1e50"),
		"wide intervals":  set(compared("100"), 0, recordedColumn+lowerEnding, "1e-9", recordedColumn+upperEnding, "1e9", predictedColumn+lowerEnding, "-5", predictedColumn+upperEnding, "1e9"),
		"upside down":     set(compared("100"), 0, recordedColumn+lowerEnding, "110", recordedColumn+upperEnding, "90"),
		"off by a factor": compared("1000", "10"),
	} {
		for _, f := range validations {
			figure, err := f.draw(table)
			if err != nil {
				t.Errorf("%s of %s: %v", f.name, name, err)
				continue
			}
			checkTexts(t, f.name+" of "+name, figure)
		}
	}
}

// TestFactorTicks: 1 is always one of them.
func TestFactorTicks(t *testing.T) {
	for _, predicted := range []string{"100", "20", "999", "1e7", "1e-30"} {
		chart, err := newValidationChart("residuals", compared(predicted))
		if err != nil {
			t.Fatal(err)
		}
		if labels := tickLabels(chart.factorScale()); !slices.Contains(labels, "1") {
			t.Errorf("predicted %s for 100: ticks %q", predicted, labels)
		}
	}
}

// TestSwarm: no mark covers another where there is room, and none leaves it.
func TestSwarm(t *testing.T) {
	heights := []vg.Length{10, 10, 10, 12, 14, 50, 50, 51, 10, 90}
	offsets := swarm(heights, 40)
	for i := range heights {
		for j := range i {
			d := math.Hypot(float64(offsets[i]-offsets[j]), float64(heights[i]-heights[j]))
			if d < float64(2*markRadius) {
				t.Errorf("marks %d and %d are %.1f apart, less than their size", i, j, d)
			}
		}
	}
	if offsets[9] != 0 {
		t.Errorf("a mark that stands alone is moved by %v", offsets[9])
	}
	for i, offset := range swarm(make([]vg.Length, 100), 8) {
		if offset > 8 || offset < -8 {
			t.Errorf("mark %d is moved by %v, more than 8", i, offset)
		}
	}
}
