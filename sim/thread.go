package sim

import "time"

// Cost is the processor time of an activity: Cold the first time after the
// thread has woken on a core that had been idle (see Machine.ColdAfter), whose
// caches no longer hold what the activity needs; Hot otherwise.
type Cost struct{ Hot, Cold time.Duration }

// Flat is a cost that does not depend on what the core did before.
func Flat(d time.Duration) Cost { return Cost{Hot: d, Cold: d} }

type threadState uint8

const (
	blocked  threadState = iota // sleeps, or waits for something that is not a processor
	runnable                    // waits for a core
	running                     // has a core (fair) or a share of all (sharing)
	ended
)

// Thread is a process of an operating system: a script that needs a core of
// its Processor to go on. Only the thread itself may call Work, WorkCost,
// Sleep, Park and ParkFor.
type Thread struct {
	routine *Coroutine
	cpu     *Processor
	state   threadState
	parked  bool // in Park or ParkFor and not yet unparked
	timeout bool
	cold    uint16 // bit per activity: not done since a cold wake-up
	timer   uint32 // generation of the wake-up timer
	id      int64

	activity Activity // what the open interval is charged to
	since    Time     // start of the open interval
	born     Time
	died     Time
	account  Account
	used     time.Duration

	fair   fairThread
	shared sharedThread
}

// Account is the time that a thread has spent, by activity.
type Account [Activities]time.Duration

// Total is the sum over all activities.
func (a *Account) Total() (sum time.Duration) {
	for _, d := range a {
		sum += d
	}
	return sum
}

// Minus is the time spent since the account b was taken.
func (a Account) Minus(b Account) Account {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// Plus adds up two accounts.
func (a Account) Plus(b Account) Account {
	for i := range a {
		a[i] += b[i]
	}
	return a
}

// Name is the name that the thread was started with.
func (t *Thread) Name() string { return t.routine.name }

// Now is the current instant.
func (t *Thread) Now() Time { return t.cpu.k.now }

// Born and Died are the thread's first instant and, once it has ended, its
// last; Died is Forever before.
func (t *Thread) Born() Time { return t.born }

// Died is the instant at which the thread ended, Forever before that.
func (t *Thread) Died() Time { return t.died }

// Account is the time spent so far, by activity, the open interval included:
// it sums to the thread's life to the nanosecond.
func (t *Thread) Account() Account {
	t.cpu.discipline.settle(t)
	t.charge()
	return t.account
}

// Used is the processor time that the thread has had so far.
func (t *Thread) Used() time.Duration {
	t.cpu.discipline.settle(t)
	return t.used
}

// charge closes the open interval at the current instant.
func (t *Thread) charge() {
	now := t.cpu.k.now
	if t.state != ended {
		t.account[t.charged()] += now.Sub(t.since)
	}
	t.since = now
}

// charged is the activity that the open interval belongs to.
func (t *Thread) charged() Activity {
	if t.state == runnable {
		return WaitProcessor
	}
	return t.activity
}

// enter closes the open interval and begins one in state s.
func (t *Thread) enter(s threadState) {
	t.charge()
	t.state = s
}

// Work uses d of processor time.
func (t *Thread) Work(a Activity, d time.Duration) {
	if d <= 0 {
		return
	}
	t.charge()
	t.activity = a
	t.cpu.discipline.work(t, d)
}

// WorkCost uses the processor time that c gives, hot or cold.
func (t *Thread) WorkCost(a Activity, c Cost) {
	if bit := uint16(1) << a; t.cold&bit != 0 {
		t.cold &^= bit
		t.Work(a, c.Cold)
		return
	}
	t.Work(a, c.Hot)
}

// Undisturbed is how much work the thread, which has a core, can do from now on before
// anything else happens in the model: however it is cut up into pieces, the result is the
// same. It is 0 where that is not known. In it nothing is cold that is not so now; see Cold.
func (t *Thread) Undisturbed() time.Duration {
	if t.state != running || !t.cpu.discipline.undisturbed(t) {
		return 0
	}
	return t.cpu.k.undisturbed()
}

// Cold tells whether the next WorkCost of an activity is a cold one.
func (t *Thread) Cold(a Activity) bool { return t.cold&(1<<a) != 0 }

// Sleep gives up the core for at least d; the sleep overshoots by the
// processor's timer slack and the wake-up.
func (t *Thread) Sleep(a Activity, d time.Duration) {
	t.block(a)
	t.setTimer(d + t.cpu.overshoot(d))
	t.routine.suspend()
}

// Park gives up the core until Unpark.
func (t *Thread) Park(a Activity) {
	t.parked = true
	t.block(a)
	t.routine.suspend()
}

// ParkFor gives up the core until Unpark or until d has passed, and tells
// whether it was Unpark.
func (t *Thread) ParkFor(a Activity, d time.Duration) bool {
	t.parked, t.timeout = true, true
	t.block(a)
	t.setTimer(d + t.cpu.overshoot(d))
	t.routine.suspend()
	t.parked = false
	return !t.timeout
}

// Unpark makes a parked thread runnable on behalf of the process by, or of an
// event when by is nil. It returns what the call costs the waking thread. One
// whose time has run out, but which has not had a core since, counts as
// unparked in time.
func (t *Thread) Unpark(by Process) time.Duration {
	if !t.parked {
		panic("sim: Unpark of " + t.Name() + ", which is not parked")
	}
	t.parked, t.timeout = false, false
	if t.state != blocked {
		return 0
	}
	t.timer++
	waker, _ := by.(*Thread)
	t.enter(runnable)
	cost := t.cpu.discipline.wake(t, waker)
	if waker != nil {
		waker.cpu.discipline.yield(waker)
	}
	return cost
}

func (t *Thread) block(a Activity) {
	t.enter(blocked)
	t.activity = a
	t.cpu.discipline.block(t)
}

func (t *Thread) setTimer(d time.Duration) {
	t.timer++
	t.cpu.k.After(d, t.cpu.alarm, t.id<<32|int64(t.timer))
}

// dispatch lets a thread that has a core go on with its script.
func (t *Thread) dispatch() { t.routine.run() }
