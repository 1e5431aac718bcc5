package scheduler

import "avsim/sim"

// TraceEvent is one thing that happens in a run, as RunConfig.Trace is told of
// it: in the form in which timelines show it. Events come about in the order of
// time; a slice comes at its end, and that a table is due when a worker has seen
// it.
type TraceEvent struct {
	Form            TraceForm
	Name            string
	At              sim.Time
	Until           sim.Time // of a slice
	Slot            int      // of the worker concerned, from 1; 0 for none
	Database, Table string   // where, if anywhere
	Args            []TraceArg
}

// TraceForm is what a TraceEvent is to a timeline. They are the phases of
// Chrome's trace format.
type TraceForm uint8

const (
	TraceBegin   TraceForm = iota // of something on a slot whose end will be told
	TraceEnd                      // of what began last on the slot
	TraceSlice                    // something on a slot that is over, from At to Until
	TraceInstant                  // something at At: on a slot, or else in a database
	TraceCounter                  // the Args have new values, all of them numbers
)

// TraceArg is a detail of a TraceEvent. Its value is a string, a bool, an int or a
// float64.
type TraceArg struct {
	Name  string
	Value any
}

// The names of TraceEvents. A new kind needs a name and, where it happens, a
// call of tracer.slice, tracer.instant or tracer.counter, which a run without a trace
// may call as well. A slice that the timeline of a run shall show needs a line in
// plots too.
const (
	TraceWorker     = "worker"                       // begins when launched, ends with its exit
	TraceStartUp    = "start-up"                     // of a worker, to its list
	TraceVacuum     = "vacuum"                       // slice
	TraceWraparound = "vacuum to prevent wraparound" // slice
	TraceAnalyze    = "analyze"                      // slice
	TraceGivenUp    = "given up"                     // slice: cancelled for somebody's lock, or killed
	TraceDue        = "due"                          // a table has come to be due
	TraceWasted     = "looked in vain"               // another worker has done the table
	TraceSkipped    = "skipped"                      // another worker is at the table
	TraceLockWait   = "waits for a lock"             // slice: to prevent wraparound
	TraceCancelled  = "cancelled"                    // somebody has waited deadlock_timeout for the table
	TraceDropped    = "dropped"                      // an orphaned temporary table
	TraceLocked     = "locked"                       // somebody holds a lock on the table
	TraceFailsafe   = "failsafe"                     // begins, in a vacuum under way
	TraceIncident   = "incident"                     // killed workers, lost statistics, a restart
	TraceWarning    = "warning"                      // of the server
	TraceReload     = "reload"                       // of the configuration
	TraceRunning    = "workers"                      // counter
	TraceLimits     = "cost limit"                   // counter, a value for each slot
)
