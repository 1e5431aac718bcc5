package scheduler

import (
	"context"
	"math"

	"avsim/sim"
	"avsim/workload"
)

// application follows, during a run, the tables that an application uses, and the
// vacuums of all tables.
type application struct {
	live    *live
	asked   *workload.Foreground
	tables  []int32         // of each access
	states  [][]accessState // by instant, then by access
	most    []accessState   // pages at their most so far
	vacuums []doneVacuum
	feeling *feeling
}

// accessState is how a table stands.
type accessState struct {
	live, dead, pages, indexPages float64
}

// instants is at how many instants of a run the application is looked at.
const instants = 60

// follow has the application followed, if there is one.
func (c *live) follow(ctx context.Context, cfg RunConfig) error {
	asked, length := cfg.Foreground, cfg.For
	if asked == nil {
		return nil
	}
	a := &application{live: c, asked: asked, most: make([]accessState, len(asked.Transaction))}
	for _, x := range asked.Transaction {
		id := c.sys.dbs[x.Database].first + int32(x.Table)
		c.table(id) // kept from now on: what it felt is worked out by several at a time
		a.tables = append(a.tables, id)
	}
	look := c.sys.kernel.Handler(func(int64) { a.look() })
	for i := range instants {
		c.sys.kernel.At(sim.Time((float64(i)+0.5)/instants*float64(length)), look, 0)
	}
	c.application = a
	a.feeling = newFeeling(ctx, a, cfg)
	return a.feeling.firstGuess()
}

// look notes how the tables stand. Pages that a table had once it keeps: what a
// vacuum frees is used again, and only empty pages at the end are given back.
func (a *application) look() {
	now := a.live.sys.kernel.Now()
	row := make([]accessState, len(a.tables))
	for i, id := range a.tables {
		t := a.live.table(id)
		s := accessState{live: t.rows(now), dead: t.deadRows(now)}
		a.most[i].pages = math.Max(a.most[i].pages, t.Pages(s.live+s.dead))
		a.most[i].indexPages = math.Max(a.most[i].indexPages, t.IndexPages(s.live+s.dead))
		s.pages, s.indexPages = a.most[i].pages, a.most[i].indexPages
		row[i] = s
	}
	a.states = append(a.states, row)
}
