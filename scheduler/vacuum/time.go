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
		n, of := c.Pages/pages/max(c.By, 1), pages*c.Each/float64(b.Limit)
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

// Work is the time of all phases with a sleep every now and then, and without.
func (p *Plan) Work() (throttled, free Times) {
	for i := range p.Phases {
		throttled.add(p.Phases[i].Throttled)
		free.add(p.Phases[i].Free)
	}
	return throttled, free
}

// Elapsed is how long it takes at a budget, if that stays as it is and nobody
// else wants the processor or the device.
func (p *Plan) Elapsed(b Budget) time.Duration {
	slept := p.Sleeps(b).Total
	return p.Working(slept).Total() + slept
}

// Working is how long the work itself takes with so much sleep. Between sleeping
// nearly all the time and not at all it is interpolated: while a worker sleeps
// others write out what it dirtied, and after each sleep its caches are cold.
// Half-way is where it sleeps four times as long as it would take without.
func (p *Plan) Working(slept time.Duration) Times {
	throttled, free := p.Work()
	asleep := p.asleep(slept)
	between := func(a, b time.Duration) time.Duration {
		return time.Duration(asleep*float64(a) + (1-asleep)*float64(b))
	}
	return Times{between(throttled.Processor, free.Processor), between(throttled.Device, free.Device)}
}

// asleep is where between never sleeping (0) and always (1) that is.
func (p *Plan) asleep(slept time.Duration) float64 {
	_, free := p.Work()
	return float64(slept) / (float64(slept) + 4*float64(free.Total()) + 1)
}
