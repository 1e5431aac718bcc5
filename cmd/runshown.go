package cmd

import (
	"iter"
	"slices"

	"avsim/scheduler"
)

// shownTables are tables to print.
type shownTables struct {
	tables *scheduler.TableResults
	n      int
	places []int // of n; nil for all
}

// shown are the tables to print: all, or those with the most vacuums.
func shown(r *scheduler.RunResult, most int) shownTables {
	all := shownTables{tables: &r.Tables, n: r.Tables.Len()}
	if most == 0 || most >= all.n {
		return all
	}
	var places []int
	vacuums := func(place int) int {
		if t := r.Tables.Visits(place); t != nil {
			return t.Vacuums
		}
		return 0
	}
	for i := range all.n {
		if vacuums(i) > 0 {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return vacuums(b) - vacuums(a) })
	for i := 0; len(places) < most; i++ { // of the others there are enough
		if vacuums(i) == 0 {
			places = append(places, i)
		}
	}
	return shownTables{&r.Tables, most, places[:most]}
}

// all goes through them.
func (s shownTables) all() iter.Seq[*scheduler.TableResult] {
	return func(yield func(*scheduler.TableResult) bool) {
		for i := range s.n {
			place := i
			if s.places != nil {
				place = s.places[i]
			}
			if !yield(s.tables.At(place)) {
				return
			}
		}
	}
}
