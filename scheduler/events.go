package scheduler

import (
	"fmt"

	"avsim/sim"
)

// What happens in a run, as Config.Trace sees it.
const (
	WorkerStarted  = "worker started"
	ListBuilt      = "list built"
	Claimed        = "claimed"
	Skipped        = "skipped"
	RecheckNeeded  = "recheck: needed"
	RecheckWasted  = "recheck: not needed"
	VacuumStarted  = "vacuum started"
	VacuumFinished = "vacuum finished"
	StatsWritten   = "statistics written"
	WorkerExited   = "worker exited"
)

// Event is one thing that happened.
type Event struct {
	At     sim.Time
	Worker int // 1 for the first worker started; 0 where none is concerned
	What   string
	Table  int // position in pg_class, 0 for the first; -1 where none is concerned
}

// String renders the event as a line of a timeline.
func (e Event) String() string {
	s := fmt.Sprintf("%v", e.At)
	if e.Worker > 0 {
		s += fmt.Sprintf(" w%d", e.Worker)
	}
	s += " " + e.What
	if e.Table >= 0 {
		s += fmt.Sprintf(" t%d", e.Table)
	}
	return s
}

// note tells the trace, if there is one, what happened.
func (s *system) note(what string, w *worker, table int32) { s.noteAt(s.kernel.Now(), what, w, table) }

// noteAt is for what happens within a step that has more than one thing in it.
func (s *system) noteAt(at sim.Time, what string, w *worker, table int32) {
	if s.trace == nil {
		return
	}
	e := Event{At: at, What: what, Table: int(table)}
	if w != nil {
		e.Worker = w.number
	}
	s.trace(e)
}
