package workload

import (
	"sort"
	"time"
)

// Delayed is a rate that a client could not keep up with: by each point of the course
// it had done what its schedule has by another time.
type Delayed struct {
	Rate   Rate
	Course []Point // in the order of time, the first at 0
}

// Point says how far in its schedule a client was at an instant.
type Point struct{ At, Schedule time.Duration }

// Total is what the schedule has by the time that was reached. After the last point
// the client stays as late as it was there.
func (d Delayed) Total(t time.Duration) float64 { return d.Rate.Total(d.reached(t)) }

func (d Delayed) reached(t time.Duration) time.Duration {
	n := len(d.Course)
	i := sort.Search(n, func(i int) bool { return d.Course[i].At > t })
	switch {
	case n == 0 || i == 0:
		return t
	case i == n:
		last := d.Course[n-1]
		return last.Schedule + t - last.At
	}
	a, b := d.Course[i-1], d.Course[i]
	return a.Schedule + time.Duration(float64(t-a.At)/float64(b.At-a.At)*float64(b.Schedule-a.Schedule))
}

// Most is that of the schedule at the pace at which the client ever catches up.
func (d Delayed) Most(t time.Duration) float64 {
	pace := 1.0
	for i := 1; i < len(d.Course); i++ {
		a, b := d.Course[i-1], d.Course[i]
		if b.At > t && b.At > a.At {
			pace = max(pace, float64(b.Schedule-a.Schedule)/float64(b.At-a.At))
		}
	}
	return pace * d.Rate.Most(d.reached(t))
}
