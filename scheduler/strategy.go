package scheduler

import (
	"fmt"
	"slices"
	"strings"
)

// Strategy is a named bundle of choices. A file that registers one makes it
// known to every command, table and figure.
type Strategy struct {
	// Name is what --strategy takes.
	Name string
	// Summary says in one line what the strategy does.
	Summary string
	// Releases says which releases of PostgreSQL had it, for people.
	Releases string
	Choices

	// Arrange, if not nil, puts each worker's list in order, in the place of Order.
	Arrange Arrange
	// Relist is whether a worker makes its list anew before it goes on.
	Relist Relist
	// SharedList: the workers of a database take from one list, which is made anew
	// when a worker comes and finds it used up or older than the naptime.
	SharedList bool
	// NoPileUp: the launcher sends no second worker to a database that is at risk of
	// wraparound while one is there.
	NoPileUp bool
	// Favour: the worker at the table of the highest favour gets most of the cost limit;
	// nil for equal shares, and to PostgreSQL 15, which shares by table.
	Favour func(Facts, Situation) float64
}

var strategies []Strategy

// Register makes a strategy known by its name. It panics on a name that is
// taken or empty; call it from an init function.
func Register(s Strategy) {
	if s.Name == "" || slices.ContainsFunc(strategies, func(o Strategy) bool { return o.Name == s.Name }) {
		panic(fmt.Sprintf("scheduler: strategy %q is registered twice or has no name", s.Name))
	}
	strategies = append(strategies, s)
}

// Strategies lists what is registered, the history of PostgreSQL first.
func Strategies() []Strategy {
	all := slices.Clone(strategies)
	slices.SortStableFunc(all, func(a, b Strategy) int { return rank(a.Name) - rank(b.Name) })
	return all
}

// rank puts PostgreSQL's own strategies in the order of their history.
func rank(name string) int {
	history := []string{"original", "claim-release", "leapfrog", "stale-first", "shared-stats", "scored"}
	if i := slices.Index(history, name); i >= 0 {
		return i
	}
	return len(history)
}

// LookUp returns the strategy of that name. The error for an unknown one
// suggests the nearest and lists all.
func LookUp(name string) (Strategy, error) {
	var names []string
	for _, s := range Strategies() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Strategy{}, fmt.Errorf("unknown strategy %q%s (known: %s)", name, suggest(name, names), strings.Join(names, ", "))
}
