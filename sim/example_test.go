package sim_test

import (
	"fmt"
	"time"

	"avsim/sim"
)

// A bank with one queue and two tellers. Customers are messages; the tellers
// need no reader of their own, as one doorman sends each customer to the first
// teller that is free.
func Example_bank() {
	const serving, waiting sim.Activity = 1, 2
	var k sim.Kernel
	defer k.Close()

	type customer struct {
		name    string
		arrived sim.Time
	}
	var (
		queue sim.Mailbox[customer]
		free  sim.Mailbox[int]
		desks [2]sim.Mailbox[customer]
	)
	for i := range desks {
		k.Go("teller", func(c *sim.Coroutine) {
			for {
				free.Post(c, i)
				next := desks[i].Receive(c, waiting)
				fmt.Printf("%5v  %s is served at desk %d after %v\n", c.Now(), next.name, i+1, c.Now().Sub(next.arrived))
				c.Work(serving, 5*time.Minute)
			}
		})
	}
	k.Go("doorman", func(c *sim.Coroutine) {
		for {
			next := queue.Receive(c, waiting)
			desks[free.Receive(c, waiting)].Post(c, next)
		}
	})
	k.Go("street", func(c *sim.Coroutine) {
		for _, name := range []string{"Ann", "Bob", "Cy", "Dee"} {
			queue.Post(c, customer{name, c.Now()})
			c.Hold(time.Minute)
		}
	})
	k.Run(sim.Time(time.Hour))

	// Output:
	//    0s  Ann is served at desk 1 after 0s
	//  1m0s  Bob is served at desk 2 after 0s
	//  5m0s  Cy is served at desk 1 after 3m0s
	//  6m0s  Dee is served at desk 2 after 3m0s
}

// A car wash with one lane and one machine. Cars queue for the lane; the
// machine's single core also dries the car before, so the two slow each other
// down.
func Example_carWash() {
	const washing, drying, queueing sim.Activity = 1, 2, 3
	var k sim.Kernel
	defer k.Close()

	machine := sim.NewSharing(&k, 1, sim.Machine{})
	lane := sim.Lock{Kind: sim.HandOff}
	car := func(t *sim.Thread) {
		wait := lane.Acquire(t, sim.Exclusive, queueing)
		t.Work(washing, 4*time.Minute)
		lane.Release(t, sim.Exclusive, queueing)
		t.Work(drying, 2*time.Minute)

		account := t.Account()
		fmt.Printf("%6v  %s leaves: queued %v, washed %v, dried %v, machine busy elsewhere %v\n",
			t.Now(), t.Name(), wait, account[washing], account[drying], account[sim.WaitProcessor])
	}
	k.Go("road", func(c *sim.Coroutine) {
		for _, name := range []string{"red", "blue", "green"} {
			machine.Go(name, car)
			c.Hold(3 * time.Minute)
		}
	})
	k.Run(sim.Forever)
	fmt.Printf("the machine was busy for %v of %v\n", machine.Busy(), k.Now())

	// Output:
	//   8m0s  red leaves: queued 0s, washed 4m0s, dried 2m0s, machine busy elsewhere 2m0s
	//  14m0s  blue leaves: queued 1m0s, washed 4m0s, dried 2m0s, machine busy elsewhere 4m0s
	//  18m0s  green leaves: queued 4m0s, washed 4m0s, dried 2m0s, machine busy elsewhere 2m0s
	// the machine was busy for 18m0s of 18m0s
}
