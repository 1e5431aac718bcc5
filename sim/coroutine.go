package sim

import (
	"iter"
	"time"
)

// Activity says what a process does or waits for: the account that its time
// is charged to. A model numbers its own from 1; 0 is the engine's.
type Activity uint8

// WaitProcessor is the time for which a thread could run and no core does.
const WaitProcessor Activity = 0

// Activities is how many activities a model can tell apart, the engine's own
// included.
const Activities = 16

// Process is what can wait at a [Lock], a [Signal] or a [Mailbox]: a
// [Coroutine], or a [Thread], which needs a core to go on.
type Process interface {
	// Now is the current instant.
	Now() Time
	// Work uses d of processor time; a coroutine without a processor holds.
	Work(a Activity, d time.Duration)
	// Park suspends the process until Unpark.
	Park(a Activity)
	// ParkFor is Park with a limit; it tells whether Unpark came in time.
	ParkFor(a Activity, d time.Duration) bool
	// Unpark lets a parked process go on, on behalf of the process by, or of
	// an event when by is nil. It returns what the call costs the caller in
	// processor time. On a process that is not parked it panics.
	Unpark(by Process) time.Duration
}

// Coroutine is a script in simulated time that needs no processor. Only the
// coroutine itself may call Hold, Work, Park and ParkFor.
type Coroutine struct {
	k       *Kernel
	name    string
	id      int64
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	timer   uint32 // generation; a resume event of an older one is stale
	parked  bool
	timeout bool
	under   bool // it waits in its place or has resumed another, and that one perhaps others
}

// closed is what unwinds a coroutine whose kernel is closed.
type closed struct{}

// Go starts body as a coroutine at the current instant.
func (k *Kernel) Go(name string, body func(*Coroutine)) *Coroutine {
	c := k.newCoroutine(name, body)
	c.resumeAt(k.now)
	return c
}

// newCoroutine makes a coroutine that waits to be resumed.
func (k *Kernel) newCoroutine(name string, body func(*Coroutine)) *Coroutine {
	if k.routines == nil {
		k.resume = k.Handler(k.resumeRoutine)
	}
	c := &Coroutine{k: k, name: name}
	k.seat(c)
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != (closed{}) {
				panic(r)
			}
		}()
		c.yield = yield
		body(c)
	})
	return c
}

// seat gives c a place among the coroutines, if one is free that of a
// coroutine that has ended; events that were meant for that one stay stale.
func (k *Kernel) seat(c *Coroutine) {
	if n := len(k.ended); n > 0 {
		c.id, c.timer = k.ended[n-1], k.routines[k.ended[n-1]].timer
		k.ended = k.ended[:n-1]
		k.routines[c.id] = c
		return
	}
	c.id = int64(len(k.routines))
	k.routines = append(k.routines, c)
}

// Name is the name that the coroutine was started with.
func (c *Coroutine) Name() string { return c.name }

// Now is the current instant.
func (c *Coroutine) Now() Time { return c.k.now }

// Hold lets d pass.
func (c *Coroutine) Hold(d time.Duration) {
	t := c.k.now.Add(d)
	if c.k.skipTo(t) {
		return
	}
	c.resumeAt(t)
	c.suspend()
}

// Work lets d pass, as a coroutine has a processor of its own.
func (c *Coroutine) Work(_ Activity, d time.Duration) { c.Hold(d) }

// Park suspends the coroutine until Unpark.
func (c *Coroutine) Park(Activity) {
	c.parked = true
	c.suspend()
}

// ParkFor suspends the coroutine until Unpark or until d has passed, and tells
// whether it was Unpark.
func (c *Coroutine) ParkFor(_ Activity, d time.Duration) bool {
	c.parked, c.timeout = true, true
	c.resumeAt(c.k.now.Add(d))
	c.suspend()
	return !c.timeout
}

// Unpark lets a parked coroutine go on at the current instant. It costs nothing.
func (c *Coroutine) Unpark(Process) time.Duration {
	if !c.parked {
		panic("sim: Unpark of " + c.name + ", which is not parked")
	}
	c.parked, c.timeout = false, false
	c.resumeAt(c.k.now)
	return 0
}

// resumeAt schedules the resumption and makes earlier ones stale.
func (c *Coroutine) resumeAt(t Time) {
	c.timer++
	c.k.At(t, c.k.resume, c.id<<32|int64(c.timer))
}

// suspend lets events run until it is the coroutine's turn again.
func (c *Coroutine) suspend() { c.k.drive(c) }

// drive runs events until it is the turn of coroutine self, or for nil until
// the run is over. Whoever waits drives: a coroutine that is the next to go on
// goes on without a switch, and one that resumes another waits below it, so
// that two that alternate take one switch each time and not one to the kernel
// and one from there.
func (k *Kernel) drive(self *Coroutine) {
	for {
		k.step()
		switch c := k.turn; {
		case c == self:
			k.turn = nil
			return
		case c == nil || c.under: // the run is over, or one below is to go on
			if !self.yield(struct{}{}) {
				panic(closed{})
			}
			return
		default:
			c.resume()
		}
	}
}

// resume lets the coroutine go on; it returns when the coroutine waits and
// someone else is to go on, or when it ends.
func (c *Coroutine) resume() {
	c.k.turn = nil
	c.under = true
	_, alive := c.next()
	c.under = false
	if !alive {
		c.timer++
		c.k.ended = append(c.k.ended, c.id)
	}
}

// run makes it the coroutine's turn once the event under way is over.
func (c *Coroutine) run() { c.k.turn = c }

func (k *Kernel) resumeRoutine(arg int64) {
	c := k.routines[arg>>32]
	if uint32(arg) != c.timer {
		return
	}
	c.parked = false
	c.run()
}
