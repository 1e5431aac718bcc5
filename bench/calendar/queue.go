// Package calendar holds sets of pending events that the engine's calendar was
// chosen among, and measures them beside it on the event times of the model.
package calendar

// Event is a call that is due.
type Event struct {
	At      int64 // ns
	Arg     int64
	Handler uint32
}

// Queue is a set of pending events. Its zero value is empty and ready to use.
type Queue interface {
	// Push adds an event. None is added that lies before the one taken last.
	Push(Event)
	// Pop takes the earliest event, of those at one instant the one that was
	// added first. The queue must not be empty.
	Pop() Event
}
