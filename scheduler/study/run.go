package study

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
)

// Result is what one point gave.
type Result struct {
	GridPoint
	Summary scheduler.Summary
	// Runs are the replications, in their order: those of two strategies at
	// equal points saw the same random numbers.
	Runs []scheduler.Measurement
}

// Rates are the replications' automatic vacuums a second.
func (r Result) Rates() []float64 { return rates(r.Runs) }

func rates(runs []scheduler.Measurement) (out []float64) {
	for _, m := range runs {
		out = append(out, m.PerSecond(m.Vacuums))
	}
	return out
}

// Run measures points and hands each result to emit, as Measure does.
func (s Contest) Run(ctx context.Context, points iter.Seq[GridPoint], o Options, emit func(Result) error) error {
	return measure(ctx, s, points, o, s.One, rates, func(p GridPoint, runs []scheduler.Measurement) error {
		return emit(Result{GridPoint: p, Summary: scheduler.Summarize(runs), Runs: runs})
	})
}

// measure runs the replications of points, as many as the study has or its sequential
// rule asks for by a figure of theirs.
func measure[R any](ctx context.Context, s Study, points iter.Seq[GridPoint], o Options,
	one func(context.Context, Point, int) (R, error), figure func([]R) []float64, emit func(GridPoint, []R) error) error {
	var done atomic.Int64 // cost, in nanoseconds
	c := s.All()
	plan := experiment.Plan[GridPoint]{Points: points, Replications: c.Replications, Jobs: o.Jobs, Unordered: o.Unordered}
	if o.Progress != nil {
		total := o.Total * time.Duration(c.Replications)
		plan.Progress = func(int, int) { o.Progress(min(time.Duration(done.Load()), total), total) }
	}
	counted := func(ctx context.Context, p GridPoint, replication int) (R, error) {
		r, err := one(ctx, p.Point, replication)
		if replication < c.Replications {
			done.Add(int64(s.Cost(p.Point)))
		}
		return r, err
	}
	var more func([]R) int
	if c.Until != nil {
		more = func(runs []R) int { return c.Until.More(len(runs), figure(runs)) }
	}
	return experiment.RunUntil(ctx, plan, counted, more, func(_ int, p GridPoint, runs []R, err error) error {
		if err != nil {
			return nil // RunUntil returns it
		}
		return emit(p, runs)
	})
}

// Measure runs points as Run does, and hands over their rows.
func (s Contest) Measure(ctx context.Context, points iter.Seq[GridPoint], o Options, t Tabled, emit func(GridPoint, experiment.Record) error) error {
	return s.Run(ctx, points, o, func(r Result) error {
		return emit(r.GridPoint, experiment.Record{Row: s.Fields(t.Hash, r.Point, r.Summary, t.Axes), Samples: []experiment.Samples{r.Rates()}})
	})
}

// PlaceColumns name what Place tells.
func (s Contest) PlaceColumns() []string {
	return []string{"tables", "workers", "cpus", "due_share", "start", "host", "pg", "settings", "strategy"}
}

// Place is where a point stands.
func (s Contest) Place(p Point) []string {
	return []string{strconv.Itoa(p.Tables), strconv.Itoa(p.Workers), strconv.Itoa(p.Host.Cores), fmt.Sprint(p.DueShare), string(p.Start),
		p.Host.Name, p.PG.String(), strings.Join(p.Departures(), " "), p.Strategy.Name}
}
