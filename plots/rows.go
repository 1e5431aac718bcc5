package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/sim/experiment"
)

// requireColumns returns an error that names the first column table lacks.
func requireColumns(table *experiment.Table, columns ...string) error {
	for _, column := range columns {
		if column == "" {
			continue
		}
		if _, ok := table.Column(column); !ok {
			return fmt.Errorf("plots: the table has no column %q; it has %s", column, strings.Join(table.Columns, ", "))
		}
	}
	return nil
}

// settingColumns hold what may tell apart two rows that agree in all that a
// figure shows on its axes, in the order in which they are looked at.
var settingColumns = []string{
	"strategy", "variant", "tables", "workers", "cpus", "due_share", "start", naptimeColumn,
	"settings", "host", "pg", "model_version", "seed",
}

// variants tell apart the lines or bars of one strategy: by the axes of a sweep
// beyond those drawn.
type variants struct {
	columns []string
	common  []string // assignments that all rows have under "settings"
}

// newVariants returns the fewest leading settingColumns that tell apart the rows
// that agree in all key columns and the series' one. Strategies as series are
// compared, so they are told apart by what they differ in beside the strategy.
func newVariants(table *experiment.Table, series string, key ...string) variants {
	v := variants{common: commonSettings(table)}
	if series != "strategy" {
		key = append(key, series)
	}
	for _, column := range settingColumns {
		if _, ok := table.Column(column); !ok || column == series || slices.Contains(key, column) {
			continue
		}
		if separates(table, slices.Concat(key, v.columns), column) {
			v.columns = append(v.columns, column)
		}
	}
	return v
}

// commonSettings returns the assignments that stand in every row.
func commonSettings(table *experiment.Table) []string {
	var common []string
	for row := range table.Rows {
		fields := strings.Fields(cell(table, row, "settings"))
		if row == 0 {
			common = fields
		}
		common = slices.DeleteFunc(common, func(s string) bool { return !slices.Contains(fields, s) })
	}
	return common
}

// texts names what distinguishes a row, a text per column: "4 CPUs".
func (v variants) texts(table *experiment.Table, row int) []string {
	var texts []string
	for _, column := range v.columns {
		text := cell(table, row, column)
		if column == "settings" {
			fields := slices.DeleteFunc(strings.Fields(text), func(s string) bool { return slices.Contains(v.common, s) })
			text = strings.Join(fields, " ")
		} else if text == "" {
			continue
		}
		texts = append(texts, valueText(column, text))
	}
	return texts
}

// label is texts in one: "4 CPUs, natural start".
func (v variants) label(table *experiment.Table, row int) string {
	return strings.Join(v.texts(table, row), ", ")
}

// thin drops rows until about as many lines or bars are left as can be told
// apart: of each column some values, evenly chosen, in all their combinations.
func (v variants) thin(table *experiment.Table, rows []int, most int) []int {
	strategies := len(distinctSorted(table, rows, "strategy"))
	counts := make([]int, len(v.columns))
	values := make([][]string, len(v.columns))
	product := strategies
	for i, column := range v.columns {
		values[i] = distinctSorted(table, rows, column)
		counts[i] = len(values[i])
		product *= counts[i]
	}
	for product > most && len(counts) > 0 && slices.Max(counts) > 2 {
		i := slices.Index(counts, slices.Max(counts))
		product = product / counts[i] * (counts[i] - 1)
		counts[i]--
	}
	for i, column := range v.columns {
		values[i] = choose(column, values[i], counts[i])
	}
	dropped := func(row int) bool {
		for i, column := range v.columns {
			if !slices.Contains(values[i], cell(table, row, column)) {
				return true
			}
		}
		return false
	}
	if left := slices.DeleteFunc(slices.Clone(rows), dropped); len(left) > 0 {
		return left
	}
	return rows
}

// condition returns what two rows have to share to be compared: all settings
// but those in the columns along which they are compared.
func condition(table *experiment.Table, row int, along ...string) string {
	columns := slices.DeleteFunc(slices.Clone(settingColumns), func(c string) bool { return slices.Contains(along, c) })
	return rowKey(table, row, columns)
}

// separates reports whether some rows agree in the key but not in column.
func separates(table *experiment.Table, key []string, column string) bool {
	first := map[string]string{}
	for row := range table.Rows {
		text, id := cell(table, row, column), rowKey(table, row, key)
		if before, ok := first[id]; ok && before != text {
			return true
		}
		first[id] = text
	}
	return false
}

// rowKey joins the row's cells in the given columns.
func rowKey(table *experiment.Table, row int, columns []string) string {
	var key strings.Builder
	for _, column := range columns {
		key.WriteString(strconv.Quote(cell(table, row, column)))
	}
	return key.String()
}

// cell returns the row's text in a column, nothing where there is no such column.
// The settings are told without the naptime where that has a column of its own.
func cell(table *experiment.Table, row int, column string) string {
	if column == "" {
		return ""
	}
	text := table.Text(row, column)
	if column == "settings" && strings.Contains(text, naptimeAssignment) {
		if _, ok := table.Column(naptimeColumn); ok {
			isNaptime := func(s string) bool { return strings.HasPrefix(s, naptimeAssignment) }
			text = strings.Join(slices.DeleteFunc(strings.Fields(text), isNaptime), " ")
		}
	}
	return text
}

const naptimeAssignment = "autovacuum_naptime="

// largestUsable keeps arithmetic on an axis finite.
const largestUsable = 1e100

// value returns the row's number in a column, NaN where there is none.
func value(table *experiment.Table, row int, column string) float64 {
	if _, ok := table.Column(column); !ok || column == "" {
		return math.NaN()
	}
	v, err := table.Float(row, column)
	if err != nil || math.Abs(v) > largestUsable {
		return math.NaN()
	}
	return v
}

// label returns the name of a line or bar: "leapfrog", "leapfrog, 4 CPUs".
func label(name, variant string) string {
	switch {
	case variant == "":
		return name
	case name == "":
		return variant
	}
	return name + ", " + variant
}

// parse reads a number.
func parse(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// distinctSorted returns a column's distinct texts in the given rows: by value
// if all are numbers, by first appearance otherwise.
func distinctSorted(table *experiment.Table, rows []int, column string) []string {
	var texts []string
	seen := map[string]bool{}
	for _, row := range rows {
		if text := cell(table, row, column); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	numbers := map[string]float64{}
	for _, text := range texts {
		v, ok := parse(text)
		if !ok {
			return texts
		}
		numbers[text] = v
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) })
	return texts
}

// spread picks at most n of items, evenly, the first and the last among them.
func spread[T any](items []T, n int) []T {
	if len(items) <= n {
		return items
	}
	if n == 1 {
		return items[len(items)-1:]
	}
	picked := make([]T, n)
	for i := range picked {
		picked[i] = items[(i*(len(items)-1)+(n-1)/2)/(n-1)]
	}
	return picked
}
