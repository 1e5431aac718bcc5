package sim

import "time"

// Signal wakes the processes that wait for it. It does not remember: who comes
// after Broadcast waits for the next. The zero value is ready to use.
type Signal struct{ waiting []Process }

// Wait parks p until the next Broadcast.
func (s *Signal) Wait(p Process, a Activity) {
	s.waiting = append(s.waiting, p)
	p.Park(a)
}

// WaitFor parks p until the next Broadcast, but no longer than d, and tells
// whether the signal came.
func (s *Signal) WaitFor(p Process, a Activity, d time.Duration) bool {
	s.waiting = append(s.waiting, p)
	if p.ParkFor(a, d) {
		return true
	}
	for i, q := range s.waiting {
		if q == p {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			break
		}
	}
	return false
}

// Broadcast wakes all that wait, in the order in which they came, and returns
// what that costs the process by in processor time.
func (s *Signal) Broadcast(by Process) (cost time.Duration) {
	woken := s.waiting
	s.waiting = nil
	for _, p := range woken {
		cost += p.Unpark(by)
	}
	return cost
}

// Mailbox is a queue of messages with one reader. The zero value is ready to
// use.
type Mailbox[M any] struct {
	messages []M
	head     int
	reader   Process
}

// Len is the number of messages that wait.
func (b *Mailbox[M]) Len() int { return len(b.messages) - b.head }

// Post leaves a message and wakes the reader if it waits. It returns what that
// costs the process by, which may be nil, in processor time.
func (b *Mailbox[M]) Post(by Process, m M) time.Duration {
	b.messages = append(b.messages, m)
	if b.reader == nil {
		return 0
	}
	r := b.reader
	b.reader = nil
	return r.Unpark(by)
}

// Receive takes the oldest message; process p parks until there is one.
func (b *Mailbox[M]) Receive(p Process, a Activity) M {
	for b.Len() == 0 {
		b.reader = p
		p.Park(a)
	}
	return b.take()
}

// ReceiveFor takes the oldest message; process p parks for one, but no longer
// than d.
func (b *Mailbox[M]) ReceiveFor(p Process, a Activity, d time.Duration) (M, bool) {
	if b.Len() == 0 {
		b.reader = p
		if !p.ParkFor(a, d) {
			b.reader = nil
			var none M
			return none, false
		}
	}
	return b.take(), true
}

func (b *Mailbox[M]) take() M {
	m := b.messages[b.head]
	b.head++
	if 2*b.head >= len(b.messages) { // so that a queue that never empties stays small
		n := copy(b.messages, b.messages[b.head:])
		clear(b.messages[n:])
		b.messages, b.head = b.messages[:n], 0
	}
	return m
}
