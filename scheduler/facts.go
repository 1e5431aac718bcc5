package scheduler

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Facts are what a worker knows, or could know, of a table that is due: the columns of
// pg_class and of the statistics, what relation_needs_vacanalyze makes of them, and how
// long earlier vacuums took. Counts are as the statistics tell them.
type Facts struct {
	Table   int // place in pg_class of all databases: smaller ones come first in a scan
	Rows    float64
	Pages   float64 // of the heap, by pg_class
	Blocks  float64 // of the heap, by the size of its file
	Unseen  float64 // of these, not all-visible: what a vacuum reads
	Indexes int
	// IndexPages are those of all indexes.
	IndexPages               float64
	Dead, Inserted, Modified float64
	// The thresholds that the counts exceed, or do not; 0 where there is none.
	VacuumThreshold, InsertThreshold, AnalyzeThreshold float64
	Vacuum, Analyze                                    bool // what it needs
	Forced                                             bool // to prevent wraparound
	XIDAge, MultiAge                                   int64
	FreezeMaxAge, MultiFreezeMaxAge                    int64
	Scores                                             Scores // as PostgreSQL 19 has them
	Priority                                           int    // autovacuum_table_priority of the proposal of 2018
	// Wait is for how long the statistics have said that it is due.
	Wait time.Duration
	// SinceVacuum is how long ago its last vacuum or analyze reported, or the run began.
	// Left is how many dead rows that one left, as it reported.
	SinceVacuum time.Duration
	Left        float64
	// DeadPerSecond is how fast its dead rows have grown since then, 0 for not.
	DeadPerSecond float64
	// LastVacuum is how long that took; 0 for none.
	LastVacuum time.Duration
}

// Situation is what a worker knows beside the tables.
type Situation struct {
	Now, Naptime time.Duration
	Worker       int // its number, from 1
	Before       int // workers of its database that began before it
	// PerSecond is the cost that the server's limit allows in a second, +Inf for any.
	PerSecond float64
	// Highest is the highest favour of a table that a worker of the server is at, where the
	// strategy has favours; 0 for none.
	Highest float64
	// UsualWait is for how long tables were due when the list was made, beyond thrice what
	// their visits take by themselves: the lower quartile.
	UsualWait time.Duration
	Random    *rand.Rand
}

// Arrange puts the tables that are due in the order in which a worker tries them. It
// may leave some out, and may change the slice, which is in the order of the
// catalogue at first.
type Arrange func(due []Facts, at Situation) []Facts

// By is the order of falling rank, equal ones as they were.
func By(rank func(Facts, Situation) float64) Arrange {
	return func(due []Facts, at Situation) []Facts {
		return ranked(due, func(f Facts) float64 { return rank(f, at) })
	}
}

func ranked(due []Facts, rank func(Facts) float64) []Facts {
	type place struct {
		Facts
		rank float64
	}
	places := make([]place, len(due))
	for i, f := range due {
		places[i] = place{f, rank(f)}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.rank, a.rank) })
	for i, p := range places {
		due[i] = p.Facts
	}
	return due
}

// Expected is what the vacuum and analyze that a table needs will be charged, in the
// units of vacuum_cost_limit, by what is known before. A page that is read costs 2, one that
// is found 1, one that is changed 20. Pages that are not all-visible are read and, with
// dead rows or to be set all-visible, changed; those are at least as many as dead rows at
// random places are on. Dead rows bring a pass over the indexes and a second one over the
// heap, whose ring holds nothing of the first. An analyze reads 30,000 pages at most; where
// no vacuum goes before it changes those that were modified.
func (f Facts) Expected() float64 {
	const miss, dirty, sample, visit = 2, 20, 30000, 50
	cost := float64(visit)
	if f.Vacuum {
		dead := touched(f.Dead, f.Blocks)
		read := math.Min(math.Max(f.Unseen, f.Blocks*dead), f.Blocks)
		if f.Forced {
			read = f.Blocks // freezing changes them
		}
		cost += read * (miss + dirty)
		if f.Indexes > 0 && f.Dead > 0 {
			cost += f.IndexPages*(miss+dirty*touched(f.Dead*float64(f.Indexes), f.IndexPages)) + f.Blocks*dead*(miss+dirty)
		}
	}
	if f.Analyze {
		cost += math.Min(f.Blocks, sample) * miss
		if !f.Vacuum {
			cost += math.Min(f.Blocks, sample) * touched(f.Modified, f.Blocks) * dirty
		}
	}
	return cost
}

// facts of a table as a worker sees it.
func (c *live) facts(w *worker, table int32) Facts {
	t, now := c.table(table), c.sys.kernel.Now()
	in := c.inputs(t, w.snapshot.stamp)
	n, rules := c.rules.needs(in), c.rules.with(in.options)
	f := Facts{
		Table: int(table), Rows: math.Max(in.reltuples, 0), Pages: float64(in.relpages),
		Blocks: t.Pages(t.rows(now) + t.deadRows(now)), Unseen: math.Max(float64(in.relpages)-t.stillVisible(now), 0),
		Indexes: t.Indexes, IndexPages: t.IndexPages(math.Max(in.reltuples, 0) + in.dead),
		Dead: in.dead, Inserted: in.inserted, Modified: in.mods,
		VacuumThreshold: n.vacuumThreshold, InsertThreshold: n.insertThreshold, AnalyzeThreshold: n.analyzeThreshold,
		Vacuum: n.vacuum, Analyze: n.analyze, Forced: n.wraparound, XIDAge: in.xidAge, MultiAge: in.multiAge,
		FreezeMaxAge: rules.freezeMaxAge, MultiFreezeMaxAge: rules.multiMaxAge,
		Scores:      c.derived.scoring.of(c.rules, in),
		Priority:    int(t.options.or(tablePriority, 0)),
		SinceVacuum: now.Sub(max(t.dead.now.at, 0)),
	}
	if t.dueSince < now {
		f.Wait = now.Sub(t.dueSince)
	}
	if t.result.Vacuums+t.result.Analyzes > 0 {
		f.Left = t.dead.now.value
	}
	if last := t.dead.now; now > max(last.at, 0) {
		f.DeadPerSecond = math.Max(in.dead-last.value, 0) / f.SinceVacuum.Seconds()
	}
	if t.result.Vacuums > 0 {
		f.LastVacuum = time.Duration(t.result.VacuumSeconds / float64(t.result.Vacuums) * 1e9)
	}
	return f
}

// facts of one of many equal tables.
func (c *tiny) facts(w *worker, table int32) Facts {
	counts := c.stats.at(table, w.snapshot.taken)
	return Facts{Table: int(table), Rows: float64(counts.LiveTuples), Pages: 1, Blocks: 1, Unseen: 1, Dead: float64(counts.DeadTuples), Vacuum: true}
}

// situation of a worker.
func (w *worker) situation() Situation {
	s := w.sys
	at := Situation{Now: time.Duration(s.kernel.Now()), Naptime: s.naptime, Worker: w.number, PerSecond: math.Inf(1), UsualWait: w.usualWait, Random: w.random}
	for _, o := range s.workers {
		if o == w {
			break
		}
		if o.db == w.db {
			at.Before++
		}
	}
	if c, ok := s.content.(*live); ok {
		if c.balance.server.delay > 0 {
			at.PerSecond = c.balance.server.rate()
		}
		at.Highest = c.balance.favours.highest()
	}
	return at
}

// arranged is a worker's list in the order of its strategy.
func (w *worker) arranged(parts [][]int32) [][]int32 {
	w.wereDue = tablesOf(parts)
	arrange := w.sys.strategy.Arrange
	if arrange == nil {
		return parts
	}
	list := slices.Concat(parts...)
	due := make([]Facts, len(list))
	for i, table := range list {
		due[i] = w.sys.content.facts(w, table)
	}
	w.thread.Work(CatalogueScan, sortCost(len(list)))
	at := w.situation()
	at.UsualWait = usualWait(due, at)
	w.usualWait = at.UsualWait
	due = arrange(due, at)
	out := make([]int32, len(due))
	for i, f := range due {
		out[i] = int32(f.Table)
	}
	return [][]int32{out}
}

// usualWait is that of a Situation. A table whose visit takes long waits long, however
// little there is to do besides, as others are done meanwhile.
func usualWait(due []Facts, at Situation) time.Duration {
	waits := make([]float64, len(due))
	for i, f := range due {
		waits[i] = math.Max(f.Wait.Seconds()-3*f.Expected()/at.PerSecond, 0)
	}
	slices.Sort(waits)
	if len(waits) == 0 {
		return 0
	}
	return time.Duration(waits[len(waits)/4] * float64(time.Second))
}

// sortCost is what it takes to sort a list: assumed, 20 ns a comparison.
func sortCost(n int) time.Duration {
	return time.Duration(20 * float64(n) * math.Log2(float64(n)+1))
}
