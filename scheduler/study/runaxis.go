package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// Variants is an axis of the variants of a scenario, all or those with the names. Each
// brings its version, and its host and strategy unless others are given.
func Variants(sc *scenario.Run, text string, keepHost, keepStrategy bool) (Axis, error) {
	names := make([]string, 0, len(sc.Variants()))
	for _, v := range sc.Variants() {
		names = append(names, v.Name)
	}
	if len(names) == 0 {
		return Axis{}, fmt.Errorf("%s has no variants", sc.Name)
	}
	if text == "" {
		text = strings.Join(names, ",")
	}
	var also []map[string]any
	a, err := texts("variant", text, func(item string) (func(*draft) error, error) {
		i := slices.Index(names, item)
		if i < 0 {
			hint := ""
			if near := guc.Nearest(item, names); near != "" {
				hint = fmt.Sprintf(", did you mean %s?", near)
			}
			return nil, fmt.Errorf("%s has no variant %s%s (there are %s)", sc.Name, item, hint, strings.Join(names, ", "))
		}
		run := sc.Variants()[i].Run
		h, err := run.HostProfile()
		if err != nil {
			return nil, err
		}
		s, err := StrategyOf(run, "")
		if err != nil {
			return nil, err
		}
		also = append(also, map[string]any{"pg": branch(run.PG.String())})
		return func(d *draft) error {
			d.PG, d.released = run.PG, true
			d.Variant = item
			if !keepHost {
				d.Host = h
			}
			if !keepStrategy {
				d.Strategy = s
			}
			return nil
		}, nil
	})
	for i := range a.Values {
		a.Values[i].also = also[i]
	}
	return a, err
}

// StrategyOf is the strategy of that name or, where it is empty, the scenario's, or else
// its version's own.
func StrategyOf(sc *scenario.Run, name string) (scheduler.Strategy, error) {
	if name == "" {
		name = sc.Strategy
	}
	if name == "" {
		return scheduler.StrategyOf(sc.PG)
	}
	return scheduler.LookUp(name)
}

// Lengths is an axis of lengths of a run, such as 36h or 7d.
func Lengths(text string) (Axis, error) {
	items, err := rangesOf(text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: "run_for"}
	for _, item := range items {
		d, err := scenario.ParseRunFor(item)
		if err != nil {
			return Axis{}, fmt.Errorf("%s: %w", item, err)
		}
		a.Values = append(a.Values, Value{Text: item, Var: d.Seconds(), set: func(p *draft) error { p.Lasting = d; return nil }})
	}
	return a.distinct(byVar)
}

// FieldAxis is an axis over a place in a scenario's file: run_for, or
// databases[0].tables[orders].rows, with values as they could stand there.
func FieldAxis(sc *scenario.Run, path, text string) (Axis, error) {
	if err := axisPath(path); err != nil {
		return Axis{}, err
	}
	items, err := rangesOf(text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: path, field: true}
	var read kindOfTexts
	for _, item := range items {
		f := Field{path, item}
		if _, err := sc.Changed([]yamlfile.Change{{Path: path, Value: item, What: item}}, nil); err != nil {
			return Axis{}, err
		}
		a.Values = append(a.Values, Value{Text: item, Var: read.see(item), set: func(d *draft) error {
			d.Fields = append(d.Fields, f)
			return nil
		}})
	}
	if len(items) > 1 {
		a.Column = variable(path) + read.ending()
	}
	return a.distinct(byVar)
}

// axisPath refuses places that are no field of what is run, or that have an axis.
func axisPath(path string) error {
	first, rest := path, ""
	if i := strings.IndexAny(path, ".["); i >= 0 {
		first, rest = path[:i], strings.TrimLeft(path[i:], ".[")
	}
	switch first {
	case "name", "title", "description", "claims", "expect":
		return fmt.Errorf("%s is no field that a run depends on", first)
	case "variants":
		return errors.New("variants are an axis of their own: use --variant")
	case "settings":
		return fmt.Errorf("a setting is an axis by its own name: --set %s=…", strings.TrimRight(rest, "]"))
	case "seed":
		return errors.New("replications have seeds of their own: use --seed and --replications")
	}
	return nil
}

// FieldNames are keys at the top of a scenario's file, for suggestions.
func FieldNames() []string { return scenario.Keys() }
