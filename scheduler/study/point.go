package study

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// Point is one place of a grid.
type Point struct {
	Tables   int
	Workers  int
	Strategy scheduler.Strategy
	// Choices are the single choices by which the strategy departs from the one
	// that was registered under its name.
	Choices []string
	// PG is the version whose defaults the settings are.
	PG guc.Version
	// Settings are assignments beyond those of the study.
	Settings []string
	Host     *host.Profile
	// HostFigures are the assignments by which the host departs from the profile
	// of its name, such as host.cold_after=2ms.
	HostFigures []string
	DueShare    float64
	Start       scheduler.Start
	Window      scheduler.Window
	// Longest tells, where windows are an axis, the point's, as longest_window=30s.
	Longest string
}

// Limits of a point: beyond them a figure would be about nothing real.
const (
	MaxTables  = 10_000_000
	MaxWorkers = 10_000
	MaxCPUs    = 1024
)

// Study is what all points of a grid have in common.
type Study struct {
	Scenario     string
	Population   workload.Population // of which the number of tables is the point's
	Settings     []string            // assignments, in order
	Seed         uint64
	Replications int
	// Until, if not nil, adds replications of a point until the interval of its
	// throughput is narrow enough.
	Until *experiment.Sequential
}

// Check tells whether the point can be run: its settings are known, in range,
// and of its version.
func (s Study) Check(p Point) error {
	_, err := s.config(p, 0)
	return err
}

// config is what one replication of a point depends on.
func (s Study) config(p Point, replication int) (scheduler.Config, error) {
	settings := guc.Defaults(p.PG)
	for _, a := range append(append([]string{}, s.Settings...), p.Settings...) {
		if name, _, _ := strings.Cut(a, "="); strings.TrimSpace(strings.ToLower(name)) == "autovacuum_max_workers" {
			return scheduler.Config{}, fmt.Errorf("autovacuum_max_workers is the number of workers: use --workers")
		}
		if err := settings.Assign(a); err != nil {
			return scheduler.Config{}, err
		}
	}
	if err := settings.Set("autovacuum_max_workers", strconv.Itoa(p.Workers)); err != nil {
		return scheduler.Config{}, err
	}
	population := s.Population
	population.Tables, population.DueShare = p.Tables, p.DueShare
	return scheduler.Config{
		Strategy:    p.Strategy,
		Settings:    settings,
		Host:        p.Host,
		Population:  population,
		Start:       p.Start,
		Window:      p.Window,
		Seed:        s.Seed,
		Replication: replication,
	}, nil
}

// Measure runs one replication of a point.
func (s Study) Measure(ctx context.Context, p Point, replication int) (scheduler.Measurement, error) {
	cfg, err := s.config(p, replication)
	if err != nil {
		return scheduler.Measurement{}, err
	}
	return scheduler.Measure(ctx, cfg)
}
