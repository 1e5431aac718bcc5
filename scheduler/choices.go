package scheduler

import "time"

// The choices that a scheduling strategy is made of. A mailing-list post
// bundles them; the model keeps them apart, so that each can be tested alone.

// ClaimTime is when a worker claims the table that it looks at.
type ClaimTime uint8

const (
	// ClaimAfterRecheck claims once the recheck has said that the table needs
	// work, all under AutovacuumScheduleLock.
	ClaimAfterRecheck ClaimTime = iota
	// ClaimBeforeRecheck claims under the lock, releases it, and then rechecks;
	// where the table needs no work the lock is taken again to un-claim.
	ClaimBeforeRecheck
)

// Reach is which tables a worker may claim.
type Reach uint8

const (
	// AnyUnclaimed is any table that no running worker of the database holds.
	AnyUnclaimed Reach = iota
	// AboveHighest is only a table whose oid lies above the highest that any
	// running worker of the database, the worker itself included, has claimed
	// in its pass. The mark is kept after un-claiming and is zero at a
	// worker's start and exit.
	AboveHighest
)

// Order is how a worker's list is ordered.
type Order uint8

const (
	// CatalogueOrder is the order of the pg_class scan.
	CatalogueOrder Order = iota
	// OIDOrder sorts by oid.
	OIDOrder
	// ScoreOrder sorts by score, the highest first (PostgreSQL 19).
	ScoreOrder
)

// RecheckKind is what table_recheck_autovac looks at before the work.
type RecheckKind uint8

const (
	// RecheckFresh drops the snapshot and demands fresh statistics.
	RecheckFresh RecheckKind = iota
	// RecheckSnapshotFirst asks the snapshot in hand first, and refreshes it
	// only where that says that the table still needs work (PostgreSQL 14).
	RecheckSnapshotFirst
	// RecheckNone goes by the list alone.
	RecheckNone
)

// StatsHome is where the cumulative statistics live.
type StatsHome uint8

const (
	// CollectorFile is the collector's file, to PostgreSQL 14.
	CollectorFile StatsHome = iota
	// SharedMemory is the shared hash table of PostgreSQL 15 and later.
	SharedMemory
)

// WriteForm is how the collector answers inquiries.
type WriteForm uint8

const (
	// WriteServesAll drops an inquiry that the last write already satisfies,
	// so one write serves all inquiries that were queued before it. Since
	// mid-2016 (9.3.14, 9.4.9, 9.5.4; the exact minor releases are unverified).
	WriteServesAll WriteForm = iota
	// WritePerInquiry writes the file once for each inquiry, as from 9.3.
	WritePerInquiry
)

// Choices is one value of each choice.
type Choices struct {
	Claim   ClaimTime
	Reach   Reach
	Order   Order
	Recheck RecheckKind
	Stats   StatsHome
	Writes  WriteForm
	// Freshness is the age that a worker accepts in a statistics file, 0 for
	// any. autovacuum workers demand 10 ms, all others 500 ms
	// (PGSTAT_RETRY_DELAY and PGSTAT_STAT_INTERVAL in pgstat.c).
	Freshness time.Duration
}

const (
	// WorkerFreshness is what an autovacuum worker demands of the file.
	WorkerFreshness = 10 * time.Millisecond
	// BackendFreshness is what every other process demands.
	BackendFreshness = 500 * time.Millisecond
)
