package workload

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// poissonPath is a sample path of a Poisson process of rate one: the number of
// points in (0, x], for any x, in any order of asking, at no memory. Of the
// points of an interval each lies in its first half with probability 1/2, so the
// count of the half is binomial given that of the whole, and is drawn from the
// place of the half alone.
type poissonPath uint64

// top is the length of the interval that the path begins with: as many points as
// a float64 counts exactly are beyond it.
const top = 1 << 40

// interval is one of those that halving gives: its place among all of them, its
// bounds, the points before it and in it.
type interval struct {
	place          uint64 // 1 for the whole; 2p and 2p+1 are the halves of p
	start, length  float64
	before, inside float64
}

func (v interval) has(x float64) bool { return v.place > 0 && v.start <= x && x < v.start+v.length }

// near is the length of the interval that is remembered: who asks again mostly asks
// for a place not far from the last.
const near = 1 << 12

// at is the number of points in (0, x]. Below one expected point the count is
// that of the interval, spread evenly. The interval about the last place asked for
// is kept in last, if that is given.
func (p poissonPath) at(x float64, last *interval) float64 {
	if x <= 0 {
		return 0
	}
	var v interval
	if last != nil && last.has(x) {
		v = *last
	} else {
		v = interval{place: 1, length: top, inside: p.whole()}
	}
	for {
		if v.length == near && last != nil {
			*last = v
		}
		if x >= v.start+v.length || v.inside == 0 {
			return v.before + v.inside
		}
		if v.length <= 1 {
			return v.before + math.Floor(v.inside*(x-v.start)/v.length)
		}
		v = p.halved(v, x)
	}
}

// halved is the half of an interval that x lies in.
func (p poissonPath) halved(v interval, x float64) interval {
	half, left := v.length/2, p.split(v.place, v.inside)
	if x < v.start+half {
		return interval{2 * v.place, v.start, half, v.before, left}
	}
	return interval{2*v.place + 1, v.start + half, half, v.before + left, v.inside - left}
}

// whole is the count of the top interval, by its normal limit.
func (p poissonPath) whole() float64 {
	r := rand.New(rand.NewPCG(uint64(p), 0))
	return math.Round(top + math.Sqrt(top)*r.NormFloat64())
}

// split is how many of n points lie in the first half of the interval at a
// place: binomial(n, 1/2), above a thousand by its normal limit.
func (p poissonPath) split(place uint64, n float64) float64 {
	var r rand.PCG
	r.Seed(uint64(p), place)
	if n > 1000 {
		return math.Min(math.Max(math.Round(n/2+math.Sqrt(n)/2*rand.New(&r).NormFloat64()), 0), n)
	}
	left := 0
	for i := int(n); i > 0; i -= 64 {
		coins := r.Uint64()
		if i < 64 {
			coins &= 1<<uint(i) - 1
		}
		left += bits.OnesCount64(coins)
	}
	return float64(left)
}
