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

// variantColumns are what variants are compared by, those of scheduler.FeltFigures; label
// is for people, "" for what stands in CSV and JSON alone.
var variantColumns = func() (out []struct{ name, label string }) {
	labels := map[string]string{
		"index_scans": "index passes", "dead_tid_peak_bytes": "dead TIDs, peak", "vacuum_seconds": "duration",
		"vacuum_loaded_seconds": "under load", "heap_pages_scanned": "heap pages", "index_pages_scanned": "index pages",
		"pages_read": "read", "pages_dirtied": "written", "wal_bytes": "log",
		"throughput_per_s": "tx/s without", "throughput_vacuum_per_s": "with", "throughput_drop_share": "drop",
		"transactions_lost": "lost", "latency_p99_seconds": "p99 without", "latency_p99_vacuum_seconds": "with",
		"shared_hit_vacuum_share": "found in buffers",
	}
	for _, f := range scheduler.FeltFigures() {
		out = append(out, struct{ name, label string }{f.Name, labels[f.Name]})
	}
	return out
}()

// variantRow has the values of the columns.
func variantRow(v *variantResult) []float64 {
	if v.result == nil || v.result.Felt == nil {
		return make([]float64, len(variantColumns))
	}
	return v.result.Felt.Figures()
}
