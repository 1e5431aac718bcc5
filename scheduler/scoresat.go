package scheduler

import (
	"cmp"
	"slices"
	"time"

	"avsim/sim"
)

// TableScores are a table's scores at an instant, as pg_stat_autovacuum_scores shows them.
type TableScores struct {
	Database, Name           string
	Scores                   Scores
	Vacuum, Analyze, Forced  bool // what it needs
	Dead, Inserted, Modified float64
	XIDAge, MultiAge         int64
}

// scoresAt has tell told the scores of all tables at an instant, by falling score.
func (c *live) scoresAt(at time.Duration, tell func([]TableScores)) {
	if tell == nil {
		return
	}
	c.sys.kernel.At(sim.Time(at), c.sys.kernel.Handler(func(int64) { tell(c.scores(sim.Time(at))) }), 0)
}

func (c *live) scores(now sim.Time) (out []TableScores) {
	for i := range c.tables.kept {
		t := c.lookAt(int32(i))
		if t.dropped || t.Temporary || t.Partitioned {
			continue
		}
		in := c.inputs(t, now)
		n := c.rules.needs(in)
		out = append(out, TableScores{Database: t.db.name, Name: c.nameOf(t), Scores: c.derived.scoring.of(c.rules, in),
			Vacuum: n.vacuum, Analyze: n.analyze, Forced: n.wraparound, Dead: in.dead, Inserted: in.inserted, Modified: in.mods,
			XIDAge: in.xidAge, MultiAge: in.multiAge})
	}
	slices.SortStableFunc(out, func(a, b TableScores) int { return cmp.Compare(b.Scores.Max(), a.Scores.Max()) })
	return out
}
