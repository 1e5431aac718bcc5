package vacuum

import "math"

// Pool is a cache of pages that replaces, roughly, the one that was looked up
// longest ago, as the clock sweep of shared buffers does. By Che's approximation
// (Che, Tung and Wang 2002; Fagin 1977) a page stays in it for the same time
// after it was last looked up, whichever it is: the time T at which
//
//	Σ pages·(1 - exp(-rate·T)) + stream·T = room
//
// where stream are pages a second that are looked up once. Pages are put in by
// rate, in classes a quarter of an octave wide; the clock's counts of use, up
// to 5 sweeps, are not followed.
type Pool struct {
	classes [classes]class
	idle    float64 // pages that are not looked up
	stream  float64
	all     float64
}

type class struct{ pages, lookups float64 }

// Classes begin at one look-up in 2^32 seconds, and are a quarter of an octave
// wide: up to 2^32 a second.
const (
	classes   = 256
	octaves   = 4
	zeroClass = classes / 2
)

// Add puts in pages of which each is looked up so often a second.
func (p *Pool) Add(pages, perSecond float64) {
	if pages <= 0 {
		return
	}
	p.all += pages
	if perSecond <= 0 {
		p.idle += pages
		return
	}
	i := min(max(zeroClass+int(math.Floor(octaves*math.Log2(perSecond))), 0), classes-1)
	p.classes[i].pages += pages
	p.classes[i].lookups += pages * perSecond
}

// Stream puts in so many pages a second that are looked up once.
func (p *Pool) Stream(perSecond float64) { p.stream += perSecond }

// Pages are all that were put in.
func (p *Pool) Pages() float64 { return p.all }

// Window is how long a page stays in a cache.
type Window struct {
	// Seconds since its last look-up; +Inf where all that are looked up have
	// room.
	Seconds float64
	// Idle is the share of pages never looked up that have room as well.
	Idle float64
}

// Window solves for a cache of so many pages.
func (p *Pool) Window(room float64) Window {
	active := p.all - p.idle
	if p.stream <= 0 && active <= room {
		idle := 1.0
		if p.idle > 0 {
			idle = min(1, (room-active)/p.idle)
		}
		return Window{math.Inf(1), idle}
	}
	low, high := -40.0, 40.0 // of log2 of the seconds
	for range 50 {
		if middle := (low + high) / 2; p.filled(math.Exp2(middle)) < room {
			low = middle
		} else {
			high = middle
		}
	}
	return Window{Seconds: math.Exp2(low)}
}

// filled are the pages that are in the cache if they stay so long.
func (p *Pool) filled(seconds float64) float64 {
	sum := p.stream * seconds
	for _, c := range p.classes {
		if c.pages > 0 {
			sum += c.pages * -math.Expm1(-c.lookups/c.pages*seconds)
		}
	}
	return sum
}

// Found is the share of pages that are in the cache, each looked up so often a
// second at random.
func (w Window) Found(perSecond float64) float64 {
	switch {
	case perSecond <= 0:
		return w.Idle
	case math.IsInf(w.Seconds, 1):
		return 1
	}
	return -math.Expm1(-perSecond * w.Seconds)
}
