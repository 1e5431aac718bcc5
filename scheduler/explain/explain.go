// Package explain tells why a run's verdict is what it is: it loosens each constraint
// alone and simulates what that changes, with the same randomness. It proposes nothing
// (scheduler/advise does); some of what it loosens no setting can.
package explain

import (
	"context"
	"slices"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
)

// Problem is what is to be explained.
type Problem struct {
	// Configure makes the configuration of a replication anew. It is called from several
	// goroutines.
	Configure    func(replication int) (scheduler.RunConfig, error)
	Loosenings   []Loosening
	Of           []string // figures beside Figures, of a table with its name in front: "db.t first_vacuum_seconds"
	Replications int
	Jobs         int
	Progress     func(done, total int) // nil for none
}

// Figure is a figure of a run, by its name, that a loosening may change.
type Figure struct {
	Name string
	Base sim.Interval // over the replications, 95 %
	Then sim.Interval
	// Change is Then less Base, replication by replication.
	Change sim.Interval
	// Differs tells whether the interval of the change excludes none: with a single
	// replication, whether there is any.
	Differs bool
}

// Effect is what one loosening changes.
type Effect struct {
	Loosening
	Verdict scheduler.Verdict // of the first replication
	Figures []Figure          // in the order of Figures
}

// Figures are those that effects are told by.
var Figures = []string{"dead_share", "lateness_p99_seconds", "total_autovacuum_count", "removed_rows", "last_vacuum_end_seconds"}

// Figure is the one of that name; none is of no difference.
func (e Effect) Figure(name string) Figure {
	for _, f := range e.Figures {
		if f.Name == name {
			return f
		}
	}
	return Figure{Name: name}
}

// Explanation is a run's verdict, and what each loosening alone would change.
type Explanation struct {
	Verdict scheduler.Verdict
	Base    map[string]sim.Interval
	Effects []Effect
}

// one is what a replication gave.
type one struct {
	figures map[string]float64
	verdict scheduler.Verdict
}

// Explain runs the scenario as it is, and with each loosening.
func Explain(ctx context.Context, p Problem) (*Explanation, error) {
	all := append([]Loosening{{}}, p.Loosenings...)
	plan := experiment.Plan[Loosening]{Points: experiment.Points(all...), Count: len(all), Replications: p.Replications, Jobs: p.Jobs, Progress: p.Progress}
	results := make([][]one, len(all))
	run := func(ctx context.Context, l Loosening, replication int) (one, error) {
		cfg, err := p.Configure(replication)
		if err != nil {
			return one{}, err
		}
		l.Apply(&cfg)
		r, err := scheduler.Run(ctx, cfg)
		if err != nil {
			return one{}, err
		}
		figures := r.Figures()
		for _, name := range p.Of {
			figures[name] = Of(r, name)
		}
		return one{figures, r.Verdict}, nil
	}
	err := experiment.Run(ctx, plan, run, func(i int, _ Loosening, values []one, err error) error {
		results[i] = values
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Explanation{Verdict: results[0][0].verdict, Base: map[string]sim.Interval{}}
	names := slices.Concat(Figures, p.Of)
	for _, name := range names {
		out.Base[name] = interval(values(results[0], name))
	}
	for i, l := range p.Loosenings {
		out.Effects = append(out.Effects, effect(l, names, results[0], results[i+1]))
	}
	return out, nil
}

func effect(l Loosening, names []string, base, then []one) Effect {
	out := Effect{Loosening: l, Verdict: then[0].verdict}
	for _, name := range names {
		a, b := values(base, name), values(then, name)
		change := make([]float64, len(a))
		for i := range a {
			change[i] = b[i] - a[i]
		}
		f := Figure{Name: name, Base: interval(a), Then: interval(b), Change: interval(change)}
		f.Differs = f.Change.Lo > 0 || f.Change.Hi < 0
		if len(a) == 1 {
			f.Differs = change[0] != 0 && change[0] == change[0]
		}
		out.Figures = append(out.Figures, f)
	}
	return out
}

func values(list []one, name string) (out []float64) {
	for _, x := range list {
		out = append(out, x.figures[name])
	}
	return out
}

func interval(samples []float64) sim.Interval { return sim.StudentInterval(samples, 0.95) }
