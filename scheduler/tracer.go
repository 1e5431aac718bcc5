package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"avsim/sim"
)

// tracer tells RunConfig.Trace what happens in a run. It reads and never
// changes anything of the model. A nil tracer tells nobody.
type tracer struct {
	live   *live
	tell   func(TraceEvent)
	slots  []tracedSlot
	limits []int // cost limits as last told, by slot
}

// tracedSlot is a worker slot: a worker that exits leaves its slot to the next.
type tracedSlot struct {
	worker   *worker // nil for free
	since    sim.Time
	listed   bool        // the worker has its list
	vacuumed bool        // of the table at hand the vacuum is done
	account  sim.Account // at the start of the work at hand
}

// traced has the run told to tell as it goes on.
func (c *live) traced(tell func(TraceEvent)) {
	if tell == nil {
		return
	}
	t := &tracer{live: c, tell: tell}
	c.tracer = t
	started, exited := c.sys.onStart, c.sys.onExit
	c.sys.onStart = func(w *worker) { started(w); t.started(w) }
	c.sys.onExit = func(w *worker) { t.exited(w); exited(w) }
	c.sys.trace = t.noted
}

func (t *tracer) now() sim.Time { return t.live.sys.kernel.Now() }

// slice tells of something that a worker has done since an instant. Slices of a
// worker must nest.
func (t *tracer) slice(name string, w *worker, since, until sim.Time, table *liveTable, args ...TraceArg) {
	t.event(w, table, TraceEvent{Form: TraceSlice, Name: name, At: since, Until: until, Args: args})
}

// instant tells of something that happened; worker and table are nil where none is
// concerned.
func (t *tracer) instant(name string, w *worker, at sim.Time, table *liveTable, args ...TraceArg) {
	t.event(w, table, TraceEvent{Form: TraceInstant, Name: name, At: at, Args: args})
}

// counter tells new values.
func (t *tracer) counter(name string, at sim.Time, args ...TraceArg) {
	t.event(nil, nil, TraceEvent{Form: TraceCounter, Name: name, At: at, Args: args})
}

// event tells of an event of a worker at a table, if there are such.
func (t *tracer) event(w *worker, table *liveTable, e TraceEvent) {
	if t == nil {
		return
	}
	if w != nil {
		e.Slot = t.slotOf(w.number)
	}
	if table != nil {
		e.Database, e.Table = table.db.name, t.live.nameOf(table)
	}
	t.tell(e)
}

// slotOf is the slot of a worker, 0 for none.
func (t *tracer) slotOf(number int) int {
	return 1 + slices.IndexFunc(t.slots, func(s tracedSlot) bool { return s.worker != nil && s.worker.number == number })
}

// started is the launch of a worker, which takes the first free slot.
func (t *tracer) started(w *worker) {
	i := slices.IndexFunc(t.slots, func(s tracedSlot) bool { return s.worker == nil })
	if i < 0 {
		i = len(t.slots)
		t.slots = append(t.slots, tracedSlot{})
	}
	t.slots[i] = tracedSlot{worker: w, since: t.now()}
	t.tell(TraceEvent{Form: TraceBegin, Name: TraceWorker, At: t.now(), Slot: i + 1, Database: w.db.name,
		Args: []TraceArg{{"worker", w.number}}})
	t.running()
}

// exited is a worker's exit.
func (t *tracer) exited(w *worker) {
	slot := t.slotOf(w.number)
	t.end(slot)
	t.slots[slot-1] = tracedSlot{}
	t.running()
}

// end tells that a worker's life is over, and what it was spent on.
func (t *tracer) end(slot int) {
	w := t.slots[slot-1].worker
	args := []TraceArg{{"vacuums", w.vacuums}, {"analyzes", w.analyzes}}
	t.tell(TraceEvent{Form: TraceEnd, Name: TraceWorker, At: t.now(), Slot: slot, Database: w.db.name,
		Args: append(args, spent(w.thread.Account())...)})
}

// spent lists what time went into, in seconds.
func spent(a sim.Account) (out []TraceArg) {
	for _, s := range Shares() {
		if a[s.Activity] > 0 {
			out = append(out, TraceArg{strings.TrimSuffix(s.Column, "_share") + "_seconds", a[s.Activity].Seconds()})
		}
	}
	return out
}

// running tells how many workers there are.
func (t *tracer) running() {
	n := 0
	for _, s := range t.slots {
		if s.worker != nil {
			n++
		}
	}
	t.counter(TraceRunning, t.now(), TraceArg{"running", n})
}

// noted is a step of a worker.
func (t *tracer) noted(e Event) {
	slot := t.slotOf(e.Worker)
	if slot == 0 {
		return
	}
	s := &t.slots[slot-1]
	switch e.What {
	case WorkerStarted:
		s.since = e.At
	case ListBuilt:
		s.listed = true
		t.slice(TraceStartUp, s.worker, s.since, e.At, nil, TraceArg{"tables", s.worker.size})
	case VacuumStarted:
		s.vacuumed, s.account = false, s.worker.thread.Account()
	case RecheckWasted:
		t.instant(TraceWasted, s.worker, e.At, t.live.table(int32(e.Table)))
	case Skipped:
		t.instant(TraceSkipped, s.worker, e.At, t.live.table(int32(e.Table)))
	}
}

// worked is a vacuum or an analyze that has ended.
func (t *tracer) worked(e RunEvent) {
	if t == nil {
		return
	}
	slot := t.slotOf(e.Worker)
	s := &t.slots[slot-1]
	account := s.worker.thread.Account()
	args := []TraceArg{{"worker", e.Worker}, {"cost", e.Cost()}}
	if e.Outcome == SkippedTable {
		t.tell(TraceEvent{Form: TraceInstant, Name: TraceLocked, At: e.At, Slot: slot, Database: e.Database, Table: e.Table,
			Args: []TraceArg{{"vacuum", e.Vacuum}}})
		return
	}
	if e.Outcome != "" {
		args = append(args, TraceArg{"vacuum", e.Vacuum}, TraceArg{"outcome", string(e.Outcome)})
	} else if e.Vacuum {
		args = append(args, TraceArg{"reason", e.Reason}, TraceArg{"wraparound", e.Wraparound},
			TraceArg{"aggressive", e.aggressive}, TraceArg{"removed", e.Removed}, TraceArg{"failsafe", e.Failsafe})
	}
	args = append(args, spent(account.Minus(s.account))...)
	s.account, s.vacuumed = account, e.Vacuum
	t.tell(TraceEvent{Form: TraceSlice, Name: workName(e), At: e.Start, Until: e.At, Slot: slot,
		Database: e.Database, Table: e.Table, Args: args})
}

func workName(e RunEvent) string {
	switch {
	case e.Outcome != "":
		return TraceGivenUp
	case !e.Vacuum:
		return TraceAnalyze
	case e.Wraparound:
		return TraceWraparound
	}
	return TraceVacuum
}

// due is a worker's finding that a table has come to be due.
func (t *tracer) due(table *liveTable, n need) {
	if t == nil {
		return
	}
	args := []TraceArg{{"vacuum", n.vacuum}, {"analyze", n.analyze}, {"seen_after_seconds", t.now().Sub(table.dueSince).Seconds()}}
	if n.vacuum {
		args = append(args, TraceArg{"reason", n.reason}, TraceArg{"wraparound", n.wraparound})
	}
	t.instant(TraceDue, nil, table.dueSince, table, args...)
}

// balanced tells the cost limits where they have changed. A slot without a worker
// that has begun with a table has none: 0.
func (t *tracer) balanced() {
	if t == nil {
		return
	}
	limits := make([]int, len(t.slots))
	shares := t.live.balance.limits()
	for i, s := range t.live.balance.running {
		if slot := t.slotOf(s.worker); slot > 0 {
			limits[slot-1] = shares[i].limit
		}
	}
	if slices.Equal(limits, t.limits) {
		return
	}
	t.limits = limits
	args := make([]TraceArg, len(limits))
	for i, limit := range limits {
		args[i] = TraceArg{fmt.Sprintf("slot %d", i+1), limit}
	}
	t.counter(TraceLimits, t.now(), args...)
}

// server tells of something that happens to the whole server.
func (t *tracer) server(name string, args ...TraceArg) {
	if t != nil {
		t.instant(name, nil, t.now(), nil, args...)
	}
}

// finish tells of what is under way at the end of the run.
func (t *tracer) finish() {
	if t == nil {
		return
	}
	for i := range t.slots {
		s := &t.slots[i]
		if s.worker == nil {
			continue
		}
		if l := t.live.running[s.worker.number]; l != nil {
			need := s.worker.need
			name := workName(RunEvent{Vacuum: need.vacuum && !s.vacuumed, Wraparound: need.wraparound})
			t.slice(name, s.worker, l.start, t.now(), l.table,
				TraceArg{"worker", s.worker.number}, TraceArg{"cost", l.plan.Cost()}, TraceArg{"unfinished", true})
		} else if !s.listed {
			t.slice(TraceStartUp, s.worker, s.since, t.now(), nil, TraceArg{"unfinished", true})
		}
		t.end(i + 1)
	}
}
