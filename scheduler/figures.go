package scheduler

import (
	"math"
	"slices"
)

// Figures are the results of a run that expectations and objectives are about, by name.
// Shares are from 0 to 1; those of the application are there only where there is one.
func (r *RunResult) Figures() map[string]float64 {
	late := r.AllLateness()
	out := map[string]float64{
		"avg_autovacuum_workers":                 r.AverageWorkers(),
		"total_autovacuum_count":                 float64(r.Vacuums),
		"total_autoanalyze_count":                float64(r.Analyzes),
		"total_anti_wraparound_autovacuum_count": float64(r.Wraparound),
		"lateness_mean_seconds":                  meanOf(late),
		"lateness_p90_seconds":                   quantileOf(late, 0.9),
		"lateness_p99_seconds":                   quantileOf(late, 0.99),
		"lateness_max_seconds":                   quantileOf(late, 1),
		"due_at_end":                             float64(r.DueAtEnd()),
		"dead_share":                             r.DeadShare,
		"dead_share_peak":                        r.DeadSharePeak,
		"cost_per_second":                        r.ChargedPerSecond(),
		"halted_seconds":                         r.Halted.Seconds(),
	}
	if f := r.Felt; f != nil {
		s := f.Summary()
		out["foreground_took_minutes"] = f.Took.Minutes()
		out["foreground_done_per_s"] = f.Done / f.Took.Seconds()
		out["foreground_vacuum_seconds"] = f.VacuumSeconds
		out["foreground_drop_share"] = s.Drop
		out["foreground_p99_ratio"] = s.P99Ratio
	}
	return out
}

// Figures are the results of one table, by name.
func (t *TableResult) Figures() map[string]float64 {
	return map[string]float64{
		"autovacuum_count": float64(t.Vacuums), "autoanalyze_count": float64(t.Analyzes),
		"anti_wraparound_count": float64(t.Wraparound), "dead_tuples_end": t.DeadTold, "dead_rows_end": t.DeadRows,
		"live_rows_end": t.LiveRows, "dead_tuples_peak": t.DeadPeak,
		"lateness_mean_seconds": t.LatenessMean(), "lateness_p99_seconds": t.LatenessP99(),
		"waiting_seconds": math.Max(t.Waiting, 0),
	}
}

// AllLateness is how late workers came, in seconds, sorted: from due to start of each
// visit of each table, and of those that still wait at the end how long they have.
func (r *RunResult) AllLateness() []float64 {
	var all []float64
	for i := range r.Tables {
		t := &r.Tables[i]
		all = append(all, t.Lateness...)
		if t.Waiting > 0 {
			all = append(all, t.Waiting)
		}
	}
	slices.Sort(all)
	return all
}

// DueAtEnd is how many tables are due at the end without a worker at them.
func (r *RunResult) DueAtEnd() (n int) {
	for i := range r.Tables {
		if r.Tables[i].Waiting > 0 {
			n++
		}
	}
	return n
}

// ChargedPerSecond is the cost charged by all workers in a second, in the units of
// vacuum_cost_limit.
func (r *RunResult) ChargedPerSecond() float64 {
	if r.Simulated <= 0 {
		return 0
	}
	return r.Charged / r.Simulated.Seconds()
}

// meanOf and quantileOf are of sorted values, NaN for none.
func meanOf(sorted []float64) float64 {
	sum := 0.0
	for _, x := range sorted {
		sum += x
	}
	return sum / float64(len(sorted))
}

func quantileOf(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1]
}
