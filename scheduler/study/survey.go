package study

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// Look goes through the points of a grid once, checks that each can be run,
// and hands them to see, if it is not nil, with an estimate of what a replication
// costs.
func Look(s Study, g *Grid, see func(GridPoint, time.Duration) error) (Survey, error) {
	h := newHasher(s)
	var out Survey
	checked := map[string]bool{}
	for p, err := range g.Points() {
		if err != nil {
			return out, err
		}
		key := p.checkKey()
		if !checked[key] {
			if err := s.Check(p.Point); err != nil {
				return out, err
			}
			if len(checked) < mostChecked {
				checked[key] = true
			}
		}
		h.add(s, p.Point)
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

// checkKey tells apart the points that may be in order or not by themselves.
func (p Point) checkKey() string {
	return fmt.Sprintf("%v %d %q %q %s %v", p.PG, p.Workers, p.Settings, p.Fields, p.Variant, p.Lasting)
}

// Guessed is what some points of a grid say of all.
type Guessed struct {
	Drawn, Kept int
	Points      float64       // of all, that are kept
	Cost        time.Duration // the mean of one replication of a point
}

// Guess draws so many points of a grid at random, the same each time, and says from
// these how many there are and what they cost.
func Guess(ctx context.Context, s Study, g *Grid, draws int) (Guessed, error) {
	out := Guessed{Drawn: draws}
	r := rand.New(rand.NewPCG(1, 2))
	at := make([]int, len(g.steps))
	hosts := &hostMemo{}
	var sum float64
	for range draws {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		for i, step := range g.steps {
			at[i] = r.IntN(step.n)
		}
		keep, err := g.keeps(at)
		if err != nil {
			return out, err
		}
		if !keep {
			continue
		}
		p, err := g.point(at, hosts)
		if err != nil {
			return out, err
		}
		out.Kept++
		sum += s.Cost(p).Seconds()
	}
	if out.Kept > 0 {
		out.Points = g.Size() * float64(out.Kept) / float64(draws)
		out.Cost = time.Duration(sum / float64(out.Kept) * 1e9)
	}
	return out, nil
}
