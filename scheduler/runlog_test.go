package scheduler

import (
	"testing"

	"pgregory.net/rapid"
)

// A page that is told as frozen has a row that is, and the other way round.
func TestFrozenPagesHaveRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages, rows := frozen(rapid.Float64Range(0, 1e9).Draw(t, "pages"), rapid.Float64Range(0, 291).Draw(t, "rows"))
		small, smallRows := frozen(rapid.Float64Range(0, 3).Draw(t, "few pages"), rapid.Float64Range(0, 3).Draw(t, "few rows"))
		if pages > rows || small > smallRows || (small == 0) != (smallRows == 0) || (pages == 0) != (rows == 0) {
			t.Fatalf("%d pages with %d rows, %d with %d", pages, rows, small, smallRows)
		}
	})
}
