package scheduler

import (
	"math"
	"time"

	"avsim/scheduler/foreground"
	"avsim/sim"
)

// A window has 10,000 transactions, of which a hundred lie beyond the 99th
// percentile, or as many as are done while a vacuum works off forty pieces, if that is
// more, and no more than 60,000.
const (
	leastTransactions = 10_000
	mostTransactions  = 60_000
	leastPieces       = 40
)

// transactions is how many a window with a vacuum in it has, at so many a second.
func (s *feltSpan) transactions(perSecond float64) int {
	piece := float64(s.work.Ahead) * (s.work.CPU + s.work.Idle).Seconds()
	return int(min(max(leastPieces*piece*perSecond, leastTransactions), mostTransactions))
}

// windowKey is what a window depends on, to a thousandth: one that was simulated
// before is not simulated again.
type windowKey struct {
	demand       foreground.Demand
	work         foreground.Work
	transactions int
}

func newWindowKey(d foreground.Demand, w *foreground.Work, transactions int) windowKey {
	k := windowKey{demand: d, transactions: transactions}
	if w != nil {
		k.work = *w
	}
	round(&k.demand.Reads, &k.demand.Writes, &k.demand.LogBytes, &k.work.Reads, &k.work.Writes, &k.work.LogBytes)
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
	if w, ok := f.seen[key]; ok {
		return w
	}
	w := foreground.Simulate(foreground.Config{
		Machine: f.server(), Load: foreground.Load{Clients: f.asked.Clients, Think: f.asked.Think, Rate: f.asked.Rate},
		Demand: d, Vacuum: work, Transactions: transactions, Streams: f.streams(),
	})
	if f.asked.Rate == 0 {
		w.Throughput = float64(f.asked.Clients) / (f.asked.Think + w.Mean).Seconds()
	}
	f.seen[key] = w
	return w
}

func (f *feeling) streams() sim.Streams { return sim.NewStreams(f.cfg.Seed, f.cfg.Replication) }

// alone is the pace of a vacuum with nobody beside it, in pages a second.
func (f *feeling) alone(work foreground.Work) float64 {
	const pieces = 400
	piece := time.Duration(work.Ahead) * (work.CPU + work.Idle + time.Microsecond)
	return foreground.Simulate(foreground.Config{Machine: f.server(), Vacuum: &work, Length: pieces * piece, Streams: f.streams()}).VacuumPages
}

func (f *feeling) server() foreground.Machine {
	d := f.machine.Device
	return foreground.Machine{Cores: f.cfg.Host.Cores, Depth: d.Depth, Bandwidth: d.ReadPerSecond, ReadLatency: d.Latency,
		FlushLatency: f.asked.FlushLatency, Variation: f.cfg.Host.Variation}
}

func speedOf(w foreground.Window) Speed {
	return Speed{Throughput: w.Throughput, Mean: w.Mean, P50: w.P50, P95: w.P95, P99: w.P99, CPU: w.CPU, Device: w.Device}
}
