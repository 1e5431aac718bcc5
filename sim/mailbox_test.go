package sim_test

import (
	"slices"
	"testing"

	"avsim/sim"
)

func TestMailboxOrder(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		var box sim.Mailbox[int]
		var got []int
		waiters(&k)[kind](func(p sim.Process) {
			for range 100 {
				got = append(got, box.Receive(p, parked))
				p.Work(working, 15)
			}
		})
		k.Go("source", func(c *sim.Coroutine) {
			for i := range 100 {
				box.Post(c, i)
				c.Hold(10) // faster than the reader
			}
		})
		k.Run(sim.Forever)
		k.Close()
		if len(got) != 100 || !slices.IsSorted(got) || box.Len() != 0 {
			t.Errorf("%s: received %v, %d left", kind, got, box.Len())
		}
	}
}

func TestMailboxTimeouts(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		var box sim.Mailbox[string]
		type result struct {
			m  string
			ok bool
			at sim.Time
		}
		var got []result
		waiters(&k)[kind](func(p sim.Process) {
			for range 4 {
				m, ok := box.ReceiveFor(p, parked, 100)
				got = append(got, result{m, ok, p.Now()})
			}
		})
		post := k.Handler(func(int64) { box.Post(nil, "m") })
		k.At(130, post, 0) // while it waits from 100 on
		k.At(130, post, 0) // taken at once
		k.Run(sim.Forever)
		k.Close()
		want := []result{{"", false, 100}, {"m", true, 130}, {"m", true, 130}, {"", false, 230}}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		box.Post(nil, "after") // nobody waits any more: must not wake
	}
}

func TestSignal(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		var signal sim.Signal
		start := waiters(&k)[kind]
		var woken []string
		wait := func(name string) {
			start(func(p sim.Process) {
				signal.Wait(p, parked)
				woken = append(woken, name)
			})
		}
		var late bool
		wait("a")
		wait("b")
		start(func(p sim.Process) { late = !signal.WaitFor(p, parked, 5) })
		start(func(p sim.Process) {
			if signal.WaitFor(p, parked, 50) {
				woken = append(woken, "c")
			}
		})
		k.Run(10)
		signal.Broadcast(nil)
		wait("next time")
		k.Run(sim.Forever)
		k.Close()
		if want := []string{"a", "b", "c"}; !slices.Equal(woken, want) || !late {
			t.Errorf("%s: woken %v, timed out %v; want %v and true", kind, woken, late, want)
		}
	}
}
