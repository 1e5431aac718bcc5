package vacuum

import (
	"math"
	"time"
)

// Checkpoints are those of the server that a VACUUM runs in. A page changed for the
// first time after one begins is written to the log as an image; and once the
// checkpoint has written it, it is clean, and changing it again is charged again.
type Checkpoints struct {
	// Timeout is checkpoint_timeout; 0 where none begins meanwhile.
	Timeout time.Duration
	// Distance is how many bytes of log begin one earlier (max_wal_size); 0 for any.
	Distance float64
	// Target is checkpoint_completion_target: the share of the time between two in which
	// the pages are written.
	Target float64
	// OthersLog is what others write to the log, in bytes a second.
	OthersLog float64
}

// Interval is how long it is between two of them where so much log is written, in bytes
// a second, besides that of others.
func (k Checkpoints) Interval(log float64) time.Duration {
	if k.Distance > 0 && log+k.OthersLog > 0 {
		return time.Duration(min(float64(k.Timeout), k.Distance/(log+k.OthersLog)*1e9))
	}
	return k.Timeout
}

// Cycle is checkpoints as they follow one another. How long after the last one began
// something happens is as likely to be one time as another.
type Cycle struct {
	Interval time.Duration
	Target   float64
}

// Logged is the probability that none has begun since a page was changed so long ago:
// its next change writes no image.
func (c Cycle) Logged(ago time.Duration) float64 {
	if c.Interval <= 0 {
		return 1
	}
	return max(0, 1-float64(ago)/float64(c.Interval))
}

// Dirty is the probability that none has written such a page: it is U·Interval until the
// next begins, and V·Target·Interval until that comes to the page, U and V being uniform.
func (c Cycle) Dirty(ago time.Duration) float64 {
	if c.Interval <= 0 {
		return 1
	}
	z, t := float64(ago)/float64(c.Interval), c.Target
	switch {
	case z >= 1+t:
		return 0
	case t <= 0:
		return 1 - z
	case z > 1:
		return (1 + t - z) * (1 + t - z) / (2 * t)
	case z > t:
		return 1 - z + t/2
	}
	return 1 - z*z/(2*t)
}

// steps is into how many parts a mean over time is divided.
const steps = 64

// mean is that of a probability over times ago spread evenly between two.
func mean(of func(time.Duration) float64, from, to time.Duration) (sum float64) {
	if from == to {
		return of(from)
	}
	for i := range steps {
		sum += of(from + time.Duration((float64(i)+0.5)/steps*float64(to-from)))
	}
	return sum / steps
}

// Changed is what is known of a page that is changed so often a second, at random
// times: with which probability its next change writes no image, and with which it is
// dirty, if it is in shared buffers. The last change was so long ago that the
// probability of none since is exp(-rate·ago).
func (c Cycle) Changed(perSecond float64) (logged, dirty float64) {
	if perSecond <= 0 {
		return 0, 0
	}
	if c.Interval <= 0 {
		return 1, 1
	}
	times := perSecond * c.Interval.Seconds()
	logged = 1 + math.Expm1(-times)/times
	// ∫ rate·exp(-rate·a)·Dirty(a) da, over equal parts of the probability that is within
	// 1+Target intervals.
	within := -math.Expm1(-times * (1 + c.Target))
	for i := range steps {
		p := (float64(i) + 0.5) / steps * within
		dirty += within / steps * c.Dirty(time.Duration(-math.Log1p(-p)/perSecond*1e9))
	}
	return logged, max(dirty, logged)
}

// A VACUUM is planned again with the checkpoints that begin during it, until its length
// and the time between two change by less than one part in so many, and so often at
// most; and not where it takes less than that part of the time between two.
const (
	settleRounds = 40
	settleFrom   = 1000
)

// settle plans again with the checkpoints that begin meanwhile. How many those are hangs
// on how long it takes and how much log it writes, and the other way round. Where nothing
// is visited twice they do not matter here.
func (b *builder) settle() {
	k := b.Job.Checkpoints
	if k.Timeout <= 0 || b.IndexScans == 0 {
		return
	}
	before := time.Duration(0)
	for range settleRounds {
		b.lay()
		takes := b.starts[len(b.starts)-1]
		cycle := Cycle{k.Interval(ratio(b.total.WALBytes, takes.Seconds())), k.Target}
		if takes < cycle.Interval/settleFrom || same(takes, before) && same(cycle.Interval, b.cycle.Interval) {
			return
		}
		b.cycle, before = cycle, takes
		b.run()
	}
}

// same tells whether two times differ by no more than matters.
func same(a, b time.Duration) bool { return math.Abs(float64(a-b)) <= float64(a)/settleFrom }

// lay notes when each phase begins, and at last the end, at the budget.
func (b *builder) lay() {
	slept := b.Sleeps(b.Job.Budget).Total
	asleep := b.asleep(slept)
	at := time.Duration(0)
	b.starts = b.starts[:0]
	for i := range b.Phases {
		b.starts = append(b.starts, at)
		at += b.lasts(i, slept, asleep)
	}
	b.starts = append(b.starts, at)
}

// lasts is how long a phase takes in a VACUUM that sleeps so long in all: its work, and
// of the sleeps as much as of the cost.
func (p *Plan) lasts(i int, slept time.Duration, asleep float64) time.Duration {
	x := &p.Phases[i]
	work := asleep*float64(x.Throttled.Total()) + (1-asleep)*float64(x.Free.Total())
	return time.Duration(work + float64(slept)*ratio(x.Cost, p.cost))
}

// again is what is left, when the second heap pass comes to the pages of the first, of
// their being logged and dirty. Both go through them at an even pace: the first page
// waits for the rest of the first pass, the last for that of the second.
func (b *builder) again() (logged, dirty float64) {
	i := len(b.Phases) - 1 // of the second pass; the first is two before, the indexes between
	if b.cycle.Interval <= 0 || len(b.starts) <= i+1 {
		return 1, 1
	}
	first, last := b.starts[i]-b.starts[i-2], b.starts[i+1]-b.starts[i-1]
	return mean(b.cycle.Logged, first, last), mean(b.cycle.Dirty, first, last)
}

// changedBefore is the share of an index's pages that passes before have changed and of
// which the next change writes no image, and of those that are dirty still. A page is come
// to at the same point of each pass.
func (b *builder) changedBefore(x *Index, pass int) (logged, dirty float64) {
	i := len(b.Phases) - 1
	unchanged := 1.0
	for before := pass - 1; before >= 0; before-- {
		last := unchanged * ratio(b.touchedIn(x, &b.Dead.Fills[before]), x.Pages)
		unchanged -= last
		l, d := 1.0, 1.0
		if j := i - phasesInPass*(pass-before); b.cycle.Interval > 0 && i < len(b.starts) {
			ago := b.starts[i] - b.starts[j]
			l, d = b.cycle.Logged(ago), b.cycle.Dirty(ago)
		}
		logged += last * l
		dirty += last * d
	}
	return logged, dirty
}

// phasesInPass: heap, indexes, heap.
const phasesInPass = 3
