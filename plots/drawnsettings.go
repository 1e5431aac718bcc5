package plots

import (
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// withoutDrawn returns the table without, in its settings, the assignments that
// stand in one of the drawn columns as well: along an axis of a setting they do
// not tell lines apart.
func withoutDrawn(table *experiment.Table, drawn ...string) *experiment.Table {
	at, ok := table.Column("settings")
	if !ok {
		return table
	}
	out := table
	for row, fields := range table.Rows {
		left := slices.DeleteFunc(strings.Fields(fields[at]), func(assignment string) bool {
			return slices.Contains(drawn, columnOf(table, assignment))
		})
		text := strings.Join(left, " ")
		if text == fields[at] {
			continue
		}
		if out == table {
			out = &experiment.Table{Columns: table.Columns, Rows: slices.Clone(table.Rows)}
		}
		out.Rows[row] = slices.Clone(fields)
		out.Rows[row][at] = text
	}
	return out
}

// columnOf returns the column that holds what an assignment says, none if the
// table has none: autovacuum_naptime_seconds, host_cold_after_seconds.
func columnOf(table *experiment.Table, assignment string) string {
	name, _, _ := strings.Cut(assignment, "=")
	name = strings.ReplaceAll(name, ".", "_")
	for _, column := range []string{name, name + "_seconds", name + "_bytes", "choice_" + name} {
		if _, ok := table.Column(column); ok {
			return column
		}
	}
	return ""
}
