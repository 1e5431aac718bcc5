package cmd

import (
	"fmt"
	"strings"

	"avsim/scheduler"
)

// meaning tells in a sentence what a constraint is about, for readers who do not know its
// name.
var meaning = map[scheduler.Constraint]string{
	scheduler.BoundByScheduleLock: "Workers wait for each other: only one at a time may choose its next table, since that is done under AutovacuumScheduleLock.",
	scheduler.BoundByStatistics:   "Workers wait for statistics and read them, rather than vacuum: before each table they want to know whether it is still due.",
	scheduler.BoundByProcessors:   "Workers wait for a processor.",
	scheduler.BoundByWorkerSlots:  "All workers are busy, and tables that are due wait for one: the limit is autovacuum_max_workers.",
	scheduler.BoundByCostBudget:   "Workers sleep for the cost limit, which they share: autovacuum_vacuum_cost_limit and autovacuum_vacuum_cost_delay hold them back.",
	scheduler.BoundByDisk:         "Workers wait for the disk.",
	scheduler.BoundByTableLock:    "Somebody else holds locks on the tables, so that workers leave them, wait, or are cancelled.",
	scheduler.BoundByLauncher:     "The launcher cannot start workers as often as autovacuum_naptime asks.",
	scheduler.BoundByThreshold:    "Workers have time to spare: tables are not due before their thresholds are reached (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor), or autovacuum is off.",
	scheduler.BoundByNaptime:      "Workers have time to spare: tables that are due wait for the next visit, one each autovacuum_naptime.",
	scheduler.BoundByHorizon:      "Vacuums find rows that they may not remove yet, as a snapshot is held by somebody.",
	scheduler.BoundByWraparound:   "Transaction ids ran out for clients.",
	scheduler.Unbound:             "Nothing holds the workers back.",
}

// bindsInWords names the constraint of a verdict with its evidence.
func bindsInWords(v scheduler.Verdict) string {
	if v.Constraint == scheduler.Unbound {
		return upperFirst(inWords(v)) + "."
	}
	return fmt.Sprintf("What binds: %s.", strings.Replace(inWords(v), " binds", "", 1))
}
