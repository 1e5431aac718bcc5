package study

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// Runs is a scenario run over its hours or days at each point. Replication r of a point
// is what avsim run gives with the seed Seed + r: its tables are drawn anew, the same at
// every point.
type Runs struct {
	Common
	Base *scenario.Run

	memo *runsMemo
}

// runsMemo is what is known of the scenario as points have it.
type runsMemo struct {
	mu    sync.Mutex
	loads map[string]*runLoad // by the fields that are changed
}

// NewRuns are runs of a scenario.
func NewRuns(sc *scenario.Run) Runs {
	return Runs{Base: sc, memo: &runsMemo{loads: map[string]*runLoad{}}}
}

// Field is a value in a place of a scenario's file.
type Field struct{ Path, Value string }

func (f Field) String() string { return f.Path + "=" + f.Value }

func (p Point) fields() (out []string) {
	for _, f := range p.Fields {
		out = append(out, f.String())
	}
	return out
}

// worldMemo keeps a point's scenario for its replications.
type worldMemo struct {
	once sync.Once
	run  *scenario.Run
	err  error
}

// scenarioOf is the scenario as a point has it.
func (s Runs) scenarioOf(p Point) (*scenario.Run, error) {
	if p.world == nil {
		return s.makeScenario(p)
	}
	p.world.once.Do(func() { p.world.run, p.world.err = s.makeScenario(p) })
	return p.world.run, p.world.err
}

func (s Runs) makeScenario(p Point) (*scenario.Run, error) {
	sc := s.variantOf(p)
	if len(p.Fields) > 0 || p.PG.Compare(sc.PG) != 0 {
		var changes []yamlfile.Change
		for _, f := range p.Fields {
			changes = append(changes, yamlfile.Change{Path: f.Path, Value: f.Value, What: f.String()})
		}
		var err error
		if sc, err = sc.Changed(changes, &p.PG); err != nil {
			for _, f := range p.Fields {
				if strings.HasPrefix(err.Error(), f.String()) {
					return nil, &FieldError{f.Path, err}
				}
			}
			return nil, fmt.Errorf("with PostgreSQL %v: %w", p.PG, err)
		}
	}
	if p.Lasting > 0 {
		if sc = sc.Lasting(p.Lasting); sc.WarmUp >= sc.RunFor {
			return nil, fmt.Errorf("run_for=%s: the scenario's warm-up alone is %s", yamlfile.FormatDuration(p.Lasting), yamlfile.FormatDuration(sc.WarmUp))
		}
	}
	return sc, nil
}

// variantOf is the scenario or, if the point has one, its variant.
func (s Runs) variantOf(p Point) *scenario.Run {
	for _, v := range s.Base.Variants() {
		if v.Name == p.Variant {
			return v.Run
		}
	}
	return s.Base
}

// settingsOf are the scenario's settings with the point's.
func (s Runs) settingsOf(sc *scenario.Run, p Point) (guc.Settings, error) {
	settings := sc.Settings
	for _, a := range p.Settings {
		if err := settings.Assign(a); err != nil {
			return settings, settingError(a, err)
		}
	}
	if p.Workers > 0 {
		return settings, settings.Set("autovacuum_max_workers", strconv.Itoa(p.Workers))
	}
	return settings, nil
}

// config is what one replication of a point depends on.
func (s Runs) config(p Point, replication int) (scheduler.RunConfig, error) {
	sc, err := s.scenarioOf(p)
	if err != nil {
		return scheduler.RunConfig{}, err
	}
	settings, err := s.settingsOf(sc, p)
	if err != nil {
		return scheduler.RunConfig{}, err
	}
	return Config(sc, settings, p.Strategy, p.Host, s.Seed+uint64(replication))
}

// Check tells whether a point can be run.
func (s Runs) Check(p Point) error {
	p.world = nil // not kept: there may be millions
	_, err := s.config(p, 0)
	return err
}

// One runs one replication of a point.
func (s Runs) One(ctx context.Context, p Point, replication int) (*Replica, error) {
	cfg, err := s.config(p, replication)
	if err != nil {
		return nil, err
	}
	w := watch(&cfg)
	result, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return w.replica(cfg, result), nil
}

// Measure runs points and hands over their rows.
func (s Runs) Measure(ctx context.Context, points iter.Seq[GridPoint], o Options, t Tabled, emit func(GridPoint, experiment.Record) error) error {
	precise := s.precise()
	figure := func(runs []*Replica) []float64 { return known(samplesOf(runs, precise)) }
	return measure(ctx, s, points, o, s.One, figure, func(p GridPoint, runs []*Replica) error {
		record := experiment.Record{Row: s.fields(t, p.Point, runs)}
		for _, f := range s.figures() {
			if f.compared {
				record.Samples = append(record.Samples, samplesOf(runs, f.name))
			}
		}
		return emit(p, record)
	})
}

// precise is the figure that the sequential rule looks at.
func (s Runs) precise() string {
	if s.Precise != "" {
		return s.Precise
	}
	return s.Compared()[0].Name
}

// PlaceColumns name what Place tells.
func (s Runs) PlaceColumns() []string {
	return []string{"variant", "host", "cpus", "pg", "settings", "strategy"}
}

// Place is where a point stands.
func (s Runs) Place(p Point) []string {
	return []string{p.Variant, p.Host.Name, strconv.Itoa(p.Host.Cores), p.PG.String(), strings.Join(s.departures(p), " "), p.Strategy.Name}
}

// departures are those of the point, the number of workers among them.
func (s Runs) departures(p Point) []string {
	if p.Workers > 0 {
		return slices.Concat([]string{"autovacuum_max_workers=" + strconv.Itoa(p.Workers)}, p.Departures())
	}
	return p.Departures()
}
