package sim

import "time"

// Mode is how a lock is held.
type Mode uint8

// The modes of a lock.
const (
	Shared    Mode = iota // beside other shared holders
	Exclusive             // alone
)

// HandOver is what a release does with the waiters.
type HandOver uint8

const (
	// Barging is PostgreSQL's LWLock (src/backend/storage/lmgr/lwlock.c): a
	// release wakes the first waiter but leaves the lock free; whoever asks
	// first has it, and a woken process that finds it taken goes to the tail
	// of the queue. While a wake-up is under way no other waiter is woken.
	Barging HandOver = iota
	// HandOff gives the lock to the first waiter.
	HandOff
)

// Lock is a shared/exclusive lock with a queue of waiters in the order in
// which they came. The zero value is a free lock with barging.
type Lock struct {
	Kind HandOver

	exclusive bool
	shared    int
	queue     []*waiter
	woken     []*waiter // room for dequeue
	waking    bool      // a waiter was woken and has not looked yet (RELEASE_OK cleared)

	// Acquisitions counts how often the lock was taken, Waits how often a
	// process had to park for it, Barged how often a woken process lost it to
	// one that came first.
	Acquisitions, Waits, Barged int
}

type waiter struct {
	p       Process
	mode    Mode
	queued  bool
	granted bool
}

// TryAcquire takes the lock if it is free for mode, and tells whether it was.
func (l *Lock) TryAcquire(mode Mode) bool {
	switch {
	case l.exclusive, mode == Exclusive && l.shared > 0:
		return false
	case l.Kind == HandOff && len(l.queue) > 0:
		return false // nobody overtakes
	}
	l.take(mode)
	return true
}

// Idle tells whether nobody holds the lock or waits for it.
func (l *Lock) Idle() bool { return !l.exclusive && l.shared == 0 && len(l.queue) == 0 }

func (l *Lock) take(mode Mode) {
	l.Acquisitions++
	if mode == Exclusive {
		l.exclusive = true
		return
	}
	l.shared++
}

// Acquire takes the lock for process p, which parks under activity a until it
// has it. It returns how long that took.
func (l *Lock) Acquire(p Process, mode Mode, a Activity) time.Duration {
	start := p.Now()
	var w *waiter // made for those who have to wait alone
	for (w == nil || !w.granted) && !l.TryAcquire(mode) {
		if w == nil {
			w = new(waiter)
		} else {
			l.Barged++
		}
		*w = waiter{p: p, mode: mode, queued: true}
		l.queue = append(l.queue, w)
		l.Waits++
		for w.queued {
			p.Park(a)
		}
		if l.Kind == Barging {
			l.waking = false
		}
	}
	return p.Now().Sub(start)
}

// Release gives up the lock, which p holds in mode. The process pays for the
// wake-up call, after the lock is free; its time goes to activity a.
func (l *Lock) Release(p Process, mode Mode, a Activity) {
	if mode == Exclusive && !l.exclusive || mode == Shared && l.shared == 0 {
		panic("sim: release of a lock that is not held")
	}
	if mode == Exclusive {
		l.exclusive = false
	} else {
		l.shared--
	}
	if cost := l.wake(p); cost > 0 {
		p.Work(a, cost)
	}
}

// dequeue takes the first waiter off the queue, and where it wants the lock shared, all
// that want it shared. What it returns is valid until the next call.
func (l *Lock) dequeue() []*waiter {
	l.woken = l.woken[:0]
	mode := l.queue[0].mode
	rest := l.queue[:0]
	for i, w := range l.queue {
		switch {
		case i == 0 || mode == Shared && w.mode == Shared:
			l.woken = append(l.woken, w)
		case mode == Exclusive: // no other is woken
			rest = l.queue[:copy(l.queue, l.queue[1:])]
			clear(l.queue[len(rest):])
			l.queue = rest
			return l.woken
		default:
			rest = append(rest, w)
		}
	}
	clear(l.queue[len(rest):])
	l.queue = rest
	return l.woken
}

// wake lets the first waiter go on, and where it wants the lock shared, all
// that want it shared. A waiter that wants it exclusively waits until the last
// shared holder is gone.
func (l *Lock) wake(by Process) (cost time.Duration) {
	if l.exclusive || l.shared > 0 || l.waking || len(l.queue) == 0 {
		return 0
	}
	woken := l.dequeue()
	l.waking = l.Kind == Barging
	for _, w := range woken {
		w.queued = false
		if l.Kind == HandOff {
			w.granted = true
			l.take(w.mode)
		}
	}
	for _, w := range woken {
		cost += w.p.Unpark(by)
	}
	return cost
}
