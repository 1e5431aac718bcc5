package sim

import (
	"fmt"
	"math"
	"time"
)

// Time is an instant: nanoseconds since the start of the run.
type Time int64

// Forever lies after every instant that a run reaches.
const Forever Time = math.MaxInt64

// Add returns the instant d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns the time from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String renders t as a duration since the start of the run, such as 1m2.5s.
func (t Time) String() string { return time.Duration(t).String() }

// HandlerID names a handler that was registered with a Kernel.
type HandlerID uint32

// Kernel is the clock and the calendar of one run. Its zero value is ready to
// use. It is not safe for concurrent use: one goroutine drives one run, and
// independent runs are what goes in parallel.
type Kernel struct {
	now      Time
	until    Time
	calendar calendar
	handlers []func(arg int64)
	routines []*Coroutine
	ended    []int64    // places of coroutines that have ended
	turn     *Coroutine // the next to go on, if any
	resume   HandlerID
	stopped  bool
	events   uint64

	// Check, if not nil, is asked every hundred events or so whether to go on.
	Check func() bool
}

// checkEvery is after how many events Check is asked, less one: microseconds of real
// time with a model of small events, a tenth of a second with one that does a
// millisecond's work in each.
const checkEvery = 1<<7 - 1

// Now is the current instant.
func (k *Kernel) Now() Time { return k.now }

// Events is the number of events run so far.
func (k *Kernel) Events() uint64 { return k.events }

// Handler registers f and returns the name under which events call it.
func (k *Kernel) Handler(f func(arg int64)) HandlerID {
	k.handlers = append(k.handlers, f)
	return HandlerID(len(k.handlers) - 1)
}

// At schedules a call of handler h with arg at instant t. An instant before
// now is a fault of the model and panics.
func (k *Kernel) At(t Time, h HandlerID, arg int64) {
	if t < k.now {
		panic(fmt.Sprintf("sim: event scheduled at %v, which lies before now, %v", t, k.now))
	}
	k.calendar.push(t, h, arg)
}

// After schedules a call of handler h with arg after d.
func (k *Kernel) After(d time.Duration, h HandlerID, arg int64) { k.At(k.now.Add(d), h, arg) }

// Run runs events until the calendar is empty, Stop is called, or the next
// event lies after until; in the last case the clock stands at until.
func (k *Kernel) Run(until Time) {
	k.until, k.stopped = until, false
	k.drive(nil)
}

// step runs events until one of them makes it a coroutine's turn, or the run is
// over.
func (k *Kernel) step() {
	for k.turn == nil && !k.stopped {
		if k.events&checkEvery == checkEvery && k.Check != nil && !k.Check() {
			k.stopped = true
			return
		}
		e, due := k.calendar.pop(k.until)
		if !due {
			k.stopped = true
			if !k.calendar.empty() {
				k.now = max(k.now, k.until)
			}
			return
		}
		k.now = e.at
		k.events++
		k.handlers[e.handler](e.arg)
	}
}

// Stop ends Run after the event under way.
func (k *Kernel) Stop() { k.stopped = true }

// Close ends the coroutines that are still under way; their deferred calls
// run. A Kernel that had coroutines must be closed, or they stay in memory.
func (k *Kernel) Close() {
	k.turn, k.stopped = nil, true
	for _, c := range k.routines {
		c.stop()
	}
	k.routines, k.ended = nil, nil
}

// undisturbed is for how long from now nothing is due.
func (k *Kernel) undisturbed() time.Duration {
	until := k.until
	if !k.calendar.empty() {
		until = min(until, k.calendar.earliest()-1)
	}
	if k.stopped || until < k.now {
		return 0
	}
	return until.Sub(k.now)
}

// skipTo moves the clock to t when nothing is due before or at t, and tells
// whether it did: the hold elision that saves a coroutine switch.
func (k *Kernel) skipTo(t Time) bool {
	if k.stopped || t < k.now || t > k.until || !k.calendar.none(t) {
		return false
	}
	k.now = t
	return true
}
