package imported

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"avsim/workload/guc"
)

// Confidence is how far an inference can be relied on.
type Confidence string

// The degrees.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Inference is what a log lets one conclude.
type Inference struct {
	Name       string
	Value      float64
	Unit       string
	Confidence Confidence
	From       int    // observations
	Why        string // how it was come by
}

// Infer concludes from the log what the server's settings are in effect. v decides
// what a page costs.
func (l *Log) Infer(v guc.Version) []Inference {
	var out []Inference
	add := func(i Inference, ok bool) {
		if ok {
			out = append(out, i)
		}
	}
	busy := l.overlaps()
	add(l.workersAtWork(busy))
	add(l.mostAtWork(busy))
	add(l.costRate(v, busy))
	add(l.delayedBudget(v, busy))
	add(l.naptime())
	add(l.xidRate())
	return out
}

// level is how many workers were at work from an instant on.
type level struct {
	at   time.Time
	busy int
}

// overlaps is the number of workers at work in time.
func (l *Log) overlaps() []level {
	var edges []level
	for _, r := range l.runs {
		if r.end.After(r.start) {
			edges = append(edges, level{r.start, 1}, level{r.end, -1})
		}
	}
	slices.SortFunc(edges, func(a, b level) int { return cmp.Or(a.at.Compare(b.at), a.busy-b.busy) })
	n := 0
	for i := range edges {
		n += edges[i].busy
		edges[i].busy = n
	}
	return edges
}

// at is the mean number of workers at work while a run lasted, itself included.
func meanBusy(levels []level, r run) float64 {
	i, _ := slices.BinarySearchFunc(levels, r.start, func(x level, t time.Time) int {
		if x.at.After(t) {
			return 1
		}
		return -1
	})
	sum, from, now := 0.0, r.start, 1
	if i > 0 {
		now = levels[i-1].busy
	}
	for ; i < len(levels) && levels[i].at.Before(r.end); i++ {
		sum += float64(now) * levels[i].at.Sub(from).Seconds()
		from, now = levels[i].at, levels[i].busy
	}
	sum += float64(now) * r.end.Sub(from).Seconds()
	return max(sum/r.end.Sub(r.start).Seconds(), 1)
}

func (l *Log) workersAtWork(levels []level) (Inference, bool) {
	if len(l.runs) < 2 || !l.Last.After(l.First) {
		return Inference{}, false
	}
	sum := 0.0
	for i := 1; i < len(levels); i++ {
		sum += float64(levels[i-1].busy) * levels[i].at.Sub(levels[i-1].at).Seconds()
	}
	return Inference{
		Name: "workers_at_work", Value: sum / l.Last.Sub(l.First).Seconds(), Confidence: High, From: len(l.runs),
		Why: "time in vacuums and analyzes over the time of the log; those too short for a hundredth of a second count as none",
	}, true
}

func (l *Log) mostAtWork(levels []level) (Inference, bool) {
	most := 0
	for _, x := range levels {
		most = max(most, x.busy)
	}
	return Inference{
		Name: "most_workers_at_work", Value: float64(most), Confidence: High, From: len(l.runs),
		Why: "vacuums and analyzes that overlap: autovacuum_max_workers is at least that",
	}, most > 0
}

// Costs of a page as the version has them by default.
func pageCosts(v guc.Version) (hit, miss, dirty float64) {
	s := guc.Defaults(v)
	return s.Float("vacuum_cost_page_hit"), s.Float("vacuum_cost_page_miss"), s.Float("vacuum_cost_page_dirty")
}

func (r *run) cost(v guc.Version) float64 {
	hit, miss, dirty := pageCosts(v)
	return hit*float64(r.hits) + miss*float64(r.misses) + dirty*float64(r.dirtied)
}

// long are the runs that say something of a rate: their times are logged in
// hundredths of a second.
func (l *Log) long() (out []run) {
	const least = 500 * time.Millisecond
	for _, r := range l.runs {
		if r.buffers && r.end.Sub(r.start) >= least {
			out = append(out, r)
		}
	}
	return out
}

// costRate is what all workers together spend of the cost limit in a second: of each
// long run its cost by its time, times the workers that shared the limit with it.
func (l *Log) costRate(v guc.Version, levels []level) (Inference, bool) {
	var values, weights []float64
	for _, r := range l.long() {
		length := r.end.Sub(r.start).Seconds()
		values = append(values, r.cost(v)/length*meanBusy(levels, r))
		weights = append(weights, length)
	}
	return Inference{
		Name: "cost_per_second", Value: weightedMedian(values, weights), Unit: "cost units/s", Confidence: confidence(values, weights), From: len(values),
		Why: "of vacuums and analyzes of half a second and more: cost by time, times the workers at work meanwhile; the median",
	}, len(values) > 0
}

// delayedBudget is the limit over the delay as it is, sleeps that last too long
// included: the cost by the time slept.
func (l *Log) delayedBudget(v guc.Version, levels []level) (Inference, bool) {
	var values, weights []float64
	for _, r := range l.long() {
		if r.delayed >= 100*time.Millisecond {
			values = append(values, r.cost(v)/r.delayed.Seconds()*meanBusy(levels, r))
			weights = append(weights, r.delayed.Seconds())
		}
	}
	return Inference{
		Name: "cost_per_second_slept", Value: weightedMedian(values, weights), Unit: "cost units/s", Confidence: confidence(values, weights), From: len(values),
		Why: "cost by the delay time logged (track_cost_delay_timing), times the workers at work meanwhile; the median: autovacuum_vacuum_cost_limit over autovacuum_vacuum_cost_delay, in effect",
	}, len(values) > 0
}

// naptime is how far apart workers come to one database: where slots are free, a
// naptime or several.
func (l *Log) naptime() (Inference, bool) {
	apart := l.visitsApart()
	if len(apart) < 5 {
		return Inference{}, false
	}
	slices.Sort(apart)
	low := apart[len(apart)/5]
	var near []float64
	for _, d := range apart {
		if d > 0.8*low && d < 1.2*low {
			near = append(near, d)
		}
	}
	value := near[len(near)/2]
	whole := 0
	for _, d := range apart {
		if n := math.Round(d / value); n >= 1 && math.Abs(d/value-n) < 0.1 {
			whole++
		}
	}
	share, c := float64(whole)/float64(len(apart)), Low
	switch {
	case share > 0.9 && len(apart) >= 20:
		c = High
	case share > 0.7:
		c = Medium
	}
	return Inference{
		Name: "naptime", Value: value, Unit: "s", Confidence: c, From: len(apart),
		Why: fmt.Sprintf("time between workers of one database; %.0f %% are a multiple of it", 100*share),
	}, true
}

// visitsApart are the seconds between the first signs of two workers in a database:
// its message that it processes it where that is logged (DEBUG1), else the start of
// its first vacuum or analyze.
func (l *Log) visitsApart() (out []float64) {
	visits := l.visits
	if len(visits) == 0 {
		type life struct {
			pid      int
			database string
		}
		seen := make(map[life]time.Time)
		for _, r := range l.runs {
			// A process id comes again; not within an hour.
			who := life{r.pid, r.database}
			if before, known := seen[who]; r.pid != 0 && (!known || r.start.Sub(before) > time.Hour) {
				visits = append(visits, visit{r.start, r.pid, r.database})
			}
			seen[who] = r.end
		}
	}
	last := make(map[string]time.Time)
	visits = slices.Clone(visits)
	slices.SortStableFunc(visits, func(a, b visit) int { return a.at.Compare(b.at) })
	for _, x := range visits {
		if before, ok := last[x.database]; ok && x.at.Sub(before) > 500*time.Millisecond {
			out = append(out, x.at.Sub(before).Seconds())
		}
		last[x.database] = x.at
	}
	return out
}

// xidRate is how fast transaction ids are used up.
func (l *Log) xidRate() (Inference, bool) {
	if len(l.xids) < 2 {
		return Inference{}, false
	}
	first, last := l.xids[0], l.xids[len(l.xids)-1]
	length := last.at.Sub(first.at).Seconds()
	if length < 1 || last.xid < first.xid {
		return Inference{}, false
	}
	c := Medium
	if length > 60 {
		c = High
	}
	return Inference{
		Name: "xids_per_second", Value: float64(last.xid-first.xid) / length, Unit: "/s", Confidence: c, From: len(l.xids),
		Why: "removable cutoff and its age, at the first and the last vacuum",
	}, true
}

// weightedMedian is the value below which half the weight lies, 0 for none.
func weightedMedian(values, weights []float64) float64 { return weightedQuantile(values, weights, 0.5) }

func weightedQuantile(values, weights []float64, q float64) float64 {
	order := make([]int, len(values))
	all := 0.0
	for i := range order {
		order[i] = i
		all += weights[i]
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), a-b) })
	sum := 0.0
	for _, i := range order {
		if sum += weights[i]; sum >= q*all {
			return values[i]
		}
	}
	return 0
}

// confidence is by number and spread.
func confidence(values, weights []float64) Confidence {
	middle := weightedMedian(values, weights)
	spread := (weightedQuantile(values, weights, 0.75) - weightedQuantile(values, weights, 0.25)) / max(middle, 1e-9)
	switch {
	case len(values) >= 20 && spread < 0.25:
		return High
	case len(values) >= 5 && spread < 1:
		return Medium
	}
	return Low
}
