package scheduler

import (
	"math"

	"avsim/scheduler/foreground"
	"avsim/sim"
)

// doubtReplications is how often the interval of which most is a vacuum's is simulated
// anew, to see how far apart figures are by chance alone.
const doubtReplications = 8

// doubt finds how sure it is what vacuums change. All windows of a run have the same
// random numbers, so that their errors are alike: those of one tell about all.
func (f *feeling) doubt() {
	x := f.mostVacuumed()
	if x == nil {
		return
	}
	work := f.spans[x.span].work
	transactions := f.spans[x.span].transactions(x.demand, f.server(), x.Without.Throughput)
	var drops, ratios []float64
	for n := range doubtReplications {
		f.again = n + 1
		without, with := f.window(x.demand, nil, transactions), f.window(x.demandVacuum, &work, transactions)
		drops = append(drops, 1-with.Throughput/without.Throughput)
		ratios = append(ratios, float64(with.P99)/float64(without.P99))
	}
	f.again = 0
	half := func(samples []float64) float64 {
		i := sim.StudentInterval(samples, 0.95)
		return (i.Hi - i.Lo) / 2 * math.Sqrt(doubtReplications) // of one sample: that of the run
	}
	f.out.DropHalfWidth, f.out.P99HalfWidth = half(drops), half(ratios)
}

// mostVacuumed is the interval in which a vacuum is at work longest.
func (f *feeling) mostVacuumed() (most *seenInterval) {
	length := 0.0
	for i := range f.busy {
		x := &f.busy[i]
		if l := x.Share * (x.To - x.From).Seconds(); l > length {
			most, length = x, l
		}
	}
	return most
}

// seenInterval is an interval with a vacuum, and what it was simulated from.
type seenInterval struct {
	FeltInterval
	span                 int
	demand, demandVacuum foreground.Demand
}
