package scheduler

import (
	"slices"
	"strings"
)

// Modelled lists the mechanisms that are in the model, a line each.
func Modelled() []string {
	return []string{
		"launcher: list of databases, naptime, 100 ms floor, one starting at a time, at-risk databases first, rebuilds, reload",
		"worker: start, clean-up of statistics, two catalogue scans, list, claim, recheck, vacuum, analyze, report, exit",
		"AutovacuumScheduleLock and AutovacuumLock as LWLocks (barging, wake-ups that cost and take time)",
		"statistics collector: message queue, inquiries, 10 ms polls, files stamped at the start of their write, both write forms",
		"statistics in shared memory (from 15): look-ups, seen at once; lists sorted by score (19)",
		"processors: run queue per core, slices, wake-up preemption and placement as Linux's EEVDF; caches that grow cold",
		"run: triggers of 9.4 to 19, HOT and pruning on access, statistics that arrive late, dead counts after a vacuum",
		"run: vacuums phase by phase: pages skipped, dead-row store, index passes, bypass, truncation, buffer ring, WAL; shared buffers and checkpoints, device",
		"run: cost limit shared out by version, charges by page, freeze ages, several databases, changes of settings",
		"run: held horizons, table locks (skipped, cancelled, waited for), failsafe, the limits of transaction and multixact ids, multixact members (to 18), killed workers, lost statistics, restarts, temporary tables",
		"run: an application's transactions beside vacuums: processors, device, log, pages in memory, bloat",
		"compare, sweep: vacuum of a tiny table as one measured cost; repeated vacuums through stale statistics",
	}
}

// settingsUsed are the settings that compare and sweep depend on, beside the
// number of workers.
var settingsUsed = []string{"autovacuum_naptime", "autovacuum_vacuum_threshold", "autovacuum_vacuum_scale_factor"}

// UsesSetting tells whether a setting can change anything in compare and sweep.
func UsesSetting(name string) bool { return slices.Contains(settingsUsed, name) }

// SettingsUsed names those that can, for people.
func SettingsUsed() string {
	return "autovacuum_max_workers (--workers), " + strings.Join(settingsUsed, ", ")
}

// NotModelled lists what a reader might expect and does not get.
func NotModelled() []string {
	return []string{
		"rows that clients read besides those of a foreground, checkpoints as bursts of writing, the background writer, indexes other than btrees",
		"locks between an application's transactions, on the log's insertion, and plans",
		"faults of versions that later minor releases mended, but for the recheck under the lock, a write for each inquiry and the endless launches for a database at risk",
	}
}
