package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/foreground"
	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// A window has 10,000 transactions, of which a hundred lie beyond the 99th
// percentile, or as many as are done while a vacuum works off forty pieces, if that is
// more, and no more than 60,000.
// Transactions of many requests are fewer, so that a window has some 400,000 events, and
// at least 200; rare ones of an open load likewise, where a vacuum beside them has many
// pieces meanwhile.
const (
	leastTransactions = 10_000
	mostTransactions  = 60_000
	leastPieces       = 40
	mostEvents        = 400_000
	fewTransactions   = 200
)

// transactions is how many a window has, at so many a second, with a vacuum in it or, nil,
// without.
func (s *feltSpan) transactions(d foreground.Demand, machine foreground.Machine, perSecond float64) int {
	wanted, events := float64(leastTransactions), 2*(2+d.Requests(machine)) // of a transaction
	if s != nil {
		piece := float64(s.work.Ahead) * (s.work.CPU + s.work.Idle).Seconds()
		wanted = min(max(leastPieces*piece*perSecond, wanted), mostTransactions)
		if piece > 0 && perSecond > 0 {
			events += 4 / (piece * perSecond)
		}
	}
	return int(max(min(wanted, mostEvents/events), fewTransactions))
}

// windowKey is what a window depends on, to a thousandth: one that was simulated
// before is not simulated again.
type windowKey struct {
	demand       foreground.Demand
	again        int
	work         foreground.Work
	transactions int
}

func newWindowKey(d foreground.Demand, w *foreground.Work, transactions int) windowKey {
	k := windowKey{demand: d, transactions: transactions}
	if w != nil {
		k.work = *w
	}
	round(&k.demand.Reads, &k.demand.Ordered, &k.demand.Writes, &k.demand.LogBytes, &k.work.Reads, &k.work.Writes, &k.work.LogBytes)
	for _, d := range []*time.Duration{&k.demand.CPU, &k.work.CPU, &k.work.Idle} {
		x := float64(*d)
		round(&x)
		*d = time.Duration(x)
	}
	return k
}

// round leaves three digits of each.
func round(list ...*float64) {
	for _, x := range list {
		if *x != 0 {
			unit := math.Pow(10, math.Floor(math.Log10(math.Abs(*x)))-2)
			*x = math.Round(*x/unit) * unit
		}
	}
}

// window simulates. All windows have the same randomness, so that what differs between
// them is what they are of. Of clients that go round the throughput is that of Little's
// law, clients / (think time + latency): how long they happened to think in the window
// does not matter then.
func (f *feeling) window(d foreground.Demand, work *foreground.Work, transactions int) foreground.Window {
	key := newWindowKey(d, work, transactions)
	key.again = f.again
	if w, ok := f.seen[key]; ok {
		return w
	}
	w := foreground.Simulate(foreground.Config{
		Machine: f.server(), Load: foreground.Load{Clients: f.asked.Clients, Think: f.asked.Think, Rate: f.asked.Rate},
		Demand: d, Vacuum: work, Transactions: transactions, Streams: f.streams(), Done: f.done,
	})
	if f.asked.Rate == 0 {
		w.Throughput = float64(f.asked.Clients) / (f.asked.Think + w.Mean).Seconds()
	}
	f.seen[key] = w
	return w
}

// streams are the run's, or those of one more replication of its windows.
func (f *feeling) streams() sim.Streams {
	return sim.NewStreams(f.cfg.Seed, f.cfg.Replication+f.again*replicationsApart)
}

// replicationsApart is more than a run has replications.
const replicationsApart = 1 << 20

// alone is the pace of a vacuum with nobody beside it, in pages a second.
func (f *feeling) alone(work foreground.Work) float64 {
	const pieces = 400
	piece := time.Duration(work.Ahead) * (work.CPU + work.Idle + time.Microsecond)
	return foreground.Simulate(foreground.Config{Machine: f.server(), Vacuum: &work, Length: pieces * piece, Streams: f.streams()}).VacuumPages
}

func (f *feeling) server() foreground.Machine {
	d := f.machine.Device
	return foreground.Machine{Cores: f.cfg.Host.Cores, Depth: d.Depth, Bandwidth: d.ReadPerSecond, ReadLatency: d.Latency, ReadAhead: int(d.ReadAhead / vacuum.PageBytes),
		FlushLatency: f.asked.FlushLatency, Variation: f.cfg.Host.Variation}
}

func speedOf(w foreground.Window) Speed {
	return Speed{Throughput: w.Throughput, Mean: w.Mean, P50: w.P50, P95: w.P95, P99: w.P99, CPU: w.CPU, Device: w.Device, Behind: w.Behind}
}
