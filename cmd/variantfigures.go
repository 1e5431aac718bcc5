package cmd

import "avsim/scheduler"

// variantFigures are the figures of a variant, by name; zeros before it has run.
func variantFigures(v *variantResult) map[string]float64 {
	out := make(map[string]float64)
	row := variantRow(v)
	for i, c := range variantColumns {
		out[c.name] = row[i]
	}
	return out
}

// variantColumns are what variants are compared by; label is for people, "" for what
// stands in CSV and JSON alone.
var variantColumns = []struct{ name, label string }{
	{"index_scans", "index passes"},
	{"dead_tid_peak_bytes", "dead TIDs, peak"},
	{"dead_rows", ""},
	{"vacuum_seconds", "duration"},
	{"vacuum_loaded_seconds", "under load"},
	{"heap_pages_scanned", "heap pages"},
	{"index_pages_scanned", "index pages"},
	{"pages_read", "read"},
	{"pages_from_device", ""},
	{"pages_dirtied", "written"},
	{"wal_bytes", "log"},
	{"throughput_per_s", "tx/s without"},
	{"throughput_vacuum_per_s", "with"},
	{"throughput_drop_share", "drop"},
	{"transactions_lost", "lost"},
	{"latency_p50_seconds", ""},
	{"latency_p50_vacuum_seconds", ""},
	{"latency_p95_seconds", ""},
	{"latency_p95_vacuum_seconds", ""},
	{"latency_p99_seconds", "p99 without"},
	{"latency_p99_vacuum_seconds", "with"},
	{"latency_p99_ratio", ""},
	{"shared_hit_share", ""},
	{"shared_hit_vacuum_share", "found in buffers"},
}

// variantRow has the values of the columns.
func variantRow(v *variantResult) []float64 {
	row := make([]float64, len(variantColumns))
	if v.result == nil || v.result.Felt == nil {
		return row
	}
	f := v.result.Felt
	var all scheduler.FeltVacuum
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
		s.Without.Throughput, s.With.Throughput, s.Drop, s.Lost,
		s.Without.P50.Seconds(), s.With.P50.Seconds(), s.Without.P95.Seconds(), s.With.P95.Seconds(), s.Without.P99.Seconds(), s.With.P99.Seconds(), s.P99Ratio,
		s.InShared, s.InSharedVacuum}
}
