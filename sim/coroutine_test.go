package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"avsim/sim"
	"pgregory.net/rapid"
)

// move is one of a script's: hold, or park until another unparks, or unpark
// another if it is parked, or stop the run for a moment.
type move struct {
	what  int // 0 hold, 1 park, 2 unpark, 3 stop
	d     time.Duration
	other int
}

func drawMove(t *rapid.T) move {
	return move{
		what:  rapid.SampledFrom([]int{0, 0, 0, 1, 2, 2, 3}).Draw(t, "what"),
		d:     time.Duration(rapid.IntRange(0, 6).Draw(t, "d")),
		other: rapid.IntRange(0, 6).Draw(t, "other"),
	}
}

// asCoroutines runs the scripts as coroutines and tells what happened when.
func asCoroutines(scripts [][]move, until []sim.Time) (log []string) {
	var k sim.Kernel
	defer k.Close()
	all := make([]*sim.Coroutine, len(scripts))
	parks := make([]bool, len(scripts))
	for i, script := range scripts {
		all[i] = k.Go(fmt.Sprint(i), func(c *sim.Coroutine) {
			for n, s := range script {
				log = append(log, fmt.Sprintf("%d.%d@%d", i, n, c.Now()))
				switch o := s.other % len(all); s.what {
				case 0:
					c.Hold(s.d)
				case 1:
					parks[i] = true
					c.Park(parked)
				case 2:
					if parks[o] {
						parks[o] = false
						all[o].Unpark(c)
					}
				case 3:
					k.Stop()
				}
			}
		})
	}
	for _, u := range until {
		k.Run(u)
		log = append(log, fmt.Sprintf("run ended @%d", k.Now()))
	}
	return log
}

// asEvents runs the same scripts as what they amount to: an event for each time
// that a script goes on, its state a number.
func asEvents(scripts [][]move, until []sim.Time) (log []string) {
	var k sim.Kernel
	at, parks := make([]int, len(scripts)), make([]bool, len(scripts))
	var h sim.HandlerID
	h = k.Handler(func(i int64) {
		for at[i] < len(scripts[i]) {
			s := scripts[i][at[i]]
			log = append(log, fmt.Sprintf("%d.%d@%d", i, at[i], k.Now()))
			at[i]++
			switch o := s.other % len(scripts); s.what {
			case 0:
				k.After(s.d, h, i)
				return
			case 1:
				parks[i] = true
				return
			case 2:
				if parks[o] {
					parks[o] = false
					k.After(0, h, int64(o))
				}
			case 3:
				k.Stop()
			}
		}
	})
	for i := range scripts {
		k.At(0, h, int64(i))
	}
	for _, u := range until {
		k.Run(u)
		log = append(log, fmt.Sprintf("run ended @%d", k.Now()))
	}
	return log
}

// Whichever coroutine drives the events while it waits, all goes on in the
// order of the events.
func TestCoroutinesAgainstEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scripts := scriptsOf(t, rapid.Custom(drawMove), 7)
		var until []sim.Time
		for range 8 {
			until = append(until, sim.Time(rapid.IntRange(0, 30).Draw(t, "until")))
		}
		slices.Sort(until)
		for range 7 * 12 { // one for each stop
			until = append(until, sim.Forever)
		}
		got, want := asCoroutines(scripts, until), asEvents(scripts, until)
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("as coroutines %v\nas events     %v", got, want)
			}
		}
	})
}

// A fault of one coroutine ends the run although others wait below it, and each
// of those is unwound once.
func TestPanicUnwindsThoseBelow(t *testing.T) {
	var k sim.Kernel
	unwound := make([]int, 5)
	for i := range unwound {
		k.Go("waits", func(c *sim.Coroutine) {
			defer func() { unwound[i]++ }()
			for {
				c.Hold(time.Duration(3 + i))
			}
		})
	}
	k.Go("faulty", func(c *sim.Coroutine) {
		c.Hold(100)
		panic("a fault of the model")
	})
	mustPanic(t, "a fault of the model", func() { k.Run(sim.Forever) })
	k.Close()
	if !slices.Equal(unwound, []int{1, 1, 1, 1, 1}) {
		t.Errorf("deferred calls of those that wait: %v, want one each", unwound)
	}
}
