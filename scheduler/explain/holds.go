package explain

import (
	"math"
	"strings"

	"avsim/scheduler"
	"avsim/scheduler/expect"
)

// A verdict is of a run as a whole. What holds one figure up, how late a table is
// vacuumed, or down, how often, may be another constraint.

// Holder is the loosening that moves a figure furthest, and what it makes of it.
type Holder struct {
	Loosening
	Figure
}

// negligible is the part of a figure by which something has to move it to be said to hold it.
const negligible = 0.05

// Holds names what holds a figure up: the loosening that alone lowers it most; or down:
// the one that raises it most. It returns false where none does by a twentieth, beyond chance.
func (x *Explanation) Holds(name string, up bool) (best Holder, found bool) {
	most := 0.0
	for _, e := range x.Effects {
		for _, f := range e.Figures {
			if f.Name != name || !f.Differs || (f.Change.Mean < 0) != up {
				continue
			}
			if moved := math.Abs(f.Change.Mean); moved > most && moved >= negligible*math.Abs(f.Base.Mean) {
				most, best, found = moved, Holder{e.Loosening, f}, true
			}
		}
	}
	return best, found
}

// Of is a figure of a run: of all of it, or of a table, or of a database's tables (db.*),
// whose name stands in front. It is NaN where there is none.
func Of(r *scheduler.RunResult, name string) float64 {
	owner, figure, owned := expect.CutTable(name)
	figures := map[string]float64{}
	switch database, all := strings.CutSuffix(owner, ".*"); {
	case !owned:
		figures = r.Figures()
	case all:
		figures = r.DatabaseFigures(database)
	default:
		if t, ok := r.Tables.Named(owner); ok {
			figures = t.Figures()
		}
	}
	if x, ok := figures[figure]; ok {
		return x
	}
	return math.NaN()
}
