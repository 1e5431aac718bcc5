package sim_test

import (
	"fmt"
	"time"

	"avsim/sim"
)

// What a thread of the contest may be at.
const (
	holding sim.Activity = iota + 1
	outside
	queued
)

// contest has threads race for a lock on cores of their own for a second: each holds it for
// 20 µs, then works for 60 µs without it. A thread that sleeps takes 30 µs to wake.
func contest(kind sim.HandOver, threads int) {
	const holds, works, wakes = 20 * time.Microsecond, 60 * time.Microsecond, 30 * time.Microsecond
	var k sim.Kernel
	defer k.Close()
	machine := sim.Machine{WakeLatency: func() time.Duration { return wakes }}
	cores := sim.NewSharing(&k, threads, machine)
	lock := sim.Lock{Kind: kind}

	var all []*sim.Thread
	for i := range threads {
		all = append(all, cores.Go(fmt.Sprint("thread ", i), func(t *sim.Thread) {
			for {
				lock.Acquire(t, sim.Exclusive, queued)
				t.Work(holding, holds)
				lock.Release(t, sim.Exclusive, queued)
				t.Work(outside, works)
			}
		}))
	}
	k.Run(sim.Time(time.Second))

	var waited time.Duration
	for _, t := range all {
		waited += t.Account()[queued]
	}
	fmt.Printf("threads %d, turns %d, waits %d, of these lost to one who came first %d; %.0f %% of the time waiting\n",
		threads, lock.Acquisitions, lock.Waits, lock.Barged, 100*waited.Seconds()/float64(threads))
}

// A contest for a lock. Handed over, the lock is nobody's while the next in line wakes up, so
// beyond some threads there is a turn every 20 + 30 µs and no more. With barging, as in
// PostgreSQL's lightweight locks, whoever runs may take it in the meantime, and there are
// more turns; the woken one may come too late, and queues again.
func Example_lockContest() {
	for _, threads := range []int{1, 2, 4, 8} {
		contest(sim.HandOff, threads)
	}
	fmt.Println("with barging")
	for _, threads := range []int{1, 2, 4, 8} {
		contest(sim.Barging, threads)
	}

	// Output:
	// threads 1, turns 12500, waits 0, of these lost to one who came first 0; 0 % of the time waiting
	// threads 2, turns 25000, waits 1, of these lost to one who came first 0; 0 % of the time waiting
	// threads 4, turns 20001, waits 20001, of these lost to one who came first 0; 45 % of the time waiting
	// threads 8, turns 20001, waits 20005, of these lost to one who came first 0; 72 % of the time waiting
	// with barging
	// threads 1, turns 12500, waits 0, of these lost to one who came first 0; 0 % of the time waiting
	// threads 2, turns 25000, waits 1, of these lost to one who came first 0; 0 % of the time waiting
	// threads 4, turns 25000, waits 25001, of these lost to one who came first 12499; 31 % of the time waiting
	// threads 8, turns 25000, waits 25005, of these lost to one who came first 12499; 66 % of the time waiting
}
