package sim_test

import (
	"fmt"
	"time"

	"avsim/sim"
)

// counter is a queue with one server, in event style: customers come at random, wait their
// turn, are served for a random time, and go.
type counter struct {
	kernel           sim.Kernel
	arrive, depart   sim.HandlerID
	arrivals, serves func() time.Duration // the time to the next arrival, and of a service

	came   []sim.Time // of those who are there, the one who is served first
	stayed sim.Tally  // seconds, from coming to going
	length sim.TimeWeighted
}

func newCounter(s sim.Streams, gap, service time.Duration) *counter {
	// Each kind of randomness has a stream of its own: a faster server meets the same
	// customers.
	coming, serving := s.Named("arrivals"), s.Named("services")
	c := &counter{
		arrivals: func() time.Duration { return time.Duration(coming.ExpFloat64() * float64(gap)) },
		serves:   func() time.Duration { return time.Duration(serving.ExpFloat64() * float64(service)) },
	}
	c.arrive = c.kernel.Handler(func(int64) {
		c.came = append(c.came, c.kernel.Now())
		c.length.Add(c.kernel.Now(), 1)
		if len(c.came) == 1 {
			c.kernel.After(c.serves(), c.depart, 0)
		}
		c.kernel.After(c.arrivals(), c.arrive, 0)
	})
	c.depart = c.kernel.Handler(func(int64) {
		c.stayed.Add(c.kernel.Now().Sub(c.came[0]).Seconds())
		c.came = c.came[1:]
		c.length.Add(c.kernel.Now(), -1)
		if len(c.came) > 0 {
			c.kernel.After(c.serves(), c.depart, 0)
		}
	})
	c.kernel.After(c.arrivals(), c.arrive, 0)
	return c
}

// An M/M/1 queue: four customers a minute, a server who takes ten seconds for each. Twenty
// runs of a day, each with a seed of its own, give a mean with its interval. The formula
// (Erlang's) is beside it: a customer stays 1/(μ−λ), and by Little's law λ times that many
// are there.
func Example_mm1() {
	const gap, service = 15 * time.Second, 10 * time.Second
	var stays, lengths []float64
	for replication := range 20 {
		c := newCounter(sim.NewStreams(1, replication), gap, service)
		c.kernel.Run(sim.Time(24 * time.Hour))
		stays = append(stays, c.stayed.Mean())
		lengths = append(lengths, c.length.Mean(c.kernel.Now()))
	}
	arrivals, services := 1/gap.Seconds(), 1/service.Seconds()
	stay := 1 / (services - arrivals)

	for _, x := range []struct {
		what    string
		samples []float64
		formula float64
	}{{"seconds a customer stays", stays, stay}, {"customers there", lengths, arrivals * stay}} {
		i := sim.StudentInterval(x.samples, 0.95)
		fmt.Printf("%s: %.2f (%.2f to %.2f), by the formula %.2f\n", x.what, i.Mean, i.Lo, i.Hi, x.formula)
	}

	// Output:
	// seconds a customer stays: 30.32 (29.54 to 31.10), by the formula 30.00
	// customers there: 2.02 (1.97 to 2.07), by the formula 2.00
}
