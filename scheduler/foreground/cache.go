package foreground

import "math"

// PageClass are pages that are looked at alike.
type PageClass struct {
	Pages float64
	// Rate is how often each is looked at; in which unit of time does not matter,
	// as long as it is one for all.
	Rate float64
}

// Cache tells which share of the looks at each class of pages finds them in a memory
// of so many pages, by Che's approximation for LRU (Che, Tung, Wang, IEEE JSAC 20,
// 2002): a page is there if it was looked at within the last T, where T is such that
// the pages that were fill the memory,
//
//	Σ pages·(1 - exp(-rate·T)) + once·T = memory.
//
// Once are pages that come by once each, in pages a unit of time: a scan that no
// ring keeps apart. PostgreSQL's clock sweep with its usage counts keeps pages that
// are looked at often longer than LRU does; where rates are even, as here, they agree.
func Cache(classes []PageClass, once, memory float64) []float64 {
	hits := make([]float64, len(classes))
	t := characteristicTime(classes, once, memory)
	for i, c := range classes {
		hits[i] = -math.Expm1(-c.Rate * t)
		if c.Rate <= 0 {
			hits[i] = 0
		}
	}
	return hits
}

// characteristicTime is Che's T; +Inf where all pages fit.
func characteristicTime(classes []PageClass, once, memory float64) float64 {
	filled := func(t float64) (sum float64) {
		for _, c := range classes {
			sum += c.Pages * -math.Expm1(-c.Rate*t)
		}
		return sum + once*t
	}
	if memory <= 0 {
		return 0
	}
	most := 0.0
	for _, c := range classes {
		if c.Rate > 0 {
			most += c.Pages
		}
	}
	if once <= 0 && most <= memory {
		return math.Inf(1)
	}
	low, high := 0.0, 1.0
	for filled(high) < memory {
		if high *= 2; math.IsInf(high, 1) {
			return high
		}
	}
	for range 200 {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if filled(middle) < memory {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// Beneath is the same for the memory beneath a cache: what it is asked for are the
// looks that miss above, and what it holds more than the memory above is its own.
func Beneath(classes []PageClass, above []float64, once, memory float64) []float64 {
	missed := make([]PageClass, len(classes))
	for i, c := range classes {
		missed[i] = PageClass{c.Pages, c.Rate * (1 - above[i])}
	}
	return Cache(missed, once, memory)
}
