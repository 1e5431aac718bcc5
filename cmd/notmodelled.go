package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"avsim/workload/guc"
	"avsim/workload/scenario"
)

// notModelled are settings, storage parameters and keys of tables that a
// scenario may have, since PostgreSQL has them, and that change nothing in a
// run. What becomes modelled is taken off the list.
var notModelled = []string{
	"autovacuum_analyze_score_weight",
	"autovacuum_freeze_score_weight",
	"autovacuum_max_parallel_workers",
	"autovacuum_multixact_freeze_score_weight",
	"autovacuum_parallel_workers",
	"autovacuum_vacuum_insert_score_weight",
	"autovacuum_vacuum_score_weight",
	"log_autoanalyze_min_duration",
	"log_autovacuum_min_duration",
	"max_parallel_maintenance_workers",
	"shared_buffers",
	"stats_fetch_consistency",
	"track_cost_delay_timing",
	"vacuum_buffer_usage_limit",
	"vacuum_cost_page_miss",
	"vacuum_defer_cleanup_age",
	"vacuum_index_cleanup",
	"vacuum_max_eager_freeze_failure_rate",
	"vacuum_truncate",
}

// warnNotModelled tells what of the scenario and the flags changes nothing, a
// line each.
func (f *runFlags) warnNotModelled(stderr io.Writer, sc *scenario.Run) {
	if f.out.quiet {
		return
	}
	given := sc.Mentions()
	for _, assignment := range f.set {
		if name, _, err := guc.ParseAssignment(assignment); err == nil {
			given = append(given, strings.ToLower(name))
		}
	}
	for _, name := range notModelled {
		if slices.Contains(given, name) {
			fmt.Fprintf(stderr, "avsim: warning: %s is not modelled yet: ignored\n", name)
		}
	}
}
