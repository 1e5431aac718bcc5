package sim

import (
	"container/heap"
	"time"
)

// sharedScale is the resolution of attained service: 1/64 ns. An int64 of it
// lasts for four years of attained service.
const sharedScale = 64

// NewSharing returns a processor under processor sharing: each of n working
// threads runs at once, at the rate min(1, cores/n). It is the reference with
// closed formulas (M/G/1-PS: mean sojourn S/(1-ρ), whatever the distribution).
func NewSharing(k *Kernel, cores int, m Machine) *Processor {
	p := newProcessor(k, cores, m)
	s := &sharing{p: p}
	s.done = k.Handler(s.complete)
	s.start = k.Handler(s.begin)
	p.discipline = s
	return p
}

// sharing keeps one event, the next completion, over a heap of threads by the
// attained service at which each is done.
type sharing struct {
	p        *Processor
	working  byFinish
	attained int64 // service that a thread working since the start would have, in 1/sharedScale ns
	updated  Time
	used     time.Duration
	gen      int64
	seq      int64
	done     HandlerID
	start    HandlerID
}

type sharedThread struct {
	finish int64 // value of attained at which the thread is done
	seq    int64 // order of arrival, which decides between equal finishes
	index  int   // place in the heap
	work   time.Duration
}

func (s *sharing) wake(t, _ *Thread) time.Duration {
	var latency time.Duration
	if s.p.machine.WakeLatency != nil {
		latency = s.p.machine.WakeLatency()
	}
	s.p.k.After(latency, s.start, t.id)
	return 0
}

func (s *sharing) begin(id int64) {
	t := s.p.threads[id]
	t.enter(running)
	t.dispatch()
}

func (s *sharing) work(t *Thread, d time.Duration) {
	s.update()
	s.seq++
	t.shared.seq = s.seq
	t.shared.work = d
	t.shared.finish = s.attained + int64(d)*sharedScale
	heap.Push(&s.working, t)
	s.arm()
	t.routine.suspend()
}

// undisturbed: each piece of work is an event.
func (s *sharing) undisturbed(*Thread) bool { return false }

func (s *sharing) complete(gen int64) {
	if gen != s.gen {
		return
	}
	s.update()
	t := heap.Pop(&s.working).(*Thread)
	s.arm()
	s.book(t)
	t.dispatch()
}

// book splits the interval of a finished work into the work itself and the
// wait for a processor that sharing amounts to.
func (s *sharing) book(t *Thread) {
	now := s.p.k.now
	elapsed := now.Sub(t.since)
	work := min(t.shared.work, elapsed)
	t.account[t.activity] += work
	t.account[WaitProcessor] += elapsed - work
	t.since = now
	t.used += work
	s.used += work
}

// settle books what an unfinished work has received so far.
func (s *sharing) settle(t *Thread) {
	if t.shared.index >= len(s.working) || s.working[t.shared.index] != t {
		return
	}
	s.update()
	left := time.Duration((t.shared.finish - s.attained + sharedScale - 1) / sharedScale)
	whole := t.shared.work
	t.shared.work = max(whole-left, 0)
	s.book(t)
	t.shared.work = min(left, whole)
}

func (s *sharing) running() int { return len(s.working) }

func (s *sharing) yield(*Thread) {}
func (s *sharing) block(*Thread) {}
func (s *sharing) end(*Thread)   {}

func (s *sharing) busy(Time) time.Duration {
	for _, t := range s.working {
		s.settle(t)
	}
	return s.used
}

// update brings the attained service up to now.
func (s *sharing) update() {
	now := s.p.k.now
	if n := int64(len(s.working)); n > 0 {
		gain := int64(now-s.updated) * sharedScale
		if c := int64(s.p.cores); n > c {
			gain = gain/n*c + gain%n*c/n
		}
		s.attained += gain
	}
	s.updated = now
}

// arm re-times the one event, the next completion; the last one is stale.
func (s *sharing) arm() {
	s.gen++
	n := int64(len(s.working))
	if n == 0 {
		return
	}
	c := min(int64(s.p.cores), n)
	left := max(s.working[0].shared.finish-s.attained, 0)
	unit := c * sharedScale
	wait := left/unit*n + (left%unit*n+unit-1)/unit
	s.p.k.After(time.Duration(wait), s.done, s.gen)
}

// byFinish orders working threads by the attained service at which they are
// done, for container/heap.
type byFinish []*Thread

func (h byFinish) Len() int { return len(h) }

func (h byFinish) Less(i, j int) bool {
	a, b := h[i], h[j]
	return a.shared.finish < b.shared.finish || a.shared.finish == b.shared.finish && a.shared.seq < b.shared.seq
}

func (h byFinish) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].shared.index, h[j].shared.index = i, j
}

func (h *byFinish) Push(x any) {
	t := x.(*Thread)
	t.shared.index = len(*h)
	*h = append(*h, t)
}

func (h *byFinish) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return t
}
