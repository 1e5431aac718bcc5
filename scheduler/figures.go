package scheduler

import (
	"math"
	"slices"
)

// What expectations, objectives, claims and answers can be about: figures of a run by
// name. Names are PostgreSQL's where it has one; those that end in _seconds, _share, _per_s
// and _count tell their unit. A figure of what did not happen is no number, so that nothing
// that is expected of it holds.

// Figures are those of the whole run. Shares are from 0 to 1; those of the application are
// there only where there is one.
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
		"members_out_seconds":                    r.MembersOut.Seconds(),
		"verdict_share":                          r.Verdict.Share,
		"total_skipped_count":                    float64(r.Skipped),
		"total_cancelled_count":                  float64(r.Cancelled),
		"total_failsafe_count":                   float64(r.Failsafe),
		"rechecks":                               float64(r.Rechecks),
		"rechecks_per_s":                         float64(r.Rechecks) / r.Simulated.Seconds(),
		"wasted_rechecks":                        float64(r.WastedRechecks),
		"stats_entries_read":                     float64(r.StatsEntriesRead),
		"stats_file_writes_per_s":                float64(r.StatsWrites) / r.Simulated.Seconds(),
		"datfrozenxid_scans":                     float64(r.FreezeScans),
	}
	r.workerFigures(out)
	r.tableFigures(out)
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
		"skipped_count":   float64(t.Skipped), "cancelled_count": float64(t.Cancelled), "removed_rows": t.Removed,
		"first_vacuum_seconds": instant(t.FirstVacuum), "last_vacuum_end_seconds": instant(t.LastVacuumEnd),
		"vacuum_interval_seconds": t.Interval(), "vacuum_seconds": t.VacuumSeconds,
		"index_scans": float64(t.IndexScans), "index_pages_scanned": t.IndexPages,
		"cost_limit_least": float64(t.CostLimitLeast), "cost_limit_most": float64(t.CostLimitMost),
		"all_visible_share": t.AllVisible, "xid_age_end": t.XIDAge,
	}
}

// AllLateness is how late workers came, in seconds, sorted: from due to start of each
// visit of each table, and of those that still wait at the end how long they have.
func (r *RunResult) AllLateness() []float64 {
	n := 0
	for _, t := range r.Tables.Visited() {
		n += len(t.Lateness) + 1
	}
	all := make([]float64, 0, n)
	for _, t := range r.Tables.Visited() {
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
	for _, t := range r.Tables.Visited() {
		if t.Waiting > 0 {
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
