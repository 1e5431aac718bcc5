package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// prefix is how the names of the panel's scenarios begin.
const prefix = "lab-"

// Panel are the names of the scenarios of the panel.
func Panel() (names []string) {
	for _, e := range scenario.List() {
		if strings.HasPrefix(e.Name, prefix) {
			names = append(names, e.Name)
		}
	}
	return names
}

// Short is a scenario's name without what all of the panel have.
func Short(name string) string { return strings.TrimPrefix(name, prefix) }

// Lab is what is to be run.
type Lab struct {
	Scenarios    []*scenario.Run
	Strategies   []scheduler.Strategy
	Replications int
	Seed         uint64  // of the first replication; each further one has the next
	Share        float64 // of each scenario's length, 1 for all
}

// point is a scenario under a strategy.
type point struct {
	scenario *scenario.Run
	strategy scheduler.Strategy
}

// points in the order of their results: by scenario, then by strategy.
func (l *Lab) points() (out []point) {
	for _, sc := range l.Scenarios {
		for _, s := range l.Strategies {
			out = append(out, point{sc, s})
		}
	}
	return out
}

// Points is how many there are.
func (l *Lab) Points() int { return len(l.Scenarios) * len(l.Strategies) }

// Options say how the lab is run; they change no figure.
type Options struct {
	Jobs     int // 0 for all processors
	Progress func(done, total int)
}

// Run runs all; an interrupt leaves nothing.
func (l *Lab) Run(ctx context.Context, o Options) (*Results, error) {
	points := l.points()
	out := &Results{Lab: l, values: make([][][]float64, len(points))}
	plan := experiment.Plan[point]{Points: experiment.Points(points...), Count: len(points), Replications: l.Replications, Jobs: o.Jobs, Progress: o.Progress}
	err := experiment.Run(ctx, plan, l.one, func(i int, _ point, values [][]float64, err error) error {
		out.values[i] = values
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// mostLooks bounds how many looks at a table the samples of a run make.
const (
	mostLooks    = 2_000_000
	mostSamples  = 256
	leastSamples = 8
)

// one is a replication of a point: the measures in their order.
func (l *Lab) one(ctx context.Context, p point, replication int) ([]float64, error) {
	cfg, err := l.config(p, replication)
	if err != nil {
		return nil, err
	}
	var samples []scheduler.Sample
	cfg.Samples = min(max(mostLooks/max(cfg.World.Tables(), 1), leastSamples), mostSamples)
	cfg.Sample = func(s scheduler.Sample) { samples = append(samples, s) }
	result, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	o := newOutcome(result, samples)
	measures := Measures()
	values := make([]float64, len(measures))
	for i, m := range measures {
		values[i] = m.of(o)
	}
	return values, nil
}

// config of a replication.
func (l *Lab) config(p point, replication int) (scheduler.RunConfig, error) {
	length := time.Duration(float64(p.scenario.RunFor) * l.Share).Round(time.Second)
	sc := p.scenario.Lasting(length)
	h, err := sc.HostProfile()
	if err != nil {
		return scheduler.RunConfig{}, err
	}
	seed := l.Seed + uint64(replication)
	world, err := sc.World(seed)
	if err != nil {
		return scheduler.RunConfig{}, fmt.Errorf("seed %d: %w", seed, err)
	}
	strategy := p.strategy
	strategy.Writes = scheduler.WriteFormOf(sc.PG)
	return scheduler.RunConfig{World: world, Settings: sc.Settings, Strategy: strategy, Host: h, For: length, Seed: seed, Events: true, Waits: true}, nil
}
