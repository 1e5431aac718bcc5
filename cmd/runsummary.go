package cmd

import (
	"math"
	"slices"
	"time"

	"avsim/scheduler"
	"avsim/sim"
)

// What expectations, claims and answers can be about: figures of a run by name. Names
// are PostgreSQL's where it has one; those that end in _seconds, _share, _per_s and _days
// tell their unit. A figure of something that did not happen is no number, so that
// nothing that is expected of it holds.

// summaryFigures are those of the whole run.
func summaryFigures(r *scheduler.RunResult) map[string]float64 {
	seconds := r.Simulated.Seconds()
	out := map[string]float64{
		"avg_autovacuum_workers":                 r.AverageWorkers(),
		"total_autovacuum_count":                 float64(r.Vacuums),
		"total_autoanalyze_count":                float64(r.Analyzes),
		"total_anti_wraparound_autovacuum_count": float64(r.Wraparound),
		"total_skipped_count":                    float64(r.Skipped),
		"total_cancelled_count":                  float64(r.Cancelled),
		"total_failsafe_count":                   float64(r.Failsafe),
		"worker_starts":                          float64(len(r.Starts)),
		"worker_starts_per_s":                    float64(len(r.Starts)) / seconds,
		"visits_per_worker":                      visitsPerWorker(r),
		"worker_ramp_seconds":                    rampOf(r),
		"rechecks":                               float64(r.Rechecks),
		"rechecks_per_s":                         float64(r.Rechecks) / seconds,
		"wasted_rechecks":                        float64(r.WastedRechecks),
		"stats_entries_read":                     float64(r.StatsEntriesRead),
		"stats_file_writes_per_s":                float64(r.StatsWrites) / seconds,
		"datfrozenxid_scans":                     float64(r.FreezeScans),
		"halted_seconds":                         r.Halted.Seconds(),
		"verdict_share":                          r.Verdict.Share,
		"charged_cost_per_s":                     r.Charged / seconds,
	}
	tableSums(out, r)
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

// tableSums are those of all tables together.
func tableSums(out map[string]float64, r *scheduler.RunResult) {
	var removed, dead, live, indexPages, vacuuming, oldest float64
	var indexScans int
	first, forced, last := sim.Forever, sim.Forever, sim.Time(-1)
	var lateness, starts []float64
	for i := range r.Tables {
		t := &r.Tables[i]
		removed, dead, live = removed+t.Removed, dead+t.DeadRows, live+t.LiveRows
		indexPages, vacuuming, indexScans = indexPages+t.IndexPages, vacuuming+t.VacuumSeconds, indexScans+t.IndexScans
		oldest = math.Max(oldest, t.XIDAge)
		lateness = append(lateness, t.Lateness...)
		if t.FirstVacuum >= 0 {
			first = min(first, t.FirstVacuum)
			starts = append(starts, t.FirstVacuum.Seconds())
			if t.Wraparound > 0 && t.FirstWraparound >= 0 {
				forced = min(forced, t.FirstWraparound)
			}
		}
		last = max(last, t.LastVacuumEnd)
	}
	out["removed_rows"], out["dead_rows_end"], out["live_rows_end"] = removed, dead, live
	out["index_pages_scanned"], out["index_scans"], out["vacuum_seconds"] = indexPages, float64(indexScans), vacuuming
	out["oldest_xid_age_end"] = oldest
	out["first_vacuum_mean_seconds"] = mean(starts)
	out["first_vacuum_seconds"], out["first_anti_wraparound_seconds"], out["last_vacuum_end_seconds"] = instant(first), instant(forced), instant(last)
	out["lateness_mean_seconds"], out["lateness_p99_seconds"] = mean(lateness), quantile(lateness, 0.99)
}

// tableFigures are those of one table.
func tableFigures(t *scheduler.TableResult) map[string]float64 {
	return map[string]float64{
		"autovacuum_count": float64(t.Vacuums), "autoanalyze_count": float64(t.Analyzes),
		"anti_wraparound_count": float64(t.Wraparound), "dead_tuples_end": t.DeadTold, "dead_rows_end": t.DeadRows,
		"live_rows_end": t.LiveRows, "dead_tuples_peak": t.DeadPeak,
		"lateness_mean_seconds": t.LatenessMean(), "lateness_p99_seconds": t.LatenessP99(),
		"skipped_count": float64(t.Skipped), "cancelled_count": float64(t.Cancelled), "removed_rows": t.Removed,
		"first_vacuum_seconds": instant(t.FirstVacuum), "last_vacuum_end_seconds": instant(t.LastVacuumEnd),
		"vacuum_interval_seconds": t.Interval(), "vacuum_seconds": t.VacuumSeconds,
		"index_scans": float64(t.IndexScans), "index_pages_scanned": t.IndexPages,
		"cost_limit_least": float64(t.CostLimitLeast), "cost_limit_most": float64(t.CostLimitMost),
		"all_visible_share": t.AllVisible, "xid_age_end": t.XIDAge,
	}
}

// databaseFigures are those of the workers of one database: it stands in expectations as
// database.*.
func databaseFigures(r *scheduler.RunResult, database string) map[string]float64 {
	var at []sim.Time
	for _, s := range r.Starts {
		if s.Database == database {
			at = append(at, s.At)
		}
	}
	interval := math.NaN()
	if n := len(at) - 1; n >= 1 {
		interval = at[n].Sub(at[0]).Seconds() / float64(n)
	}
	return map[string]float64{"worker_starts": float64(len(at)), "start_interval_seconds": interval}
}

// visitsPerWorker are vacuums and analyzes of each worker that had any; no number without
// one.
func visitsPerWorker(r *scheduler.RunResult) float64 {
	visits, workers := 0, 0
	for i := range r.Workers {
		if n := r.Workers[i].Vacuums + r.Workers[i].Analyzes; n > 0 {
			visits, workers = visits+n, workers+1
		}
	}
	return float64(visits) / float64(workers)
}

// rampOf is how long after the first worker the one starts with which as many run at a
// time as ever do.
func rampOf(r *scheduler.RunResult) float64 {
	if len(r.Starts) == 0 {
		return math.NaN()
	}
	ends := make([]sim.Time, 0, len(r.Workers))
	for i := range r.Workers {
		ends = append(ends, r.Workers[i].End)
	}
	slices.Sort(ends)
	most, ramp, gone := 0, 0.0, 0
	for n, s := range r.Starts {
		for gone < len(ends) && ends[gone] <= s.At {
			gone++
		}
		if running := n + 1 - gone; running > most {
			most, ramp = running, s.At.Sub(r.Starts[0].At).Seconds()
		}
	}
	return ramp
}

// instant is a time in seconds; no number for one that never came.
func instant(t sim.Time) float64 {
	if t < 0 || t == sim.Forever {
		return math.NaN()
	}
	return time.Duration(t).Seconds()
}

func mean(list []float64) float64 {
	var tally sim.Tally
	for _, x := range list {
		tally.Add(x)
	}
	return tally.Mean()
}

func quantile(list []float64, p float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[int(math.Ceil(p*float64(len(sorted))))-1]
}
