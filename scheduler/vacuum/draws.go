package vacuum

import "math"

// draws is a table from which a page's dead rows are drawn: how many of m rows,
// each dead with probability p, and how far the last of them is. Rows of a page
// are alike, so any of as many is as likely to be the dead ones.
type draws struct {
	outcomes []deadOn
	upTo     []float64 // cumulative probability
	guide    [guides + 1]uint16
}

// guides is into how many parts the probabilities are divided to find one fast.
const guides = 512

// wordRows is how many offsets a word of a page's bitmap in a TidStore has: the
// last offset matters no more finely.
const wordRows = 64

func newDraws(m int, p float64) draws {
	var d draws
	sum := 0.0
	add := func(n int, last uint16, p float64) {
		if p > 0 {
			sum += p
			d.outcomes = append(d.outcomes, deadOn{n, last})
			d.upTo = append(d.upTo, sum)
		}
	}
	for n := 0; n <= m; n++ {
		of := binomial(m, n, p)
		if n == 0 || of < 1e-15 {
			add(n, 0, of)
			continue
		}
		before := 0.0
		for last := min(wordRows-1, m); ; last = min(last+wordRows, m) {
			upTo := allWithin(n, last, m)
			if last >= n {
				add(n, uint16(last), of*(upTo-before))
			}
			if before = upTo; last == m {
				break
			}
		}
	}
	d.upTo[len(d.upTo)-1] = math.Inf(1)
	at := 0
	for i := range d.guide {
		for d.upTo[at] < float64(i)/guides*sum {
			at++
		}
		d.guide[i] = uint16(at)
	}
	return d
}

// of is the outcome of a random number.
func (d *draws) of(random uint64) deadOn {
	u := float64(random>>11) * (1.0 / (1 << 53))
	i := d.guide[int(u*guides)]
	for d.upTo[i] <= u {
		i++
	}
	return d.outcomes[i]
}

// binomial is the probability that n of m rows are dead.
func binomial(m, n int, p float64) float64 {
	switch {
	case p <= 0:
		return float64(b2i(n == 0))
	case p >= 1:
		return float64(b2i(n == m))
	}
	return math.Exp(logChoose(m, n) + float64(n)*math.Log(p) + float64(m-n)*math.Log1p(-p))
}

// allWithin is the probability that n of m rows, drawn at random, are all among
// the first x.
func allWithin(n, x, m int) float64 {
	if x < n {
		return 0
	}
	return math.Exp(logChoose(x, n) - logChoose(m, n))
}

func logChoose(m, n int) float64 {
	log := func(x int) float64 { l, _ := math.Lgamma(float64(x + 1)); return l }
	return log(m) - log(n) - log(m-n)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
