package foreground

import (
	"math/rand/v2"
	"time"

	"avsim/sim"
)

// vacuuming is a VACUUM in a phase that does not end within the window. It takes
// pages in pieces of what the kernel reads at once: while it works on one piece the
// next is being read.
type vacuuming struct {
	*window
	work  Work
	piece int
	pages *rand.Rand

	done      float64  // pages, by last
	last      sim.Time // end of the last piece
	first     sim.Time // end of the first one that counts, and what was done by then
	before    float64
	changed   float64 // pages since the log was last made durable for the ring
	reading   bool    // the next piece
	ready     bool    // and it is there
	wantsNext bool

	arrived, worked, durable, awake, nothing sim.HandlerID
}

func newVacuuming(w *window, work Work, streams sim.Streams) *vacuuming {
	v := &vacuuming{window: w, work: work, piece: max(work.Ahead, 1), pages: streams.Named("vacuum")}
	k := &w.k
	v.arrived, v.worked = k.Handler(v.afterRead), k.Handler(v.afterWork)
	v.durable, v.awake = k.Handler(v.afterFlush), k.Handler(func(int64) { v.next() })
	v.nothing = k.Handler(func(int64) {})
	v.readAhead()
	v.next()
	return v
}

// pagesPerSecond is the pace between the first and the last piece that count.
func (v *vacuuming) pagesPerSecond() float64 {
	if v.last <= v.first {
		return 0
	}
	return (v.done - v.before) / v.last.Sub(v.first).Seconds()
}

// readAhead asks for the next piece, if it has to come from the device.
func (v *vacuuming) readAhead() {
	v.reading, v.ready = true, false
	if n := count(v.pages, v.work.Reads, v.piece); n > 0 {
		v.device.Request(int64(n)*PageBytes, v.latency(v.pages), v.arrived, 0)
		return
	}
	v.ready = true
}

func (v *vacuuming) afterRead(int64) {
	v.ready = true
	if v.wantsNext {
		v.wantsNext = false
		v.next()
	}
}

// next works on the piece that was read, once it is there.
func (v *vacuuming) next() {
	if !v.ready {
		v.wantsNext = true
		return
	}
	v.readAhead()
	v.cores.Serve(time.Duration(v.piece)*v.work.CPU, v.worked, 0)
}

// afterWork writes what the ring comes round to.
func (v *vacuuming) afterWork(int64) {
	v.done += float64(v.piece)
	v.last = v.k.Now()
	if v.first < v.from || v.before == 0 {
		v.first, v.before = v.last, v.done
	}
	v.log.add(v.work.LogBytes * float64(v.piece))
	n := count(v.pages, v.work.Writes, v.piece)
	if n > 0 {
		v.device.Request(int64(n)*PageBytes, 0, v.nothing, 0)
	}
	if v.changed += float64(n); v.work.Ring > 0 && v.changed >= v.work.Ring {
		v.changed = 0
		v.log.wait(v.durable, 0)
		return
	}
	v.rest()
}

func (v *vacuuming) afterFlush(int64) { v.rest() }

// rest idles for what the piece asks for.
func (v *vacuuming) rest() {
	if v.work.Idle <= 0 {
		v.next()
		return
	}
	v.k.After(time.Duration(v.piece)*v.work.Idle, v.awake, 0)
}

// count draws how many of n pages something happens to, so many times each.
func count(r *rand.Rand, each float64, n int) int {
	whole := each * float64(n)
	out := int(whole)
	if r.Float64() < whole-float64(out) {
		out++
	}
	return out
}
