package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/host"
)

// Case is a small scenario of the search for starvation: one database of a few tables and
// so many workers. It can be written down in a line.
type Case struct {
	Workers int
	Tables  []CaseTable // in the order of pg_class
}

// CaseTable is a table of a case: a power of ten of rows, a third of which are dead at the
// start, and the rows updated a second.
type CaseTable struct {
	Rows    int64
	Dead    bool
	Updates int
}

// The bounds of a case, and what holds of all.
const (
	mostCaseTables  = 8
	mostCaseWorkers = 3
	caseLength      = time.Hour
	casePG          = "19"
)

// String is the case in a line.
func (c Case) String() string { return fmt.Sprintf("%d workers, tables %+v", c.Workers, c.Tables) }

// randomCase draws a case.
func randomCase(r *rand.Rand) Case {
	c := Case{Workers: 1 + r.IntN(mostCaseWorkers)}
	for range 1 + r.IntN(mostCaseTables) {
		c.Tables = append(c.Tables, randomTable(r))
	}
	return c
}

func randomTable(r *rand.Rand) CaseTable {
	sizes := []int64{1e3, 1e5, 1e6, 1e7, 1e8}
	return CaseTable{Rows: sizes[r.IntN(len(sizes))], Dead: r.IntN(2) == 0, Updates: []int{0, 10, 100, 1000}[r.IntN(4)]}
}

// config is the run of a case, as the lab runs its scenario.
func (c Case) config(s scheduler.Strategy, h *host.Profile) (scheduler.RunConfig, error) {
	sc, err := c.Scenario(caseName)
	if err != nil {
		return scheduler.RunConfig{}, err
	}
	l := &Lab{Seed: 1, Share: 1}
	cfg, err := l.config(point{sc, s}, 0)
	cfg.Host = h
	return cfg, err
}

// LongestWait of a table in the case, in seconds, and the strategy's name for errors.
func (c Case) LongestWait(ctx context.Context, s scheduler.Strategy, h *host.Profile) (float64, error) {
	r, err := c.Run(ctx, s, h)
	if err != nil {
		return 0, err
	}
	return quantile(newOutcome(r, nil).late, 1), nil
}

// Run runs the case.
func (c Case) Run(ctx context.Context, s scheduler.Strategy, h *host.Profile) (*scheduler.RunResult, error) {
	cfg, err := c.config(s, h)
	if err != nil {
		return nil, err
	}
	r, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return r, nil
}

// Starvation is a case in which a strategy does badly: its longest wait, and that of the
// best of the others.
type Starvation struct {
	Case
	Worst, Best float64 // seconds
	By          string  // the strategy that is best
}

// Gap is by how much a table waits longer than it needs to.
func (s Starvation) Gap() float64 { return s.Worst - s.Best }

// Starve searches for the case in which a strategy does worst against the best of the
// others: so many random cases, of which the worst is then made smaller as long as it
// keeps nine tenths of its gap. The same seed finds the same.
func Starve(ctx context.Context, s scheduler.Strategy, others []scheduler.Strategy, h *host.Profile, seed uint64, tries int) (Starvation, error) {
	return NewSearch(h).Starve(ctx, s, others, seed, tries)
}

// Search remembers waits, since searches of one seed try the same cases.
type Search struct {
	Jobs     int                   // cases at a time, 0 for all processors; changes no result
	Progress func(done, total int) // told of what is done, if set
	host     *host.Profile
	waits    map[string]float64
}

// NewSearch is one on a machine.
func NewSearch(h *host.Profile) *Search { return &Search{host: h, waits: map[string]float64{}} }

// shrinkSteps is what making a case smaller counts for in progress, in random cases.
const shrinkSteps = 10

// StarveAll is Starve for several strategies, against all that are registered.
func (x *Search) StarveAll(ctx context.Context, of []scheduler.Strategy, seed uint64, tries int) ([]Starvation, error) {
	total := tries + shrinkSteps*len(of)
	cases := randomCases(seed, tries)
	all := scheduler.Strategies()
	err := x.run(ctx, cases, all, func(done int) { x.tell(done, total) })
	if err != nil {
		return nil, err
	}
	var out []Starvation
	for i, s := range of {
		others := slices.DeleteFunc(slices.Clone(all), func(o scheduler.Strategy) bool { return o.Name == s.Name })
		found, err := x.Starve(ctx, s, others, seed, tries)
		if err != nil {
			return nil, err
		}
		out = append(out, found)
		x.tell(tries+shrinkSteps*(i+1), total)
	}
	return out, nil
}

func (x *Search) tell(done, total int) {
	if x.Progress != nil {
		x.Progress(done, total)
	}
}

// randomCases are those of a seed: the first of many are those of few.
func randomCases(seed uint64, tries int) (out []Case) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range tries {
		out = append(out, randomCase(r))
	}
	return out
}

// Starve is the function of that name.
func (x *Search) Starve(ctx context.Context, s scheduler.Strategy, others []scheduler.Strategy, seed uint64, tries int) (Starvation, error) {
	cases := randomCases(seed, tries)
	if err := x.run(ctx, cases, with(s, others), nil); err != nil {
		return Starvation{}, err
	}
	var worst Starvation
	for _, c := range cases {
		if found := x.against(c, s, others); found.Gap() > worst.Gap() {
			worst = found
		}
	}
	return x.shrink(ctx, worst, s, others)
}

func with(s scheduler.Strategy, others []scheduler.Strategy) []scheduler.Strategy {
	return append([]scheduler.Strategy{s}, others...)
}

// trial is a case under a strategy.
type trial struct {
	Case
	strategy scheduler.Strategy
}

func (t trial) key() string { return t.strategy.Name + " " + t.String() }

// blockCases is how many cases are set out to be run at a time, which bounds what is held of
// those that are still to come, and how long an interrupt waits.
const blockCases = 200

// run finds out the waits in cases that are not known yet. Progress is told of the cases done.
func (x *Search) run(ctx context.Context, cases []Case, strategies []scheduler.Strategy, progress func(done int)) error {
	done := 0
	for block := range slices.Chunk(cases, blockCases) {
		todo := x.unknown(block, strategies)
		err := x.runTrials(ctx, todo, func(runs, of int) {
			if progress != nil {
				progress(done + runs*len(block)/of)
			}
		})
		if err != nil {
			return err
		}
		done += len(block)
	}
	return ctx.Err()
}

// unknown are the trials of cases whose wait is not known yet.
func (x *Search) unknown(cases []Case, strategies []scheduler.Strategy) (todo []trial) {
	asked := map[string]bool{}
	for _, c := range cases {
		for _, s := range strategies {
			t := trial{c, s}
			key := t.key()
			if _, known := x.waits[key]; !known && !asked[key] {
				todo, asked[key] = append(todo, t), true
			}
		}
	}
	return todo
}

func (x *Search) runTrials(ctx context.Context, todo []trial, progress func(done, total int)) error {
	if len(todo) == 0 {
		return ctx.Err()
	}
	plan := experiment.Plan[trial]{Points: experiment.Points(todo...), Count: len(todo), Replications: 1, Jobs: x.Jobs, Progress: progress}
	one := func(ctx context.Context, t trial, _ int) (float64, error) {
		return t.LongestWait(ctx, t.strategy, x.host)
	}
	return experiment.Run(ctx, plan, one, func(_ int, t trial, waits []float64, err error) error {
		if err == nil {
			x.waits[t.key()] = waits[0]
		}
		return err
	})
}

// against holds a strategy against others in a case that was run.
func (x *Search) against(c Case, s scheduler.Strategy, others []scheduler.Strategy) Starvation {
	out := Starvation{Case: c, Worst: x.waits[(trial{c, s}).key()]}
	out.Best, out.By = out.Worst, s.Name
	for _, o := range others {
		if wait := x.waits[(trial{c, o}).key()]; wait < out.Best {
			out.Best, out.By = wait, o.Name
		}
	}
	return out
}

// shrink leaves out tables, activity and workers that the gap does not need.
func (x *Search) shrink(ctx context.Context, worst Starvation, s scheduler.Strategy, others []scheduler.Strategy) (Starvation, error) {
	enough := 0.9 * worst.Gap()
	for again := enough > 0; again; {
		again = false
		for _, smaller := range worst.smaller() {
			if err := x.run(ctx, []Case{smaller}, with(s, others), nil); err != nil {
				return worst, err
			}
			if found := x.against(smaller, s, others); found.Gap() >= enough {
				worst, again = found, true
				break
			}
		}
	}
	return worst, nil
}

// smaller are the cases with one thing less.
func (c Case) smaller() (out []Case) {
	if c.Workers > 1 {
		out = append(out, Case{c.Workers - 1, c.Tables})
	}
	for i, t := range c.Tables {
		if len(c.Tables) > 1 {
			out = append(out, Case{c.Workers, append(append([]CaseTable{}, c.Tables[:i]...), c.Tables[i+1:]...)})
		}
		for _, less := range []CaseTable{{t.Rows, t.Dead, 0}, {t.Rows, false, t.Updates}} {
			if less != t {
				tables := append([]CaseTable{}, c.Tables...)
				tables[i] = less
				out = append(out, Case{c.Workers, tables})
			}
		}
	}
	return out
}
