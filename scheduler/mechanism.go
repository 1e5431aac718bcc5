package scheduler

import (
	"fmt"
	"strings"

	"avsim/sim"
)

// Mechanisms is a set of mechanisms of the model, to be switched off to see
// what they are there for. The zero value is none.
type Mechanisms uint

// The mechanisms that can be switched off.
const (
	// WakeUpPlacement: now and then a wake-up lands on the waker's own core and
	// waits until that sleeps.
	WakeUpPlacement Mechanisms = 1 << iota
	// WakeUpCall: the waker pays for its call.
	WakeUpCall
	// ServiceVariation: reads and vacuums take varying times.
	ServiceVariation
	// ColdCaches: the first read after a wake-up on an idle core costs more.
	ColdCaches
	// SharedCache: the workers' copies of the statistics drive each other out of
	// the last-level cache.
	SharedCache
	// FairQueues: a run queue per core with slices, instead of all threads
	// running at once at a fraction of their speed.
	FairQueues
	// PollSteps: a reader that waits looks every 10 ms, instead of going on as
	// soon as the file is there.
	PollSteps
	// StampAtStart: a file bears the time at which its write began.
	StampAtStart
	// ReportQueue: a vacuum's report is a message that the next file carries,
	// instead of being known at once.
	ReportQueue
)

var mechanismNames = []struct {
	bit  Mechanisms
	name string
}{
	{WakeUpPlacement, "wake-up-placement"},
	{WakeUpCall, "wake-up-call"},
	{ServiceVariation, "service-variation"},
	{ColdCaches, "cold-caches"},
	{SharedCache, "shared-cache"},
	{FairQueues, "fair-queues"},
	{PollSteps, "poll-steps"},
	{StampAtStart, "stamp-at-start"},
	{ReportQueue, "report-queue"},
}

// AllMechanisms lists the mechanisms that can be switched off, one by one.
func AllMechanisms() (all []Mechanisms) {
	for _, m := range mechanismNames {
		all = append(all, m.bit)
	}
	return all
}

// Has tells whether m is in the set.
func (s Mechanisms) Has(m Mechanisms) bool { return s&m != 0 }

// String names the mechanisms of the set.
func (s Mechanisms) String() string {
	var names []string
	for _, m := range mechanismNames {
		if s.Has(m.bit) {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, "+")
}

// ParseMechanism reads the name of a mechanism.
func ParseMechanism(name string) (Mechanisms, error) {
	var names []string
	for _, m := range mechanismNames {
		if m.name == name {
			return m.bit, nil
		}
		names = append(names, m.name)
	}
	return 0, fmt.Errorf("unknown mechanism %q%s (known: %s)", name, suggest(name, names), strings.Join(names, ", "))
}

// restrict takes mechanisms out of a machine.
func (s Mechanisms) restrict(m sim.Machine) sim.Machine {
	if s.Has(WakeUpPlacement) {
		m.WakeOnWaker = 0
	}
	if s.Has(WakeUpCall) {
		m.WakeCall = nil
	}
	if s.Has(ColdCaches) {
		m.ColdAfter = 0
	}
	return m
}
