package workload

import "time"

// Obstacles are what stands in autovacuum's way, or disturbs it.
type Obstacles struct {
	Horizons  []Horizon
	Locks     []Lock
	Incidents []Incident // in the order of time
}

// Horizon is a snapshot that is held: a long transaction, a prepared one, a standby
// or a replication slot. What dies while it is held cannot be removed, nor can rows
// be frozen that are younger than it.
type Horizon struct {
	Database int           // place in World.Databases; -1 for all
	From, To time.Duration // To is after From
}

// Lock is a lock on a table that conflicts with vacuum and analyze, asked for by
// somebody once, or again and again.
type Lock struct {
	Database, Table int           // places in World.Databases and its Tables
	First           time.Duration // when it is first asked for
	Every           time.Duration // 0 for once
	Hold            time.Duration // how long it is held once it is granted
}

// Incident is something that happens to the server at one instant.
type Incident struct {
	At       time.Duration
	Kind     IncidentKind
	Database int // of ResetStatistics; -1 for all
}

// IncidentKind is what happens.
type IncidentKind string

// The incidents.
const (
	// KillWorkers ends every autovacuum worker, as pg_terminate_backend does.
	KillWorkers IncidentKind = "kill-workers"
	// ResetStatistics is pg_stat_reset in a database.
	ResetStatistics IncidentKind = "reset-statistics"
	// Restart is a clean restart of the server: the statistics are kept.
	Restart IncidentKind = "restart"
	// Crash is the end of a server process that makes all others end and the
	// statistics be lost.
	Crash IncidentKind = "crash"
)
