package vacuum

// share has the phase at hand, which goes through the indexes, shared among
// processes (parallel_vacuum_compute_workers): the worker and, where at least two
// indexes are of min_parallel_index_scan_size, a helper for each further one of
// these, as many as are allowed. An index is one process's. So the phase takes as
// long as the largest index, or the processes' even share of all. Each process
// sleeps for what it charged itself (compute_parallel_delay), all at a time: with n
// of them, n times the cost limit is spent. Helpers have a processor each.
func (b *builder) share() {
	large, most, all := 0, 0.0, 0.0
	for i := range b.Job.Table.Indexes {
		pages := b.Job.Table.Indexes[i].Pages
		all += pages
		most = max(most, pages)
		if pages >= b.Settings.ParallelPages {
			large++
		}
	}
	helpers := min(large-1, b.Settings.Parallel)
	if helpers < 1 || all <= 0 {
		return
	}
	b.Helpers = helpers
	b.by = all / max(most, all/float64(helpers+1))
	b.phase.by = b.by
}
