package host

import (
	"math/bits"
	"time"
)

// Profile says what a machine costs. It is read-only once made; WithCores and With
// make changed copies.
type Profile struct {
	Name        string // of a built-in profile or, without a name of its own, of the file
	Description string
	Source      string // where the figures come from

	Cores     int // 1 to 1024
	Scheduler Scheduler

	// WakeLatency is from the call that wakes a process to its running on a
	// free core, to be drawn from the log-normal with these quantiles.
	WakeLatency Quantiles
	// WakeCall is what a wake-up costs the process that wakes another on a free
	// core, before it goes on: log-normal as well.
	WakeCall Quantiles
	// SleepSlack is by how much a sleep overshoots, the median wake latency
	// not included, since that is drawn for each wake-up.
	SleepSlack Slack
	// ColdAfter is how long a core has to be idle for its caches, and its
	// clock, to count as cold.
	ColdAfter time.Duration
	// CacheBytes is the size of the last-level cache, which all cores share;
	// zero for one that holds everything.
	CacheBytes float64
	// Variation is the sigma of the log-normal distribution by which the
	// processor time of a read or a vacuum varies from one to the next.
	Variation float64

	Statistics Statistics
	Worker     Worker

	// MemoryBytes is the machine's memory, for PostgreSQL and the operating
	// system's cache of its files; zero for as much as they take.
	MemoryBytes float64
	Vacuum      Vacuum
	Device      Device
}

// Vacuum is what VACUUM takes of a processor: where it sleeps for its cost limit
// again and again, and where it does not.
type Vacuum struct{ Throttled, Free PageTimes }

// PageTimes are the processor times of a VACUUM. Those of reading and writing
// are of copies from and to the operating system's cache.
type PageTimes struct {
	Least time.Duration // of the smallest table
	Fixed time.Duration // that comes to it as the table grows, up to some hundred pages
	Heap  time.Duration // a heap page
	Index time.Duration // an index page
	Read  time.Duration // a page read into shared buffers
	Image time.Duration // a page written to the log as an image
}

// Device is the disk.
type Device struct {
	Latency        time.Duration // of a read by itself
	ReadPerSecond  float64       // bytes; zero for no limit
	WritePerSecond float64       // bytes; zero for no limit
	Depth          int           // reads under way at a time, which it serves as fast as one by itself
	ReadAhead      float64       // bytes that the kernel reads ahead of one who reads in order
}

// Scheduler has the figures of the kernel's fair scheduler.
type Scheduler struct {
	// BaseSlice is the time slice for a single core; see Profile.Slice.
	BaseSlice time.Duration
	// Tick is the period of the timer interrupt, at which a slice that is used
	// up is noticed (or earlier, when a process wakes on the core).
	Tick time.Duration
	// WakeOnWakerShare, 0 to 1, is the share of wake-ups that put the woken
	// process on the waker's own core, where it waits until the waker sleeps.
	WakeOnWakerShare float64
}

// Quantiles give a log-normal distribution by its median and 90th percentile.
type Quantiles struct{ P50, P90 time.Duration }

// Thermal is a cost on a core that was just busy and on one that was idle.
type Thermal struct{ Hot, Cold Curve }

// Statistics has the costs of the statistics collector's file (to PostgreSQL
// 14), as functions of the number of its entries.
type Statistics struct {
	Write     Curve // by the collector, which mostly sleeps before it
	Read      Thermal
	FileBytes Linear // size of the file, bytes
	// TimestampCheck is one look at the file's timestamp, as when polling.
	TimestampCheck time.Duration
	// Message is the collector's receiving and handling of one message.
	Message time.Duration
}

// Worker has the costs of an autovacuum worker, as functions of the number of
// tables in the database. All are processor time.
type Worker struct {
	Start      Curve // fork, connection and cache initialisation
	Cleanup    Curve // removal of dead statistics entries (pgstat_vacuum_stat)
	FirstRead  Curve // the statistics read of the start
	ScanTables Curve // first scan of pg_class: tables
	ScanTOAST  Curve // second scan: TOAST tables
	Sort       Curve // sorting the whole list
	// LockHold is the time for which the schedule lock is held to look through
	// the running workers: by a worker that goes on, and by one just woken.
	LockHold Times
	Vacuum   Thermal // one vacuum of a table of one clean page
}

// Times is a cost without a size, on a core that was just busy and on one that
// was idle.
type Times struct{ Hot, Cold time.Duration }

// Slice is the time slice of a process: Linux scales the base slice by
// 1 + log2(min(cores, 8)), the logarithm rounded down
// (get_update_sysctl_factor in kernel/sched/fair.c).
func (p *Profile) Slice() time.Duration {
	return p.Scheduler.BaseSlice * time.Duration(bits.Len(uint(min(p.Cores, 8))))
}

// WithCores returns the same machine with n cores.
func (p *Profile) WithCores(n int) *Profile {
	q := *p
	q.Cores = n
	return &q
}
