package cmd

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"avsim/sim/experiment"
	"avsim/workload/guc"
)

// rowsWhere are the rows of a table for which a condition on its columns holds.
func rowsWhere(t *experiment.Table, where string) (*experiment.Table, error) {
	if where == "" {
		return t, nil
	}
	kinds := make([]bool, len(t.Columns)) // whether a column is of numbers
	values := map[string]any{}
	for i, name := range t.Columns {
		if kinds[i] = numeric(t, i); kinds[i] {
			values[name] = 0.0
		} else {
			values[name] = ""
		}
	}
	c, err := experiment.NewCondition(where, values)
	if unknown, ok := errors.AsType[*experiment.UnknownName](err); ok {
		err = fmt.Errorf("the file has no column %q%s", unknown.Name, nearest(unknown.Name, unknown.Known))
	}
	if err != nil {
		return nil, usagef("--where: %s: %w", where, err)
	}
	kept := &experiment.Table{Columns: t.Columns}
	for _, row := range t.Rows {
		for i, name := range t.Columns {
			if c.Set(name, row[i]); kinds[i] {
				c.Set(name, numberOr(row[i], math.NaN()))
			}
		}
		holds, err := c.Holds()
		if err != nil {
			return nil, usagef("--where: %s: %w", where, err)
		}
		if holds {
			kept.Rows = append(kept.Rows, row)
		}
	}
	if len(kept.Rows) == 0 {
		return nil, usagef("--where: %s: holds for none of %s", where, plural(len(t.Rows), "row"))
	}
	return kept, nil
}

// numeric tells whether all fields of a column are numbers or empty, some of
// them numbers.
func numeric(t *experiment.Table, column int) bool {
	if kindOf(t.Columns[column]) == textKind {
		return false
	}
	some := false
	for _, row := range t.Rows {
		if row[column] == "" {
			continue
		}
		if _, err := strconv.ParseFloat(row[column], 64); err != nil {
			return false
		}
		some = true
	}
	return some
}

func numberOr(text string, otherwise float64) float64 {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return otherwise
}

// nearest is ", did you mean …?" where something is near enough.
func nearest(word string, known []string) string {
	if near := guc.Nearest(word, known); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}
