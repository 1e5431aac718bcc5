package scheduler

import (
	"context"
	"fmt"
	"time"

	"avsim/sim"
)

// Exhausted says whether the tables ran out.
type Exhausted string

const (
	// NotExhausted is a window that ended with tables left.
	NotExhausted Exhausted = "no"
	// TablesExhausted is a run in which all due tables were done before the
	// window would have ended: the window is the time until then.
	TablesExhausted Exhausted = "yes"
	// RampExhausted is a run in which they were done before all workers were
	// there: the window is the time from the first list until then.
	RampExhausted Exhausted = "ramp"
)

// Measurement is what one run gave, over its window.
type Measurement struct {
	Window    time.Duration
	Exhausted Exhausted
	// Vacuums counts every automatic vacuum, repeats included; Distinct the
	// tables vacuumed for the first time in the run.
	Vacuums, Distinct int
	// Rechecks counts table_recheck_autovac, Wasted those that found nothing
	// to do, Fresh those that found a fresh statistics file at once; Skips
	// counts tables that another worker was at.
	Rechecks, Wasted, Fresh, Skips int
	// StatsWrites counts the collector's file writes and StatsWriteTime adds
	// up their elapsed time.
	StatsWrites    int
	StatsWriteTime time.Duration
	// WorkerTime is the workers' time in the window, by activity.
	WorkerTime sim.Account
	// WorkersUsed and CollectorUsed are processor time in the window.
	WorkersUsed, CollectorUsed time.Duration
	// Cores is how many processors there were.
	Cores int
	// ClaimWaitP50 and ClaimWaitP99 are quantiles of how long a worker looked for its
	// next table, in seconds, of all looks that ended in the window with one; NaN for
	// none. Claims is how many these were.
	ClaimWaitP50, ClaimWaitP99 float64
	Claims                     int
	// KernelEvents is how many events the engine ran in all: what it costs, not what it
	// gave.
	KernelEvents uint64
}

// Utilization is the share of the processors' time that was used, 0 to 1.
func (m Measurement) Utilization() float64 {
	if m.Window <= 0 {
		return 0
	}
	return float64(m.WorkersUsed+m.CollectorUsed) / float64(m.Window) / float64(m.Cores)
}

// PerSecond turns a count of the window into a rate, 0 for an empty window.
func (m Measurement) PerSecond(count int) float64 {
	if m.Window <= 0 {
		return 0
	}
	return float64(count) / m.Window.Seconds()
}

// Share is the part of the workers' time that went into an activity, 0 to 1.
func (m Measurement) Share(a sim.Activity) float64 {
	total := m.WorkerTime.Total()
	if total == 0 {
		return 0
	}
	return float64(m.WorkerTime[a]) / float64(total)
}

// runLimit ends a run whose window never opens; nothing in a sane
// configuration comes near it.
const runLimit = 400 * 24 * time.Hour

// Measure runs one measurement by the protocol of the recorded runs: one
// database, workers launched a naptime apart, a window that opens when all
// workers have their lists. It returns the context's error if that is done
// before the run is.
func Measure(ctx context.Context, cfg Config) (Measurement, error) {
	streams := sim.NewStreams(cfg.Seed, cfg.Replication)
	k := &sim.Kernel{}
	defer k.Close()
	cpu := processor(k, cfg.Host, streams, cfg.Without)
	sys := newSystem(k, cpu, cfg)
	sys.addDatabase("bug13750", cfg.Population.Tables, cfg.costs(cfg.Population.Tables, cfg.Population.Tables))
	return sys.measure(ctx, cfg, sys.startTiny(cfg, streams))
}

// measure starts the server's processes and runs until the meter has closed.
func (s *system) measure(ctx context.Context, cfg Config, t *tiny) (Measurement, error) {
	m := newMeter(s, cfg, len(t.list(snapshot{})))
	if s.strategy.Stats == CollectorFile {
		s.startCollector()
	}
	s.startLauncher(nil)
	stopAsked := s.watch(ctx)
	if !*stopAsked {
		s.kernel.Run(sim.Time(runLimit))
	}
	switch {
	case *stopAsked:
		return Measurement{}, ctx.Err()
	case !m.closed:
		return Measurement{}, fmt.Errorf("the %d workers were not all there after %v of simulated time: the naptime, %v, is too long", s.slots, runLimit, s.naptime)
	}
	return m.result(), nil
}

// tell tells how far a run is, a hundred times.
func (s *system) tell(progress func(time.Duration), length time.Duration) {
	if progress == nil {
		return
	}
	var tick sim.HandlerID
	tick = s.kernel.Handler(func(int64) {
		progress(time.Duration(s.kernel.Now()))
		s.kernel.After(length/100+1, tick, 0)
	})
	s.kernel.After(0, tick, 0)
}

// watch looks at the context now and then, so that a run can be interrupted.
func (s *system) watch(ctx context.Context) *bool {
	asked := ctx.Err() != nil
	if ctx.Done() == nil {
		return &asked
	}
	s.kernel.Check = func() bool {
		asked = ctx.Err() != nil
		return !asked
	}
	return &asked
}
