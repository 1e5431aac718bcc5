package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"avsim/sim"
)

// minNap is MIN_AUTOVAC_SLEEPTIME, the shortest sleep of the launcher.
const minNap = 100 * time.Millisecond

// clockReading is what passes from one reading of the clock to the next in the
// launcher: assumed, a few system calls. It decides how often a due time falls
// between two readings, which makes the launcher rebuild its list.
const clockReading = 2 * time.Microsecond

// launcher is the autovacuum launcher: it starts a worker in the database that
// is due, while a slot is free and no other worker is starting. With autovacuum off
// there is none in PostgreSQL until transaction ids grow old, when one starts a
// worker and exits, again and again; here it stays, and looks once a second.
type launcher struct {
	sys       *system
	process   *sim.Coroutine
	signal    sim.Signal // SIGUSR2: a worker has taken its slot or has exited; SIGHUP
	list      *databaseList
	starting  *worker // launched, and has not taken its slot; nil for none
	startedAt sim.Time
	signaled  bool // a signal came while the launcher was not waiting
	reloaded  bool
	first     []time.Duration
	restarted bool // the server was: this is another launcher, which knows nothing
	launched  int
	emergency float64         // with autovacuum off, the ids used up when it looks next
	known     []databaseState // scratch space of states
	random    *rand.Rand
}

// startLauncher starts it; the first visits are those of RunConfig.
func (s *system) startLauncher(first []time.Duration) {
	l := &launcher{sys: s, first: first, list: newDatabaseList(s.naptime, rebuildTurnsRound(s.version)), random: s.streams.Named("launcher")}
	s.launcher = l
	s.kernel.Go("autovacuum launcher", l.run)
}

func (l *launcher) run(c *sim.Coroutine) {
	l.process = c
	l.list.rebuild(l.clock, -1, l.states())
	l.list.visitFirst(l.first)
	for {
		nap := l.list.sleep(l.clock, l.free(), l.states)
		if l.sys.off {
			nap = time.Second
		}
		if !l.signaled {
			l.signal.WaitFor(c, Idle, nap+l.slack(nap))
		}
		l.signaled = false
		if l.restarted {
			l.restarted, l.starting = false, nil
			l.list = newDatabaseList(l.sys.naptime, rebuildTurnsRound(l.sys.version))
			l.list.rebuild(l.clock, -1, l.states())
		}
		if l.reloaded {
			l.reloaded = false
			l.list.setNaptime(l.sys.naptime)
			l.list.rebuild(l.clock, -1, l.states())
		}
		now := l.clock()
		l.cancelLateStart(now)
		if l.free() && l.starting == nil && l.dueNow(now) {
			l.launch(now)
		}
	}
}

// slack is how much later than asked for the launcher's wait ends: Linux may
// put a wake-up off by a thousandth of the wait, up to 100 ms
// (select_estimate_accuracy, fs/select.c), to have it together with another
// interrupt. An idle machine uses most of it; on one that clients keep busy an
// interrupt comes sooner.
func (l *launcher) slack(nap time.Duration) time.Duration {
	most := min(nap/1000, 100*time.Millisecond)
	next := l.random.ExpFloat64() / (interrupts + interruptsPerTransaction*l.sys.clients)
	return time.Duration(min(next*1e9, float64(most)))
}

// How many interrupts a second there are that end the launcher's wait, at rest and with
// each transaction: they follow from how often it woke before the due time, and so came
// 100 ms late, in three recorded runs (workload/recorded/twin): 5 % of the visits with
// nearly no transactions (100 a second), 24 % with 550 transactions a second (600) and
// 43 % with 446 (1,100). The two busy ones give 0.9 and 2.2 for each, of which the mean
// is taken.
const (
	interrupts               = 100
	interruptsPerTransaction = 1.6
)

// cancelLateStart gives up a worker that has not taken its slot within the
// naptime, or a minute where that is shorter.
func (l *launcher) cancelLateStart(now sim.Time) {
	if w := l.starting; w != nil && now.Sub(l.startedAt) > min(l.sys.naptime, time.Minute) {
		w.cancelled = true
		l.starting = nil
	}
}

// clock is a reading of the clock.
func (l *launcher) clock() sim.Time {
	l.process.Hold(clockReading)
	return l.process.Now()
}

// free tells whether a slot is free.
func (l *launcher) free() bool { return len(l.sys.workers) < l.sys.slots }

// states is what the launcher knows of the databases.
func (l *launcher) states() []databaseState {
	out := l.known[:0]
	var xids, multis float64
	if l.sys.xids != nil {
		xids, multis = l.sys.xids(l.sys.kernel.Now()), l.sys.multis(l.sys.kernel.Now())
	}
	if l.sys.squeeze != nil {
		l.sys.squeeze()
	}
	for _, d := range l.sys.dbs {
		xid, multi := d.ages(xids, multis)
		if d.stale && (xid > l.sys.freezeMaxAge || multi > l.sys.multiMaxAge) {
			l.sys.freeze(d)
			d.stale = false
			xid, multi = d.ages(xids, multis)
		}
		out = append(out, databaseState{id: d.id, hasStats: !d.absent, xidAge: xid, multiAge: multi, lastAutovac: d.lastAutovac,
			occupied: l.sys.strategy.NoPileUp && l.occupied(d)})
	}
	l.known = out
	return out
}

// occupied tells whether a worker is in a database.
func (l *launcher) occupied(d *database) bool {
	return slices.ContainsFunc(l.sys.workers, func(w *worker) bool { return w.db == d })
}

// dueNow tells whether a database is due; with autovacuum off, whether clients have
// used up another 65,536 ids (GetNewTransactionId) or a worker has told the age of its
// database (SetTransactionIdLimit).
func (l *launcher) dueNow(now sim.Time) bool {
	if !l.sys.off {
		return l.list.due(now)
	}
	used := 0.0
	if l.sys.xids != nil {
		used = l.sys.xids(now) + l.sys.multis(now)
	}
	if used < l.emergency {
		return false
	}
	l.emergency = used + 1<<16
	return true
}

// launch starts a worker in the database that do_start_worker chooses, if there
// is one; it takes its slot once it has initialized.
func (l *launcher) launch(now sim.Time) {
	id, wraparound := l.list.choose(l.clock, l.states(), l.sys.freezeMaxAge, l.sys.multiMaxAge)
	if id < 0 || l.sys.off && !wraparound {
		return
	}
	l.launched++
	if wraparound {
		l.sys.count.forcedStarts++
	}
	w := &worker{sys: l.sys, db: l.sys.dbs[id], number: l.launched, table: -1, tableList: new(tableList)}
	w.random = l.sys.streams.Named(fmt.Sprintf("service of worker %d", w.number))
	w.thread = l.sys.cpu.Go(fmt.Sprintf("autovacuum worker %d", w.number), func(*sim.Thread) { w.run() })
	l.sys.workers = append(l.sys.workers, w)
	l.starting, l.startedAt = w, now
	if l.sys.onStart != nil {
		l.sys.onStart(w)
	}
	l.slotsChanged()
	l.list.launched(now, l.clock, id, l.states)
}

// wake is a signal to the launcher.
func (l *launcher) wake() {
	l.signaled = true
	l.signal.Broadcast(nil)
}

// running is a worker that takes its slot: the next may start. It returns false
// where the launcher has given the worker up.
func (l *launcher) running(w *worker) bool {
	if w.cancelled || w.killed {
		return false
	}
	l.starting = nil
	w.db.lastAutovac = l.sys.kernel.Now()
	w.db.absent = false // telling of the visit makes an entry (pgstat_report_autovac)
	l.wake()
	return true
}

// reload is a reload of the configuration, which always rebuilds the list.
func (l *launcher) reload() {
	l.reloaded = true
	l.wake()
}

// restart is a restart of the server: the launcher begins anew.
func (l *launcher) restart() {
	l.restarted = true
	l.wake()
}

// exited frees the slot of a worker.
func (l *launcher) exited(w *worker) {
	for i, o := range l.sys.workers {
		if o == w {
			l.sys.workers = append(l.sys.workers[:i], l.sys.workers[i+1:]...)
			break
		}
	}
	if w.told {
		l.emergency = 0
	}
	l.slotsChanged()
	l.wake()
}

// slotsChanged tells who keeps count of them.
func (l *launcher) slotsChanged() {
	if l.sys.onSlots != nil {
		l.sys.onSlots()
	}
}
