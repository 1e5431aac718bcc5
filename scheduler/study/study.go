package study

import (
	"context"
	"io"
	"iter"
	"time"

	"avsim/sim/experiment"
)

// Study is what is measured at the points of a grid: a Contest of workers for tables
// that are due at once, or Runs of a scenario over hours or days.
type Study interface {
	// All is what every study has.
	All() Common
	// Check tells whether a point can be run.
	Check(Point) error
	// Cost estimates the processor time of one replication of a point. It serves to
	// share out points and to tell how long they will take, not to be exact.
	Cost(Point) time.Duration
	// Columns are those of the result table, and Compared the figures by which points
	// are compared with each other.
	Columns(axes []Axis) []string
	Compared() []Compared
	// Measure runs points and hands a record of each to emit, with a row up to the
	// columns that compare it with others, in their order unless the options say
	// otherwise. Where the context ends the run, the points that are finished are
	// still handed over, and its error is returned.
	Measure(ctx context.Context, points iter.Seq[GridPoint], o Options, t Tabled, emit func(GridPoint, experiment.Record) error) error
	// PlaceColumns and Place tell where a point stands, for people.
	PlaceColumns() []string
	Place(Point) []string

	identify(io.Writer)
	identifyPoint(w io.Writer, p Point, host string)
}

// Common is what every study has.
type Common struct {
	Scenario     string
	Seed         uint64
	Replications int
	// Until, if not nil, adds replications of a point until the interval of the
	// figure that Precise names is narrow enough.
	Until   *experiment.Sequential
	Precise string // one of Compared; "" for the first
}

// All returns it.
func (c Common) All() Common { return c }

// Tabled is what the rows of a result table take beyond the results.
type Tabled struct {
	Hash string
	Axes []Axis // those with columns
}

// Compared is a figure by which points are compared with each other.
type Compared struct {
	Name              string // its column
	Ratio, Difference string // columns, each with _lo and _hi beside it
}

// columns are those that compare rows.
func columnsOf(compared []Compared) (out []string) {
	for _, c := range compared {
		for _, name := range []string{c.Ratio, c.Difference} {
			out = append(out, name, name+"_lo", name+"_hi")
		}
	}
	return out
}

// Options say how a study is run; they change no figure.
type Options struct {
	Jobs      int  // goroutines; 0 for all processors
	Unordered bool // results come as soon as they are there
	// Total is the estimated cost of a replication of all points, and Progress is
	// told how much of it is done.
	Total    time.Duration
	Progress func(done, total time.Duration)
}
