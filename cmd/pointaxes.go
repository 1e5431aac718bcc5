package cmd

import (
	"fmt"
	"strings"

	"avsim/scheduler/study"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// axes are those of the flags, in the order of a grid.
func (f *pointFlags) axes(sc *scenario.Scenario, tables, workers string) ([]study.Axis, error) {
	b := axisBuilder{f: f}
	b.number("tables", tables, study.Tables)
	b.number("workers", workers, study.Workers)
	b.hosts(or(f.host, sc.Host), host.Load)
	if f.cpus != "" {
		b.number("cpus", f.cpus, study.CPUs)
	}
	b.number("due-share", or(f.dueShare, fmt.Sprint(sc.Population.DueShare)), study.DueShares)
	b.add("start", "", " ", func() (study.Axis, error) { return study.Starts(or(f.start, sc.Start)) })
	if f.window != "" {
		b.number("window", f.window, study.Windows)
	}
	f.versioned(sc, &b)
	return b.axes, b.err
}

// versioned adds the axes of versions, settings and strategies. A version that
// was given brings its own strategy, unless strategies were given too.
func (f *pointFlags) versioned(sc *scenario.Scenario, b *axisBuilder) {
	strategies := strings.Join(f.strategy, ",")
	own := strategies == "" && f.pg != ""
	versions := func() (study.Axis, error) { return study.Versions(or(f.pg, sc.PG), f.pg != "", own) }
	all := b.try("pg", "", ": ", versions)
	if !own {
		b.add("pg", "", ": ", versions)
	}
	b.each("set", f.set, func(name, list string) (study.Axis, error) {
		if strings.EqualFold(name, "autovacuum_max_workers") {
			return study.Axis{}, fmt.Errorf("autovacuum_max_workers is the number of workers: use --workers")
		}
		if !isSetting(name) && f.grid {
			return study.Axis{}, fmt.Errorf("%s is no setting and no axis%s", name, nearestAxis(name, nil))
		}
		return study.Setting(name, list, all)
	})
	b.each("choice", f.choices, study.Choice)
	if own {
		b.add("pg", "", ": ", versions)
		return
	}
	b.add("strategy", "", ": ", func() (study.Axis, error) {
		return study.Strategies(or(strategies, strings.Join(sc.Strategies, ",")))
	})
}

// axisBuilder gathers axes until there is an error.
type axisBuilder struct {
	f    *pointFlags
	axes []study.Axis
	err  error
}

// try reads an axis and keeps its error.
func (b *axisBuilder) try(flag, axis, join string, read func() (study.Axis, error)) study.Axis {
	if b.err != nil {
		return study.Axis{}
	}
	a, err := read()
	if err != nil {
		b.err = b.f.fail(flag, axis, join, err)
	}
	return a
}

func (b *axisBuilder) add(flag, axis, join string, read func() (study.Axis, error)) study.Axis {
	a := b.try(flag, axis, join, read)
	b.axes = append(b.axes, a)
	return a
}

func (b *axisBuilder) number(flag, text string, read func(string) (study.Axis, error)) {
	b.add(flag, "", " ", func() (study.Axis, error) { return read(text) })
}

// hosts adds the host profiles and the figures in which they are changed. A
// profile that cannot be used is bad input, not bad usage.
func (b *axisBuilder) hosts(text string, load func(string) (*host.Profile, error)) {
	hosts, err := study.Hosts(text, load)
	if err != nil && b.err == nil {
		if b.err = (inputError{err}); b.f.places["host"] != "" {
			b.err = b.f.fail("host", "", "", err)
		}
	}
	b.axes = append(b.axes, hosts)
	b.each("host-set", b.f.hostSet, func(path, list string) (study.Axis, error) { return study.HostFigure(path, list, hosts) })
}

// each adds an axis for every name=list of a flag that may be repeated.
func (b *axisBuilder) each(flag string, assignments []string, read func(name, list string) (study.Axis, error)) {
	seen := map[string]bool{}
	for _, text := range assignments {
		name, list, err := guc.ParseAssignment(text)
		if flag != "set" || isSetting(strings.ToLower(name)) {
			name = strings.ToLower(name)
		}
		b.add(flag, name, " "+text+": ", func() (study.Axis, error) {
			switch {
			case err != nil:
				return study.Axis{}, err
			case seen[name]:
				return study.Axis{}, fmt.Errorf("given twice; a list, %s=a,b, is an axis", name)
			}
			seen[name] = true
			return read(name, list)
		})
	}
}
