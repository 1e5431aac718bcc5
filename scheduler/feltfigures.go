package scheduler

// FeltFigure is a figure of what an application felt of vacuums, and of these vacuums.
type FeltFigure struct {
	Name          string
	OfApplication bool // otherwise of the vacuums
}

// FeltFigures are the names of what Felt.Figures gives, in its order.
func FeltFigures() []FeltFigure {
	var out []FeltFigure
	for _, name := range []string{"index_scans", "dead_tid_peak_bytes", "dead_rows", "vacuum_seconds", "vacuum_loaded_seconds",
		"heap_pages_scanned", "index_pages_scanned", "pages_read", "pages_from_device", "pages_dirtied", "wal_bytes"} {
		out = append(out, FeltFigure{name, false})
	}
	for _, name := range []string{"throughput_per_s", "throughput_vacuum_per_s", "throughput_drop_share", "throughput_drop_half_width", "transactions_lost",
		"latency_p50_seconds", "latency_p50_vacuum_seconds", "latency_p95_seconds", "latency_p95_vacuum_seconds",
		"latency_p99_seconds", "latency_p99_vacuum_seconds", "latency_p99_ratio", "latency_p99_ratio_half_width", "shared_hit_share", "shared_hit_vacuum_share"} {
		out = append(out, FeltFigure{name, true})
	}
	return out
}

// Figures are the sums over vacuums and the means over their time; NaN where nothing
// was found.
func (f *Felt) Figures() []float64 {
	var all FeltVacuum
	var alone, loaded float64
	for _, x := range f.Vacuums {
		all.IndexScans += x.IndexScans
		all.PeakBytes = max(all.PeakBytes, x.PeakBytes)
		all.DeadRows += x.DeadRows
		all.HeapPages += x.HeapPages
		all.IndexPages += x.IndexPages
		all.Reads += x.Reads
		all.FromDevice += x.FromDevice
		all.Dirtied += x.Dirtied
		all.LogBytes += x.LogBytes
		alone += x.Alone.Seconds()
		loaded += x.Loaded.Seconds()
	}
	s := f.Summary()
	return []float64{float64(all.IndexScans), float64(all.PeakBytes), all.DeadRows, alone, loaded, all.HeapPages, all.IndexPages,
		all.Reads, all.FromDevice, all.Dirtied, all.LogBytes,
		s.Without.Throughput, s.With.Throughput, s.Drop, f.DropHalfWidth, s.Lost,
		s.Without.P50.Seconds(), s.With.P50.Seconds(), s.Without.P95.Seconds(), s.With.P95.Seconds(), s.Without.P99.Seconds(), s.With.P99.Seconds(), s.P99Ratio, f.P99HalfWidth,
		s.InShared, s.InSharedVacuum}
}
