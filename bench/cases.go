package main

import (
	"fmt"
	"math/rand/v2"

	"avsim/bench/calendar"
)

// measured is one thing whose cost is told, in processor time per unit of n.
type measured struct {
	name string // group/…/what
	n    int
	// start gets ready and returns what is timed.
	start func() (run func(n int))
}

// once is for what needs no preparation.
func once(run func(n int)) func() func(int) { return func() func(int) { return run } }

// cases are all that is measured here, in the order of the table.
func cases() []measured {
	all := []measured{
		{"mm1/plain-Go", 2_000_000, once(func(n int) { mm1Plain(rand.New(rand.NewPCG(1, 2)), 0.9, 1, n) })},
		{"mm1/avsim-events", 2_000_000, once(func(n int) { mm1Events(n) })},
		{"mm1/avsim-processes", 1_000_000, once(func(n int) { mm1Processes(n) })},
		{"switch/iter.Pull-there-and-back", 1_000_000, once(pulls)},
		{"switch/avsim-hold-of-one-of-two", 1_000_000, once(pingPong)},
		{"lock/avsim-1000-threads", 100_000, once(lockContest)},
	}
	for _, d := range calendar.Distributions() {
		all = append(all, holds(d)...)
	}
	return all
}

// pendings are how many events are pending in the hold model: as the model has on each
// recorded distribution, and the powers of ten.
func pendings(d calendar.Distribution) []int {
	switch d.Name {
	case "sweep":
		return []int{17, 1000}
	case "run":
		return []int{4, 1000}
	case "exponential":
		return []int{100, 10_000, 100_000, 1_000_000}
	}
	return []int{100, 10_000, 100_000}
}

func holds(d calendar.Distribution) (all []measured) {
	delays := d.Delays()
	for _, pending := range pendings(d) {
		add := func(name string, start func() func(int)) {
			all = append(all, measured{fmt.Sprintf("hold/%s/%d/%s", d.Name, pending, name), 500_000, start})
		}
		add("avsim", func() func(int) { return kernelHold(pending, delays) })
		add("heap", func() func(int) { return queueHold(new(calendar.Heap), pending, delays) })
		add("key-heap", func() func(int) { return queueHold(new(calendar.KeyHeap), pending, delays) })
		add("ladder", func() func(int) { return queueHold(new(calendar.Ladder), pending, delays) })
		add("radix", func() func(int) { return queueHold(new(calendar.Radix), pending, delays) })
	}
	return all
}
