package scheduler

import (
	"math"
	"math/rand/v2"
	"time"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// ModelVersion names the model: it stands in every result, and changes with
// anything that changes a figure.
const ModelVersion = "1"

// Start is when the workers of a measurement begin with their lists.
type Start string

const (
	// Gated lets the workers wait until all have built their lists; then they
	// go at once, each with the full list.
	Gated Start = "gated"
	// Natural has no gate: a worker begins when its list is built.
	Natural Start = "natural"
)

// Window is the time over which a measurement counts. It opens when all
// workers have their lists.
type Window struct {
	// Min is how long it lasts at least.
	Min time.Duration
	// Max is how long it lasts at most.
	Max time.Duration
	// Vacuums is how many vacuums it is to see before Max.
	Vacuums int
}

// DefaultWindow is that of the recorded runs: at least 8 s and 400 vacuums, at
// most 20 s, and for strategies that recheck under the lock 60 s.
func DefaultWindow(s Strategy) Window {
	w := Window{Min: 8 * time.Second, Max: 20 * time.Second, Vacuums: 400}
	if s.Claim == ClaimAfterRecheck {
		w.Max = 60 * time.Second
	}
	return w
}

// Config is everything that a measurement depends on: the same Config gives
// the same Measurement.
type Config struct {
	Strategy   Strategy
	Settings   guc.Settings
	Host       *host.Profile
	Population workload.Population
	Start      Start
	Window     Window
	// Naptime, where it is above zero, stands for autovacuum_naptime below the
	// second that PostgreSQL allows, as the recorded runs had it.
	Naptime time.Duration
	// Seed and Replication select the random numbers.
	Seed        uint64
	Replication int
	// Without are mechanisms that are switched off.
	Without Mechanisms
	// Trace, if not nil, sees what happens.
	Trace func(Event)

	oneByOne bool // see system.oneByOne
	skimmed  *int // see system.skimmed
}

func (c Config) workers() int { return int(c.Settings.Int("autovacuum_max_workers")) }

func (c Config) naptime() time.Duration {
	if c.Naptime > 0 {
		return c.Naptime
	}
	return c.Settings.Duration("autovacuum_naptime")
}

// costs are the host's figures at the size of the database.
type costs struct {
	start, cleanup, firstRead   time.Duration
	scanTables, scanToast, sort time.Duration
	lockHold                    sim.Cost
	statsRead                   sim.Cost
	statsWrite                  time.Duration
	timestampCheck, message     time.Duration
	sharedLookup                time.Duration
	vacuum                      sim.Cost
	variation                   float64 // sigma of the log-normal service times
	entryBytes                  float64 // of a table in a backend's copy of the statistics
	cacheBytes                  float64
}

// costs reads the host's figures for the size of the database. They were
// measured with a file of PostgreSQL 9.5; where a later version's entries are
// larger, what is done entry by entry takes longer in proportion.
//
// Of the statistics it is entries that count: relations that were used, which are
// indexes too.
func (c Config) costs(n, entries int) costs {
	h, v := c.Host, c.Settings.Version()
	w, st := h.Worker, h.Statistics
	larger := float64(statEntryBytes(v)) / float64(statEntryBytes(guc.MustVersion("9.5")))
	perEntry := func(curve host.Curve) time.Duration { return time.Duration(larger * float64(curve.At(entries))) }
	// A vacuum was measured with its report to a collector that slept on an idle
	// core; the report's wake-up call is charged when it happens.
	call := h.WakeCall.P50
	if c.Without.Has(WakeUpCall) {
		call = 0
	}
	vacuum := func(curve host.Curve) time.Duration { return max(curve.At(n)-call, 0) }
	if c.Strategy.Stats == SharedMemory {
		// No message to a collector, and no copy of all entries that is thrown away
		// at the vacuum's commit: the part that grows with the tables.
		vacuum = func(curve host.Curve) time.Duration { return max(curve.At(0)-call, 0) }
	}
	out := costs{
		start:          w.Start.At(n),
		cleanup:        w.Cleanup.At(n),
		firstRead:      perEntry(w.FirstRead),
		scanTables:     w.ScanTables.At(n),
		scanToast:      w.ScanTOAST.At(n),
		sort:           w.Sort.At(n),
		lockHold:       sim.Cost(w.LockHold),
		statsRead:      sim.Cost{Hot: perEntry(st.Read.Hot), Cold: perEntry(st.Read.Cold)},
		statsWrite:     perEntry(st.Write),
		timestampCheck: st.TimestampCheck,
		message:        st.Message,
		sharedLookup:   sharedLookup,
		vacuum:         sim.Cost{Hot: vacuum(w.Vacuum.Hot), Cold: vacuum(w.Vacuum.Cold)},
		variation:      h.Variation,
		cacheBytes:     h.CacheBytes,
		entryBytes:     float64(statEntryBytes(v) - 1 + hashOverheadBytes),
	}
	if c.Without.Has(ServiceVariation) {
		out.variation = 0
	}
	if c.Without.Has(SharedCache) {
		out.cacheBytes = 0
	}
	return out
}

// statEntryBytes is what one table takes in the statistics file: a tag byte and
// PgStat_StatTabEntry, an Oid and 20 fields of 8 bytes to PostgreSQL 12, one
// field more (inserts_since_vacuum) from 13.
func statEntryBytes(v guc.Version) int {
	if v.AtLeast(guc.MustVersion("13.0")) {
		return 1 + 176
	}
	return 1 + 168
}

// sharedLookup is a look-up in the shared hash table of statistics: assumed, a
// partition lock and a few cache lines.
const sharedLookup = time.Microsecond

// processor builds the host's processor, with its randomness from streams.
func processor(k *sim.Kernel, h *host.Profile, streams sim.Streams, without Mechanisms) *sim.Processor {
	machine := without.restrict(sim.Machine{
		WakeLatency: lognormal(streams.Named("wake latency"), h.WakeLatency),
		WakeCall:    lognormal(streams.Named("wake call"), h.WakeCall),
		WakeOnWaker: h.Scheduler.WakeOnWakerShare,
		SleepSlack:  h.SleepSlack.At,
		ColdAfter:   h.ColdAfter,
		Random:      streams.Named("placement"),
	})
	if without.Has(FairQueues) {
		return sim.NewSharing(k, h.Cores, machine)
	}
	return sim.NewFair(k, h.Cores, machine, sim.Slices{Base: h.Scheduler.BaseSlice, Tick: h.Scheduler.Tick})
}

// z90 is the 90 % quantile of the standard normal distribution.
const z90 = 1.2815515655446004

// lognormal draws from the log-normal distribution through two quantiles.
func lognormal(r *rand.Rand, q host.Quantiles) func() time.Duration {
	mu := math.Log(float64(q.P50))
	sigma := (math.Log(float64(q.P90)) - mu) / z90
	return func() time.Duration {
		return time.Duration(min(math.Exp(mu+sigma*r.NormFloat64()), float64(time.Hour)))
	}
}
