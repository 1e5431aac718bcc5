package workload

import (
	"math"
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

// at is the number of points in (0, x]. Below one expected point the count is
// that of the interval, spread evenly.
func (p poissonPath) at(x float64) float64 {
	if x <= 0 {
		return 0
	}
	length, start, before := float64(top), 0.0, 0.0
	inside := p.whole()
	for place := uint64(1); ; {
		if x >= start+length || inside == 0 {
			return before + inside
		}
		if length <= 1 {
			return before + math.Floor(inside*(x-start)/length)
		}
		half := length / 2
		left := p.split(place, inside)
		if x < start+half {
			inside, place = left, 2*place
		} else {
			before, inside = before+left, inside-left
			start, place = start+half, 2*place+1
		}
		length = half
	}
}

// whole is the count of the top interval, by its normal limit.
func (p poissonPath) whole() float64 {
	r := rand.New(rand.NewPCG(uint64(p), 0))
	return math.Round(top + math.Sqrt(top)*r.NormFloat64())
}

// split is how many of n points lie in the first half of the interval at a
// place: binomial(n, 1/2), above a thousand by its normal limit.
func (p poissonPath) split(place uint64, n float64) float64 {
	r := rand.New(rand.NewPCG(uint64(p), place))
	if n > 1000 {
		return math.Min(math.Max(math.Round(n/2+math.Sqrt(n)/2*r.NormFloat64()), 0), n)
	}
	left := 0.0
	for i := int(n); i > 0; i -= 64 {
		bits := r.Uint64()
		if i < 64 {
			bits &= 1<<uint(i) - 1
		}
		for ; bits != 0; bits &= bits - 1 {
			left++
		}
	}
	return left
}
