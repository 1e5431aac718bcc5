package vacuum

import (
	"math"
	"time"
)

// Budget is what a VACUUM may spend between sleeps; the zero Budget is none:
// it does not sleep.
type Budget struct {
	Limit int
	Delay time.Duration
	// Slack is how much longer than asked for a sleep lasts.
	Slack time.Duration
}

// Sleep is what vacuum_delay_point adds up to.
type Sleep struct {
	Times  float64
	Capped float64 // times that it would have been longer than four delays
	Total  time.Duration
}

// most is how many delays a sleep lasts at most (vacuum_delay_point).
const most = 4

// Sleeps counts the sleeps of all phases at a budget. Charges mount up page by
// page until they reach the limit; then the worker sleeps for delay × charges /
// limit, at most four delays, and counts anew. What does not reach the limit
// any more at the end costs no sleep.
func (p *Plan) Sleeps(b Budget) Sleep { return SleepsOf(p.charges, b) }

// SleepsOf is the same of any charges.
func SleepsOf(charges []Charge, b Budget) Sleep {
	var s Sleep
	if b.Limit <= 0 || b.Delay <= 0 {
		return s
	}
	var delays float64
	for _, c := range charges {
		if c.Each <= 0 {
			continue
		}
		pages := math.Ceil(float64(b.Limit) / c.Each) // between two sleeps
		n, of := c.Pages/pages, pages*c.Each/float64(b.Limit)
		if of > most {
			of = most
			s.Capped += n
		}
		s.Times += n
		delays += n * of
	}
	n := math.Floor(s.Times + 1e-9)
	if n == 0 {
		return Sleep{}
	}
	s.Capped *= n / s.Times
	delays *= n / s.Times
	s.Times = n
	s.Total = time.Duration(delays*float64(b.Delay) + n*float64(b.Slack))
	return s
}

// Work and Unthrottled are the times of all phases: of the processor and of
// waiting for the device, with a sleep every now and then and without.
func (p *Plan) Work() (throttled, free time.Duration) {
	for i := range p.Phases {
		throttled += p.Phases[i].Work
		free += p.Phases[i].Unthrottled
	}
	return throttled, free
}

// Device is how long all phases wait for the device.
func (p *Plan) Device() (sum time.Duration) {
	for i := range p.Phases {
		sum += p.Phases[i].Device
	}
	return sum
}

// Elapsed is how long it takes at a budget, if that stays as it is and nobody
// else wants the processor.
func (p *Plan) Elapsed(b Budget) time.Duration {
	slept := p.Sleeps(b).Total
	return p.Working(slept) + slept
}

// Working is how long the work itself takes with so much sleep. Between sleeping
// nearly all the time and not at all it is interpolated: while a worker sleeps
// others write out what it dirtied, and after each sleep its caches are cold.
// Half-way is where it sleeps four times as long as it would take without.
func (p *Plan) Working(slept time.Duration) time.Duration {
	work, free := p.Work()
	return Between(work, free, slept)
}

// Between is that interpolation for times of work that are known.
func Between(work, free, slept time.Duration) time.Duration {
	asleep := float64(slept) / (float64(slept) + 4*float64(free) + 1)
	return time.Duration(asleep*float64(work) + (1-asleep)*float64(free))
}
