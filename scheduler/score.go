package scheduler

import (
	"cmp"
	"math"
	"slices"

	"avsim/workload/guc"
)

// scoring is what PostgreSQL 19 orders a worker's list by: the five weights and what
// makes an age grow beyond proportion.
type scoring struct {
	freeze, multi, vacuum, insert, analyze float64 // autovacuum_*_score_weight
	failsafeAge, failsafeMulti             float64
}

// newScoring is that of the settings; without the weights, to 18, all are 1.
func newScoring(s guc.Settings) scoring {
	weight := func(name string) float64 {
		if s.Has(name) {
			return s.Float(name)
		}
		return 1
	}
	age := func(name string) float64 {
		if s.Has(name) {
			return float64(s.Int(name))
		}
		return math.Inf(1)
	}
	return scoring{
		freeze: weight("autovacuum_freeze_score_weight"), multi: weight("autovacuum_multixact_freeze_score_weight"),
		vacuum: weight("autovacuum_vacuum_score_weight"), insert: weight("autovacuum_vacuum_insert_score_weight"),
		analyze:     weight("autovacuum_analyze_score_weight"),
		failsafeAge: age("vacuum_failsafe_age"), failsafeMulti: age("vacuum_multixact_failsafe_age"),
	}
}

// sorts tells whether lists are sorted: not where all weights are 0.
func (s scoring) sorts() bool { return s.freeze+s.multi+s.vacuum+s.insert+s.analyze > 0 }

// Scores are the parts of a table's score, as pg_stat_autovacuum_scores shows them.
type Scores struct {
	XID, MXID, Vacuum, Insert, Analyze float64
}

// Max is the score.
func (s Scores) Max() float64 { return max(s.XID, s.MXID, s.Vacuum, s.Insert, s.Analyze) }

// of are the scores of a table: each count over its threshold, each age over what
// forces a vacuum.
func (s scoring) of(t thresholds, in needInputs) (out Scores) {
	t = t.with(in.options)
	out.XID = ageScore(float64(in.xidAge), float64(t.freezeMaxAge), s.failsafeAge, s.freeze)
	out.MXID = ageScore(float64(in.multiAge), float64(t.multiMaxAge), s.failsafeMulti, s.multi)
	if !t.counts(in, true) {
		return out
	}
	vacuum, insert, analyze := t.of(in)
	over := func(count float64, threshold float32, weight float64) float64 {
		return float64(whole(count)) / math.Max(float64(threshold), 1) * weight
	}
	out.Vacuum = over(in.dead, vacuum, s.vacuum)
	if t.insertBase >= 0 {
		out.Insert = over(in.inserted, insert, s.insert)
	}
	if !in.isToast && !in.isStatistic {
		out.Analyze = over(in.mods, analyze, s.analyze)
	}
	return out
}

// ageScore is an age over its limit. From where failsafe would begin on, or sooner with
// a weight above 1, it is raised to the power of the age in hundreds of millions.
func ageScore(age, limit, failsafe, weight float64) float64 {
	score := age / math.Max(limit, 1)
	from := math.Max(failsafe, 1.05*limit)
	if weight > 1 {
		from /= weight
	}
	if age >= from {
		score = math.Pow(score, math.Max(1, age/1e8))
	}
	return score * weight
}

// byScore sorts a worker's list, the highest score first, equal ones in the order of
// the catalogue.
func (c *live) byScore(list []int32, w *worker) {
	score := make(map[int32]float64, len(list))
	for _, id := range list {
		score[id] = c.derived.scoring.of(c.rules, c.inputs(c.lookAt(id), w.snapshot.stamp)).Max()
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(score[b], score[a]) })
}
