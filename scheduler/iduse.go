package scheduler

import (
	"time"

	"avsim/sim"
	"avsim/workload"
)

// idUse is how fast ids are used up, by the sessions of all databases together.
type idUse struct {
	steady workload.Constant // the sum of those that do not change
	others []workload.Rate
}

// add adds a database's use; nil is none.
func (u *idUse) add(r workload.Rate) {
	switch r := r.(type) {
	case nil:
	case workload.Constant:
		u.steady += r
	default:
		u.others = append(u.others, r)
	}
}

// at are the ids used since the start of the run.
func (u *idUse) at(t sim.Time, h halts) float64 {
	sum := u.total(t)
	if len(h) > 0 {
		sum -= h.lost(t, u.total)
	}
	return sum
}

func (u *idUse) total(t sim.Time) float64 {
	sum := u.steady.Total(time.Duration(t))
	for _, r := range u.others {
		sum += r.Total(time.Duration(t))
	}
	return sum
}

// most is an upper bound of ids a second from then on.
func (u *idUse) most(t sim.Time) float64 {
	sum := float64(u.steady)
	for _, r := range u.others {
		sum += r.Most(time.Duration(t))
	}
	return sum
}
