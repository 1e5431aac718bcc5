package plots

import (
	"strings"

	"avsim/sim/experiment"
)

// A run's tables have what the run was in each row, in these columns: scenario,
// tables, workers, host, pg, autovacuum_naptime_seconds, settings, and those of
// where a result comes from. None of them has to be there.

// runSubtitle names the run: its scenario, then its setting.
func runSubtitle(table *experiment.Table, more ...string) string {
	rows := allRows(table)
	parts := distinctSorted(table, rows, "scenario")
	if text := settingSubtitle(table, rows, "scenario"); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(append(parts, more...), " · ")
}

// runFooter ends the notes of a figure of a run.
func runFooter(table *experiment.Table, notes ...string) []string {
	return append(notes, provenance(table, allRows(table), ""))
}

func allRows(table *experiment.Table) []int {
	rows := make([]int, len(table.Rows))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// needRows returns an error if a table lacks columns or rows.
func needRows(table *experiment.Table, figure, what string, columns ...string) error {
	if table == nil {
		return drawless{"plots: " + figure + ": there is no table"}
	}
	if err := requireColumns(table, columns...); err != nil {
		return err
	}
	if len(table.Rows) == 0 {
		return drawless{"plots: " + figure + ": " + what}
	}
	return nil
}
