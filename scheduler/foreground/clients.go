package foreground

import (
	"math"
	"math/rand/v2"
	"time"

	"avsim/sim"
)

// clients run transactions: processor time in equal pieces with a page from the
// device between two of them, then the log.
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
	reads int           // to come
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
	x.start, x.reads = c.k.Now(), poisson(c.pages, c.demand.Reads)
	sigma := c.machine.Variation
	size := math.Exp(sigma*c.sizes.NormFloat64() - sigma*sigma/2)
	x.piece = time.Duration(size * float64(c.demand.CPU) / float64(x.reads+1))
	c.cores.Serve(x.piece, c.worked, i)
}

func (c *clients) afterWork(i int64) {
	switch x := &c.who[i]; {
	case x.reads > 0:
		x.reads--
		c.device.Request(PageBytes, c.latency(c.pages), c.read, i)
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
	for range poisson(c.pages, c.demand.Writes) {
		c.device.Request(PageBytes, 0, c.nothing, 0)
	}
	if c.load.Rate > 0 {
		if c.idle = append(c.idle, i); c.full {
			c.arrive(0)
		}
		return
	}
	c.k.After(c.gap(c.load.Think), c.begin, i)
}

// poisson draws a number with that mean, by counting exponential gaps: means here
// are of a few pages.
func poisson(r *rand.Rand, mean float64) (n int) {
	for sum := r.ExpFloat64(); sum < mean; sum += r.ExpFloat64() {
		n++
	}
	return n
}
