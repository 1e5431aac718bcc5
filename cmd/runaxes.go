package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"avsim/scheduler/study"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// isContest tells whether the scenario is one of compare.
func (f *pointFlags) isContest() bool { return slices.Contains(scenario.Names(), f.scenario) }

// runs is what the flags come to with a scenario of run: a study and its points, in the
// order of the axes host, cpus, version or variant, length, workers, settings and fields
// of the scenario, choices, strategy.
func (f *pointFlags) runs(fs *pflag.FlagSet) (study.Runs, *study.Grid, error) {
	st := study.NewRuns(nil)
	sc, err := f.runScenario()
	if err != nil {
		return st, nil, err
	}
	for _, x := range []struct{ flag, value, remedy string }{
		{"tables", f.tables, "--set databases[0].tables[0].count=… is the way to other numbers of tables"},
		{"due-share", f.dueShare, "tables come due by what is done to them"},
		{"start", f.start, "workers start as the launcher starts them"},
		{"window", f.window, "--for is how long it is run"},
	} {
		if x.value != "" {
			return st, nil, f.fail(x.flag, "", ": ", fmt.Errorf("is for scenarios of compare (%s), not for %s: %s", strings.Join(scenario.Names(), ", "), sc.Name, x.remedy))
		}
	}
	st.Base = sc
	if _, inFile := f.places["seed"]; !inFile && !fs.Changed("seed") {
		f.seed = sc.Seed
	}
	if st.Common, err = f.common(fs, sc.Name, st.Compared()); err != nil {
		return st, nil, err
	}
	axes, err := f.runAxes(sc)
	if err != nil {
		return st, nil, err
	}
	g, err := f.gridOf(axes)
	return st, g, err
}

// runScenario is the scenario of that name or in that file.
func (f *pointFlags) runScenario() (*scenario.Run, error) {
	if _, err := scenario.Text(f.scenario); err != nil && !yamlfile.LooksLikeFile(f.scenario) {
		return nil, f.fail("scenario", "", ": ", err)
	}
	sc, err := scenario.LoadRun(f.scenario)
	if err != nil {
		return nil, inputError{err}
	}
	return sc, nil
}

// runAxes are the axes of a scenario of run.
func (f *pointFlags) runAxes(sc *scenario.Run) ([]study.Axis, error) {
	b := axisBuilder{f: f}
	load := host.Load
	if f.host == "" {
		load = func(string) (*host.Profile, error) { return sc.HostProfile() }
	}
	b.hosts(or(f.host, sc.Host), load)
	if f.cpus != "" {
		b.number("cpus", f.cpus, study.CPUs)
	}
	strategies := strings.Join(f.strategy, ",")
	versions := f.versionAxes(sc, &b, strategies)
	if f.lasting != "" {
		b.number("for", f.lasting, study.Lengths)
	}
	if f.workers != "" {
		b.number("workers", f.workers, study.Workers)
	}
	b.each("set", f.set, func(name, list string) (study.Axis, error) {
		switch {
		case isSetting(name):
			return study.Setting(name, list, versions)
		case isField(name):
			return study.FieldAxis(sc, name, list)
		}
		return study.Axis{}, fmt.Errorf("%s is no setting, no axis and no field of the scenario%s", name, nearestAxis(name, study.FieldNames()))
	})
	b.each("choice", f.choices, study.Choice)
	if strategies != "" || sc.Strategy != "" && f.pg == "" && len(sc.Variants()) == 0 {
		b.add("strategy", "", ": ", func() (study.Axis, error) {
			a, err := study.Strategies(or(strategies, sc.Strategy))
			if err != nil && strategies == "" {
				err = fmt.Errorf("%s: %w", sc.Where("strategy"), err)
			}
			return a, err
		})
	} // otherwise each version or variant brings its own
	return b.axes, b.err
}

// versionAxes adds the axis of versions or variants, and returns one of versions.
func (f *pointFlags) versionAxes(sc *scenario.Run, b *axisBuilder, strategies string) study.Axis {
	if len(sc.Variants()) > 0 && f.pg == "" {
		b.add("variant", "", ": ", func() (study.Axis, error) { return study.Variants(sc, f.variant, f.host != "", strategies != "") })
		var all []string
		for _, v := range sc.Variants() {
			if text := v.PG.String(); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return b.try("pg", "", ": ", func() (study.Axis, error) { return study.Versions(strings.Join(all, ","), true, false) })
	}
	if f.variant != "" && b.err == nil {
		why := fmt.Errorf("%s has no variants", sc.Name)
		if len(sc.Variants()) > 0 {
			why = fmt.Errorf("a sweep goes over variants or over versions: give either --pg or --variant")
		}
		b.err = f.fail("variant", "", " "+f.variant+": ", why)
	}
	return b.add("pg", "", ": ", func() (study.Axis, error) {
		return study.Versions(or(f.pg, sc.PG.String()), true, strategies == "" && (f.pg != "" || sc.Strategy == ""))
	})
}

// isField tells whether a name is a place in a scenario's file.
func isField(name string) bool {
	return strings.ContainsAny(name, ".[") || slices.Contains(study.FieldNames(), name)
}

// otherAxes are axes that --set takes by their name, beside their own flags.
var otherAxes = map[string]string{"version": "pg", "pg": "pg", "run_for": "for", "for": "for", "variant": "variant"}

// routeSets hands to their flags what --set says of other axes than settings.
func (f *pointFlags) routeSets(fs *pflag.FlagSet) error {
	var left []string
	for _, text := range f.set {
		name, list, err := guc.ParseAssignment(text)
		if err != nil {
			left = append(left, text)
			continue
		}
		flag := or(otherAxes[strings.ToLower(name)], axisFlags[strings.ToLower(name)])
		figure, isFigure := strings.CutPrefix(name, "host.")
		choice, isChoice := strings.CutPrefix(name, "choice.")
		switch {
		case isFigure:
			f.hostSet = append(f.hostSet, figure+"="+list)
		case isChoice:
			f.choices = append(f.choices, choice+"="+list)
		case flag == "":
			left = append(left, text)
		case fs.Changed(flag):
			return usagef("--set %s: --%s is given too: give one of them", text, flag)
		default:
			if err := fs.Set(flag, list); err != nil {
				return usagef("--set %s: %w", text, err)
			}
		}
	}
	f.set = left
	return nil
}
