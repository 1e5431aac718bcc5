package scheduler

import (
	"math"

	"avsim/sim"
)

// Confidence is that of every interval that avsim prints.
const Confidence = 0.95

// Summary is what the replications of one point gave together. Rates and
// shares are means over the replications.
type Summary struct {
	Replications int
	Throughput   sim.Interval // automatic vacuums a second
	Distinct     sim.Interval // tables vacuumed for the first time, a second
	// How long a worker looks for its next table, in seconds: median and 99th percentile
	// of a replication. Ends are NaN where a replication saw too few to tell them.
	ClaimWaitP50, ClaimWaitP99 sim.Interval
	// Exhausted is the worst that any replication met.
	Exhausted     Exhausted
	WindowSeconds float64
	// Vacuums is the sum over the replications.
	Vacuums int

	RechecksPerS, WastedRechecksPerS, SkipsPerS float64
	FreshFileShare                              float64 // of the rechecks
	StatsWritesPerS, StatsWriteSeconds          float64
	WorkersCPUCores, CollectorCPUCores          float64
	TimeShare                                   map[string]float64 // by the columns of Shares
	Verdict                                     Verdict
}

// Summarize brings the replications of one point together.
func Summarize(runs []Measurement) Summary {
	s := Summary{Replications: len(runs), Exhausted: NotExhausted, TimeShare: map[string]float64{}}
	var throughput, distinct, median, tail []float64
	fewest := math.MaxInt
	var account sim.Account
	var rechecks, fresh, writes int
	var writeSeconds, utilization float64
	n := float64(len(runs))
	for _, m := range runs {
		throughput = append(throughput, m.PerSecond(m.Vacuums))
		distinct = append(distinct, m.PerSecond(m.Distinct))
		fewest = min(fewest, m.Claims)
		if m.Claims > 0 {
			median, tail = append(median, m.ClaimWaitP50), append(tail, m.ClaimWaitP99)
		}
		s.Vacuums += m.Vacuums
		s.WindowSeconds += m.Window.Seconds() / n
		s.RechecksPerS += m.PerSecond(m.Rechecks) / n
		s.WastedRechecksPerS += m.PerSecond(m.Wasted) / n
		s.SkipsPerS += m.PerSecond(m.Skips) / n
		s.StatsWritesPerS += m.PerSecond(m.StatsWrites) / n
		if w := m.Window.Seconds(); w > 0 {
			s.WorkersCPUCores += m.WorkersUsed.Seconds() / w / n
			s.CollectorCPUCores += m.CollectorUsed.Seconds() / w / n
		}
		utilization += m.Utilization() / n
		rechecks += m.Rechecks
		fresh += m.Fresh
		writes += m.StatsWrites
		writeSeconds += m.StatsWriteTime.Seconds()
		account = account.Plus(m.WorkerTime)
		s.Exhausted = worse(s.Exhausted, m.Exhausted)
	}
	s.Throughput = sim.StudentInterval(throughput, Confidence)
	s.Distinct = sim.StudentInterval(distinct, Confidence)
	s.ClaimWaitP50, s.ClaimWaitP99 = quantileInterval(median, fewest, 2), quantileInterval(tail, fewest, 100)
	if rechecks > 0 {
		s.FreshFileShare = float64(fresh) / float64(rechecks)
	}
	if writes > 0 {
		s.StatsWriteSeconds = writeSeconds / float64(writes)
	}
	for _, share := range Shares() {
		s.TimeShare[share.Column] = Measurement{WorkerTime: account}.Share(share.Activity)
	}
	s.Verdict = verdictOf(account, s.Vacuums, utilization)
	return s
}

// quantileInterval is that of a quantile beyond which one in so many samples lies, of
// which a replication has that many at least.
func quantileInterval(of []float64, fewest, rare int) sim.Interval {
	i := sim.StudentInterval(of, Confidence)
	if fewest < rare {
		i.Lo, i.Hi = math.NaN(), math.NaN()
	}
	// What the histogram rounds away comes on top.
	return sim.Interval{Mean: i.Mean, Lo: i.Lo * (1 - sim.LogHistogramError), Hi: i.Hi * (1 + sim.LogHistogramError)}
}

// worse is the graver of two answers to whether the tables ran out.
func worse(a, b Exhausted) Exhausted {
	rank := map[Exhausted]int{NotExhausted: 0, TablesExhausted: 1, RampExhausted: 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}
