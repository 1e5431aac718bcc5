package validate

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/recorded"
)

// Options say what to validate with.
type Options struct {
	Host         *host.Profile
	Replications int
	Seed         uint64
	Jobs         int
	Progress     func(done, total int)
	// Without switches mechanisms of the model off, to see what they are there
	// for.
	Without scheduler.Mechanisms
}

// Result is one recorded point and what the model says about it.
type Result struct {
	recorded.Point
	// InSummary tells whether the point counts in the summary: it did not run
	// out during the ramp and, for leapfrog, has more than 1,000 tables, since
	// those runs last a tenth of a second.
	InSummary bool
	Predicted scheduler.Summary
}

// Recorded is the mean throughput of the repetitions, vacuums a second.
func (r Result) Recorded() float64 {
	mean, _, _ := r.Spread(func(row recorded.Row) float64 { return row.Throughput })
	return mean
}

// Error is predicted/recorded − 1, of the throughput.
func (r Result) Error() float64 { return r.Predicted.Throughput.Mean/r.Recorded() - 1 }

// config is the recorded point as the model's input: the same window, ramp-up,
// naptime and start.
func config(p recorded.Point, o Options) (scheduler.Config, error) {
	v, err := guc.ParseVersion(p.PGVersion)
	if err != nil {
		return scheduler.Config{}, err
	}
	if _, err := scheduler.StrategyOf(v); err != nil {
		return scheduler.Config{}, err
	}
	strategy, err := scheduler.LookUp(p.Strategy)
	if err != nil {
		return scheduler.Config{}, err
	}
	if p.Freshness != recorded.UnknownFreshness {
		strategy.Freshness = p.Freshness
	}
	strategy.Writes = scheduler.WriteFormOf(v)
	settings := guc.Defaults(v)
	for _, s := range [][2]string{
		{"autovacuum_max_workers", strconv.Itoa(p.Workers)},
		{"autovacuum_vacuum_threshold", "0"},
		{"autovacuum_vacuum_scale_factor", "0"},
		{"autovacuum_vacuum_cost_delay", "0"},
	} {
		if err := settings.Set(s[0], s[1]); err != nil {
			return scheduler.Config{}, err
		}
	}
	return scheduler.Config{
		Strategy:   strategy,
		Settings:   settings,
		Host:       o.Host,
		Population: workload.TinyTables(p.Tables, 1),
		Start:      scheduler.Start(p.Start),
		Window:     window(p, strategy),
		Naptime:    p.Naptime,
		Seed:       o.Seed,
		Without:    o.Without,
	}, nil
}

// window is that of the recording: at least 8 s and 400 vacuums, to the length
// that it had. Where the tables ran out, or no length was recorded, it is that of
// the strategy.
func window(p recorded.Point, s scheduler.Strategy) scheduler.Window {
	w := scheduler.DefaultWindow(s)
	if longest := p.Window(); p.Exhausted() == "no" && longest > 0 {
		w.Max = longest
		w.Min = min(w.Min, longest)
	}
	return w
}

// Run simulates all points. A point that is not modelled is told in the
// warnings by file and line; without a usable one it is an error.
func Run(ctx context.Context, points []recorded.Point, o Options) (results []Result, warnings []string, err error) {
	var usable []recorded.Point
	for _, p := range points {
		if _, err := config(p, o); err != nil {
			warnings = append(warnings, fmt.Sprintf("%s:%d: %v", p.Rows[0].File, p.Rows[0].Line, err))
			continue
		}
		if own := mismatch(p); own != "" {
			warnings = append(warnings, fmt.Sprintf("%s:%d: PostgreSQL %s is %s, not %s: simulated as the row says", p.Rows[0].File, p.Rows[0].Line, p.PGVersion, own, p.Strategy))
		}
		usable = append(usable, p)
	}
	if len(usable) == 0 {
		return nil, warnings, fmt.Errorf("no recorded point is usable")
	}
	plan := experiment.Plan[recorded.Point]{Points: experiment.Points(usable...), Count: len(usable), Replications: o.Replications, Jobs: o.Jobs, Progress: o.Progress}
	err = experiment.Run(ctx, plan,
		func(ctx context.Context, p recorded.Point, replication int) (scheduler.Measurement, error) {
			cfg, err := config(p, o)
			if err != nil {
				return scheduler.Measurement{}, err
			}
			cfg.Replication = replication
			return scheduler.Measure(ctx, cfg)
		},
		func(_ int, p recorded.Point, runs []scheduler.Measurement, err error) error {
			if err != nil {
				return nil
			}
			r := Result{Point: p, InSummary: inSummary(p), Predicted: scheduler.Summarize(runs)}
			if r.Predicted.Throughput.Mean <= 0 {
				r.InSummary = false
				warnings = append(warnings, fmt.Sprintf("%s:%d: no vacuum is predicted within the window: not in the summary", p.Rows[0].File, p.Rows[0].Line))
			}
			results = append(results, r)
			return nil
		})
	return results, warnings, err
}

// mismatch is what a release does, where a row claims another of PostgreSQL's
// own strategies for it; patches such as leapfrog are nobody's.
func mismatch(p recorded.Point) string {
	v, err := guc.ParseVersion(p.PGVersion)
	if err != nil || p.Strategy == "leapfrog" {
		return ""
	}
	own, err := scheduler.StrategyOf(v)
	claimed, errClaimed := scheduler.LookUp(p.Strategy)
	if err != nil || errClaimed != nil || own.Name == claimed.Name || claimed.Releases == "" {
		return ""
	}
	return own.Name
}

func inSummary(p recorded.Point) bool {
	return p.Exhausted() != "ramp" && !(p.Strategy == "leapfrog" && p.Tables <= 1000)
}

// logError is |ln(predicted/recorded)|.
func (r Result) logError() float64 { return math.Abs(math.Log1p(r.Error())) }
