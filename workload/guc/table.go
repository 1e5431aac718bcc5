package guc

import "math"

// Bounds that several settings share.
const (
	intMax       = math.MaxInt32
	maxKilobytes = math.MaxInt32 // MAX_KILOBYTES on 64-bit machines
	backends95   = 0x7fffff      // MAX_BACKENDS to 9.5 (postmaster.h)
	backends     = 0x3ffff       // and from 9.6, when the buffer's reference count got 18 bits
	parallelMax  = 1024          // MAX_PARALLEL_WORKER_LIMIT
	ringMax      = 16 << 20      // MAX_BAS_VAC_RING_SIZE_KB: 16 GB in kB
)

// table is the registry: what stands in guc.c (to 15), guc_tables.c (16 to 18)
// and guc_parameters.dat (19). Storage parameters are those of reloptions.c.
var table = []entry{
	// Whether, how often and by how many.
	{name: "autovacuum", reloption: "autovacuum_enabled", eras: []era{
		{since: "9.3", kind: Bool, def: "on"}}},
	{name: "track_counts", eras: []era{
		{since: "9.3", kind: Bool, def: "on"}}},
	{name: "autovacuum_naptime", unit: Second, eras: []era{
		{since: "9.3", kind: Int, min: 1, max: intMax / 1000, def: "1min"}}},
	{name: "autovacuum_max_workers", eras: []era{
		{since: "9.3", kind: Int, min: 1, max: backends95, def: "3", context: Restart},
		{since: "9.6", kind: Int, min: 1, max: backends, def: "3", context: Restart},
		{since: "18", kind: Int, min: 1, max: backends, def: "3"}}},
	{name: "autovacuum_worker_slots", eras: []era{
		{since: "18", kind: Int, min: 1, max: backends, def: "16", context: Restart}}},
	{name: "autovacuum_max_parallel_workers", reloption: "autovacuum_parallel_workers", eras: []era{
		{since: "19", kind: Int, min: 0, max: parallelMax, def: "0"}}},
	{name: "max_parallel_maintenance_workers", eras: []era{
		{since: "11", kind: Int, min: 0, max: parallelMax, def: "2"}}},

	// When a table is due.
	{name: "autovacuum_vacuum_threshold", reloption: "autovacuum_vacuum_threshold", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: intMax, def: "50"}}},
	{name: "autovacuum_vacuum_scale_factor", reloption: "autovacuum_vacuum_scale_factor", eras: []era{
		{since: "9.3", kind: Real, min: 0, max: 100, def: "0.2"}}},
	{name: "autovacuum_vacuum_max_threshold", reloption: "autovacuum_vacuum_max_threshold", eras: []era{
		{since: "18", kind: Int, min: -1, max: intMax, def: "100000000"}}},
	{name: "autovacuum_vacuum_insert_threshold", reloption: "autovacuum_vacuum_insert_threshold", eras: []era{
		{since: "13", kind: Int, min: -1, max: intMax, def: "1000"}}},
	{name: "autovacuum_vacuum_insert_scale_factor", reloption: "autovacuum_vacuum_insert_scale_factor", eras: []era{
		{since: "13", kind: Real, min: 0, max: 100, def: "0.2"}}},
	{name: "autovacuum_analyze_threshold", reloption: "autovacuum_analyze_threshold", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: intMax, def: "50"}}},
	{name: "autovacuum_analyze_scale_factor", reloption: "autovacuum_analyze_scale_factor", eras: []era{
		{since: "9.3", kind: Real, min: 0, max: 100, def: "0.1"}}},

	// Freezing. Ages in transactions, or in multixacts.
	{name: "autovacuum_freeze_max_age", reloption: "autovacuum_freeze_max_age", eras: []era{
		{since: "9.3", kind: Int, min: 100e6, max: 2e9, def: "200000000", context: Restart},
		{since: "9.6", kind: Int, min: 100e3, max: 2e9, def: "200000000", context: Restart}}},
	{name: "autovacuum_multixact_freeze_max_age", reloption: "autovacuum_multixact_freeze_max_age", eras: []era{
		{since: "9.3", kind: Int, min: 10e6, max: 2e9, def: "400000000", context: Restart},
		{since: "9.6", kind: Int, min: 10e3, max: 2e9, def: "400000000", context: Restart}}},
	{name: "vacuum_freeze_min_age", reloption: "autovacuum_freeze_min_age", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 1e9, def: "50000000"}}},
	{name: "vacuum_freeze_table_age", reloption: "autovacuum_freeze_table_age", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 2e9, def: "150000000"}}},
	{name: "vacuum_multixact_freeze_min_age", reloption: "autovacuum_multixact_freeze_min_age", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 1e9, def: "5000000"}}},
	{name: "vacuum_multixact_freeze_table_age", reloption: "autovacuum_multixact_freeze_table_age", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 2e9, def: "150000000"}}},
	{name: "vacuum_failsafe_age", eras: []era{
		{since: "14", kind: Int, min: 0, max: 2.1e9, def: "1600000000"}}},
	{name: "vacuum_multixact_failsafe_age", eras: []era{
		{since: "14", kind: Int, min: 0, max: 2.1e9, def: "1600000000"}}},
	{name: "vacuum_defer_cleanup_age", until: "15", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 1e6, def: "0"}}},

	// The cost budget. Delays became fractional in 12 (commit caf626b2cd4),
	// when autovacuum's fell from 20 to 2 ms; a miss fell from 10 to 2 in 14.
	{name: "autovacuum_vacuum_cost_delay", unit: Millisecond, fallback: "vacuum_cost_delay", reloption: "autovacuum_vacuum_cost_delay", eras: []era{
		{since: "9.3", kind: Int, min: -1, max: 100, def: "20ms"},
		{since: "12", kind: Real, min: -1, max: 100, def: "2ms"}}},
	{name: "autovacuum_vacuum_cost_limit", fallback: "vacuum_cost_limit", reloption: "autovacuum_vacuum_cost_limit", eras: []era{
		{since: "9.3", kind: Int, min: -1, max: 10000, def: "-1"}}},
	{name: "vacuum_cost_delay", unit: Millisecond, eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 100, def: "0"},
		{since: "12", kind: Real, min: 0, max: 100, def: "0"}}},
	{name: "vacuum_cost_limit", eras: []era{
		{since: "9.3", kind: Int, min: 1, max: 10000, def: "200"}}},
	{name: "vacuum_cost_page_hit", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 10000, def: "1"}}},
	{name: "vacuum_cost_page_miss", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 10000, def: "10"},
		{since: "14", kind: Int, min: 0, max: 10000, def: "2"}}},
	{name: "vacuum_cost_page_dirty", eras: []era{
		{since: "9.3", kind: Int, min: 0, max: 10000, def: "20"}}},

	// Memory. maintenance_work_mem's lower minimum came with the minor release
	// 17.3; a smaller autovacuum_work_mem is raised to it without a word.
	{name: "shared_buffers", unit: Block, eras: []era{
		{since: "9.3", kind: Int, min: 16, max: intMax / 2, def: "128MB", context: Restart}}},
	{name: "maintenance_work_mem", unit: Kilobyte, eras: []era{
		{since: "9.3", kind: Int, min: 1024, max: maxKilobytes, def: "16MB"},
		{since: "9.4", kind: Int, min: 1024, max: maxKilobytes, def: "64MB"},
		{since: "17.3", kind: Int, min: 64, max: maxKilobytes, def: "64MB"}}},
	{name: "autovacuum_work_mem", unit: Kilobyte, fallback: "maintenance_work_mem", eras: []era{
		{since: "9.4", kind: Int, min: -1, max: maxKilobytes, def: "-1", floor: 1024},
		{since: "17.3", kind: Int, min: -1, max: maxKilobytes, def: "-1", floor: 64}}},
	{name: "vacuum_buffer_usage_limit", unit: Kilobyte, eras: []era{
		{since: "16", kind: Int, min: 0, max: ringMax, def: "256kB", zeroOrAtLeast: 128},
		{since: "17", kind: Int, min: 0, max: ringMax, def: "2MB", zeroOrAtLeast: 128}}},

	// What of the pages that a vacuum changes was changed before, and how it reads.
	{name: "checkpoint_timeout", unit: Second, eras: []era{
		{since: "9.3", kind: Int, min: 30, max: 3600, def: "5min"},
		{since: "9.6", kind: Int, min: 30, max: 86400, def: "5min"}}},
	{name: "checkpoint_completion_target", eras: []era{
		{since: "9.3", kind: Real, min: 0, max: 1, def: "0.5"},
		{since: "14", kind: Real, min: 0, max: 1, def: "0.9"}}},
	{name: "maintenance_io_concurrency", eras: []era{
		{since: "13", kind: Int, min: 0, max: 1000, def: "10"},
		{since: "18", kind: Int, min: 0, max: 1000, def: "16"}}},
	{name: "min_parallel_index_scan_size", unit: Block, eras: []era{
		{since: "10", kind: Int, min: 0, max: intMax / 3, def: "512kB"}}},

	// What vacuum does at its end, what it logs, whom it yields to.
	{name: "vacuum_truncate", reloption: "vacuum_truncate", eras: []era{
		{since: "18", kind: Bool, def: "on"}}},
	{name: "vacuum_max_eager_freeze_failure_rate", reloption: "vacuum_max_eager_freeze_failure_rate", eras: []era{
		{since: "18", kind: Real, min: 0, max: 1, def: "0.03"}}},
	{name: "track_cost_delay_timing", eras: []era{
		{since: "18", kind: Bool, def: "off"}}},
	{name: "log_autovacuum_min_duration", unit: Millisecond, reloption: "log_autovacuum_min_duration", eras: []era{
		{since: "9.3", kind: Int, min: -1, max: intMax, def: "-1"},
		{since: "15", kind: Int, min: -1, max: intMax, def: "10min"}}},
	{name: "log_autoanalyze_min_duration", unit: Millisecond, reloption: "log_autoanalyze_min_duration", eras: []era{
		{since: "19", kind: Int, min: -1, max: intMax, def: "10min"}}},
	{name: "deadlock_timeout", unit: Millisecond, eras: []era{
		{since: "9.3", kind: Int, min: 1, max: intMax, def: "1s"}}},
	{name: "stats_fetch_consistency", eras: []era{
		{since: "15", kind: Enum, def: "cache", options: []string{"none", "cache", "snapshot"}}}},

	// Weights of the score that orders a worker's list (commit d7965d65fc5).
	{name: "autovacuum_freeze_score_weight", eras: scoreWeight},
	{name: "autovacuum_multixact_freeze_score_weight", eras: scoreWeight},
	{name: "autovacuum_vacuum_score_weight", eras: scoreWeight},
	{name: "autovacuum_vacuum_insert_score_weight", eras: scoreWeight},
	{name: "autovacuum_analyze_score_weight", eras: scoreWeight},
}

var scoreWeight = []era{{since: "19", kind: Real, min: 0, max: 10, def: "1"}}
