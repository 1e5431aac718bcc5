package main

import (
	"iter"
	"math/rand/v2"
	"time"

	"avsim/bench/calendar"
	"avsim/sim"
)

const (
	meanService      = time.Millisecond
	meanInterarrival = meanService * 10 / 9
)

// Activities of the processes here.
const (
	waiting sim.Activity = iota + 1
	working
)

func exponential(r *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(mean))
}

// mm1Events is the M/M/1 queue in event style. Like all of that name it serves so many
// customers and returns their mean time in the system, in service times.
func mm1Events(customers int) float64 {
	var (
		k              sim.Kernel
		line           []sim.Time // arrival instants of those in the system, from head on
		head           int
		times          sim.Tally
		arrive, depart sim.HandlerID
	)
	r := sim.NewStreams(1, 0).Named("M/M/1")
	arrive = k.Handler(func(int64) {
		line = append(line, k.Now())
		if len(line)-head == 1 {
			k.After(exponential(r, meanService), depart, 0)
		}
		k.After(exponential(r, meanInterarrival), arrive, 0)
	})
	depart = k.Handler(func(int64) {
		times.Add(float64(k.Now().Sub(line[head])) / float64(meanService))
		if times.Count() == customers {
			k.Stop()
		}
		if head++; head < len(line) {
			k.After(exponential(r, meanService), depart, 0)
		} else {
			line, head = line[:0], 0
		}
	})
	k.After(exponential(r, meanInterarrival), arrive, 0)
	k.Run(sim.Forever)
	return times.Mean()
}

// mm1Processes is the same queue with a source and a server.
func mm1Processes(customers int) float64 {
	var (
		k     sim.Kernel
		box   sim.Mailbox[sim.Time]
		times sim.Tally
	)
	defer k.Close()
	r := sim.NewStreams(1, 0).Named("M/M/1")
	k.Go("source", func(c *sim.Coroutine) {
		for {
			c.Hold(exponential(r, meanInterarrival))
			box.Post(c, c.Now())
		}
	})
	k.Go("server", func(c *sim.Coroutine) {
		for range customers {
			arrived := box.Receive(c, waiting)
			c.Hold(exponential(r, meanService))
			times.Add(float64(c.Now().Sub(arrived)) / float64(meanService))
		}
		k.Stop()
	})
	k.Run(sim.Forever)
	return times.Mean()
}

// kernelHold keeps so many events pending in the kernel, each of which schedules its
// successor, and returns what runs a number of them.
func kernelHold(pending int, delays []int64) (run func(holds int)) {
	var (
		k    sim.Kernel
		h    sim.HandlerID
		i    int
		left int
	)
	h = k.Handler(func(arg int64) {
		i++
		k.After(time.Duration(delays[i&(len(delays)-1)]), h, arg)
		if left--; left == 0 {
			k.Stop()
		}
	})
	for range pending {
		i++
		k.After(time.Duration(delays[i&(len(delays)-1)]), h, 0)
	}
	run = func(holds int) {
		left = holds
		k.Run(sim.Forever)
	}
	run(2 * pending)
	return run
}

// queueHold is the same with a bare loop over a queue instead of the kernel: take an
// event, call its handler.
func queueHold(q calendar.Queue, pending int, delays []int64) (run func(holds int)) {
	var (
		now  int64
		i    int
		left int
	)
	handlers := []func(int64){func(arg int64) {
		i++
		q.Push(calendar.Event{At: now + delays[i&(len(delays)-1)], Arg: arg})
		left--
	}}
	for range pending {
		i++
		q.Push(calendar.Event{At: delays[i&(len(delays)-1)]})
	}
	run = func(holds int) {
		for left = holds; left > 0; {
			e := q.Pop()
			now = e.At
			handlers[e.Handler](e.Arg)
		}
	}
	run(2 * pending)
	return run
}

// pingPong lets two coroutines hold in turn.
func pingPong(holds int) {
	var k sim.Kernel
	defer k.Close()
	for i := range 2 {
		k.Go("player", func(c *sim.Coroutine) {
			c.Hold(time.Duration(i))
			for {
				c.Hold(2)
			}
		})
	}
	k.Run(sim.Time(holds))
}

// pulls is what a switch to an iter.Pull coroutine and back costs by itself.
func pulls(n int) {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		for yield(struct{}{}) {
		}
	})
	defer stop()
	for range n {
		next()
	}
}

// lockContest lets a thousand threads on one fair core take turns at one lock.
func lockContest(acquisitions int) {
	var k sim.Kernel
	defer k.Close()
	cpu := sim.NewFair(&k, 1, sim.Machine{}, sim.DefaultSlices)
	var lock sim.Lock
	for range 1000 {
		cpu.Go("contender", func(t *sim.Thread) {
			for {
				lock.Acquire(t, sim.Exclusive, waiting)
				t.Work(working, 100*time.Microsecond)
				if lock.Acquisitions >= acquisitions {
					k.Stop()
				}
				lock.Release(t, sim.Exclusive, working)
				t.Work(working, 10*time.Microsecond)
			}
		})
	}
	k.Run(sim.Forever)
}
