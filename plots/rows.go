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
	"strategy", "tables", "workers", "cpus", "due_share", "start", "autovacuum_naptime_seconds",
	"settings", "host", "pg", "model_version", "seed",
}

// variantColumns returns the fewest leading settingColumns that tell apart the
// rows that agree in all key columns: the axes of a sweep beyond those drawn.
func variantColumns(table *experiment.Table, key ...string) []string {
	var chosen []string
	for _, column := range settingColumns {
		if _, ok := table.Column(column); !ok || slices.Contains(key, column) {
			continue
		}
		if separates(table, slices.Concat(key, chosen), column) {
			chosen = append(chosen, column)
		}
	}
	return chosen
}

// separates reports whether some rows agree in the key but not in column.
func separates(table *experiment.Table, key []string, column string) bool {
	first := map[string]string{}
	for row := range table.Rows {
		cell, id := table.Text(row, column), rowKey(table, row, key)
		if before, ok := first[id]; ok && before != cell {
			return true
		}
		first[id] = cell
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
func cell(table *experiment.Table, row int, column string) string {
	if _, ok := table.Column(column); !ok || column == "" {
		return ""
	}
	return table.Text(row, column)
}

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

// variantLabel names what distinguishes a row: "cpus 4, start natural".
func variantLabel(table *experiment.Table, row int, columns []string) string {
	var parts []string
	for _, column := range columns {
		switch text := cell(table, row, column); {
		case text == "":
		case column == "settings": // they name themselves
			parts = append(parts, text)
		default:
			parts = append(parts, column+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// label returns the name of a line or bar: "leapfrog", "leapfrog (cpus 4)".
func label(name, variant string) string {
	switch {
	case variant == "":
		return name
	case name == "":
		return variant
	}
	return name + " (" + variant + ")"
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
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
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
