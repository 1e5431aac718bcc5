package sim

import (
	"math/bits"
	"time"
)

// Slices are the figures of the fair discipline.
type Slices struct {
	// Base is the slice that one core alone would give, 0.7 ms in Linux 6.16
	// and later; as there it grows by the factor 1 + log2(min(cores, 8)).
	Base time.Duration
	// Tick is the period at which a running thread's slice is looked at,
	// 1/HZ: 4 ms at 250 Hz.
	Tick time.Duration
}

// DefaultSlices are those of Linux 6.18 at 250 Hz.
var DefaultSlices = Slices{Base: 700 * time.Microsecond, Tick: 4 * time.Millisecond}

// balanceTicks is after how many ticks a busy core looks for a longer queue,
// as Linux does (a domain's interval of its weight in ms, times busy_factor 16,
// less one tick: get_sd_balance_interval).
const balanceTicks = 7

// imbalancePercent is how long a queue must be, in per cent of the other, for
// Linux to move a thread (imbalance_pct).
const imbalancePercent = 117

// oddLooks is after how many looks a thread moves to a queue that is shorter by
// one: in Linux the second (nr_balance_failed halves a thread's weight), and
// the interval has doubled while the queues were even.
const oddLooks = 4

// NewFair returns a processor that shares its cores as Linux does since 6.6
// (EEVDF, "earliest eligible virtual deadline first"; Stoica and Abdel-Wahab
// 1995, kernel/sched/fair.c): a run queue per core; of the threads that have
// had no more than their share (vruntime at most the queue's mean) the one
// with the earliest deadline runs; a deadline is a slice ahead, looked at when
// a tick comes or a thread wakes on the core. A thread that sleeps keeps the
// share that it is owed, up to two slices or a tick, so one that mostly sleeps
// runs soon after it wakes. A core that falls idle takes a waiting thread from
// the longest queue.
func NewFair(k *Kernel, cores int, m Machine, s Slices) *Processor {
	p := newProcessor(k, cores, m)
	f := &fair{p: p, tick: int64(s.Tick)}
	f.slice = int64(s.Base) * int64(bits.Len(uint(min(cores, 8))))
	f.lagLimit = max(2*f.slice, f.tick)
	f.onDone = k.Handler(f.done)
	f.onTick = k.Handler(f.ticked)
	f.onAwake = k.Handler(f.awake)
	for i := range cores {
		f.cores = append(f.cores, &core{id: int64(i), tickOffset: f.tick * int64(i) / int64(cores)})
	}
	p.discipline = f
	return p
}

type fair struct {
	p        *Processor
	cores    []*core
	slice    int64 // ns of vruntime
	tick     int64
	lagLimit int64
	onDone   HandlerID
	onTick   HandlerID
	onAwake  HandlerID
}

// core is one core with its run queue. All threads weigh the same, so virtual
// time is processor time, in ns.
type core struct {
	id         int64
	curr       *Thread
	queue      []*Thread // runnable threads, in the order in which they came
	updated    Time      // curr's vruntime holds as of this instant
	idleSince  Time
	waking     bool  // an idle core that leaves its idle state
	resched    bool  // the running thread is to make way
	vlast      int64 // mean vruntime when the queue fell empty
	gen        int64 // generation of the completion event
	ticking    bool
	ticks      int
	odd        int // looks in a row at which another queue was shorter by one
	tickOffset int64
	used       time.Duration
}

type fairThread struct {
	core     *core
	vruntime int64
	deadline int64
	protect  int64 // up to this vruntime no wake-up takes the core (run to parity)
	lag      int64 // share owed when the thread last left a queue
	left     time.Duration
	working  bool
}

// idle tells whether a thread that is woken now could have the core at once.
func (c *core) idle() bool { return c.curr == nil && !c.waking }

// load is the number of threads that want the core.
func (c *core) load() int {
	if c.curr != nil {
		return len(c.queue) + 1
	}
	return len(c.queue)
}

// mean is the queue's virtual time: the mean vruntime of the threads on it.
func (c *core) mean() int64 {
	n := int64(c.load())
	if n == 0 {
		return c.vlast
	}
	// Summed as differences from one of them, so that nothing overflows.
	base := c.vlast
	var sum int64
	if c.curr != nil {
		sum += c.curr.fair.vruntime - base
	}
	for _, t := range c.queue {
		sum += t.fair.vruntime - base
	}
	return base + sum/n
}

// update gives the running thread the time since the last update.
func (f *fair) update(c *core) {
	now := f.p.k.now
	if t := c.curr; t != nil {
		d := now.Sub(c.updated)
		t.fair.vruntime += int64(d)
		t.used += d
		c.used += d
		if t.fair.working {
			t.fair.left -= d
		}
	}
	c.updated = now
}

func (f *fair) running() (n int) {
	for _, c := range f.cores {
		if c.curr != nil {
			n++
		}
	}
	return n
}

func (f *fair) busy(Time) (sum time.Duration) {
	for _, c := range f.cores {
		f.update(c)
		sum += c.used
	}
	return sum
}

func (f *fair) settle(t *Thread) {
	if t.state == running {
		f.update(t.fair.core)
	}
}

// wake places a thread that became runnable.
func (f *fair) wake(t, by *Thread) time.Duration {
	c := f.place(t, by)
	f.update(c)
	if !c.idle() {
		f.enqueue(c, t)
		f.preempt(c, t)
		f.armTick(c)
		return 0
	}
	f.enqueue(c, t)
	c.waking = true
	var latency time.Duration
	if f.p.machine.WakeLatency != nil {
		latency = f.p.machine.WakeLatency()
	}
	f.p.k.After(latency, f.onAwake, c.id)
	if f.p.machine.WakeCall == nil {
		return 0
	}
	return f.p.machine.WakeCall()
}

// place chooses the core for a woken thread: now and then the waker's own;
// else the core it ran on if that is idle; else any idle one; else the less
// loaded of the core it ran on and the waker's.
func (f *fair) place(t, by *Thread) *core {
	prev := t.fair.core
	if prev == nil {
		prev = f.shortest()
	}
	if by != nil && by.cpu == f.p && f.p.machine.WakeOnWaker > 0 &&
		f.p.machine.Random.Float64() < f.p.machine.WakeOnWaker {
		return by.fair.core
	}
	if prev.idle() {
		return prev
	}
	for _, c := range f.cores {
		if c.idle() {
			return c
		}
	}
	if by != nil && by.cpu == f.p && by.fair.core.load() < prev.load() {
		return by.fair.core
	}
	return prev
}

func (f *fair) shortest() *core {
	best := f.cores[0]
	for _, c := range f.cores[1:] {
		if c.load() < best.load() {
			best = c
		}
	}
	return best
}

// enqueue puts a thread on a queue with the share that it is owed: its
// vruntime lies as far behind the mean as its lag says once it is part of that
// mean (place_entity). What it had too much it sleeps off while the others
// catch up (delayed dequeue).
func (f *fair) enqueue(c *core, t *Thread) {
	v, n := c.mean(), int64(c.load())
	switch {
	case t.fair.lag > 0 && n > 0:
		v -= t.fair.lag * (n + 1) / n
	case t.fair.lag < 0 && t.fair.core == c:
		v = max(v, t.fair.vruntime)
	}
	t.fair.vruntime = v
	t.fair.deadline = v + f.slice
	t.fair.core = c
	c.queue = append(c.queue, t)
}

// leave takes note of what a thread is owed when it leaves core c.
func (f *fair) leave(c *core, t *Thread) {
	t.fair.lag = min(max(c.mean()-t.fair.vruntime, -f.lagLimit), f.lagLimit)
}

// preempt looks whether the running thread is to make way for woken: when its
// slice is used up, whoever is next has the core; before that only the woken
// thread may take it, if it is next and the running one has had its share.
func (f *fair) preempt(c *core, woken *Thread) {
	t := c.curr
	if t == nil {
		return
	}
	expired := t.fair.vruntime >= t.fair.protect
	if expired {
		f.renew(t)
	}
	if !expired && (t.fair.vruntime <= c.mean() || f.pick(c) != woken) {
		return
	}
	if t.fair.working {
		f.switchTo(c, f.pick(c))
		return
	}
	c.resched = true // its script is at an instant; it makes way when that is over
}

// renew gives a thread whose slice is used up the next deadline.
func (f *fair) renew(t *Thread) {
	if t.fair.vruntime >= t.fair.deadline {
		t.fair.deadline = t.fair.vruntime + f.slice
	}
}

// pick is the eligible thread with the earliest deadline, the running one
// included.
func (f *fair) pick(c *core) *Thread {
	mean := c.mean()
	var best *Thread
	if t := c.curr; t != nil && t.fair.vruntime <= mean {
		best = t
	}
	for _, t := range c.queue {
		if t.fair.vruntime <= mean && (best == nil || t.fair.deadline < best.fair.deadline) {
			best = t
		}
	}
	if best == nil { // rounding of the mean
		best = c.curr
		for _, t := range c.queue {
			if best == nil || t.fair.vruntime < best.fair.vruntime {
				best = t
			}
		}
	}
	return best
}

// switchTo gives core c to thread t, which waits on its queue.
func (f *fair) switchTo(c *core, t *Thread) {
	if t == nil || t == c.curr {
		return
	}
	if old := c.curr; old != nil {
		old.enter(runnable)
		c.queue = append(c.queue, old)
	}
	for i, q := range c.queue {
		if q == t {
			c.queue = append(c.queue[:i], c.queue[i+1:]...)
			break
		}
	}
	c.curr = t
	t.fair.protect = t.fair.deadline
	t.enter(running)
	f.arm(c)
}

// arm times the completion of the running thread's work; a thread that has
// none goes on with its script at once.
func (f *fair) arm(c *core) {
	c.gen++
	left := max(c.curr.fair.left, 0)
	f.p.k.After(left, f.onDone, c.id<<40|c.gen&(1<<40-1))
}

// done lets the running thread go on with its script.
func (f *fair) done(arg int64) {
	c := f.cores[arg>>40]
	if arg&(1<<40-1) != c.gen&(1<<40-1) || c.curr == nil {
		return
	}
	f.update(c)
	t := c.curr
	t.fair.working = false
	t.fair.left = 0
	t.dispatch()
}

// work uses d on the core that the thread has. Where nothing can come between,
// the clock is moved on without an event.
func (f *fair) work(t *Thread, d time.Duration) {
	c := t.fair.core
	f.update(c)
	if !c.resched && f.p.k.skipTo(f.p.k.now.Add(d)) {
		f.update(c)
		return
	}
	t.fair.working, t.fair.left = true, d
	f.arm(c)
	if c.resched {
		c.resched = false
		f.switchTo(c, f.pick(c))
	}
	t.routine.suspend()
}

func (f *fair) undisturbed(t *Thread) bool { return !t.fair.core.resched }

// yield gives up the core at once where a thread that t has woken is to have
// it, before t goes on with its script.
func (f *fair) yield(t *Thread) {
	c := t.fair.core
	if c == nil || c.curr != t || !c.resched {
		return
	}
	c.resched = false
	f.update(c)
	if next := f.pick(c); next != t {
		t.fair.working, t.fair.left = true, 0
		f.switchTo(c, next)
		t.routine.suspend()
	}
}

func (f *fair) block(t *Thread) {
	c := t.fair.core
	f.update(c)
	f.leave(c, t)
	f.next(c)
}

func (f *fair) end(t *Thread) {
	f.update(t.fair.core)
	f.next(t.fair.core)
}

// next gives the core that its thread has left to another, its own or one that
// waits elsewhere, or lets it fall idle.
func (f *fair) next(c *core) {
	c.vlast = c.mean()
	c.curr, c.resched = nil, false
	c.gen++
	if len(c.queue) == 0 {
		f.steal(c)
	}
	if len(c.queue) == 0 {
		c.idleSince = f.p.k.now
		return
	}
	f.switchTo(c, f.pick(c))
	f.armTick(c)
}

// steal moves a waiting thread from the longest queue to c.
func (f *fair) steal(c *core) {
	var from *core
	for _, o := range f.cores {
		if o != c && !o.waking && len(o.queue) > 0 && (from == nil || len(o.queue) > len(from.queue)) {
			from = o
		}
	}
	if from != nil {
		f.move(from, c)
	}
}

// move takes the thread that has waited longest from one queue to another.
func (f *fair) move(from, to *core) {
	f.update(from)
	t := from.queue[0]
	f.leave(from, t)
	from.queue = append(from.queue[:0], from.queue[1:]...)
	f.update(to)
	f.enqueue(to, t)
}

// awake is a core that has left its idle state: it takes the thread for which
// it was woken.
func (f *fair) awake(id int64) {
	c := f.cores[id]
	c.waking = false
	if c.curr != nil || len(c.queue) == 0 {
		return
	}
	c.updated = f.p.k.now
	m := f.p.machine
	t := f.pick(c)
	if m.ColdAfter > 0 && c.updated.Sub(c.idleSince) > m.ColdAfter {
		t.cold = 1<<Activities - 1
	}
	f.switchTo(c, t)
	f.armTick(c)
}

// armTick keeps the tick going while threads wait for the core.
func (f *fair) armTick(c *core) {
	if c.ticking || len(c.queue) == 0 || f.tick <= 0 {
		return
	}
	c.ticking = true
	past := (int64(f.p.k.now) - c.tickOffset + f.tick) / f.tick
	f.p.k.At(Time(past*f.tick+c.tickOffset), f.onTick, c.id)
}

// ticked is the timer tick of a core on which threads wait.
func (f *fair) ticked(id int64) {
	c := f.cores[id]
	c.ticking = false
	f.update(c)
	f.balance(c)
	if t := c.curr; t != nil && t.fair.working && len(c.queue) > 0 && t.fair.vruntime >= t.fair.protect {
		f.renew(t)
		f.switchTo(c, f.pick(c))
	}
	f.armTick(c)
}

// balance evens out the queues: a waiting thread goes to an idle core at any
// tick, and every few ticks to a core with a queue shorter by two. To one
// shorter by one it goes when that has lasted, so that an odd thread goes round
// the cores and all get the same in the long run.
func (f *fair) balance(c *core) {
	for _, o := range f.cores {
		if o.idle() && len(c.queue) > 0 {
			f.move(c, o)
			f.startIdle(o)
		}
	}
	c.ticks++
	if c.ticks%balanceTicks != 0 {
		return
	}
	to := f.shortestAfter(c)
	if len(c.queue) == 0 || 100*c.load() <= imbalancePercent*to.load() {
		c.odd = 0
		return
	}
	if c.odd++; c.load() >= to.load()+2 || c.odd == oddLooks {
		c.odd = 0
		f.move(c, to)
		f.armTick(to)
	}
}

// shortestAfter is the core with the shortest queue, of equals the next after c.
func (f *fair) shortestAfter(c *core) *core {
	best := c
	for i := range f.cores {
		if o := f.cores[(int(c.id)+1+i)%len(f.cores)]; o.load() < best.load() {
			best = o
		}
	}
	return best
}

// startIdle lets an idle core take the thread that was put on its queue.
func (f *fair) startIdle(c *core) {
	c.waking = true
	f.p.k.After(0, f.onAwake, c.id)
}
