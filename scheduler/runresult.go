package scheduler

import (
	"fmt"
	"math"
	"slices"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// RunResult is what a run gave.
type RunResult struct {
	Simulated time.Duration
	Tables    TableResults
	Events    []RunEvent // where RunConfig.Events asks for them
	Starts    []WorkerStart
	Workers   []WorkerResult // that have exited, in that order, then those still there
	// WorkerTime is the time of all workers, by activity, and Slots that of all
	// slots: workers times the length of the run.
	WorkerTime sim.Account
	Slots      time.Duration
	Vacuums    int
	Analyzes   int
	Wraparound int
	// Charged is the cost charged by all workers, in the units of
	// vacuum_cost_limit.
	Charged float64
	// CappedSleeps is how often a worker had charged more than four times the
	// limit since its last sleep: it sleeps four delays then, so it goes faster
	// than the limit says.
	CappedSleeps float64
	// DeadShare is which share of all row versions was dead, in the mean over the run,
	// DeadSharePeak the most, both at some instants spread over it.
	DeadShare, DeadSharePeak float64
	// Skips counts tables that another worker was at, WastedRechecks those that
	// another had done.
	Skips, WastedRechecks int
	// Rechecks are looks at the statistics before a vacuum or analyze, StatsEntriesRead
	// the tables' entries read for that and for lists, from files of the collector;
	// StatsWrites how often it wrote one.
	Rechecks, StatsWrites int
	StatsEntriesRead      int64
	// ForcedStarts are the workers started in a database for its age.
	ForcedStarts int
	// FreezeScans is how often a worker scanned pg_class at its end for the age of its
	// database (vac_update_datfrozenxid).
	FreezeScans int
	// Tables that a worker left since somebody held a lock on them, that somebody who
	// wanted a lock took from it, and that it left as it was killed.
	Skipped, Cancelled, Killed int
	// Failsafe counts vacuums with failsafe, HeldBack those that could remove less than
	// they had to leave, as a snapshot was held.
	Failsafe, HeldBack int
	// Durations are how long each vacuum took that was done, in seconds.
	Durations []float64
	// Needless counts vacuums forced by an age limit of the table's own below what
	// PostgreSQL allows, which it meets again at once.
	Needless int
	// Halted is for how long clients got no transaction ids, as they had run out.
	Halted time.Duration
	// MembersOut is for how long no multixact could be created, as members or ids had run out.
	MembersOut time.Duration
	// IO is what the workers' vacuums and analyzes that were done did with pages.
	IO IOTotals
	// Progress has the vacuums under way at the instants of RunConfig.ProgressAt.
	Progress []VacuumProgress
	Warnings []Warning
	notices  []notice
	Verdict  Verdict
	// Felt is what the application felt; nil where there is none.
	Felt *Felt
}

// AverageWorkers is how many workers ran on average.
func (r *RunResult) AverageWorkers() float64 {
	if r.Simulated <= 0 {
		return 0
	}
	return float64(r.WorkerTime.Total()) / float64(r.Simulated)
}

// WorkerStart is the start of a worker in a database.
type WorkerStart struct {
	At       sim.Time
	Database string
}

// WorkerResult is the life of one worker.
type WorkerResult struct {
	Number   int // from 1, in the order of their start
	Database string
	End      sim.Time // of the run where the worker is still there
	Time     sim.Account
	Vacuums  int
	Analyzes int
}

// TableResult is what happened to one table.
type TableResult struct {
	Database, Name string
	TableVisits
	// At the end: as the statistics say, and as they are.
	DeadTold, DeadRows, LiveRows float64
	Inserted, Updated, Deleted   float64
	RowsAtStart, DeadAtStart     float64
	Removed                      float64 // dead row versions removed by vacuums
	Pruned                       float64 // dead row versions pruned on access
	AllVisible                   float64 // share of the pages, at the end
	XIDAge                       float64 // of relfrozenxid, at the end
	// Dropped: it was an orphaned temporary table.
	Dropped bool
	// NextForced is when, after the end of the run, the table's age forces a vacuum if
	// none comes before and ids are used up as on average; negative for never.
	NextForced time.Duration
}

// TableVisits is what workers did with a table.
type TableVisits struct {
	Vacuums, Analyzes       int
	Wraparound              int
	FirstVacuum, LastVacuum sim.Time // starts; -1 for none
	VacuumTimes             []sim.Time
	WraparoundTimes         []sim.Time // of them, those to prevent wraparound
	VacuumSeconds           float64
	Skipped, Cancelled      int       // as in RunResult
	Failsafe                int32     // vacuums with failsafe
	Wasted                  int32     // looks of workers at it while another was at it or had done it
	Lateness                []float64 // seconds from due to start, of each visit
	Waiting                 float64   // seconds for which it has been due at the end without a worker at it, 0 for one that is not
	DeadPeak                float64   // dead rows, the most that a vacuum found or that are left at the end
	IndexScans              int       // of all vacuums
	IndexPages              float64   // scanned, each time again
	LastVacuumEnd           sim.Time
	// CostLimitLeast and CostLimitMost are the limits that sleeps were reckoned with; 0
	// where there was none.
	CostLimitLeast, CostLimitMost int32
	FirstDone                     sim.Time // when the first visit that did something ended; -1 for none
	// DueAtStart is whether it was due at the start, where RunConfig.Waits asks for that.
	DueAtStart bool
}

// conserved checks that every row version that came into being is live, dead,
// removed by a vacuum or pruned on access.
func (t *TableResult) conserved() error {
	if t.Dropped {
		return nil
	}
	came := t.RowsAtStart + t.DeadAtStart + t.Inserted + t.Updated
	is := t.LiveRows + t.DeadRows + t.Removed + t.Pruned
	if math.Abs(came-is) > 1e-6*came+1e-6 {
		return fmt.Errorf("a fault of the model: of %s.%s %.3f row versions came into being, %.3f are live, dead, removed or pruned", t.Database, t.Name, came, is)
	}
	return nil
}

// reset makes them those of a table to which nothing has happened yet.
func (t *TableVisits) reset() {
	*t = TableVisits{FirstVacuum: -1, LastVacuum: -1, LastVacuumEnd: -1, FirstDone: -1}
}

// limited notes the cost limit that a sleep is reckoned with.
func (t *TableVisits) limited(most int) {
	limit := int32(min(most, math.MaxInt32))
	if t.CostLimitLeast == 0 || limit < t.CostLimitLeast {
		t.CostLimitLeast = limit
	}
	t.CostLimitMost = max(t.CostLimitMost, limit)
}

// Interval is the mean time between two starts of vacuums, in seconds; NaN with fewer
// than two.
func (t *TableVisits) Interval() float64 {
	n := len(t.VacuumTimes) - 1
	if n < 1 {
		return math.NaN()
	}
	return t.VacuumTimes[n].Sub(t.VacuumTimes[0]).Seconds() / float64(n)
}

func (t *TableVisits) late(d time.Duration) { t.Lateness = append(t.Lateness, d.Seconds()) }

func (t *TableVisits) vacuumed(start, end sim.Time, wraparound bool) {
	t.Vacuums++
	if wraparound {
		t.Wraparound++
		t.WraparoundTimes = append(t.WraparoundTimes, start)
	}
	if t.FirstVacuum < 0 {
		t.FirstVacuum = start
	}
	t.LastVacuum, t.LastVacuumEnd = start, end
	t.VacuumTimes = append(t.VacuumTimes, start)
	t.VacuumSeconds += end.Sub(start).Seconds()
}

// LatenessMean and LatenessP99 are seconds from due to start; NaN for a table
// that was never visited.
func (t *TableVisits) LatenessMean() float64 {
	var tally sim.Tally
	for _, l := range t.Lateness {
		tally.Add(l)
	}
	return tally.Mean()
}

// LatenessP99 is the 99th percentile.
func (t *TableVisits) LatenessP99() float64 {
	if len(t.Lateness) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(t.Lateness))
	return sorted[int(math.Ceil(0.99*float64(len(sorted))))-1]
}

// notice is a line of the server's log that is of no vacuum or analyze.
type notice struct {
	at                     sim.Time
	worker                 int // its number, 0 for the launcher
	severity, text, detail string
}

// Warning is what the server warns its clients or its administrator of.
type Warning struct {
	At   sim.Time
	Text string
}

// Outcome is how a vacuum or analyze ended, where not by its end.
type Outcome string

// The outcomes.
const (
	SkippedTable   Outcome = "skipped"   // somebody held a lock on the table
	CancelledTable Outcome = "cancelled" // somebody wanted a lock on it
	KilledWorker   Outcome = "killed"
)

// RunEvent is a vacuum or an analyze that ended, or was given up.
type RunEvent struct {
	Start, At       sim.Time
	Worker          int
	Database, Table string
	Vacuum          bool // an analyze otherwise
	Wraparound      bool
	Outcome         Outcome // empty for done
	Failsafe        bool    // a vacuum with failsafe
	Reason          string  // of a vacuum
	Removed         float64 // dead row versions
	Left            float64 // dead row versions that the statistics still count after a vacuum

	plan        planSummary
	rows, pages float64
	// Of a vacuum: pages that it read, had dead rows on, set all-visible and
	// set all-frozen; transaction ids used at its start and its end.
	read, deadPages, marked, froze float64
	aggressive                     bool
	delayed                        time.Duration // slept for the cost limit
	delayTimed                     bool          // track_cost_delay_timing
	cutoff, xidsAtEnd              float64
	newXID, newMulti               advance
}

// Cost is what the event was charged, in the units of vacuum_cost_limit.
func (e RunEvent) Cost() float64 { return e.plan.cost }

// Usage is what it did with pages and the log.
func (e RunEvent) Usage() vacuum.Usage { return e.plan.usage }

// IndexScans is how often a vacuum went through the indexes.
func (e RunEvent) IndexScans() int { return e.plan.indexScans }

// FrozenPages are those that came to be all-frozen.
func (e RunEvent) FrozenPages() float64 { return e.froze }

// DeadBytes are the most that the store of a vacuum's dead rows took, and what
// that was held against.
func (e RunEvent) DeadBytes() (peak, limit int64) { return e.plan.deadPeak, e.plan.deadLimit }

// planSummary is what is kept of a plan.
type planSummary struct {
	indexScans, indexes  int
	bypassed             bool
	usage                vacuum.Usage
	cost                 float64
	free                 time.Duration
	deadPeak, deadLimit  int64
	truncated, scanShare float64
}

func summaryOf(p *vacuum.Plan) planSummary {
	_, free := p.Work()
	return planSummary{p.IndexScans, p.Indexes, p.Bypassed, p.Total(), p.Cost(), free.Processor,
		p.Dead.PeakBytes, p.Dead.LimitBytes, p.Truncated, p.ScanShare()}
}
