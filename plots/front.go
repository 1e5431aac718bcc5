package plots

import (
	"fmt"
	"math"

	"avsim/sim/experiment"
)

// frontSeries are what a point of the front is, in the words of the figure.
var frontSeries = map[string]string{
	"now":     "now",
	"found":   "the cheapest, no less than now",
	"front":   "least budget that meets it",
	"cheaper": "one step cheaper than the cheapest: misses",
	"nearest": "nearest, misses",
}

// Front draws, of what avsim advise found, the least I/O budget against worker slots: a
// mark for each point that meets the objective, for what one step less gives, and for
// what is now.
//
// It takes the columns point (now, found, front, cheaper or nearest), worker_slots,
// io_budget_units_per_s, holds and objective. Without a limit of the budget, or with
// none that is above zero, there is nothing to draw: [ErrNothingToDraw].
func Front(table *experiment.Table) (*Figure, error) {
	const kind = "which points"
	if err := requireColumns(table, "point", "worker_slots", "io_budget_units_per_s", "objective", "scenario", "pg_version"); err != nil {
		return nil, err
	}
	named := &experiment.Table{Columns: append([]string{kind}, table.Columns...)}
	for i, row := range table.Rows {
		series := frontSeries[table.Text(i, "point")]
		if table.Text(i, "point") == "now" {
			series = "now: misses"
			if table.Text(i, "holds") == "true" {
				series = "now: meets it too"
			}
		} else if series == frontSeries["found"] && named.Rows != nil && table.Text(0, "holds") == "true" {
			series = "the cheapest" // what is now meets it, and less does
		}
		named.Rows = append(named.Rows, append([]string{series}, row...))
	}
	chart, err := newLineChart(named, Spec{X: "worker_slots", Y: "io_budget_units_per_s", Series: kind, Name: "front",
		XLabel: "worker slots", YLabel: "I/O budget, cost units a second", LogY: true})
	if err != nil {
		return nil, err
	}
	figure := chart.figure(frontTitle(table))
	figure.data = copyRows("front", named, chart.rows(), append([]string{kind, "point", "worker_slots", "io_budget_units_per_s", "read_mb_per_s", "spent_units_per_s",
		"holds", "changes", "objective", "scenario", "pg_version"}, provenanceColumns...))
	figure.page.subtitle = table.Text(0, "scenario") + " · PostgreSQL " + table.Text(0, "pg_version") + " · objective: " + table.Text(0, "objective")
	return figure, nil
}

// frontTitle says what was found, and what there is now.
func frontTitle(table *experiment.Table) string {
	now := ""
	for i := range table.Rows {
		budget := value(table, i, "io_budget_units_per_s")
		if math.IsNaN(budget) || budget <= 0 {
			continue
		}
		units, slots := number(math.Round(budget)), table.Text(i, "worker_slots")
		switch table.Text(i, "point") {
		case "now":
			now = fmt.Sprintf("; now there are %s and %s", units, slots)
		case "found":
			return fmt.Sprintf("The objective is met with %s cost units a second and %s%s", units, counted(slots, "worker slot"), now)
		}
	}
	return "Nothing within the bounds meets the objective"
}
