package foreground

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
)

// A Poisson number has its mean as its variance, however it is drawn.
func TestPoisson(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, mean := range []float64{0, 0.3, 7, 49, 51, 1000, 3e6} {
		const n = 20_000
		var sum, squares float64
		for range n {
			x := float64(poisson(r, mean))
			sum, squares = sum+x, squares+(x-mean)*(x-mean)
		}
		if math.Abs(sum/n-mean) > 4*math.Sqrt(mean/n) || math.Abs(squares/n-mean) > 4*math.Sqrt((mean+2*mean*mean)/n) {
			t.Errorf("mean %v: drawn are %v with a variance of %v", mean, sum/n, squares/n)
		}
	}
	if n := poisson(r, math.Inf(1)); n < 0 {
		t.Errorf("no end of pages: %d", n)
	}
}

// Requests carry all pages, in no more of them than are simulated.
func TestRequests(t *testing.T) {
	for _, atOnce := range []int{1, 16} {
		for _, pages := range []int{0, 1, 15, 16, 17, 200, 201, 3200, 3201, 1e9, 1e12} {
			each := atRequest(pages, atOnce)
			n := requests(pages, each)
			if n > mostRequests || n*each < pages || (n-1)*each >= pages && pages > 0 || each%atOnce != 0 {
				t.Errorf("%d pages, %d at once: %d requests of %d", pages, atOnce, n, each)
			}
		}
	}
}

// One client that scans a table in order has it as fast as the device gives it, or as the
// kernel's read-ahead has it under way, the last piece of which is half full on average.
func TestScanAtTheSpeedOfTheDevice(t *testing.T) {
	for _, c := range []struct {
		latency time.Duration
		pages   float64
	}{{0, 160}, {time.Millisecond, 160}, {time.Millisecond, 1.6e6}} {
		m := Machine{Cores: 1, Depth: 1, Bandwidth: 100 * PageBytes * 1e3, ReadLatency: c.latency, ReadAhead: 16}
		each := c.pages/100e3 + (c.pages+7.5)/16*c.latency.Seconds()
		got := Simulate(Config{Machine: m, Load: Load{Clients: 1}, Demand: Demand{CPU: 1, Ordered: c.pages}, Transactions: 400, Streams: sim.NewStreams(1, 0)})
		near(t, "seconds a scan", 1/got.Throughput, each, 0.02)
	}
}

// Behind is an open load of more than the processors can do, and no other.
func TestBehind(t *testing.T) {
	for _, share := range []float64{0.1, 0.8, 0.9, 1.1, 3, 100} {
		const cores = 4
		got := Simulate(Config{Machine: Machine{Cores: cores}, Load: Load{Rate: share * cores * 1000}, Demand: Demand{CPU: time.Millisecond},
			Transactions: 10_000, Streams: sim.NewStreams(1, 0)})
		if got.Behind != (share > 1) {
			t.Errorf("%.1f of what the processors can do: behind %v, throughput %.0f of %.0f", share, got.Behind, got.Throughput, share*cores*1000)
		}
	}
}

// A window that nobody wants any more ends, however heavy its transactions are.
func TestDone(t *testing.T) {
	done := make(chan struct{})
	close(done)
	got := Simulate(Config{Machine: Machine{Cores: 1, Depth: 1, Bandwidth: 1e9}, Load: Load{Clients: 10}, Demand: Demand{CPU: time.Second, Reads: 1e12},
		Transactions: 10_000, Streams: sim.NewStreams(1, 0), Done: done})
	if got.Transactions > 1 {
		t.Errorf("%d transactions after it was closed", got.Transactions)
	}
}

// Rows are found through one index: where updates are HOT nobody looks at the others.
func TestIndexesThatNobodyUses(t *testing.T) {
	hot := Table{Reads: 1, Updates: 1, HotShare: 1, Live: 1e6, Pages: 1e4, Indexes: 3, IndexPages: 9000}
	c := hot.classes(1e9)
	if c[KeyPages].Pages != 3000 || c[KeyPages].Rate != 2./3000 || c[OtherPages].Pages != 6000 || c[OtherPages].Rate != 0 {
		t.Errorf("%+v: want 3,000 leaves with two looks, 6,000 with none", c)
	}
	hot.HotShare = 0 // each index gets an entry
	c = hot.classes(1e9)
	if c[KeyPages].Rate != 3./3000 || c[OtherPages].Rate != 2./6000 {
		t.Errorf("%+v: want three looks a transaction at the leaves of the key, one at each other index", c)
	}
	_, leaf := hot.pageLooks()
	if sum := c[KeyPages].Pages*c[KeyPages].Rate + c[OtherPages].Pages*c[OtherPages].Rate; math.Abs(sum-leaf) > 1e-9 {
		t.Errorf("%v looks at leaves by kind, %v in all", sum, leaf)
	}
}

// Pages that nobody looks at are there as far as room is left, in memory and beneath it.
func TestCacheOfIdlePages(t *testing.T) {
	classes := []PageClass{{Pages: 100, Rate: 1}, {Pages: 1000}}
	for memory, want := range map[float64]float64{100: 0, 350: 0.25, 1100: 1, 5000: 1, 50: 0} {
		hits := Cache(classes, 0, memory)
		if math.Abs(hits[1]-want) > 1e-9 {
			t.Errorf("memory of %v: %v of the idle pages are there, want %v", memory, hits[1], want)
		}
		beneath := Beneath(classes, hits, 0, 250)
		left := 1000 * (1 - hits[1])
		if memory >= 100 && left > 0 && math.Abs(beneath[1]-min(250/left, 1)) > 1e-9 {
			t.Errorf("memory of %v: %v of the %v others are beneath, want 250 of them", memory, beneath[1], left)
		}
	}
}

// The scan of a large table goes through a ring, so that others' pages stay; that of a
// small one comes in like all else.
func TestScanThroughARing(t *testing.T) {
	used := Table{Reads: 1, Live: 1e5, Pages: 900, Indexes: 1, IndexPages: 50}
	scanned := Table{Scans: 0.01, Live: 1e6}
	m := Memory{Shared: 1000, OS: 1e9}
	for pages, kept := range map[float64]bool{10_000: true, 240: false} {
		scanned.Pages = pages
		alone := HitsOf([]Table{used}, m)[HeapPages].Shared
		beside := HitsOf([]Table{used, scanned}, m)[HeapPages].Shared
		if (beside == alone) != kept {
			t.Errorf("beside scans of %v pages %.3f of the pages are found, %.3f without", pages, beside, alone)
		}
	}
}
