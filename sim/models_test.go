package sim_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
	"pgregory.net/rapid"
)

// Property tests draw the same cases every time, and more or others by
// -rapid.checks and -rapid.seed.
func init() {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "1000", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// Activities of the models in these tests.
const (
	working sim.Activity = iota + 1
	sleeping
	parked
	locking
	activities
)

// scriptsOf draws scripts for 1 to most processes, of up to 12 steps each.
// Both numbers are drawn by themselves, as rapid's own slices stay short.
func scriptsOf[S any](t *rapid.T, step *rapid.Generator[S], most int) [][]S {
	scripts := make([][]S, rapid.IntRange(1, most).Draw(t, "processes"))
	for i := range scripts {
		n := rapid.IntRange(1, 12).Draw(t, "steps")
		scripts[i] = rapid.SliceOfN(step, n, n).Draw(t, "script")
	}
	return scripts
}

// unit is the mean service time of the queueing models.
const unit = time.Millisecond

// exponential draws with the given mean.
func exponential(r *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(mean))
}

// spin works for ever.
func spin(t *sim.Thread) {
	for {
		t.Work(working, time.Hour)
	}
}

// mm1Events is an M/M/1 queue in event style: two handlers and a ring of
// arrival instants. It returns the mean wait in service times of the customers
// after the first skip.
func mm1Events(r *rand.Rand, rho float64, customers, skip int) float64 {
	var (
		k        sim.Kernel
		line     []sim.Time
		head     int
		waits    sim.Tally
		arrivals int
		served   int
		arrive   sim.HandlerID
		depart   sim.HandlerID
	)
	gap := time.Duration(float64(unit) / rho)
	serve := func() {
		if served++; served > skip {
			waits.Add(float64(k.Now().Sub(line[head])) / float64(unit))
		}
		k.After(exponential(r, unit), depart, 0)
	}
	arrive = k.Handler(func(int64) {
		line = append(line, k.Now())
		if len(line)-head == 1 {
			serve()
		}
		if arrivals++; arrivals < customers {
			k.After(exponential(r, gap), arrive, 0)
		}
	})
	depart = k.Handler(func(int64) {
		if head++; head < len(line) {
			serve()
		} else {
			line, head = line[:0], 0
		}
	})
	k.At(0, arrive, 0)
	k.Run(sim.Forever)
	return waits.Mean()
}

// mm1Mailbox is the same queue in process style: a source posts arrival
// instants, a server receives them.
func mm1Mailbox(r *rand.Rand, rho float64, customers, skip int) float64 {
	var (
		k     sim.Kernel
		box   sim.Mailbox[sim.Time]
		waits sim.Tally
	)
	defer k.Close()
	gap := time.Duration(float64(unit) / rho)
	k.Go("source", func(c *sim.Coroutine) {
		for range customers {
			c.Hold(exponential(r, gap))
			box.Post(c, c.Now())
		}
	})
	k.Go("server", func(c *sim.Coroutine) {
		for i := range customers {
			arrived := box.Receive(c, parked)
			if i >= skip {
				waits.Add(float64(c.Now().Sub(arrived)) / float64(unit))
			}
			c.Hold(exponential(r, unit))
		}
	})
	k.Run(sim.Forever)
	return waits.Mean()
}

// mm1Lock is the same queue with a coroutine per customer and the server as a
// lock that is handed over.
func mm1Lock(r *rand.Rand, rho float64, customers, skip int) float64 {
	var k sim.Kernel
	defer k.Close()
	server := sim.Lock{Kind: sim.HandOff}
	var waits sim.Tally
	gap := time.Duration(float64(unit) / rho)
	k.Go("source", func(c *sim.Coroutine) {
		for i := range customers {
			c.Hold(exponential(r, gap))
			k.Go("customer", func(c *sim.Coroutine) {
				wait := server.Acquire(c, sim.Exclusive, locking)
				if i >= skip {
					waits.Add(float64(wait) / float64(unit))
				}
				c.Hold(exponential(r, unit))
				server.Release(c, sim.Exclusive, locking)
			})
		}
	})
	k.Run(sim.Forever)
	return waits.Mean()
}

// mmcServers is an M/M/c queue: c coroutines serve one line.
func mmcServers(r *rand.Rand, servers int, rho float64, customers, skip int) float64 {
	var (
		k     sim.Kernel
		line  []sim.Time
		idle  []*sim.Coroutine
		waits sim.Tally
	)
	defer k.Close()
	gap := time.Duration(float64(unit) / rho / float64(servers))
	k.Go("source", func(c *sim.Coroutine) {
		for range customers {
			c.Hold(exponential(r, gap))
			line = append(line, c.Now())
			if n := len(idle); n > 0 {
				idle[n-1].Unpark(c)
				idle = idle[:n-1]
			}
		}
	})
	served := 0
	for range servers {
		k.Go("server", func(c *sim.Coroutine) {
			for {
				for len(line) == 0 {
					idle = append(idle, c)
					c.Park(parked)
				}
				arrived := line[0]
				line = line[1:]
				if served++; served > skip {
					waits.Add(float64(c.Now().Sub(arrived)) / float64(unit))
				}
				c.Hold(exponential(r, unit))
			}
		})
	}
	k.Run(sim.Forever)
	return waits.Mean()
}

// onProcessor runs an M/G queue on a processor and returns the mean sojourn in
// service times. A customer is a thread, that of one who has left if there is.
func onProcessor(k *sim.Kernel, p *sim.Processor, arrivals, services *rand.Rand, draw func(*rand.Rand) time.Duration, rho float64, customers, skip int) float64 {
	var sojourns sim.Tally
	gap := time.Duration(float64(unit) / rho / float64(p.Cores()))
	warm := sim.Time(skip) * sim.Time(gap)
	type customer struct {
		thread  *sim.Thread
		arrived sim.Time
		service time.Duration
	}
	var idle []*customer
	enter := func(arrived sim.Time, service time.Duration) {
		if n := len(idle); n > 0 {
			c := idle[n-1]
			idle = idle[:n-1]
			c.arrived, c.service = arrived, service
			c.thread.Unpark(nil)
			return
		}
		c := &customer{arrived: arrived, service: service}
		c.thread = p.Go("customer", func(t *sim.Thread) {
			for {
				t.Work(working, c.service)
				if c.arrived > warm {
					sojourns.Add(float64(t.Now().Sub(c.arrived)) / float64(unit))
				}
				idle = append(idle, c)
				t.Park(parked)
			}
		})
	}
	k.Go("source", func(c *sim.Coroutine) {
		for range customers {
			c.Hold(exponential(arrivals, gap))
			enter(c.Now(), draw(services))
		}
	})
	k.Run(sim.Forever)
	k.Close()
	return sojourns.Mean()
}

// checkMean runs the replications of a model and holds their 99 % interval
// against the formula. An interval wider than ± 5 % would prove nothing.
func checkMean(t *testing.T, want float64, replications int, model func(sim.Streams) float64) {
	t.Helper()
	means := make([]float64, replications)
	for i := range means {
		means[i] = model(sim.NewStreams(1, i))
	}
	got := sim.StudentInterval(means, 0.99)
	half := (got.Hi - got.Lo) / 2
	t.Logf("%.4f ± %.4f (%.1f %%), formula %.4f", got.Mean, half, 100*half/got.Mean, want)
	if want < got.Lo || got.Hi < want {
		t.Errorf("mean %.4f, 99 %% interval %.4f to %.4f, does not contain the formula's %.4f", got.Mean, got.Lo, got.Hi, want)
	}
	if half > 0.05*want {
		t.Errorf("the interval is ± %.1f %% wide, too wide to mean something; run more customers", 100*half/want)
	}
}
