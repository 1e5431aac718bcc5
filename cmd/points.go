package cmd

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// pointFlags are the flags that say where to measure: for compare one place,
// for sweep a grid.
type pointFlags struct {
	scenario     string
	tables       string
	workers      string
	cpus         string
	dueShare     string
	start        string
	strategy     []string
	choices      []string
	pg           string
	set          []string
	host         string
	window       string
	seed         uint64
	replications int
}

func (f *pointFlags) register(fs *pflag.FlagSet, grid bool) {
	numbers := "a number"
	if grid {
		numbers = "a number, a list (1000,10000) or a range (100..100000/1-2-5, 1000..1000000/log10x3, 1..10/+3)"
	}
	fs.StringVar(&f.scenario, "scenario", "bug-13750", "built-in scenario (see 'avsim scenarios list')")
	fs.StringVar(&f.tables, "tables", "", "tables in the database: "+numbers+" (default: the scenario's)")
	fs.StringVar(&f.workers, "workers", "", "autovacuum workers: as --tables")
	fs.StringVar(&f.cpus, "cpus", "", "processors: as --tables (default: the host's)")
	fs.StringVar(&f.dueShare, "due-share", "", "share of the tables that are due, above 0 to 1: as --tables (default 1)")
	fs.StringVar(&f.start, "start", "", "gated (workers wait until all have their lists) or natural")
	fs.StringSliceVar(&f.strategy, "strategy", nil, "strategies, in the order of the output (default: the scenario's)")
	fs.StringArrayVar(&f.choices, "choice", nil, "a single choice of all strategies, such as recheck=none or freshness=500ms (repeatable)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version: its defaults and, without --strategy, its strategy")
	fs.StringArrayVar(&f.set, "set", nil, "a setting by PostgreSQL's name and unit, such as autovacuum_naptime=15s (repeatable"+gridList(grid)+")")
	fs.StringVar(&f.host, "host", "", "host profile: "+strings.Join(host.Embedded(), ", ")+", or a YAML file (default: the scenario's)")
	fs.StringVar(&f.window, "window", "", "longest time to measure, simulated, such as 30s (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of all random numbers")
	fs.IntVar(&f.replications, "replications", 5, "independent runs per point; 1 gives no interval")
}

func gridList(grid bool) string {
	if grid {
		return "; a list, a=1,2, is an axis"
	}
	return ""
}

// grid is what the flags come to: a study and its points, in the order of the
// axes tables, workers, cpus, due share, settings, strategy.
func (f *pointFlags) grid(fs *pflag.FlagSet, defaultTables, defaultWorkers func(*scenario.Scenario) string) (study.Study, []study.Point, error) {
	var none study.Study
	if err := notEmpty(fs); err != nil {
		return none, nil, err
	}
	sc, err := scenario.BuiltIn(f.scenario)
	if err != nil {
		return none, nil, usagef("--scenario: %v", err)
	}
	if f.replications < 1 || f.replications > 10_000 {
		return none, nil, usagef("--replications %d: accepted is 1 to 10000", f.replications)
	}
	a, err := f.axes(sc, or(f.tables, defaultTables(sc)), or(f.workers, defaultWorkers(sc)))
	if err != nil {
		return none, nil, err
	}
	st := study.Study{
		Scenario:     sc.Name,
		Population:   sc.Tables(0),
		Seed:         f.seed,
		Replications: f.replications,
	}
	for _, s := range sc.Assignments() {
		st.Settings = append(st.Settings, s[0]+"="+s[1])
	}
	if n := a.size(); n > maxPoints {
		return none, nil, usagef("the grid has %.0f points: accepted are %d at most", n, maxPoints)
	}
	points := a.points()
	return st, points, f.check(st, points)
}

// notEmpty refuses a flag that was given an empty value, which would otherwise
// mean its default.
func notEmpty(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		if err == nil && strings.Trim(f.Value.String(), "[]") == "" {
			err = usagef("--%s is empty: leave it out for the default", f.Name)
		}
	})
	return err
}

// maxPoints bounds a grid.
const maxPoints = 1_000_000

// check tries each combination of settings, version and choices once.
func (f *pointFlags) check(st study.Study, points []study.Point) error {
	checked := map[string]bool{}
	for _, p := range points {
		key := p.PG.String() + strings.Join(p.Settings, " ") + strings.Join(p.Choices, " ")
		if checked[key] {
			continue
		}
		checked[key] = true
		if err := st.Check(p); err != nil {
			return usagef("--set: %v", err)
		}
	}
	return nil
}

// axes are the values of each axis.
type axes struct {
	tables, workers []int
	hosts           []*host.Profile
	dueShares       []float64
	settings        [][]string
	strategies      []scheduler.Strategy
	choices         []string
	pg              guc.Version
	start           scheduler.Start
	window          func(scheduler.Strategy) scheduler.Window
}

func (f *pointFlags) axes(sc *scenario.Scenario, tables, workers string) (a axes, err error) {
	a.choices = f.choices
	if a.tables, err = integers("tables", tables, 1, study.MaxTables); err != nil {
		return a, err
	}
	if a.workers, err = integers("workers", workers, 1, study.MaxWorkers); err != nil {
		return a, err
	}
	if a.hosts, err = f.hosts(sc); err != nil {
		return a, err
	}
	if a.dueShares, err = f.shares(sc); err != nil {
		return a, err
	}
	if a.settings, err = settingAxes(f.set); err != nil {
		return a, err
	}
	if a.start, err = startOf(or(f.start, sc.Start)); err != nil {
		return a, err
	}
	if err = f.versions(sc, &a); err != nil {
		return a, err
	}
	a.window, err = f.windows(sc)
	return a, err
}

// size is the number of points, as a product that cannot overflow.
func (a axes) size() float64 {
	n := 1.0
	for _, values := range []int{len(a.tables), len(a.workers), len(a.hosts), len(a.dueShares), len(a.settings), len(a.strategies)} {
		n *= float64(values)
	}
	return n
}

// points is the cartesian product, strategies fastest.
func (a axes) points() (out []study.Point) {
	for _, tables := range a.tables {
		for _, workers := range a.workers {
			for _, h := range a.hosts {
				for _, due := range a.dueShares {
					for _, set := range a.settings {
						for _, s := range a.strategies {
							out = append(out, study.Point{
								Tables: tables, Workers: workers, Strategy: s, Choices: a.choices, PG: a.pg,
								Settings: set, Host: h, DueShare: due, Start: a.start, Window: a.window(s),
							})
						}
					}
				}
			}
		}
	}
	return out
}

// integers reads a list or range of whole numbers.
func integers(flag, text string, least, most int) ([]int, error) {
	values, err := experiment.ParseNumbers(text)
	if err != nil {
		return nil, usagef("--%s %v", flag, err)
	}
	out := make([]int, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || v < float64(least) || v > float64(most) {
			return nil, usagef("--%s %s: %v is out of range: accepted are whole numbers from %d to %d", flag, text, v, least, most)
		}
		out[i] = int(v)
	}
	return out, nil
}

func (f *pointFlags) hosts(sc *scenario.Scenario) ([]*host.Profile, error) {
	name := or(f.host, sc.Host)
	h, err := host.Load(name)
	if err != nil {
		return nil, inputError{err}
	}
	if f.cpus == "" {
		return []*host.Profile{h}, nil
	}
	cpus, err := integers("cpus", f.cpus, 1, study.MaxCPUs)
	if err != nil {
		return nil, err
	}
	var out []*host.Profile
	for _, n := range cpus {
		out = append(out, h.WithCores(n))
	}
	return out, nil
}

func (f *pointFlags) shares(sc *scenario.Scenario) ([]float64, error) {
	if f.dueShare == "" {
		return []float64{sc.Population.DueShare}, nil
	}
	shares, err := experiment.ParseNumbers(f.dueShare)
	if err != nil {
		return nil, usagef("--due-share %v", err)
	}
	for _, s := range shares {
		if !(s > 0 && s <= 1) {
			return nil, usagef("--due-share %s: %v is out of range: accepted is above 0 to 1", f.dueShare, s)
		}
	}
	return shares, nil
}

// settingAxes turns --set name=a,b into an axis each, and the axes into all
// combinations.
func settingAxes(set []string) ([][]string, error) {
	combinations := [][]string{nil}
	seen := map[string]bool{}
	for _, text := range set {
		name, list, err := guc.ParseAssignment(text)
		if err != nil {
			return nil, usagef("--set %s: %v", text, err)
		}
		if name = strings.ToLower(name); seen[name] {
			return nil, usagef("--set %s: given twice; a list, %s=a,b, is an axis", text, name)
		}
		seen[name] = true
		values, err := listOf(list)
		if err != nil {
			return nil, usagef("--set %s: %v", text, err)
		}
		var next [][]string
		for _, c := range combinations {
			for _, value := range values {
				next = append(next, append(slices.Clone(c), name+"="+value))
			}
		}
		combinations = next
	}
	return combinations, nil
}

// listOf splits a list; a value that is given twice is a mistake.
func listOf(text string) ([]string, error) {
	var out []string
	for value := range strings.SplitSeq(text, ",") {
		value = strings.TrimSpace(value)
		if slices.Contains(out, value) {
			return nil, fmt.Errorf("%s is given twice", value)
		}
		out = append(out, value)
	}
	return out, nil
}

func startOf(text string) (scheduler.Start, error) {
	switch s := scheduler.Start(text); s {
	case scheduler.Gated, scheduler.Natural:
		return s, nil
	}
	return "", usagef("--start %s: accepted are gated and natural", text)
}

// versions settles the PostgreSQL version and the strategies.
func (f *pointFlags) versions(sc *scenario.Scenario, a *axes) (err error) {
	if a.pg, err = guc.ParseVersion(or(f.pg, sc.PG)); err != nil {
		return usagef("--pg: %v", err)
	}
	names := f.strategy
	if len(names) == 0 && f.pg != "" {
		s, err := scheduler.StrategyOf(a.pg)
		if err != nil {
			return usagef("--pg: %v", err)
		}
		names = []string{s.Name}
	}
	if len(names) == 0 {
		names = sc.Strategies
	}
	if names, err = listOf(strings.Join(names, ",")); err != nil {
		return usagef("--strategy: %v", err)
	}
	for _, name := range names {
		s, err := scheduler.LookUp(name)
		if err != nil {
			return usagef("--strategy: %v", err)
		}
		if f.pg != "" {
			s.Writes = scheduler.WriteFormOf(a.pg)
		}
		for _, c := range f.choices {
			if err := s.Override(c); err != nil {
				return usagef("--choice: %v", err)
			}
		}
		a.strategies = append(a.strategies, s)
	}
	return nil
}

// windows gives each strategy its window.
func (f *pointFlags) windows(sc *scenario.Scenario) (func(scheduler.Strategy) scheduler.Window, error) {
	w := scheduler.Window{Min: sc.Window.Min, Max: sc.Window.Max, Vacuums: sc.Window.Vacuums}
	underLock := sc.Window.MaxUnderLock
	if f.window != "" {
		longest, err := seconds(f.window)
		if err != nil {
			return nil, usagef("--window %s: accepted is a time of 100 ms to a day, such as 30s", f.window)
		}
		w.Max, underLock = longest, longest
		w.Min = min(w.Min, longest)
	}
	return func(s scheduler.Strategy) scheduler.Window {
		if s.Claim == scheduler.ClaimAfterRecheck {
			return scheduler.Window{Min: w.Min, Max: underLock, Vacuums: w.Vacuums}
		}
		return w
	}, nil
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

func itoa(n int) string { return strconv.Itoa(n) }
