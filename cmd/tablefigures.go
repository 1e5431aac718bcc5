package cmd

import (
	"iter"
	"strings"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/workload"
)

// Figures of tables are worked out for those that something is expected of: there may be
// millions.

// ofResult are those of a run.
type ofResult struct{ *scheduler.RunResult }

func (r ofResult) Of(table string) (map[string]float64, bool) {
	if database, all := strings.CutSuffix(table, ".*"); all && r.has(database) {
		return r.DatabaseFigures(database), true
	}
	t, ok := r.Tables.Named(table)
	if !ok {
		return nil, false
	}
	return t.Figures(), true
}

// has tells whether a database has a table.
func (r ofResult) has(database string) bool {
	for name := range r.Names() {
		if strings.HasPrefix(name, database+".") {
			return true
		}
	}
	return false
}

func (r ofResult) Names() iter.Seq[string] { return r.Tables.Names() }

// toCome are those that a run will give, whose values mean nothing.
type toCome struct {
	world *workload.World
	any   map[string]float64 // of any table
}

func (w toCome) Of(table string) (map[string]float64, bool) {
	for i := range w.world.Databases {
		d := &w.world.Databases[i]
		name, in := strings.CutPrefix(table, d.Name+".")
		if in && name == "*" {
			return new(scheduler.RunResult).DatabaseFigures(d.Name), true
		}
		for j := 0; in && j < d.Tables.Len(); j++ {
			if d.Tables.Name(j) == name {
				return w.any, true
			}
		}
	}
	return nil, false
}

func (w toCome) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range w.world.Databases {
			d := &w.world.Databases[i]
			for j := range d.Tables.Len() {
				if !yield(d.Name + "." + d.Tables.Name(j)) {
					return
				}
			}
		}
	}
}

// ofBoth are those of one run by those of another.
type ofBoth struct{ a, b expect.OfTables }

func (r ofBoth) Of(table string) (map[string]float64, bool) {
	a, ok := r.a.Of(table)
	if !ok {
		return nil, false
	}
	b, ok := r.b.Of(table)
	if !ok {
		return nil, false
	}
	return quotients(a, b), true
}

func (r ofBoth) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range r.a.Names() {
			if _, ok := r.b.Of(name); ok && !yield(name) {
				return
			}
		}
	}
}

// quotients are figures by others.
func quotients(a, b map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(a))
	for name, x := range a {
		out[name] = x / b[name]
	}
	return out
}
