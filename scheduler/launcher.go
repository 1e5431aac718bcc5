package scheduler

import (
	"fmt"
	"time"

	"avsim/sim"
)

// minNap is MIN_AUTOVAC_SLEEPTIME, the shortest sleep of the launcher.
const minNap = 100 * time.Millisecond

// launcher is the autovacuum launcher: a new worker for a database each
// naptime while slots are free, one starting at a time.
type launcher struct {
	sys      *system
	signal   sim.Signal // SIGUSR2: a worker has taken its slot, or has exited
	starting bool
	launched int
	next     sim.Time // the database's next_worker
	stopped  bool
}

func (s *system) startLauncher() {
	l := &launcher{sys: s}
	s.launcher = l
	l.next = s.kernel.Now().Add(s.naptime)
	s.kernel.Go("autovacuum launcher", l.run)
}

func (l *launcher) run(c *sim.Coroutine) {
	for !l.stopped {
		l.signal.WaitFor(c, Idle, l.nap(c.Now()))
		if l.canLaunch() && l.next <= c.Now() {
			l.launch()
			l.next = c.Now().Add(l.sys.naptime)
		}
	}
}

func (l *launcher) canLaunch() bool {
	return !l.starting && len(l.sys.workers) < l.sys.slots && !l.stopped
}

// nap is launcher_determine_sleep: until the database is due for its next
// worker, or a naptime where no slot is free.
func (l *launcher) nap(now sim.Time) time.Duration {
	if len(l.sys.workers) >= l.sys.slots {
		return max(l.sys.naptime, minNap)
	}
	return max(l.next.Sub(now), minNap)
}

// launch starts a worker; it takes its slot once it has initialized.
func (l *launcher) launch() {
	l.starting = true
	l.launched++
	w := &worker{sys: l.sys, db: l.sys.dbs[0], number: l.launched, table: -1}
	w.random = l.sys.streams.Named(fmt.Sprintf("service of worker %d", w.number))
	w.thread = l.sys.cpu.Go(fmt.Sprintf("autovacuum worker %d", w.number), func(*sim.Thread) { w.run() })
	l.sys.workers = append(l.sys.workers, w)
}

// running is a worker that has taken its slot: the next may start.
func (l *launcher) running() {
	l.starting = false
	l.signal.Broadcast(nil)
}

// exited frees the slot of a worker.
func (l *launcher) exited(w *worker) {
	for i, o := range l.sys.workers {
		if o == w {
			l.sys.workers = append(l.sys.workers[:i], l.sys.workers[i+1:]...)
			break
		}
	}
	l.signal.Broadcast(nil)
}
