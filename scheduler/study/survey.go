package study

import (
	"strings"
	"time"
)

// Survey is what can be said of a study before it is run.
type Survey struct {
	Hash   string // of the inputs: twelve hexadecimal digits
	Points int
	Cost   time.Duration // an estimate of the processor time of one replication of all
}

// mostChecked bounds what is remembered of points that were found to be in order.
const mostChecked = 10_000

// Survey goes through the points of a grid once, checks that each can be run,
// and hands them to see, if it is not nil, with an estimate of what a replication
// costs.
func (s Study) Survey(g *Grid, see func(GridPoint, time.Duration) error) (Survey, error) {
	h := s.newHasher()
	var out Survey
	checked := map[string]bool{}
	for p, err := range g.Points() {
		if err != nil {
			return out, err
		}
		key := p.PG.String() + strings.Join(p.Settings, " ")
		if !checked[key] {
			if err := s.Check(p.Point); err != nil {
				return out, err
			}
			if len(checked) < mostChecked {
				checked[key] = true
			}
		}
		h.add(p.Point)
		cost := s.Cost(p.Point)
		out.Points++
		out.Cost += cost
		if see != nil {
			if err := see(p, cost); err != nil {
				return out, err
			}
		}
	}
	out.Hash = h.text()
	return out, nil
}
