package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"avsim/sim"
	"pgregory.net/rapid"
)

// mustPanic checks that f panics with a message that contains text.
func mustPanic(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, text) {
			t.Errorf("panics with %q, want %q in it", got, text)
		}
	}()
	f()
}

func TestPast(t *testing.T) {
	var k sim.Kernel
	h := k.Handler(func(int64) {})
	k.At(10, h, 0)
	k.Run(sim.Forever)
	mustPanic(t, "before now", func() { k.At(9, h, 0) })
	mustPanic(t, "before now", func() { k.After(-1, h, 0) })
	k.Go("back", func(c *sim.Coroutine) { c.Hold(-1) })
	mustPanic(t, "before now", func() { k.Run(sim.Forever) })
	k.Close()
}

func TestRunUntil(t *testing.T) {
	var k sim.Kernel
	var got []int64
	h := k.Handler(func(arg int64) { got = append(got, arg) })
	for _, at := range []int64{30, 10, 20, 20} {
		k.At(sim.Time(at), h, at)
	}
	for _, c := range []struct {
		until, now sim.Time
		events     int
	}{
		{15, 15, 1}, // between events the clock stands at until
		{20, 20, 3}, // events at until are run
		{5, 20, 3},  // the clock does not go back
		{99, 30, 4}, // with nothing left it stands at the last event
	} {
		k.Run(c.until)
		if k.Now() != c.now || k.Events() != uint64(c.events) {
			t.Errorf("Run(%d): now %d after %d events, want %d after %d", c.until, k.Now(), k.Events(), c.now, c.events)
		}
	}
	if want := []int64{10, 20, 20, 30}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

func TestRunUntilStopsElision(t *testing.T) {
	var k sim.Kernel
	var woke sim.Time
	k.Go("sleeper", func(c *sim.Coroutine) {
		c.Hold(100)
		woke = c.Now()
	})
	k.Run(50)
	if k.Now() != 50 || woke != 0 {
		t.Errorf("a hold that ends after until: now %d, woke at %d; want 50 and not yet", k.Now(), woke)
	}
	k.Run(100)
	if woke != 100 {
		t.Errorf("woke at %d, want 100", woke)
	}
	k.Close()
}

func TestStop(t *testing.T) {
	var k sim.Kernel
	count := 0
	h := k.Handler(func(int64) {
		count++
		k.Stop()
	})
	k.At(1, h, 0)
	k.At(1, h, 0)
	k.Run(sim.Forever)
	if count != 1 {
		t.Errorf("%d events before Run returned, want 1", count)
	}
	k.Run(sim.Forever)
	if count != 2 {
		t.Errorf("%d events after the second Run, want 2", count)
	}

	var after sim.Time
	k.Go("stopper", func(c *sim.Coroutine) {
		k.Stop()
		c.Hold(10)
		after = c.Now()
	})
	k.Run(sim.Forever)
	if after != 0 || k.Now() != 1 {
		t.Errorf("a coroutine went on to %d after Stop, now is %d", after, k.Now())
	}
	k.Close()
}

// A hold that is elided leaves the order as it is. Events at every instant
// defeat the elision.
func TestElisionKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holds := scriptsOf(t, rapid.IntRange(0, 9), 8)
		run := func(elide bool) (log []string, events uint64) {
			var k sim.Kernel
			defer k.Close()
			if !elide {
				var h sim.HandlerID
				h = k.Handler(func(int64) {
					if k.Now() < 200 {
						k.After(1, h, 0)
					}
				})
				k.At(0, h, 0)
			}
			for i, script := range holds {
				k.Go("holder", func(c *sim.Coroutine) {
					for _, d := range script {
						c.Hold(time.Duration(d))
						log = append(log, fmt.Sprintf("%d@%d", i, c.Now()))
					}
				})
			}
			k.Run(sim.Forever)
			return log, k.Events()
		}
		with, _ := run(true)
		without, _ := run(false)
		if !slices.Equal(with, without) {
			t.Fatalf("with elision  %v\nwithout      %v", with, without)
		}
	})
}

func TestCloseUnwinds(t *testing.T) {
	var k sim.Kernel
	p := sim.NewFair(&k, 1, sim.Machine{}, sim.DefaultSlices)
	var log []string
	note := func(s string) func() { return func() { log = append(log, s) } }
	k.Go("holds", func(c *sim.Coroutine) {
		defer note("holds")()
		c.Hold(time.Hour)
		t.Error("a coroutine goes on after Close")
	})
	k.Go("parks", func(c *sim.Coroutine) {
		defer note("parks")()
		defer c.Hold(1) // a deferred call that waits is unwound too
		c.Park(parked)
	})
	k.Go("ended", func(*sim.Coroutine) { defer note("ended")() })
	p.Go("works", func(t *sim.Thread) {
		defer note("works")()
		spin(t)
	})
	k.Run(sim.Time(time.Minute))
	k.Go("never started", func(*sim.Coroutine) { note("started")() })
	k.Close()
	k.Close()
	if want := []string{"ended", "holds", "parks", "works"}; !slices.Equal(slices.Sorted(slices.Values(log)), want) {
		t.Errorf("deferred calls of %v, want %v", log, want)
	}
}

func TestPanicSurfaces(t *testing.T) {
	var k sim.Kernel
	k.Go("faulty", func(c *sim.Coroutine) {
		c.Hold(1)
		panic("a fault of the model")
	})
	mustPanic(t, "a fault of the model", func() { k.Run(sim.Forever) })
	k.Close()

	var l sim.Kernel
	p := sim.NewFair(&l, 1, sim.Machine{}, sim.DefaultSlices)
	p.Go("faulty", func(t *sim.Thread) {
		t.Work(working, 1)
		panic("a fault of a thread")
	})
	mustPanic(t, "a fault of a thread", func() { l.Run(sim.Forever) })
	l.Close()
}

// waiters are the kinds of process that can park.
func waiters(k *sim.Kernel) map[string]func(body func(sim.Process)) sim.Process {
	fair := sim.NewFair(k, 2, sim.Machine{}, sim.DefaultSlices)
	sharing := sim.NewSharing(k, 2, sim.Machine{})
	return map[string]func(func(sim.Process)) sim.Process{
		"coroutine": func(body func(sim.Process)) sim.Process {
			return k.Go("waiter", func(c *sim.Coroutine) { body(c) })
		},
		"fair thread": func(body func(sim.Process)) sim.Process {
			return fair.Go("waiter", func(t *sim.Thread) { body(t) })
		},
		"sharing thread": func(body func(sim.Process)) sim.Process {
			return sharing.Go("waiter", func(t *sim.Thread) { body(t) })
		},
	}
}

var kinds = []string{"coroutine", "fair thread", "sharing thread"}

func TestParkFor(t *testing.T) {
	const limit = 100
	for _, kind := range kinds {
		for _, c := range []struct {
			what    string
			unpark  sim.Time // 0: never
			early   bool     // scheduled before the timer
			want    bool
			wakesAt sim.Time
		}{
			{"nobody unparks", 0, false, false, limit},
			{"unparked before the limit", 60, false, true, 60},
			{"unparked at the limit, ahead of the timer", limit, true, true, limit},
		} {
			var k sim.Kernel
			var got, done bool
			var at, again sim.Time
			var p sim.Process
			h := k.Handler(func(int64) { p.Unpark(nil) })
			if c.early {
				k.At(c.unpark, h, 0)
			}
			p = waiters(&k)[kind](func(p sim.Process) {
				got = p.ParkFor(parked, limit)
				at, done = p.Now(), true
				p.ParkFor(parked, 1000) // the first timer must not cut this short
				again = p.Now()
			})
			if c.unpark > 0 && !c.early {
				k.At(c.unpark, h, 0)
			}
			k.Run(sim.Forever)
			if !done || got != c.want || at != c.wakesAt {
				t.Errorf("%s, %s: went on %v at %d with %v; want at %d with %v", kind, c.what, done, at, got, c.wakesAt, c.want)
			}
			if again != c.wakesAt+1000 {
				t.Errorf("%s, %s: the next limit of 1000 ran out at %d, want %d", kind, c.what, again, c.wakesAt+1000)
			}
			mustPanic(t, "not parked", func() { p.Unpark(nil) })
			k.Close()
		}
	}
}

// The timer of a wait that was ended by Unpark does not end a later one.
func TestTimerOfEarlierWait(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		var at sim.Time
		p := waiters(&k)[kind](func(p sim.Process) {
			p.ParkFor(parked, 100)
			p.Park(parked)
			at = p.Now()
		})
		h := k.Handler(func(int64) { p.Unpark(nil) })
		k.At(60, h, 0)
		k.At(500, h, 0)
		k.Run(sim.Forever)
		k.Close()
		if at != 500 {
			t.Errorf("%s: woken at %d, want 500", kind, at)
		}
	}
}

func TestUnparkOfSleeper(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		p := waiters(&k)[kind](func(p sim.Process) {
			if t, ok := p.(*sim.Thread); ok {
				t.Sleep(sleeping, 100)
			} else {
				p.Work(working, 100)
			}
		})
		k.Run(50)
		mustPanic(t, "not parked", func() { p.Unpark(nil) })
		k.Close()
	}
}

// Between the end of its time and its next instant on a core a thread can
// still be unparked; that counts as in time.
func TestUnparkOnTheWayToCore(t *testing.T) {
	var k sim.Kernel
	p := sim.NewFair(&k, 1, sim.Machine{WakeLatency: func() time.Duration { return 50 }}, sim.DefaultSlices)
	var signal sim.Signal
	var in bool
	p.Go("waiter", func(t *sim.Thread) { in = signal.WaitFor(t, parked, 100) }) // from 50 to 150, runs at 200
	h := k.Handler(func(int64) { signal.Broadcast(nil) })
	k.At(170, h, 0)
	k.Run(sim.Forever)
	k.Close()
	if !in || k.Now() != 200 {
		t.Errorf("in time %v, ended at %d; want true at 200", in, k.Now())
	}
}

// A process that takes the place of one that has ended must not be woken by
// what was meant for that one.
func TestPlacesAreReused(t *testing.T) {
	for _, kind := range kinds {
		var k sim.Kernel
		start := waiters(&k)[kind]
		first := start(func(p sim.Process) { p.ParkFor(parked, 1000) }) // leaves a timer behind
		k.Run(10)
		first.Unpark(nil)
		k.Run(20)
		woken := false
		second := start(func(p sim.Process) {
			p.ParkFor(parked, 5000)
			woken = true
		})
		k.Run(2000)
		if woken {
			t.Errorf("%s: the timer of an ended process woke its successor", kind)
		}
		second.Unpark(nil)
		k.Run(sim.Forever)
		if !woken {
			t.Errorf("%s: the successor was not woken by Unpark", kind)
		}
		mustPanic(t, "not parked", func() { first.Unpark(nil) })
		k.Close()
	}
}
