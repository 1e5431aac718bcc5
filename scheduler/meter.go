package scheduler

import (
	"time"

	"avsim/sim"
)

// meter opens and closes the window of a measurement, and holds the gate
// before which workers wait for each other.
type meter struct {
	sys    *system
	window Window
	gated  bool
	gate   sim.Signal
	due    int // tables that need work at the start

	listed    int // workers that have built their list
	firstList sim.Time
	opened    sim.Time // Forever before the window opens
	minOver   bool
	start     mark
	end       mark
	closed    bool
	exhausted Exhausted
	gone      []*sim.Thread // workers that have exited
	waits     sim.LogHistogram
}

// mark is the state of all counters at one instant.
type mark struct {
	at        sim.Time
	count     counters
	account   sim.Account
	workers   time.Duration
	collector time.Duration
}

func newMeter(s *system, cfg Config, due int) *meter {
	m := &meter{
		sys: s, due: due, window: cfg.Window, gated: cfg.Start == Gated,
		opened: sim.Forever, firstList: sim.Forever, exhausted: NotExhausted,
	}
	s.onList, s.onDone, s.onExit = m.listBuilt, m.vacuumed, m.exited
	s.waitAtGate = m.wait
	s.onClaim = func(took time.Duration) { m.waits.Add(took.Seconds()) }
	return m
}

// listBuilt opens the window when the last of all workers has its list.
func (m *meter) listBuilt(*worker) {
	m.listed++
	now := m.sys.kernel.Now()
	if m.listed == 1 {
		m.firstList = now
		m.start = m.mark() // for a run that is over before all workers are there
	}
	if m.listed != m.sys.slots {
		return
	}
	m.opened = now
	m.start = m.mark()
	m.waits.Reset()
	m.sys.kernel.After(m.window.Min, m.sys.kernel.Handler(func(int64) {
		m.minOver = true
		m.vacuumed()
	}), 0)
	m.sys.kernel.After(m.window.Max, m.sys.kernel.Handler(func(int64) { m.close(NotExhausted) }), 0)
	m.gate.Broadcast(nil)
	if m.due == 0 {
		m.close(TablesExhausted)
	}
}

// wait holds a worker that has its list until all have theirs.
func (m *meter) wait(w *worker) {
	if m.gated && m.opened == sim.Forever {
		m.gate.Wait(w.thread, Idle)
	}
}

// vacuumed closes the window when it has seen enough, or all tables are done.
func (m *meter) vacuumed() {
	switch {
	case m.closed:
	case m.sys.count.distinct == m.due && m.opened == sim.Forever:
		m.close(RampExhausted)
	case m.sys.count.distinct == m.due:
		m.close(TablesExhausted)
	case m.minOver && m.sys.count.vacuums-m.start.count.vacuums >= m.window.Vacuums:
		m.close(NotExhausted)
	}
}

// exited keeps the account of a worker that is gone.
func (m *meter) exited(w *worker) { m.gone = append(m.gone, w.thread) }

func (m *meter) close(why Exhausted) {
	if m.closed {
		return
	}
	m.closed, m.exhausted = true, why
	m.end = m.mark()
	m.sys.kernel.Stop()
}

func (m *meter) mark() mark {
	k := mark{at: m.sys.kernel.Now(), count: m.sys.count}
	add := func(t *sim.Thread) {
		k.account = k.account.Plus(t.Account())
		k.workers += t.Used()
	}
	for _, t := range m.gone {
		add(t)
	}
	for _, w := range m.sys.workers {
		add(w.thread)
	}
	if c := m.sys.collector; c != nil {
		k.collector = c.thread.Used()
	}
	return k
}

func (m *meter) result() Measurement {
	c := m.end.count.minus(m.start.count)
	return Measurement{
		Window:    m.end.at.Sub(m.start.at),
		Exhausted: m.exhausted,
		Vacuums:   c.vacuums, Distinct: c.distinct,
		Rechecks: c.rechecks, Wasted: c.wasted, Fresh: c.freshAtOnce, Skips: c.skips,
		StatsWrites: c.statsWrites, StatsWriteTime: c.statsWriteTime,
		WorkerTime:    m.end.account.Minus(m.start.account),
		WorkersUsed:   m.end.workers - m.start.workers,
		CollectorUsed: m.end.collector - m.start.collector,
		Cores:         m.sys.cpu.Cores(),
		ClaimWaitP50:  m.waits.Quantile(0.5),
		ClaimWaitP99:  m.waits.Quantile(0.99),
		Claims:        m.waits.N(),
		KernelEvents:  m.sys.kernel.Events(),
	}
}
