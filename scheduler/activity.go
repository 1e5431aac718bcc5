package scheduler

import "avsim/sim"

// What a worker's time is charged to. Together with sim.WaitProcessor they
// add up to the worker's life.
const (
	ScheduleLock  sim.Activity = iota + 1 // waiting for and holding AutovacuumScheduleLock and AutovacuumLock
	StatsWait                             // waiting for a fresh statistics file
	StatsRead                             // reading statistics
	CatalogueScan                         // starting up and scanning catalogues
	Vacuuming                             // vacuuming and analyzing
	CostDelay                             // sleeping for the cost limit
	IO                                    // waiting for the device
	TableLock                             // blocked by a lock on the table
	Idle                                  // waiting for the start of the measurement
)

// Share names a part of the workers' time: the column that bears it and what
// people call it.
type Share struct {
	Activity sim.Activity
	Column   string
	Label    string
}

// Shares lists the parts in the order in which tables and figures show them.
func Shares() []Share {
	return []Share{
		{ScheduleLock, "schedule_lock_share", "waiting for the schedule lock"},
		{StatsWait, "stats_wait_share", "waiting for statistics"},
		{StatsRead, "stats_read_share", "reading statistics"},
		{sim.WaitProcessor, "processor_wait_share", "waiting for a processor"},
		{CatalogueScan, "catalogue_scan_share", "scanning catalogues"},
		{Vacuuming, "vacuum_share", "vacuuming"},
		{CostDelay, "cost_delay_share", "cost delay"},
		{IO, "io_share", "waiting for I/O"},
		{TableLock, "table_lock_share", "blocked by a table lock"},
		{Idle, "idle_share", "idle"},
	}
}
