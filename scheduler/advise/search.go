package advise

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Step is a point next to another: one dimension, one level cheaper or nearer to what
// is now.
type Step struct {
	Dimension string
	From, To  string
	*Outcome
}

// Advice is what a search found.
type Advice struct {
	Space Space
	// Now is what is set now, Best the cheapest that meets the objective, nil where
	// none was found.
	Now, Best *Outcome
	// Front is, of those that meet the objective, the least budget for each number of
	// slots that is less than that for fewer, in the order of slots.
	Front []*Outcome
	// Cheaper are the single steps down from Best: all miss. Final tells that all of
	// them were simulated.
	Cheaper []Step
	Final   bool
	// Kept tells that no less budget and slots than there are now were proposed.
	Kept bool
	// Alone is what each single change does: those of Best, and of the other
	// dimensions their last level.
	Alone []Step
	// Nearest is, where none meets the objective, the point that misses by least.
	Nearest *Outcome
	Runs    int
	// Cut tells why the search ended early: ErrBudget or the context's error; nil for
	// a search that is complete.
	Cut error
	// All are all points that were simulated, in that order.
	All []*Outcome
}

// search is a search under way.
type search struct {
	*evaluator
	ctx    context.Context
	advice *Advice
	// capacity are the dimensions that have a price, -1 for none.
	slots, budget int
	// floor is the least level of each dimension that is proposed.
	floor Point
}

// Search looks for the cheapest settings that meet the objective. What was found when
// the runs are used up or the context is cancelled is returned, with Cut set; the error
// is one of a run.
func Search(ctx context.Context, p *Problem) (*Advice, error) {
	a := new(Advice)
	e := &evaluator{problem: p, known: make(map[string]*Outcome)}
	s := &search{evaluator: e, ctx: ctx, advice: a}
	err := s.search()
	a.Space, a.Runs, a.All, a.Nearest = e.space, e.runs, e.all, s.nearest()
	s.frontier()
	switch {
	case errors.Is(err, ErrBudget), errors.Is(err, context.Canceled):
		a.Cut = err
		return a, nil
	case err != nil:
		return nil, err
	}
	return a, nil
}

func (s *search) search() error {
	if err := s.start(); err != nil {
		return err
	}
	profiles, err := s.profiles()
	switch {
	case err != nil:
		return err
	case len(profiles) == 0:
		if err := s.alone(); err != nil {
			return err
		}
		return s.measureNearest()
	}
	if err := s.best(profiles); err != nil {
		return err
	}
	if err := s.descend(); err != nil {
		return err
	}
	return s.alone()
}

// start simulates what is now, first without a space, since which tables' parameters
// may matter shows then only.
func (s *search) start() error {
	s.slots, s.budget = -1, -1
	found, err := s.evaluate(s.ctx, true, Point{})
	if err != nil {
		return err
	}
	now := found[0]
	s.space = NewSpace(s.problem.Settings, s.problem.Free, s.problem.worst(now))
	now.Point = s.space.Now()
	s.known = map[string]*Outcome{key(now.Point): now}
	s.slots, s.budget = s.space.of(Slots), s.space.of(Budget)
	s.advice.Now = now
	s.floor = make(Point, len(s.space))
	if s.advice.Kept = !now.Holds && !s.problem.GiveBack; s.advice.Kept {
		for i, d := range s.space {
			if d.Kind != Other && !s.problem.bounded(d) {
				s.floor[i] = d.Now
			}
		}
	}
	s.note(now)
	return nil
}

// bounded tells whether the least of a dimension was given.
func (p *Problem) bounded(d Dimension) bool {
	for _, f := range p.Free {
		if f.Low != "" && (f.Name == d.Name || d.Kind == Budget && f.Name == "autovacuum_vacuum_cost_limit") {
			return true
		}
	}
	return false
}

// allowed tells whether a point is none that takes away what there is.
func (s *search) allowed(p Point) bool {
	for i, least := range s.floor {
		if p[i] < least {
			return false
		}
	}
	return true
}

// mostTables is of how many tables the parameters are tried, leastShare which share of
// all dead rows they have at least.
const (
	mostTables = 3
	leastShare = 0.05
)

// worst are the tables that have most dead rows, where the objective is about these, and
// those that it names.
func (p *Problem) worst(now *Outcome) (out []TableAt) {
	named, dead := make(map[string]bool), false
	for _, t := range p.Objective {
		named[t.Table] = true
		dead = dead || t.Table == "" && t.Figure != "" && IsShare(t.Figure)
	}
	rows, all := make(map[string]float64), 0.0
	for _, d := range now.dead {
		rows[d.database+"."+d.table] = d.rows
		all += d.rows
	}
	for _, t := range p.Tables {
		if name := t.Database + "." + t.Table; named[name] || dead && rows[name] > leastShare*all {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b TableAt) int {
		x, y := a.Database+"."+a.Table, b.Database+"."+b.Table
		if named[x] != named[y] {
			if named[x] {
				return -1
			}
			return 1
		}
		return cmp.Compare(rows[y], rows[x])
	})
	return out[:min(len(out), mostTables)]
}

// note takes a point as the best so far if it is.
func (s *search) note(list ...*Outcome) {
	for _, o := range list {
		if o.Holds && s.allowed(o.Point) && (s.advice.Best == nil || s.better(o, s.advice.Best)) {
			s.advice.Best = o
		}
	}
}

// better tells whether a point is to be preferred: less price, then fewer changes, then
// less spent, then smaller changes.
func (s *search) better(a, b *Outcome) bool {
	return cmp.Or(
		cmp.Compare(a.Price, b.Price),
		cmp.Compare(s.space.changed(a.Point), s.space.changed(b.Point)),
		compareRoughly(a.Spent, b.Spent),
		cmp.Compare(s.moved(a.Point), s.moved(b.Point)),
		cmp.Compare(a.Rate, b.Rate)) < 0
}

// compareRoughly takes figures of random runs as equal that are within 1 %.
func compareRoughly(a, b float64) int {
	if d := a - b; d < 0.01*max(a, b) && d > -0.01*max(a, b) {
		return 0
	}
	return cmp.Compare(a, b)
}

// moved is by how many levels a point is away from what is now.
func (s *search) moved(p Point) (n int) {
	for i, x := range p {
		n += max(x-s.space[i].Now, s.space[i].Now-x)
	}
	return n
}

// try simulates points, and notes those that hold.
func (s *search) try(points ...Point) ([]*Outcome, error) {
	found, err := s.evaluate(s.ctx, false, points...)
	if err != nil {
		for _, p := range points { // those that were done before the end
			if o := s.known[key(p)]; o != nil {
				s.note(o)
			}
		}
		return nil, err
	}
	s.note(found...)
	return found, nil
}

// holds tells whether a point meets the objective.
func (s *search) holds(p Point) (bool, error) {
	found, err := s.try(p)
	if err != nil {
		return false, err
	}
	return found[0].Holds, nil
}

// with is a point with some levels changed, as pairs of dimension and level; a
// dimension of -1 is none.
func with(p Point, changes ...int) Point {
	out := slices.Clone(p)
	for i := 0; i+1 < len(changes); i += 2 {
		if changes[i] >= 0 {
			out[changes[i]] = changes[i+1]
		}
	}
	return out
}

// last is the last level of a dimension, 0 for none. Where the objective is met now, no
// more budget and slots are looked for.
func (s *search) last(d int) int {
	switch {
	case d < 0:
		return 0
	case s.advice.Now.Holds && s.space[d].Kind != Other:
		return s.space[d].Now
	}
	return len(s.space[d].Levels) - 1
}

// others are the dimensions without a price.
func (s *search) others() (out []int) {
	for i, d := range s.space {
		if d.Kind == Other {
			out = append(out, i)
		}
	}
	return out
}

// profiles are points with all the capacity that there is, which meet the objective
// with different other dimensions: none of them changed, where that does; each alone, at
// the least level that does; otherwise as few of all together as can be.
func (s *search) profiles() (out []Point, err error) {
	full := with(s.space.Now(), s.slots, s.last(s.slots), s.budget, s.last(s.budget))
	first, err := s.try(full)
	if err != nil {
		return nil, err
	}
	if first[0].Holds {
		out = append(out, full)
		if s.advice.Now.Holds { // only what can be given back is looked for
			return out, nil
		}
	}
	for _, d := range s.others() {
		least := 0
		if !first[0].Holds {
			var ok bool
			if least, ok, err = s.least(full, d); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		if !first[0].Holds {
			out = append(out, with(full, d, least))
		}
		for _, level := range []int{(least + s.last(d) + 1) / 2, s.last(d)} {
			if level > least {
				out = append(out, with(full, d, level))
			}
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	return s.together(full)
}

// least is the least level of a dimension that makes a point meet the objective, by
// bisection; ok is false where the last does not.
func (s *search) least(p Point, d int) (level int, ok bool, err error) {
	low, high := p[d]-1, s.last(d) // low misses, high holds
	// Vacuums that are far too early may be what misses: a few levels are looked at.
	for {
		ok, err = s.holds(with(p, d, high))
		if err != nil || ok {
			break
		}
		if high <= p[d] {
			return 0, false, nil
		}
		high = p[d] + (high-p[d])/2
	}
	for err == nil && high-low > 1 {
		middle := (low + high) / 2
		if ok, err = s.holds(with(p, d, middle)); ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, err == nil, err
}

// together looks for a point with several of the other dimensions changed, and takes
// back what is not needed.
func (s *search) together(full Point) ([]Point, error) {
	for _, part := range []int{1, 2, 4} { // of the way to the last levels
		p := slices.Clone(full)
		for _, d := range s.others() {
			p[d] = (s.last(d) + part - 1) / part
		}
		ok, err := s.holds(p)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		for _, d := range s.others() {
			level, ok, err := s.least(with(p, d, 0), d)
			if err != nil {
				return nil, err
			}
			if ok && level < p[d] {
				p[d] = level
			}
		}
		return []Point{p}, nil
	}
	return nil, nil
}

// best finds the front with the first profile, and with each other where that lowers it
// at the best point.
func (s *search) best(profiles []Point) error {
	if err := s.staircase(profiles[0], s.floorOf(s.slots), s.last(s.slots)); err != nil {
		return err
	}
	// The front has also what fewer slots than now would need.
	if err := s.staircase(profiles[0], 0, s.floorOf(s.slots)-1); err != nil {
		return err
	}
	for _, p := range profiles[1:] {
		b := s.advice.Best.Point
		var ask []Point
		if s.space.changed(s.advice.Best.Point) > 0 { // it may be the better of two that cost the same
			ask = append(ask, s.capacityOf(p, b, 0, 0))
		}
		same := len(ask)
		if s.budget >= 0 && b[s.budget] > s.floor[s.budget] {
			ask = append(ask, s.capacityOf(p, b, 0, -1))
		}
		if s.slots >= 0 && b[s.slots] > s.floor[s.slots] {
			ask = append(ask, s.capacityOf(p, b, -1, 0))
		}
		found, err := s.try(ask...)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(found[same:], func(o *Outcome) bool { return o.Holds }) {
			if err := s.staircase(p, s.floorOf(s.slots), s.last(s.slots)); err != nil {
				return err
			}
		}
	}
	return nil
}

// capacityOf is a profile with the capacity of another point, some levels off.
func (s *search) capacityOf(profile, of Point, slots, budget int) Point {
	out := slices.Clone(profile)
	if s.slots >= 0 {
		out[s.slots] = of[s.slots] + slots
	}
	if s.budget >= 0 {
		out[s.budget] = of[s.budget] + budget
	}
	return out
}

// floorOf is the least level of a dimension that is proposed, 0 for none.
func (s *search) floorOf(d int) int {
	if d < 0 {
		return 0
	}
	return s.floor[d]
}

// staircase is the least budget for each number of slots from one level to another, of
// those that are less than for fewer slots.
func (s *search) staircase(profile Point, from, to int) error {
	least, most := s.floorOf(s.budget), s.last(s.budget)
	for n := from; n <= to && most >= least; n++ {
		ok, err := s.holds(with(profile, s.slots, n, s.budget, most))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		low, high := least-1, most
		for high-low > 1 {
			middle := (low + high) / 2
			if ok, err = s.holds(with(profile, s.slots, n, s.budget, middle)); err != nil {
				return err
			} else if ok {
				high = middle
			} else {
				low = middle
			}
		}
		most = high - 1
	}
	return nil
}

// descend goes down from the best point by single steps until each misses.
func (s *search) descend() error {
	for {
		best := s.advice.Best
		steps := s.stepsDown(best.Point)
		points := pointsOf(steps)
		found, err := s.evaluate(s.ctx, false, points...)
		if err != nil {
			return err
		}
		holding := slices.DeleteFunc(slices.Clone(found), func(o *Outcome) bool { return !o.Holds })
		if len(holding) == 0 {
			return s.settle(steps, points)
		}
		slices.SortStableFunc(holding, func(a, b *Outcome) int {
			if s.better(a, b) {
				return -1
			}
			return 1
		})
		s.advice.Best = holding[0]
	}
}

// settle measures what is told of the steps down by all replications.
func (s *search) settle(steps []Step, points []Point) error {
	found, err := s.evaluate(s.ctx, true, points...)
	if err != nil {
		return err
	}
	for i := range steps {
		steps[i].Outcome = found[i]
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return cmp.Compare(a.Price, b.Price) })
	s.advice.Cheaper, s.advice.Final = steps, true
	return nil
}

// stepsDown are the steps from a point to the next cheaper level, of dimensions without
// a price to the next one nearer to what is now.
func (s *search) stepsDown(p Point) (out []Step) {
	for i, d := range s.space {
		if p[i] > s.floor[i] {
			out = append(out, Step{Dimension: d.Name, From: d.Levels[p[i]].Text, To: d.Levels[p[i]-1].Text, Outcome: &Outcome{Point: with(p, i, p[i]-1)}})
		}
	}
	return out
}

// alone simulates each single change of the best point, and of the other dimensions
// their last level.
func (s *search) alone() error {
	now := s.space.Now()
	var changed, others []Step
	for i, d := range s.space {
		level := now[i]
		if s.advice.Best != nil {
			level = s.advice.Best.Point[i]
		}
		into := &changed
		if level == d.Now {
			into, level = &others, len(d.Levels)-1
		}
		if level != d.Now {
			*into = append(*into, Step{Dimension: d.Name, From: d.Levels[d.Now].Text, To: d.Levels[level].Text, Outcome: &Outcome{Point: with(now, i, level)}})
		}
	}
	for _, part := range []struct {
		steps []Step
		whole bool
	}{{changed, true}, {others, false}} {
		found, err := s.evaluate(s.ctx, part.whole, pointsOf(part.steps)...)
		if err != nil {
			return err
		}
		for i, o := range found {
			part.steps[i].Outcome = o
		}
		s.advice.Alone = append(s.advice.Alone, part.steps...)
	}
	return nil
}

func pointsOf(steps []Step) (out []Point) {
	for _, x := range steps {
		out = append(out, x.Outcome.Point)
	}
	return out
}

// frontier picks the front out of all that was simulated.
func (s *search) frontier() {
	least := make(map[int]*Outcome)
	for _, o := range s.all {
		if !o.Holds {
			continue
		}
		if before := least[o.Slots]; before == nil || o.Rate < before.Rate || o.Rate == before.Rate && s.better(o, before) {
			least[o.Slots] = o
		}
	}
	for _, o := range least {
		s.advice.Front = append(s.advice.Front, o)
	}
	slices.SortFunc(s.advice.Front, func(a, b *Outcome) int { return a.Slots - b.Slots })
	var kept []*Outcome
	for _, o := range s.advice.Front {
		if len(kept) == 0 || o.Rate < kept[len(kept)-1].Rate {
			kept = append(kept, o)
		}
	}
	s.advice.Front = kept
}

// nearest is, where none meets the objective, the point that misses by least.
func (s *search) nearest() (out *Outcome) {
	if s.advice.Best != nil {
		return nil
	}
	for _, o := range s.all {
		if s.allowed(o.Point) && (out == nil || o.missBy() < out.missBy()) {
			out = o
		}
	}
	return out
}

// measureNearest measures it by all replications: others may come nearer then.
func (s *search) measureNearest() error {
	for range 3 {
		o := s.nearest()
		if o == nil || o.Replications == s.problem.Replications {
			return nil
		}
		if _, err := s.evaluate(s.ctx, true, o.Point); err != nil {
			return err
		}
	}
	return nil
}
