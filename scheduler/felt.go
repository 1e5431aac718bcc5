package scheduler

import (
	"math"
	"time"
)

// Felt is what an application felt of a run.
type Felt struct {
	Intervals []FeltInterval
	Vacuums   []FeltVacuum
	// Took is how long the transactions of the progress curve take at the speeds
	// found, with what comes apart; 0 where there is no curve. Done are they.
	Took time.Duration
	Done float64
	// DropHalfWidth and P99HalfWidth are half the widths of the 95 % intervals of
	// FeltSummary's Drop and P99Ratio, from replications of one interval; 0 without
	// vacuums.
	DropHalfWidth, P99HalfWidth float64
	// VacuumSeconds are those of all vacuums, with nobody beside them.
	VacuumSeconds float64
}

// FeltInterval is a part of a run: how fast the application is with the tables as
// they stand, while no vacuum is at work and while the one is that takes most of it.
type FeltInterval struct {
	From, To time.Duration
	Phase    string  // of that vacuum; empty for none
	Vacuum   int     // its place in Felt.Vacuums, -1 for none
	Share    float64 // of the interval, in which a vacuum is at work
	Without  Speed
	With     Speed // as Without where there is no vacuum
	// Stretch is how many times as long the vacuum takes as with nobody beside it.
	Stretch float64

	PagesPerRow float64 // heap pages for each live row of the tables used
	Versions    float64 // row versions that a look-up goes through, on average
	InShared    float64 // share of looks at pages that find them in shared buffers
	InOS        float64 // or in the operating system's cache
	// InSharedVacuum is InShared while the vacuum is at work.
	InSharedVacuum float64
}

// Speed is throughput and latency of transactions.
type Speed struct {
	Throughput          float64 // a second
	Mean, P50, P95, P99 time.Duration
	CPU, Device         float64 // shares in use
	// Behind: an open load comes faster than it is answered; latencies grow as long as
	// that lasts.
	Behind bool
}

// Throughput is that of the interval: with and without a vacuum, by its share.
func (i FeltInterval) Throughput() float64 {
	return i.Share*i.With.Throughput + (1-i.Share)*i.Without.Throughput
}

// FeltVacuum is a vacuum by the engine of scheduler/vacuum, with what the
// application leaves in memory.
type FeltVacuum struct {
	Database, Table string
	Start           time.Duration
	Alone           time.Duration // how long it takes with nobody beside it
	Loaded          time.Duration // with the application beside it
	IndexScans      int
	PeakBytes       int64 // of the store of dead rows
	LimitBytes      int64
	DeadRows        float64
	DeadPages       float64
	HeapPages       float64 // scanned, each time again, as the next
	IndexPages      float64
	Reads           float64 // into shared buffers
	FromDevice      float64
	Dirtied         float64
	LogBytes        float64
}

// FeltSummary are the means of what was felt before, during and after vacuums.
type FeltSummary struct {
	Without, With, After Speed   // over the time of vacuums: had there been none, and as it was; after the last
	Drop                 float64 // of throughput, share
	P99Ratio             float64
	Lost                 float64 // transactions that would have been done in the time of vacuums
	// Shares of looks at pages that find them in shared buffers.
	InShared, InSharedVacuum float64
	Unsure                   bool // Drop, and so Lost, are within its interval of none
	Behind                   int  // intervals in which an open load is not kept up with
}

// Summary takes means over the time in which a vacuum is at work, and over that after
// the last one. Without vacuums all are of the whole run.
func (f *Felt) Summary() FeltSummary {
	last := -1
	for i := range f.Intervals {
		if f.Intervals[i].Share > 0 {
			last = i
		}
	}
	var without, with, after speedSum
	var found, foundVacuum, lost, looked float64
	for i := range f.Intervals {
		x := &f.Intervals[i]
		length := (x.To - x.From).Seconds()
		switch {
		case last < 0:
			without.add(x.Without, length)
			with.add(x.Without, length)
			after.add(x.Without, length)
		case x.Share > 0:
			without.add(x.Without, length*x.Share)
			with.add(x.With, length*x.Share)
			lost += length * x.Share * x.Stretch * (x.Without.Throughput - x.With.Throughput)
			found, foundVacuum, looked = found+length*x.Share*x.InShared, foundVacuum+length*x.Share*x.InSharedVacuum, looked+length*x.Share
		case i > last:
			after.add(x.Without, length)
		}
	}
	s := FeltSummary{Without: without.mean(), With: with.mean(), After: after.mean(), Lost: lost,
		InShared: found / looked, InSharedVacuum: foundVacuum / looked}
	s.Drop = 1 - s.With.Throughput/s.Without.Throughput
	s.P99Ratio = float64(s.With.P99) / float64(s.Without.P99)
	if s.Unsure = math.Abs(s.Drop) <= f.DropHalfWidth; s.Unsure {
		s.Lost = 0
	}
	for i := range f.Intervals {
		if f.Intervals[i].Without.Behind || f.Intervals[i].With.Behind {
			s.Behind++
		}
	}
	if s.Behind > 0 { // what is lost, or late, grows as long as it lasts
		s.Lost, s.P99Ratio = math.NaN(), math.NaN()
	}
	return s
}

// speedSum adds up speeds by the time for which they hold.
type speedSum struct {
	seconds                                         float64
	throughput, latency, p50, p95, p99, cpu, device float64
	behind                                          bool
}

func (s *speedSum) add(x Speed, seconds float64) {
	s.seconds += seconds
	s.throughput += seconds * x.Throughput
	s.latency += seconds * float64(x.Mean)
	s.p50 += seconds * float64(x.P50)
	s.p95 += seconds * float64(x.P95)
	s.p99 += seconds * float64(x.P99)
	s.cpu += seconds * x.CPU
	s.device += seconds * x.Device
	s.behind = s.behind || x.Behind
}

// mean is NaN in its throughput where nothing was added.
func (s *speedSum) mean() Speed {
	if s.seconds <= 0 {
		return Speed{Throughput: math.NaN()}
	}
	of := func(x float64) time.Duration { return time.Duration(x / s.seconds) }
	return Speed{Throughput: s.throughput / s.seconds, Mean: of(s.latency), P50: of(s.p50), P95: of(s.p95), P99: of(s.p99),
		CPU: s.cpu / s.seconds, Device: s.device / s.seconds, Behind: s.behind}
}
