package sim

import "math"

// LogHistogram counts durations in bins of equal ratio, so that their quantiles can be
// told without keeping them: to half a bin, 0.6 %. The zero value is empty.
type LogHistogram struct {
	counts []uint32 // the first is of those below leastBin
	n      int
}

// LogHistogramError is the most by which a quantile is off, as a share of it.
const LogHistogramError = 0.006

// The bins: 200 for every factor of 10 between a nanosecond and 10⁷ seconds.
const (
	binsPerDecade = 200
	leastBin      = 1e-9
	binDecades    = 16
)

// Add counts a duration in seconds. Those below a nanosecond count as zero, those beyond
// the last bin as in it.
func (h *LogHistogram) Add(seconds float64) {
	if h.counts == nil {
		h.counts = make([]uint32, 1+binsPerDecade*binDecades)
	}
	i := 0
	if seconds >= leastBin {
		i = min(1+int(binsPerDecade*math.Log10(seconds/leastBin)), len(h.counts)-1)
	}
	h.counts[i]++
	h.n++
}

// N is how many were counted.
func (h *LogHistogram) N() int { return h.n }

// Reset empties it.
func (h *LogHistogram) Reset() {
	clear(h.counts)
	h.n = 0
}

// Quantile is the middle, by ratio, of the bin that holds the smallest duration which a
// share p, above 0 to 1, of all do not exceed: in seconds, zero for those below a
// nanosecond, NaN where there are none.
func (h *LogHistogram) Quantile(p float64) float64 {
	if h.n == 0 {
		return math.NaN()
	}
	left := max(int(math.Ceil(p*float64(h.n))), 1)
	for i, c := range h.counts {
		if left -= int(c); left <= 0 {
			if i == 0 {
				return 0
			}
			return leastBin * math.Pow(10, (float64(i)-0.5)/binsPerDecade)
		}
	}
	return math.NaN() // not reached: the counts add up to n
}
