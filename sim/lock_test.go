package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"avsim/sim"
	"pgregory.net/rapid"
)

const ms = time.Millisecond

// asker asks for a lock at the instants since the last hold ended, in ms.
type asker struct {
	name  string
	mode  sim.Mode
	turns []turn
}

type turn struct{ think, hold int }

func once(name string, mode sim.Mode, think, hold int) asker {
	return asker{name, mode, []turn{{think, hold}}}
}

// timeline runs the askers as coroutines and lists who had the lock from when.
func timeline(kind sim.HandOver, askers ...asker) (got []string, lock *sim.Lock) {
	var k sim.Kernel
	lock = &sim.Lock{Kind: kind}
	for _, a := range askers {
		k.Go(a.name, func(c *sim.Coroutine) {
			for _, turn := range a.turns {
				if turn.think > 0 {
					c.Hold(time.Duration(turn.think) * ms)
				}
				lock.Acquire(c, a.mode, locking)
				got = append(got, fmt.Sprintf("%s@%d", a.name, int64(c.Now().Sub(0)/ms)))
				c.Hold(time.Duration(turn.hold) * ms)
				lock.Release(c, a.mode, locking)
			}
		})
	}
	k.Run(sim.Forever)
	k.Close()
	return got, lock
}

func TestLockTimelines(t *testing.T) {
	const x, s = sim.Exclusive, sim.Shared
	greedy := asker{"A", x, []turn{{0, 10}, {0, 10}}}
	for _, c := range []struct {
		what          string
		kind          sim.HandOver
		askers        []asker
		want          []string
		waits, barged int
	}{
		{"nobody barges: first come, first served", sim.Barging,
			[]asker{once("A", x, 0, 10), once("B", x, 1, 10), once("C", x, 2, 10)},
			[]string{"A@0", "B@10", "C@20"}, 2, 0},
		{"hand-off: first come, first served", sim.HandOff,
			[]asker{once("A", x, 0, 10), once("B", x, 1, 10), once("C", x, 2, 10)},
			[]string{"A@0", "B@10", "C@20"}, 2, 0},
		{"a releaser that asks again at once has it; the woken one goes to the tail", sim.Barging,
			[]asker{greedy, once("B", x, 1, 5), once("C", x, 2, 5)},
			[]string{"A@0", "A@10", "C@20", "B@25"}, 3, 1},
		{"hand-off: it goes behind", sim.HandOff,
			[]asker{greedy, once("B", x, 1, 5), once("C", x, 2, 5)},
			[]string{"A@0", "B@10", "C@15", "A@20"}, 3, 0},
		{"shared holders stand beside each other, an exclusive one waits for the last", sim.Barging,
			[]asker{once("A", s, 0, 10), once("B", s, 1, 20), once("C", x, 2, 5)},
			[]string{"A@0", "B@1", "C@21"}, 1, 0},
		{"a shared one overtakes an exclusive waiter", sim.Barging,
			[]asker{once("A", s, 0, 10), once("B", x, 1, 5), once("C", s, 2, 20)},
			[]string{"A@0", "C@2", "B@22"}, 1, 0},
		{"under hand-off it does not", sim.HandOff,
			[]asker{once("A", s, 0, 10), once("B", x, 1, 5), once("C", s, 2, 20)},
			[]string{"A@0", "B@10", "C@15"}, 2, 0},
		{"the first waiter is shared: all shared ones are woken, over the heads of exclusive ones", sim.Barging,
			[]asker{once("A", x, 0, 10), once("B", s, 1, 5), once("C", x, 2, 5), once("D", s, 3, 7)},
			[]string{"A@0", "B@10", "D@10", "C@17"}, 3, 0},
		{"the first waiter is exclusive: it alone is woken", sim.Barging,
			[]asker{once("A", x, 0, 10), once("B", x, 1, 5), once("C", s, 2, 5), once("D", s, 3, 5)},
			[]string{"A@0", "B@10", "C@15", "D@15"}, 3, 0},
	} {
		got, lock := timeline(c.kind, c.askers...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if lock.Waits != c.waits || lock.Barged != c.barged || lock.Acquisitions != len(c.want) {
			t.Errorf("%s: %d acquisitions, %d waits, %d barged; want %d, %d, %d", c.what,
				lock.Acquisitions, lock.Waits, lock.Barged, len(c.want), c.waits, c.barged)
		}
	}
}

// While a woken process is on its way, a further release wakes no other
// (RELEASE_OK in lwlock.c).
func TestLockWakesOneAtATime(t *testing.T) {
	var k sim.Kernel
	p := sim.NewFair(&k, 4, sim.Machine{WakeLatency: func() time.Duration { return 10 * ms }}, sim.DefaultSlices)
	var lock sim.Lock
	var got []string
	take := func(t *sim.Thread, hold time.Duration) {
		lock.Acquire(t, sim.Exclusive, locking)
		got = append(got, fmt.Sprintf("%s@%d", t.Name(), int64(t.Now().Sub(0)/ms)))
		t.Work(working, hold)
		lock.Release(t, sim.Exclusive, locking)
	}
	p.Go("A", func(t *sim.Thread) { // runs from 10 ms on
		take(t, 20*ms) // wakes B, which runs at 40
		t.Work(working, 2*ms)
		take(t, 3*ms) // wakes nobody
		t.Work(working, 1*ms)
		take(t, 8*ms) // B finds it taken and goes behind C, which runs at 54
	})
	for i, name := range []string{"B", "C"} {
		k.Go("start", func(c *sim.Coroutine) {
			c.Hold(time.Duration(5+i) * ms)
			p.Go(name, func(t *sim.Thread) { take(t, 5*ms) })
		})
	}
	k.Run(sim.Forever)
	k.Close()
	if want := []string{"A@10", "A@32", "A@36", "C@54", "B@69"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLockReleaseUnheld(t *testing.T) {
	for _, mode := range []sim.Mode{sim.Shared, sim.Exclusive} {
		mustPanic(t, "release of a lock that is not held", func() { new(sim.Lock).Release(nil, mode, locking) })
	}
}

// holders checks who holds a lock.
type holders struct{ shared, exclusive int }

func (h *holders) enter(mode sim.Mode) string {
	if mode == sim.Exclusive {
		h.exclusive++
	} else {
		h.shared++
	}
	if h.exclusive > 1 || h.exclusive == 1 && h.shared > 0 {
		return fmt.Sprintf("%d exclusive and %d shared holders", h.exclusive, h.shared)
	}
	return ""
}

func (h *holders) leave(mode sim.Mode) {
	if mode == sim.Exclusive {
		h.exclusive--
	} else {
		h.shared--
	}
}

// step is a turn of a random script, in µs.
type step struct {
	mode        sim.Mode
	try         bool
	think, hold int
}

var steps = rapid.Custom(func(t *rapid.T) step {
	return step{
		mode:  rapid.SampledFrom([]sim.Mode{sim.Shared, sim.Exclusive}).Draw(t, "mode"),
		try:   rapid.Bool().Draw(t, "try"),
		think: rapid.IntRange(0, 5).Draw(t, "think") * rapid.SampledFrom([]int{1, 50, 3000}).Draw(t, "unit"),
		hold:  rapid.IntRange(0, 5).Draw(t, "hold") * rapid.SampledFrom([]int{1, 50, 3000}).Draw(t, "unit"),
	}
})

// Whatever processes do with a lock, each comes to its end, and nobody is
// beside an exclusive holder.
func TestLockScripts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scripts := scriptsOf(t, steps, 8)
		kind := rapid.SampledFrom([]sim.HandOver{sim.Barging, sim.HandOff}).Draw(t, "kind")
		cores := rapid.IntRange(0, 3).Draw(t, "cores") // 0: coroutines

		var k sim.Kernel
		lock := sim.Lock{Kind: kind}
		var h holders
		fault, ended := "", 0
		play := func(p sim.Process, script []step) {
			for _, s := range script {
				p.Work(working, time.Duration(s.think)*time.Microsecond)
				if !s.try || !lock.TryAcquire(s.mode) {
					lock.Acquire(p, s.mode, locking)
				}
				if f := h.enter(s.mode); f != "" {
					fault = f
				}
				p.Work(working, time.Duration(s.hold)*time.Microsecond)
				h.leave(s.mode)
				lock.Release(p, s.mode, locking)
			}
			ended++
		}
		if cores == 0 {
			for _, script := range scripts {
				k.Go("process", func(c *sim.Coroutine) { play(c, script) })
			}
		} else {
			r := sim.NewStreams(1, 0).Named("machine")
			p := sim.NewFair(&k, cores, sim.Machine{
				WakeLatency: func() time.Duration { return time.Duration(r.IntN(90)) * time.Microsecond },
				WakeCall:    func() time.Duration { return 2 * time.Microsecond }, WakeOnWaker: 0.3, Random: r,
			}, sim.DefaultSlices)
			for _, script := range scripts {
				p.Go("process", func(t *sim.Thread) { play(t, script) })
			}
		}
		k.Run(sim.Time(time.Hour))
		k.Close()
		if fault != "" {
			t.Fatal(fault)
		}
		if ended != len(scripts) {
			t.Fatalf("%d of %d scripts came to their end; %d waits, %d barged", ended, len(scripts), lock.Waits, lock.Barged)
		}
	})
}
