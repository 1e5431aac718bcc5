package scheduler

import (
	"slices"
	"strings"
)

// Modelled lists the mechanisms that are in the model, a line each.
func Modelled() []string {
	return []string{
		"launcher: one database, a new worker each naptime while a slot is free, one starting at a time",
		"worker: start, clean-up of statistics, two catalogue scans, list, claim, recheck, vacuum, report, exit",
		"AutovacuumScheduleLock and AutovacuumLock as LWLocks (barging, wake-ups that cost and take time)",
		"statistics collector: message queue, inquiries, 10 ms polls, files stamped at the start of their write, both write forms",
		"processors: run queue per core, slices, wake-up preemption and placement as Linux's EEVDF; caches that grow cold",
		"statistics in shared memory (15 to 18): look-ups, seen at once",
		"vacuum of a tiny table as one measured cost; repeated vacuums through stale statistics",
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
		"tables that come due by themselves, analyze, freezing, TOAST, several databases",
		"the cost limit, the phases of a vacuum, I/O, the application's own load",
		"lists sorted by score (19)",
	}
}
