package advise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/guc"
)

// Problem is what Search is to solve.
type Problem struct {
	// Configure makes the configuration of a replication anew: the scenario with that
	// seed as it is now. It is called from several goroutines.
	Configure    func(seed uint64) (scheduler.RunConfig, error)
	Settings     guc.Settings // as they are now
	Seed         uint64       // of the first replication; the others follow
	Replications int
	Objective    Objective
	Free         []Free
	// Tables are those whose storage parameters may be changed, by database.table.
	Tables []TableAt
	// GiveBack allows less budget and fewer slots than now where the objective is not
	// met now; where it is, what can be given back is looked for in any case.
	GiveBack bool
	// MostRuns is how many simulations there may be.
	MostRuns int
	Jobs     int
	// Progress, if not nil, is told how many runs were made.
	Progress func(done, most int)

	simulate func(changes []Change, replication int) one // in place of a run, for tests
}

// Measured is what one term of the objective gave.
type Measured struct {
	Term     Term
	Interval sim.Interval // over the replications that were made
	Worst    float64      // of the replications, the one nearest to or furthest beyond the bound
	Holds    bool
	// Visits is the least number of visits that a replication's lateness is of, -1 for
	// other figures.
	Visits int
}

// Missed tells whether a replication itself misses, not only the end of the interval.
func (m Measured) Missed() bool { return !m.Term.holds(m.Worst) }

// Outcome is what a point gave.
type Outcome struct {
	Point   Point
	Changes []Change
	// Rate is the I/O budget in cost units a second, 0 for no limit: limit over delay or,
	// where that is more, what is spent. (A worker whose share of the limit is less than
	// a page costs sleeps four delays at most, and so goes faster.)
	Rate  float64
	Slots int
	Price float64 // Rate × Slots, Slots alone where there is no limit
	Holds bool
	// Measured is a term each; of a point that missed in its first replication, and
	// whose figures nobody asked for, of that one alone.
	Measured     []Measured
	Replications int
	// Spent is the cost charged a second, in the mean, Verdict that of the first
	// replication.
	Spent   float64
	Verdict scheduler.Verdict
	dead    []tableDead // of the first replication
}

// tableDead is how many dead rows a table had at most.
type tableDead struct {
	database, table string
	rows            float64
}

// ErrBudget is for a search that would need more runs than it may make.
var ErrBudget = errors.New("the runs allowed are used up")

// Confidence is that of the intervals.
const Confidence = 0.95

// evaluator simulates points, each once.
type evaluator struct {
	problem *Problem
	space   Space
	known   map[string]*Outcome
	all     []*Outcome // in the order in which they were first simulated
	runs    int
}

// one is a replication's values.
type one struct {
	terms   []float64
	visits  int
	spent   float64
	verdict scheduler.Verdict
	dead    []tableDead
}

// evaluate simulates points. A point that misses in its first replication is not
// replicated, unless whole is asked for.
func (e *evaluator) evaluate(ctx context.Context, whole bool, points ...Point) ([]*Outcome, error) {
	var ask []Point
	for _, p := range points {
		o := e.known[key(p)]
		if o != nil && (!whole || o.Replications == e.problem.Replications) {
			continue
		}
		if !slices.ContainsFunc(ask, func(q Point) bool { return slices.Equal(p, q) }) {
			ask = append(ask, p)
		}
	}
	if len(ask) > 0 {
		if err := e.simulate(ctx, whole, ask); err != nil {
			return nil, err
		}
	}
	out := make([]*Outcome, len(points))
	for i, p := range points {
		out[i] = e.known[key(p)]
	}
	return out, nil
}

// simulate runs the points that are not known. How many runs that takes at most is
// counted before.
func (e *evaluator) simulate(ctx context.Context, whole bool, ask []Point) error {
	n := e.problem.Replications
	if e.runs+len(ask)*n > e.problem.MostRuns {
		return ErrBudget
	}
	first := 1
	if whole {
		first = n
	}
	before, made := e.runs, 0
	plan := experiment.Plan[Point]{Points: experiment.Points(ask...), Count: len(ask), Replications: first, Jobs: e.problem.Jobs}
	if e.problem.Progress != nil {
		plan.Progress = func(done, _ int) { e.problem.Progress(before+done, max(e.expected(), before+done)) }
	}
	more := func(results []one) int {
		if len(results) < n && e.allHold(results) {
			return n - len(results)
		}
		return 0
	}
	err := experiment.RunUntil(ctx, plan, e.run, more, func(_ int, p Point, results []one, err error) error {
		if err != nil {
			return nil // RunUntil tells it
		}
		made += len(results)
		e.keep(p, results)
		return nil
	})
	e.runs += made
	return err
}

// expected is about how many runs a search takes: the whole ones of now, of the front's
// best and of the steps down from it, and single ones.
func (e *evaluator) expected() int {
	levels := 0
	for _, d := range e.space {
		if d.Kind == Slots {
			levels += len(d.Levels)
		}
	}
	return min(12*e.problem.Replications+4*len(e.space)+levels, e.problem.MostRuns)
}

func (e *evaluator) allHold(results []one) bool {
	for _, r := range results {
		for i, t := range e.problem.Objective {
			if !t.holds(r.terms[i]) {
				return false
			}
		}
	}
	return true
}

// run is one replication.
func (e *evaluator) run(ctx context.Context, p Point, replication int) (one, error) {
	if e.problem.simulate != nil {
		return e.problem.simulate(e.space.Changes(p), replication), ctx.Err()
	}
	cfg, err := e.problem.Configure(e.problem.Seed + uint64(replication))
	if err != nil {
		return one{}, err
	}
	if err := apply(&cfg, e.space.Changes(p)); err != nil {
		return one{}, err
	}
	cfg.WithoutFelt = !slices.ContainsFunc(e.problem.Objective, func(t Term) bool { return strings.HasPrefix(t.Figure, "foreground_") })
	r, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return one{}, err
	}
	out := one{visits: len(r.AllLateness()), spent: r.ChargedPerSecond(), verdict: r.Verdict}
	figures := r.Figures()
	for _, t := range e.problem.Objective {
		out.terms = append(out.terms, valueOf(t, r, figures))
	}
	if replication == 0 {
		for _, t := range r.Tables.All() {
			out.dead = append(out.dead, tableDead{t.Database, t.Name, t.DeadPeak})
		}
	}
	return out, nil
}

// valueOf is what a term is about. Where nobody was late nothing was.
func valueOf(t Term, r *scheduler.RunResult, figures map[string]float64) float64 {
	x := figures[t.Figure]
	if t.Table != "" {
		if of, ok := r.Tables.Named(t.Table); ok {
			x = of.Figures()[t.Figure]
		}
	}
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// apply changes a configuration, at its start and in what it changes later.
func apply(cfg *scheduler.RunConfig, changes []Change) error {
	for _, c := range changes {
		if c.Table != "" {
			setOption(cfg, c)
			continue
		}
		if err := cfg.Settings.Set(c.Name, c.Value); err != nil {
			return err
		}
		for i := range cfg.Changes {
			if err := cfg.Changes[i].Settings.Set(c.Name, c.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func setOption(cfg *scheduler.RunConfig, c Change) {
	for i := range cfg.World.Databases {
		if db := &cfg.World.Databases[i]; db.Name == c.Database {
			db.Tables = db.Tables.Changed(func(_ int, t *workload.Table) {
				if t.Name == c.Table {
					options := maps.Clone(t.Options)
					if options == nil {
						options = map[string]string{}
					}
					options[c.Name] = c.Value
					t.Options = options
				}
			})
		}
	}
}

// keep notes what a point gave.
func (e *evaluator) keep(p Point, results []one) {
	o := &Outcome{Point: p, Changes: e.space.Changes(p), Replications: len(results), Verdict: results[0].verdict, dead: results[0].dead, Holds: true}
	o.Rate, o.Slots = e.capacity(p)
	for _, r := range results {
		o.Spent += r.spent / float64(len(results))
	}
	if o.Rate > 0 {
		o.Rate = max(o.Rate, o.Spent)
	}
	o.Price = price(o.Rate, o.Slots)
	for i, t := range e.problem.Objective {
		m := e.measure(i, t, results)
		o.Holds = o.Holds && m.Holds
		o.Measured = append(o.Measured, m)
	}
	at := key(p)
	if before := e.known[at]; before == nil {
		e.all = append(e.all, o)
	} else {
		e.all[slices.Index(e.all, before)] = o
	}
	e.known[at] = o
}

func (e *evaluator) measure(i int, t Term, results []one) Measured {
	m := Measured{Term: t, Holds: true, Visits: -1}
	var values []float64
	for j, r := range results {
		x := r.terms[i]
		values = append(values, x)
		if j == 0 || t.Less == (x > m.Worst) {
			m.Worst = x
		}
		if t.Table == "" && isLateness(t.Figure) && (m.Visits < 0 || r.visits < m.Visits) {
			m.Visits = r.visits
		}
		m.Holds = m.Holds && t.holds(x)
	}
	m.Interval = sim.StudentInterval(values, Confidence)
	if m.Interval.Known() && len(results) == e.problem.Replications {
		end := math.Max(m.Interval.Lo, 0) // no figure is below 0, no share above 1
		if t.Less {
			end = m.Interval.Hi
			if IsShare(t.Figure) {
				end = math.Min(end, 1)
			}
		}
		m.Holds = m.Holds && t.holds(end)
	}
	return m
}

// capacity is the I/O budget and the slots of a point.
func (e *evaluator) capacity(p Point) (rate float64, slots int) {
	rate, slots = RateOf(e.problem.Settings), SlotsOf(e.problem.Settings)
	if i := e.space.of(Budget); i >= 0 {
		rate = e.space[i].Levels[p[i]].Rate
	}
	if i := e.space.of(Slots); i >= 0 {
		slots = e.space[i].Levels[p[i]].Slots
	}
	return rate, slots
}

// price is budget × slots, and the slots alone where there is no limit.
func price(rate float64, slots int) float64 {
	if rate == 0 {
		return float64(slots)
	}
	return rate * float64(slots)
}

// missBy is by how much a point misses in the mean, the terms together.
func (o *Outcome) missBy() (sum float64) {
	for _, m := range o.Measured {
		if !m.Holds {
			sum += max(m.Term.missBy(m.Interval.Mean), 1e-9)
		}
	}
	return sum
}

// key is a point as text.
func key(p Point) string { return fmt.Sprint(p) }
