package experiment

import (
	"container/heap"
	"fmt"
)

// Shares hands points out to shards so that each gets about the same cost: each
// point goes to the shard that has least so far, the first of equals. No shard
// then has more than the mean and one point. Every shard that goes through the
// same points comes to the same shares.
type Shares struct{ loads loads }

// NewShares are the shares of n shards, at least one, of which none has
// anything yet.
func NewShares(n int) *Shares {
	if n < 1 {
		panic(fmt.Sprintf("experiment: %d shards", n))
	}
	s := &Shares{make(loads, n)}
	for i := range s.loads {
		s.loads[i].shard = i
	}
	return s
}

// Next returns the shard, counted from 0, of the next point.
func (s *Shares) Next(cost float64) int {
	least := &s.loads[0]
	shard := least.shard
	least.cost += cost
	heap.Fix(&s.loads, 0)
	return shard
}

// loads is a heap by cost and number.
type loads []struct {
	cost  float64
	shard int
}

func (l loads) Len() int { return len(l) }
func (l loads) Less(i, j int) bool {
	return l[i].cost < l[j].cost || l[i].cost == l[j].cost && l[i].shard < l[j].shard
}
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *loads) Push(any)     { panic("experiment: shards do not come and go") }
func (l *loads) Pop() any     { panic("experiment: shards do not come and go") }
