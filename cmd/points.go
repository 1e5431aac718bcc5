package cmd

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
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
	hostSet      []string
	window       string
	grid         bool   // of sweep
	variant      string // of a run scenario
	lasting      string // likewise
	seed         uint64
	replications int

	// Of a grid alone.
	file      string
	zip       []string
	where     string
	precision string
	precise   string // the figure that the precision is of
	most      int
	many      bool

	// places are where in a sweep file a flag's value stands, by the flag's name
	// and, where it may be given several times, that of the axis.
	places map[string]string
}

func (f *pointFlags) register(fs *pflag.FlagSet, grid bool) {
	numbers, list := "a number", ""
	if grid {
		numbers = "a number, a list (1000,10000) or a range (100..100000/1-2-5, 1000..1000000/log10x3, 1..10/+3)"
		list = "; a list is an axis"
	}
	fs.StringVar(&f.scenario, "scenario", defaultScenario, "built-in scenario (see 'avsim scenarios list')")
	fs.StringVar(&f.tables, "tables", "", "tables in the database: "+numbers+" (default: the scenario's)")
	fs.StringVar(&f.workers, "workers", "", "autovacuum workers: as --tables (default: the scenario's)")
	fs.StringVar(&f.cpus, "cpus", "", "processors: as --tables (default: the host's)")
	fs.StringVar(&f.dueShare, "due-share", "", "share of the tables that are due, above 0 to 1: as --tables (default 1)")
	fs.StringVar(&f.start, "start", "", "gated (workers wait until all have their lists) or natural (default: the scenario's)"+list)
	fs.StringSliceVar(&f.strategy, "strategy", nil, "strategies, in the order of the output (default: the scenario's)")
	fs.StringArrayVar(&f.choices, "choice", nil, "a single choice of all strategies, such as recheck=none or freshness=500ms (repeatable"+list+")")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version: its defaults and, without --strategy, its strategy (default: the scenario's)"+list)
	fs.StringArrayVar(&f.set, "set", nil, "a setting by PostgreSQL's name and unit, such as autovacuum_naptime=15s (repeatable"+ranges(grid, "a=1s,5s", "a=1s..60s/log10x3")+")")
	fs.StringVar(&f.host, "host", "", "host profile: "+strings.Join(host.Embedded(), ", ")+", or a YAML file (default: the scenario's)"+list)
	fs.StringArrayVar(&f.hostSet, "host-set", nil, "a figure of the host profile, such as cold_after=2ms or worker.lock_hold.hot=3us (repeatable"+ranges(grid, "a=1ms,2ms", "a=1ms..9ms/+2")+")")
	fs.StringVar(&f.window, "window", "", "longest time to measure, simulated, such as 30s (default: the scenario's)"+list)
	fs.Uint64Var(&f.seed, "seed", 1, "seed of all random numbers")
	fs.IntVar(&f.replications, "replications", 5, "independent runs per point; 1 gives no interval"+precisionNote(grid))
}

func ranges(grid bool, list, rng string) string {
	if grid {
		return "; a list, " + list + ", or range, " + rng + ", is an axis"
	}
	return ""
}

func precisionNote(grid bool) string {
	if grid {
		return "; with --precision the least number, 10 by default"
	}
	return ""
}

// registerGrid registers what a grid has beyond a place.
func (f *pointFlags) registerGrid(fs *pflag.FlagSet) {
	f.register(fs, true)
	f.grid = true
	fs.StringVarP(&f.file, "file", "f", "", "sweep file (YAML) with axes and the like; flags on the command line override it")
	fs.StringArrayVar(&f.zip, "zip", nil, "axes that go in step, such as workers,cpus (repeatable)")
	fs.StringVar(&f.where, "where", "", "keep the points for which this holds, such as 'workers <= cpus*8'")
	fs.StringVar(&f.variant, "variant", "", "variants of a run scenario, as a list (default: all)")
	fs.StringVar(&f.lasting, "for", "", "how long a run scenario is run, simulated, such as 90m or 7d (default: the scenario's); a list is an axis")
	fs.StringVar(&f.precision, "precision", "", "add replications until half the 95 % interval of the throughput is at most this share of it, such as 5%")
	fs.StringVar(&f.precise, "precision-of", "", "the figure that --precision is of (default throughput_per_s, of a run scenario lateness_mean_seconds)")
	fs.IntVar(&f.most, "max-replications", 200, "with --precision, where to stop adding replications")
	fs.BoolVar(&f.many, "yes", false, "run a grid of more than 10,000,000 points")
}

// mostPoints is how many points a grid may have unless --yes is given.
const mostPoints = 10_000_000

// fail is an error about a flag's value, which may stand in a sweep file.
func (f *pointFlags) fail(flag, axis, join string, err error) error {
	key := flag
	if axis != "" {
		key += " " + axis
	}
	if place, ok := f.places[key]; ok {
		return inputError{fmt.Errorf("%s: %w", place, err)}
	}
	return usagef("--%s%s%w", flag, join, err)
}

// defaultScenario is that of compare and sweep.
const defaultScenario = "bug-13750"

// contest is what the flags come to: a study and its points, in the order of the
// axes tables, workers, host, cpus, due share, start, version, settings, choices,
// strategy.
func (f *pointFlags) contest(fs *pflag.FlagSet, defaults func(*scenario.Scenario) (tables, workers string)) (study.Contest, *study.Grid, error) {
	var st study.Contest
	sc, err := scenario.BuiltIn(f.scenario)
	if err != nil {
		return st, nil, f.fail("scenario", "", ": ", err)
	}
	st.Population = sc.Tables(0)
	for _, s := range sc.Assignments() {
		st.Settings = append(st.Settings, s[0]+"="+s[1])
	}
	if st.Common, err = f.common(fs, sc.Name, st.Compared()); err != nil {
		return st, nil, err
	}
	tables, workers := defaults(sc)
	axes, err := f.axes(sc, or(f.tables, tables), or(f.workers, workers))
	if err != nil {
		return st, nil, err
	}
	g, err := f.gridOf(axes)
	if err == nil {
		g.Window = windows(sc)
	}
	return st, g, err
}

// gridOf is the grid of axes.
func (f *pointFlags) gridOf(axes []study.Axis) (*study.Grid, error) {
	g, err := study.NewGrid(axes, f.zips())
	if err != nil {
		return nil, f.fail("zip", "", ": ", err)
	}
	if f.where != "" {
		if g.Where, err = study.NewWhere(f.where, axes); err != nil {
			return nil, f.fail("where", "", ": ", err)
		}
	}
	return g, nil
}

// checkSize refuses to run a grid that no one can want.
func (f *pointFlags) checkSize(g *study.Grid) error {
	switch n := g.Size(); {
	case n > mostPoints && !f.many:
		return f.ofGrid(fmt.Errorf("the grid has %s points: more than %s need --yes (--plan tells what they may cost)", manyPoints(n), thousands(mostPoints)))
	case n > experiment.MostPoints:
		return f.ofGrid(fmt.Errorf("the grid has %s points: accepted are %s at most", manyPoints(n), thousands(experiment.MostPoints)))
	}
	return nil
}

// ofGrid is an error about the axes together.
func (f *pointFlags) ofGrid(err error) error {
	if place, ok := f.places["axes"]; ok {
		return inputError{fmt.Errorf("%s: %w", place, err)}
	}
	return usageError{err}
}

// manyPoints is a number of points that may be beyond counting.
func manyPoints(n float64) string {
	if n < 1e15 {
		return thousands(int(n))
	}
	return fmt.Sprintf("%.3g", n)
}

// survey goes through the grid once, checks its points and counts them.
func (f *pointFlags) survey(st study.Study, g *study.Grid, see func(study.GridPoint, time.Duration) error) (study.Survey, error) {
	var seeing error
	s, err := study.Look(st, g, func(p study.GridPoint, cost time.Duration) error {
		if see != nil {
			seeing = see(p, cost)
		}
		return seeing
	})
	if seeing != nil {
		return s, seeing // an output that cannot be written
	}
	if err != nil {
		return s, f.ofPoint(err)
	}
	if s.Points == 0 {
		return s, f.fail("where", "", ": ", fmt.Errorf("%s: holds for none of the %s points", f.where, manyPoints(g.Size())))
	}
	return s, nil
}

// ofPoint is an error about a point of the grid, by what it is about.
func (f *pointFlags) ofPoint(err error) error {
	if where, ok := errors.AsType[*study.WhereError](err); ok {
		return f.fail("where", "", ": ", fmt.Errorf("%s: %w", f.where, where))
	}
	if setting, ok := errors.AsType[*study.SettingError](err); ok {
		return f.fail("set", setting.Name, ": ", err)
	}
	if field, ok := errors.AsType[*study.FieldError](err); ok {
		return f.fail("set", field.Path, " ", err)
	}
	if figure, ok := errors.AsType[*study.FigureError](err); ok {
		return f.fail("host-set", figure.Path, " ", err)
	}
	if f.file != "" {
		return inputError{fmt.Errorf("%s: %w", f.file, err)}
	}
	return usageError{err}
}

// common is what every study has.
func (f *pointFlags) common(fs *pflag.FlagSet, scenario string, compared []study.Compared) (study.Common, error) {
	st := study.Common{Scenario: scenario, Seed: f.seed, Replications: f.replications, Precise: f.precise}
	_, inFile := f.places["replications"]
	if f.precision != "" && !inFile && !fs.Changed("replications") {
		st.Replications = 10
	}
	if st.Replications < 1 || st.Replications > mostReplications {
		return st, f.fail("replications", "", " ", fmt.Errorf("%d: accepted is 1 to %d", st.Replications, mostReplications))
	}
	if f.precision == "" {
		for _, name := range []string{"max-replications", "precision-of"} {
			if _, inFile := f.places[name]; inFile || fs.Changed(name) {
				return st, f.fail(name, "", " ", errors.New("is for --precision"))
			}
		}
		return st, nil
	}
	if err := f.checkPrecise(compared); err != nil {
		return st, err
	}
	share, err := parseShare(f.precision)
	if err != nil {
		return st, f.fail("precision", "", " ", err)
	}
	if f.most > mostReplications {
		return st, f.fail("max-replications", "", " ", fmt.Errorf("%d: accepted is up to %d", f.most, mostReplications))
	}
	st.Until = &experiment.Sequential{Precision: share, Least: st.Replications, Most: f.most, Confidence: scheduler.Confidence}
	if err := st.Until.Check(); err != nil {
		return st, f.fail("precision", "", ": ", err)
	}
	return st, nil
}

// checkPrecise refuses a figure by which points are not compared.
func (f *pointFlags) checkPrecise(compared []study.Compared) error {
	if f.precise == "" {
		return nil
	}
	var names []string
	for _, c := range compared {
		if names = append(names, c.Name); c.Name == f.precise {
			return nil
		}
	}
	return f.fail("precision-of", "", " ", fmt.Errorf("%s: no such figure%s; accepted are %s", f.precise, nearest(f.precise, names), strings.Join(names, ", ")))
}

// mostReplications bounds the replications of a point.
const mostReplications = 10_000

// parseShare reads 5% or 0.05.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0 && x < 1) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s: accepted is a share above 0 and below 1, such as 5%% or 0.05", text)
	}
	return x, nil
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

// zips are the axes that go in step, as --zip and the file have them.
func (f *pointFlags) zips() (out [][]string) {
	for _, text := range f.zip {
		var names []string
		for name := range strings.SplitSeq(text, ",") {
			names = append(names, strings.ReplaceAll(strings.TrimSpace(name), "due-share", "due_share"))
		}
		out = append(out, names)
	}
	return out
}

// windows gives each strategy the scenario's window, or one of at most the
// longest time that was asked for.
func windows(sc *scenario.Scenario) func(scheduler.Strategy, time.Duration) scheduler.Window {
	return func(s scheduler.Strategy, longest time.Duration) scheduler.Window {
		w := scheduler.Window{Min: sc.Window.Min, Max: sc.Window.Max, Vacuums: sc.Window.Vacuums}
		if s.Claim == scheduler.ClaimAfterRecheck {
			w.Max = sc.Window.MaxUnderLock
		}
		if longest > 0 {
			w.Max = longest
			w.Min = min(w.Min, longest)
		}
		return w
	}
}

// swept are the names of the axes that have several values.
func swept(g *study.Grid) (out []string) {
	for _, a := range g.Axes {
		if len(a.Values) > 1 {
			out = append(out, a.Name)
		}
	}
	return slices.Clip(out)
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

func itoa(n int) string { return strconv.Itoa(n) }

// idle are the settings that were given and may change nothing: of compare's scenarios
// alone is it known which are used.
func (f *pointFlags) idle() []string {
	if !f.isContest() {
		return nil
	}
	return f.set
}
