package workload

import "time"

// Foreground is what an application asks of a server, and what it costs there.
type Foreground struct {
	// Clients go round: a transaction, then Think, exponential. With a Rate, in
	// transactions a second, they come at random instead.
	Clients int
	Think   time.Duration
	Rate    float64

	Transaction []Access
	Costs       AccessCosts
	// FlushLatency is how long it takes to make the log durable.
	FlushLatency time.Duration

	// Progress, if not nil, has the transactions that are done by the run's clock,
	// Done of them in all: how long they take is then told too. Apart is time that
	// is spent on something else, once.
	Progress Rate
	Done     float64
	Apart    time.Duration
	// VacuumTime is how many times as long vacuums take as on the machine whose
	// costs are known.
	VacuumTime float64
}

// Access is what a transaction does to a table, in rows: found by their key,
// through an index. Scans are reads of the whole table.
type Access struct {
	Database, Table                int // places
	Reads, Updates, Inserts, Scans float64
}

// AccessCosts are processor times of a transaction, and what it logs.
type AccessCosts struct {
	Statement time.Duration // of each row asked for or table scanned: parsing, planning, the way there and back
	Page      time.Duration // a look at a page in shared buffers
	Version   time.Duration // a look at a row version
	Copy      time.Duration // a page from the operating system's cache
	LogBytes  float64       // of a changed row with its index entries, page images apart
}

// AssumedCosts are those of a server whose own are not known. None is measured
// here: a statement over a local connection takes some 20 to 50 µs of a present-day
// core, a look at a cached page about a microsecond (3.4 µs of processor time a
// buffer access in a VACUUM of 17.5 that also logged half of them), a version in a
// sequential scan 0.1 to 0.5 µs, a copy of 8 kB from the page cache a microsecond or
// two with its system call, a row's change 100 to 300 bytes of log.
var AssumedCosts = AccessCosts{
	Statement: 30 * time.Microsecond, Page: time.Microsecond, Version: 300 * time.Nanosecond,
	Copy: 2 * time.Microsecond, LogBytes: 200,
}
