package study

import (
	"context"

	"avsim/scheduler"
	"avsim/sim/experiment"
)

// Options say how a study is run; they change no figure.
type Options struct {
	Jobs     int // goroutines; 0 for all processors
	Progress func(done, total int)
}

// Result is what one point gave.
type Result struct {
	Point   Point
	Summary scheduler.Summary
	// Runs are the replications, in their order: those of two strategies at
	// equal points saw the same random numbers.
	Runs []scheduler.Measurement
}

// Run measures all points and hands each result to emit, in the order of the
// points. Where the context ends the run, the points that are finished are
// still handed over, and its error is returned.
func (s Study) Run(ctx context.Context, points []Point, o Options, emit func(Result) error) error {
	plan := experiment.Plan[Point]{Points: points, Replications: s.Replications, Jobs: o.Jobs, Progress: o.Progress}
	return experiment.Run(ctx, plan, s.Measure,
		func(_ int, p Point, runs []scheduler.Measurement, err error) error {
			if err != nil {
				return nil // Run returns it
			}
			return emit(Result{Point: p, Summary: scheduler.Summarize(runs), Runs: runs})
		})
}
