package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/scenario"
)

// simulate runs the scenario; what is asked for of how it goes is written or
// collected meanwhile.
func (f *runFlags) simulate(c *cobra.Command, sc *scenario.Run, cfg scheduler.RunConfig) (*scheduler.RunResult, *runFigures, error) {
	var figures *runFigures
	if f.figures != "" {
		figures = newRunFigures(sc, cfg)
		cfg.Trace, cfg.Sample = figures.event, figures.sample
	}
	if f.figures != "" || f.trace != "" {
		cfg.Samples = samplesOf(&cfg.World)
	}
	if f.trace == "" {
		result, err := scheduler.Run(c.Context(), cfg)
		return result, figures, notRun(sc, err)
	}
	result, err := f.traced(c, sc, cfg)
	return result, figures, err
}

// notRun is why a run has no result: it was interrupted, or the scenario asks for too
// much.
func notRun(sc *scenario.Run, err error) error {
	var heavy scheduler.TooHeavyError
	if errors.As(err, &heavy) {
		return inputError{fmt.Errorf("%s: foreground: %w", sc.Where("foreground"), err)}
	}
	return interrupted(err, 0, 1, "nothing was written")
}

// mostSamples is at how many instants of a run the state of the tables is looked
// at, and mostLooks how many looks at a table that may be in all: a second or two.
const (
	mostSamples  = 400
	leastSamples = 100
	mostLooks    = 60_000_000
)

func samplesOf(w *workload.World) int {
	tables := 0
	for i := range w.Databases {
		tables += w.Databases[i].Tables.Len()
	}
	return min(max(mostLooks/max(tables, 1), leastSamples), mostSamples)
}

// traced runs the scenario while its trace is written. A trace that cannot be
// written ends the run.
func (f *runFlags) traced(c *cobra.Command, sc *scenario.Run, cfg scheduler.RunConfig) (*scheduler.RunResult, error) {
	ctx, end := context.WithCancel(c.Context())
	defer end()
	var result *scheduler.RunResult
	var failed error // the run, not the file
	warning := ""
	err := experiment.WriteFile(f.trace, func(w io.Writer) error {
		to, close := compressed(f.trace, w)
		t := newTraceFile(to, newRunInputs(sc, cfg), f.traceEvents, end)
		cfg.Trace, cfg.Sample = both(cfg.Trace, t.event), both(cfg.Sample, t.sample)
		var err error
		if result, err = scheduler.Run(ctx, cfg); err != nil && t.err == nil {
			failed = notRun(sc, err)
			return failed
		}
		if err := t.close(); err != nil {
			return err
		}
		warning = t.warning(f.trace)
		return close()
	})
	switch {
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, err
	case warning != "" && !f.out.quiet:
		fmt.Fprintln(c.ErrOrStderr(), "avsim: warning: "+warning)
	}
	return result, nil
}

// both calls two functions, the first only where there is one.
func both[T any](first, second func(T)) func(T) {
	if first == nil {
		return second
	}
	return func(x T) {
		first(x)
		second(x)
	}
}
