package foreground

import (
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"avsim/sim"
)

// clients run transactions: processor time in equal pieces with a page from the
// device, or what is read ahead, between two of them, then the log.
type clients struct {
	*window
	load   Load
	demand Demand
	// Randomness of its own for each use, so that a VACUUM beside does not change
	// what clients do.
	gaps, sizes, pages *rand.Rand
	who                []client
	idle               []int64 // places of who, under an open load
	full               bool    // no more arrive

	begin, worked, read, durable, arrived, nothing sim.HandlerID
}

// client is one transaction under way.
type client struct {
	start sim.Time
	piece time.Duration // of processor time
	// Pages to come, at random places and then in order, so many at a request.
	random, ordered         int
	randomEach, orderedEach int
}

func newClients(w *window, load Load, demand Demand, streams sim.Streams) *clients {
	c := &clients{window: w, load: load, demand: demand,
		gaps: streams.Named("gaps"), sizes: streams.Named("sizes"), pages: streams.Named("pages")}
	k := &w.k
	c.begin, c.worked, c.read = k.Handler(c.start), k.Handler(c.afterWork), k.Handler(c.afterRead)
	c.durable, c.arrived = k.Handler(c.finish), k.Handler(c.arrive)
	c.nothing = k.Handler(func(int64) {})
	if load.Rate > 0 {
		k.At(0, c.arrived, 0)
		return c
	}
	c.who = make([]client, load.Clients)
	for i := range c.who {
		k.After(c.gap(load.Think), c.begin, int64(i))
	}
	return c
}

func (c *clients) gap(mean time.Duration) time.Duration {
	return time.Duration(c.gaps.ExpFloat64() * float64(mean))
}

// mostAtOnce is how many transactions of an open load may be under way: beyond that,
// which only a machine that cannot keep up reaches, the next comes once one is done.
const mostAtOnce = 10_000

// arrive brings a transaction of an open load, and the next one's arrival.
func (c *clients) arrive(int64) {
	if c.full = len(c.who)-len(c.idle) >= mostAtOnce; c.full {
		return
	}
	c.k.After(c.gap(time.Duration(float64(time.Second)/c.load.Rate)), c.arrived, 0)
	if n := len(c.idle); n > 0 {
		place := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.start(place)
		return
	}
	c.who = append(c.who, client{})
	c.start(int64(len(c.who) - 1))
}

func (c *clients) start(i int64) {
	x := &c.who[i]
	x.start = c.k.Now()
	x.random, x.ordered = poisson(c.pages, c.demand.Reads), 0
	if c.demand.Ordered > 0 {
		x.ordered = poisson(c.pages, c.demand.Ordered)
	}
	x.randomEach, x.orderedEach = atRequest(x.random, 1), atRequest(x.ordered, c.ahead())
	pieces := 1 + requests(x.random, x.randomEach) + requests(x.ordered, x.orderedEach)
	sigma := c.machine.Variation
	size := math.Exp(sigma*c.sizes.NormFloat64() - sigma*sigma/2)
	x.piece = time.Duration(size * float64(c.demand.CPU) / float64(pieces))
	c.cores.Serve(x.piece, c.worked, i)
}

func (c *clients) afterWork(i int64) {
	switch x := &c.who[i]; {
	case x.random > 0:
		n := min(x.randomEach, x.random)
		x.random -= n
		c.device.Request(int64(n)*PageBytes, c.latencies(n), c.read, i)
	case x.ordered > 0:
		n := min(x.orderedEach, x.ordered)
		x.ordered -= n
		c.device.Request(int64(n)*PageBytes, c.latencies(requests(n, c.ahead())), c.read, i)
	case c.demand.LogBytes > 0:
		c.log.add(c.demand.LogBytes)
		c.log.wait(c.durable, i)
	default:
		c.finish(i)
	}
}

func (c *clients) afterRead(i int64) { c.cores.Serve(c.who[i].piece, c.worked, i) }

func (c *clients) finish(i int64) {
	c.answered(c.k.Now().Sub(c.who[i].start))
	written := poisson(c.pages, c.demand.Writes)
	for each := atRequest(written, 1); written > 0; written -= each {
		c.device.Request(int64(min(each, written))*PageBytes, 0, c.nothing, 0)
	}
	if c.load.Rate > 0 {
		if c.idle = append(c.idle, i); c.full {
			c.arrive(0)
		}
		return
	}
	c.k.After(c.gap(c.load.Think), c.begin, i)
}

// mostRequests is of how many requests a transaction is simulated at most; beyond that
// each stands for several that follow one another.
const mostRequests = 200

// Requests is how many requests to the device a transaction is simulated by, on average.
func (d Demand) Requests(m Machine) float64 {
	ordered := d.Ordered / float64(max(m.ReadAhead, 1))
	return min(d.Reads, mostRequests) + min(ordered, mostRequests) + min(d.Writes, mostRequests)
}

// atRequest is how many pages a request is of, where so many are had at once: as many, or
// a multiple.
func atRequest(pages, atOnce int) int {
	return atOnce * max(requests(requests(pages, atOnce), mostRequests), 1)
}

// requests are for so many pages, of so many each but the last.
func requests(pages, each int) int { return (pages + each - 1) / each }

// ahead is how many pages in order are had at once.
func (c *clients) ahead() int { return max(c.machine.ReadAhead, 1) }

// latencies is how long so many pages take until they flow, one after the other: many
// of them by the central limit theorem.
func (c *clients) latencies(n int) (sum time.Duration) {
	const many = 30
	if n > many {
		mean, sigma := float64(n), math.Sqrt(float64(n))
		return time.Duration(max(mean+sigma*c.pages.NormFloat64(), 0) * float64(c.machine.ReadLatency))
	}
	for range n {
		sum += c.latency(c.pages)
	}
	return sum
}

// poisson draws a number with that mean: a few by counting exponential gaps.
func poisson(r *rand.Rand, mean float64) (n int) {
	const few, most = 50, 1e12
	if mean > few {
		return int(min(distuv.Poisson{Lambda: min(mean, most), Src: r}.Rand(), most))
	}
	for sum := r.ExpFloat64(); sum < mean; sum += r.ExpFloat64() {
		n++
	}
	return n
}
