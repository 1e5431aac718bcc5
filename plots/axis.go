package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// naptimeColumn holds autovacuum_naptime, in seconds.
const naptimeColumn = "autovacuum_naptime_seconds"

// A sweepAxis is a column that a sweep can vary.
type sweepAxis struct {
	column string
	text   func(value string) string // of one value: "2 CPUs"
	plural string                    // of its values, in a footer

	// Of those that can be an x axis:
	label string // the axis' title
	by    string // "automatic vacuums per second by …"
	log   bool   // logarithmic even where the values are spaced evenly
	base  int    // its powers are the values to show, of many; 0: 10
}

// sweepAxes are the columns that a sweep can vary, in the order in which a figure
// takes them for its x axis.
var sweepAxes = []sweepAxis{
	{column: "tables", text: noun("table"), plural: "table counts",
		label: "tables in the database", by: "number of tables", log: true},
	{column: "workers", text: noun("worker"), plural: "worker counts",
		label: "workers", by: "number of workers"},
	{column: "cpus", text: noun("CPU"), plural: "CPU counts",
		label: "CPUs", by: "number of CPUs", base: 2},
	{column: "due_share", text: dueLabel, plural: "shares of tables due",
		label: "share of the tables that are due", by: "share of the tables that are due"},
	{column: naptimeColumn, text: naptimeLabel, plural: "naptimes",
		label: "autovacuum_naptime, seconds", by: "autovacuum_naptime"},
	{column: "settings", text: settingsLabel, plural: "settings"},
	{column: "start", text: func(s string) string { return s + " start" }, plural: "kinds of start"},
	{column: "host", text: prefix("host "), plural: "hosts"},
	{column: "pg", text: prefix("PostgreSQL "), plural: "versions"},
	{column: "model_version", text: prefix("avsim "), plural: "model versions"},
	{column: "seed", text: prefix("seed "), plural: "seeds"},
}

func noun(n string) func(string) string   { return func(s string) string { return counted(s, n) } }
func prefix(p string) func(string) string { return func(s string) string { return p + s } }

func dueLabel(text string) string {
	share, ok := parse(text)
	switch {
	case !ok:
	case share == 1:
		text = "all"
	default:
		text = percent(share)
	}
	return text + " due"
}

func naptimeLabel(text string) string {
	if seconds, ok := parse(text); ok {
		text = number(seconds)
	}
	return "naptime " + text + " s"
}

// settingsLabel shortens assignments of settings: "cost_delay 2ms".
func settingsLabel(text string) string {
	if text == "" {
		return "defaults"
	}
	parts := strings.Fields(text)
	for i, part := range parts {
		for _, common := range []string{"autovacuum_vacuum_", "autovacuum_"} {
			if short, ok := strings.CutPrefix(part, common); ok {
				part = short
				break
			}
		}
		parts[i] = strings.Replace(part, "=", " ", 1)
	}
	return strings.Join(parts, ", ")
}

// axisOf returns what is known of a column, false if it is none of [sweepAxes].
func axisOf(column string) (sweepAxis, bool) {
	i := slices.IndexFunc(sweepAxes, func(a sweepAxis) bool { return a.column == column })
	if i < 0 {
		return sweepAxis{}, false
	}
	return sweepAxes[i], true
}

// valueText names a value of a column: "10,000 tables", "verdict statistics"; a
// strategy is its name.
func valueText(column, value string) string {
	if column == "strategy" {
		return value
	}
	if axis, ok := axisOf(column); ok {
		return axis.text(value)
	}
	return column + " " + value
}

// placeTexts says where a row of a sweep stands: its numbers of tables and workers,
// its values in the columns that are drawn, and what its line is a variant of.
func placeTexts(table *experiment.Table, row int, v variants, drawn ...string) []string {
	var texts []string
	for _, column := range distinct(append([]string{"tables", "workers"}, drawn...)) {
		texts = append(texts, valueText(column, cell(table, row, column)))
	}
	return append(texts, v.texts(table, row)...)
}

// valuesNoun names the values of a column.
func valuesNoun(column string) string {
	if axis, ok := axisOf(column); ok {
		return axis.plural
	}
	return "values of " + column
}

// firstSwept returns the first of the columns, but those taken, that has two or
// more values in the rows, or else the first that the table has.
func firstSwept(table *experiment.Table, rows []int, columns []string, taken ...string) string {
	first := ""
	for _, column := range columns {
		if _, ok := table.Column(column); !ok || slices.Contains(taken, column) {
			continue
		}
		if len(distinctSorted(table, rows, column)) > 1 {
			return column
		}
		if first == "" {
			first = column
		}
	}
	return first
}

// xColumns are the columns that can be an x axis, panelColumns those that can
// tell panels apart: the number of workers before all others.
var xColumns, panelColumns = func() (x, panel []string) {
	panel = []string{"workers"}
	for _, axis := range sweepAxes {
		if axis.label != "" {
			x = append(x, axis.column)
		}
		if axis.column != "workers" {
			panel = append(panel, axis.column)
		}
	}
	return x, panel
}()

const rateColumn = "throughput_per_s"

// rateChart reads a sweep's automatic vacuums per second against the first of
// the x columns that is swept. The next column that is swept has a panel per
// value; what else is swept makes lines of its own.
func rateChart(table *experiment.Table, name string, x ...string) (*lineChart, error) {
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("plots: %s: the table has no rows", name)
	}
	if err := requireColumns(table, "tables", "workers", "strategy", rateColumn); err != nil {
		return nil, err
	}
	var rows []int
	for row := range table.Rows {
		if !math.IsNaN(value(table, row, rateColumn)) {
			rows = append(rows, row)
		}
	}
	axis, _ := axisOf(x[0])
	if i := slices.IndexFunc(x, func(column string) bool { return len(numbersOf(table, rows, column)) > 1 }); i >= 0 {
		axis, _ = axisOf(x[i])
	}
	return newLineChart(table, Spec{
		Name: name,
		X:    axis.column, Y: rateColumn, Series: "strategy", Panel: firstSwept(table, rows, panelColumns, axis.column),
		LogX: axis.log || spacedLog(numbersOf(table, rows, axis.column)), LogY: true,
		XLabel: axis.label, YLabel: "automatic vacuums per second",
		Title: "automatic vacuums per second by " + axis.by,
	})
}

// numbersOf returns a column's distinct numbers in the rows, ascending.
func numbersOf(table *experiment.Table, rows []int, column string) []float64 {
	var numbers []float64
	for _, row := range rows {
		if v := value(table, row, column); !math.IsNaN(v) {
			numbers = append(numbers, v)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// spacedLog reports whether ascending numbers are better told apart on a
// logarithmic axis: all are above zero and their distances differ widely.
func spacedLog(numbers []float64) bool {
	if len(numbers) < 2 || numbers[0] <= 0 {
		return len(numbers) == 1 && numbers[0] > 0
	}
	least, most := math.Inf(1), 0.0
	for i, v := range numbers[1:] {
		least, most = min(least, v-numbers[i]), max(most, v-numbers[i])
	}
	return most > 2*least
}

// choose picks at most n of a column's ascending values: the first and the last,
// powers of the column's base, and then what divides the widest gaps. Texts that
// are no numbers above zero are spread evenly.
func choose(column string, values []string, n int) []string {
	if len(values) <= n || n < 3 {
		return spread(values, n)
	}
	logs := make([]float64, len(values))
	for i, text := range values {
		v, ok := parse(text)
		if !ok || v <= 0 {
			return spread(values, n)
		}
		logs[i] = math.Log(v)
	}
	base := 10.0
	if axis, _ := axisOf(column); axis.base > 0 {
		base = float64(axis.base)
	}
	var powers []int
	for i := range values[1 : len(values)-1] {
		if exponent := logs[i+1] / math.Log(base); math.Abs(exponent-math.Round(exponent)) < 1e-9 {
			powers = append(powers, i+1)
		}
	}
	chosen := []int{0, len(values) - 1}
	if len(powers) > 0 {
		chosen = append(chosen, spread(powers, n-2)...)
	}
	for len(chosen) < n {
		chosen = append(chosen, widestGapMiddle(logs, chosen))
	}
	slices.Sort(chosen)
	picked := make([]string, n)
	for i, at := range chosen {
		picked[i] = values[at]
	}
	return picked
}

// widestGapMiddle returns the place that is not chosen and closest to the middle
// of the widest gap between two that are; of equal gaps, that at larger values.
func widestGapMiddle(places []float64, chosen []int) int {
	const equal = 1e-9 // rounding must not decide
	slices.Sort(chosen)
	lo, hi := -1, -1
	for i, at := range chosen[1:] {
		before := chosen[i]
		if at-before > 1 && (lo < 0 || places[at]-places[before] >= places[hi]-places[lo]-equal) {
			lo, hi = before, at
		}
	}
	middle, best := (places[lo]+places[hi])/2, lo+1
	for i := lo + 2; i < hi; i++ {
		if math.Abs(places[i]-middle) < math.Abs(places[best]-middle)-equal {
			best = i
		}
	}
	return best
}
