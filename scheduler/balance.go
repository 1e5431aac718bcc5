package scheduler

import (
	"slices"
	"time"

	"avsim/workload/guc"
)

// budget is what one worker may spend: so much cost, then so long a sleep.
type budget struct {
	limit int
	delay time.Duration
}

// balancer shares the cost limit out among the workers that run. A worker
// counts from the start of its first table to its exit, also between two
// tables.
type balancer struct {
	divides bool   // the limit is divided by the number of workers: from 16
	server  budget // of the settings
	running []share
	favours favours // nil where all have equal shares

	place   map[int]int // of a worker in running
	worked  []budget    // the budgets of all, as long as nothing changes; nil when it has
	changes int         // how often something did
}

// share is one worker's.
type share struct {
	worker   int
	balanced bool // takes part: its table has no cost parameters of its own
	// own are the cost parameters of its table, as they were at its start.
	own budget
	// Whether they are storage parameters; from 16 the others follow a reload
	// while the table is under way.
	ownLimit, ownDelay bool
}

func newBalancer(s guc.Settings) *balancer {
	return &balancer{divides: s.Version().AtLeast(guc.MustVersion("16.0")), server: newBudget(s), place: map[int]int{}}
}

func newBudget(s guc.Settings) budget {
	return budget{int(s.Int("autovacuum_vacuum_cost_limit")), s.Duration("autovacuum_vacuum_cost_delay")}
}

// reload takes over changed settings. To 15 a worker keeps the limit and delay
// that its table began with as the most that it gets; from 16 all follow.
func (b *balancer) reload(s guc.Settings) {
	b.server = newBudget(s)
	b.changed()
}

// changed is told of everything that budgets follow from.
func (b *balancer) changed() {
	b.worked = nil
	b.changes++
}

// begin is a worker's start with a table.
func (b *balancer) begin(worker int, o tableOptions) {
	s := share{worker: worker, own: b.server}
	if x, ok := o["autovacuum_vacuum_cost_limit"]; ok {
		s.own.limit, s.ownLimit = int(x), true
	}
	if x, ok := o["autovacuum_vacuum_cost_delay"]; ok {
		s.own.delay, s.ownDelay = time.Duration(x*float64(time.Millisecond)+0.5), true
	}
	s.balanced = !s.ownLimit && !s.ownDelay
	if !b.divides && s.own.delay == 0 {
		s.balanced = !s.ownLimit // to 15 a delay of 0 is no reason to stay out
	}
	i := b.find(worker)
	switch {
	case i < 0:
		b.place[worker] = len(b.running)
		b.running = append(b.running, s)
	case b.running[i] == s:
		return
	default:
		b.running[i] = s
	}
	b.changed()
}

// exit is a worker's end.
func (b *balancer) exit(worker int) {
	i := b.find(worker)
	if i < 0 {
		return
	}
	b.running = slices.Delete(b.running, i, i+1)
	delete(b.place, worker)
	for i := i; i < len(b.running); i++ {
		b.place[b.running[i].worker] = i
	}
	b.changed()
}

// find is a worker's place in running, -1 for none.
func (b *balancer) find(worker int) int {
	if i, ok := b.place[worker]; ok {
		return i
	}
	return -1
}

// of is the budget of a worker; ok is false before its first table.
func (b *balancer) of(worker int) (out budget, ok bool) {
	i := b.find(worker)
	if i < 0 {
		return budget{}, false
	}
	return b.limits()[i], true
}

// limits are the budgets of all running workers, in the order in which they
// began; valid until something changes. Favours change with time.
func (b *balancer) limits() []budget {
	if b.worked == nil || b.favours != nil {
		b.worked = b.shared()
	}
	return b.worked
}

func (b *balancer) shared() []budget {
	if b.divides {
		return b.divided()
	}
	return b.rationed()
}

// rationed is autovac_balance_cost, to PostgreSQL 15: the cost per time of all
// workers together is brought to that of the settings.
func (b *balancer) rationed() []budget {
	out := make([]budget, len(b.running))
	var total float64
	for i, s := range b.running {
		out[i] = s.own
		if s.balanced && s.own.limit > 0 && s.own.delay > 0 {
			total += perMillisecond(s.own)
		}
	}
	if b.server.limit <= 0 || b.server.delay <= 0 || total <= 0 {
		return out
	}
	available := perMillisecond(b.server)
	for i, s := range b.running {
		if s.balanced && s.own.limit > 0 && s.own.delay > 0 {
			limit := int(available * float64(s.own.limit) / total)
			out[i].limit = max(min(limit, s.own.limit), 1)
		}
	}
	return out
}

func perMillisecond(b budget) float64 {
	return float64(b.limit) / (float64(b.delay) / float64(time.Millisecond))
}

// divided is the sharing from PostgreSQL 16 on.
func (b *balancer) divided() []budget {
	sharing := 0
	for _, s := range b.running {
		if s.balanced {
			sharing++
		}
	}
	out := make([]budget, len(b.running))
	for i, s := range b.running {
		out[i] = b.server
		if s.ownDelay {
			out[i].delay = s.own.delay
		}
		switch {
		case s.ownLimit:
			out[i].limit = s.own.limit
		case s.balanced && b.favours != nil:
			out[i] = b.favours.budget(s.worker, out[i], sharing)
		case s.balanced:
			out[i].limit = max(b.server.limit/sharing, 1)
		}
	}
	return out
}
