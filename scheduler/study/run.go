package study

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
)

// Options say how a study is run; they change no figure.
type Options struct {
	Jobs      int  // goroutines; 0 for all processors
	Unordered bool // results come as soon as they are there
	// Total is the estimated cost of a replication of all points, and Progress is
	// told how much of it is done.
	Total    time.Duration
	Progress func(done, total time.Duration)
}

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

// Run measures points and hands each result to emit, in their order unless the
// options say otherwise. Where the context ends the run, the points that are
// finished are still handed over, and its error is returned.
func (s Study) Run(ctx context.Context, points iter.Seq[GridPoint], o Options, emit func(Result) error) error {
	var done atomic.Int64 // cost, in nanoseconds
	plan := experiment.Plan[GridPoint]{Points: points, Replications: s.Replications, Jobs: o.Jobs, Unordered: o.Unordered}
	if o.Progress != nil {
		total := o.Total * time.Duration(s.Replications)
		plan.Progress = func(int, int) { o.Progress(min(time.Duration(done.Load()), total), total) }
	}
	one := func(ctx context.Context, p GridPoint, replication int) (scheduler.Measurement, error) {
		m, err := s.Measure(ctx, p.Point, replication)
		if replication < s.Replications {
			done.Add(int64(s.Cost(p.Point)))
		}
		return m, err
	}
	return experiment.RunUntil(ctx, plan, one, s.more(), func(_ int, p GridPoint, runs []scheduler.Measurement, err error) error {
		if err != nil {
			return nil // RunUntil returns it
		}
		return emit(Result{GridPoint: p, Summary: scheduler.Summarize(runs), Runs: runs})
	})
}

// more is the sequential rule, if there is one.
func (s Study) more() func([]scheduler.Measurement) int {
	if s.Until == nil {
		return nil
	}
	return func(runs []scheduler.Measurement) int { return s.Until.More(rates(runs)) }
}
