package sim

import (
	"math/rand/v2"
	"time"
)

// discipline is how a Processor shares its cores among threads.
type discipline interface {
	wake(t, by *Thread) time.Duration // t became runnable; returns what the call costs by
	work(t *Thread, d time.Duration)  // t, running, uses d; returns when it is done
	yield(t *Thread)                  // t, running, makes way if it must, and goes on when it may
	block(t *Thread)                  // t, running, gives up its core
	end(t *Thread)                    // t, running, has ended
	settle(t *Thread)                 // brings t's account up to now
	busy(now Time) time.Duration      // core time used so far
	running() int                     // threads that are at work
	undisturbed(t *Thread) bool       // t, running, need not make way for another
}

// Machine is what waking and sleeping cost on a processor. The zero value is
// an ideal machine.
type Machine struct {
	// WakeLatency draws how long an idle core takes until a thread that was
	// woken on it runs; nil for none.
	WakeLatency func() time.Duration
	// WakeCall draws what waking a thread on an idle core costs the waker; nil
	// for nothing.
	WakeCall func() time.Duration
	// WakeOnWaker is the share of wake-ups that are placed on the waker's own
	// core although another one is idle, 0 to 1. Needs Random.
	WakeOnWaker float64
	// SleepSlack is how much a sleep of d overshoots, without the wake-up
	// latency; nil for none.
	SleepSlack func(d time.Duration) time.Duration
	// ColdAfter is the time after which an idle core counts as cold; zero for
	// never.
	ColdAfter time.Duration
	// Random decides placements.
	Random *rand.Rand
}

// Processor is a number of equal cores that threads share.
type Processor struct {
	k          *Kernel
	cores      int
	machine    Machine
	discipline discipline
	threads    []*Thread
	free       []int64 // places of threads that have ended
	alarm      HandlerID
}

func newProcessor(k *Kernel, cores int, m Machine) *Processor {
	if cores < 1 {
		panic("sim: a processor needs at least one core")
	}
	p := &Processor{k: k, cores: cores, machine: m}
	p.alarm = k.Handler(p.ring)
	return p
}

// Cores is the number of cores.
func (p *Processor) Cores() int { return p.cores }

// Busy is the core time used so far, by all threads.
func (p *Processor) Busy() time.Duration { return p.discipline.busy(p.k.now) }

// Running is the number of threads that are at work.
func (p *Processor) Running() int { return p.discipline.running() }

// Go starts body as a thread, runnable from the current instant.
func (p *Processor) Go(name string, body func(*Thread)) *Thread {
	now := p.k.now
	t := &Thread{cpu: p, state: runnable, since: now, born: now, died: Forever}
	t.routine = p.k.newCoroutine(name, func(*Coroutine) {
		body(t)
		t.finish()
	})
	p.seat(t)
	p.discipline.wake(t, nil)
	return t
}

func (p *Processor) seat(t *Thread) {
	if n := len(p.free); n > 0 {
		t.id, t.timer = p.free[n-1], p.threads[p.free[n-1]].timer
		p.free = p.free[:n-1]
		p.threads[t.id] = t
		return
	}
	t.id = int64(len(p.threads))
	p.threads = append(p.threads, t)
}

// finish ends the thread: its core is free for others.
func (t *Thread) finish() {
	t.enter(ended)
	t.died = t.cpu.k.now
	t.timer++
	t.cpu.discipline.end(t)
	t.cpu.free = append(t.cpu.free, t.id)
}

// ring wakes the thread whose timer has run out.
func (p *Processor) ring(arg int64) {
	t := p.threads[arg>>32]
	if uint32(arg) != t.timer || t.state != blocked {
		return
	}
	t.enter(runnable)
	p.discipline.wake(t, nil)
}

func (p *Processor) overshoot(d time.Duration) time.Duration {
	if p.machine.SleepSlack == nil {
		return 0
	}
	return p.machine.SleepSlack(d)
}
