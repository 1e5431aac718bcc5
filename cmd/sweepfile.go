package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/pflag"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// sweepFile is a sweep file as it stands.
type sweepFile struct {
	scenario, where, precision          text
	axes                                []yamlfile.Named[text]
	zip                                 []text
	seed, replications, maxReplications text
}

// text is a scalar, or a list of them with commas between, and its place.
type text struct {
	text string
	node ast.Node
}

const sweepNoun = "sweep"

// root is what a sweep file may hold.
func (s *sweepFile) root() yamlfile.Value {
	one := func(t *text, accepted string) yamlfile.Value { return yamlfile.Scalar(&t.text, accepted).Kept(&t.node) }
	return yamlfile.Object(
		yamlfile.Field{Name: "scenario", Doc: "built-in scenario", Value: one(&s.scenario, "the name of a built-in scenario")},
		yamlfile.Field{Name: "axes", Doc: "what varies, by name: a value, a range or a list", Required: true, Value: yamlfile.Map(&s.axes, listValue)},
		yamlfile.Field{Name: "zip", Doc: "axes that go in step, a list each", Value: yamlfile.List(&s.zip, 1, listValue)},
		yamlfile.Field{Name: "where", Doc: "keep the points for which this holds", Value: one(&s.where, "a condition, such as workers <= cpus*8")},
		yamlfile.Field{Name: "seed", Doc: "seed of all random numbers", Value: one(&s.seed, "a whole number")},
		yamlfile.Field{Name: "replications", Doc: "independent runs per point; with precision the least number", Value: one(&s.replications, "a whole number")},
		yamlfile.Field{Name: "precision", Doc: "half the 95 % interval of the throughput, as a share of it", Value: one(&s.precision, "a share, such as 5%")},
		yamlfile.Field{Name: "max_replications", Doc: "with precision, where to stop", Value: one(&s.maxReplications, "a whole number")},
	)
}

// listValue is a scalar or a list of scalars, kept as a text with commas.
func listValue(t *text) yamlfile.Value {
	const accepted = "a value, a range or a list of them"
	return yamlfile.Value{
		Schema: map[string]any{"type": []string{"string", "number", "boolean", "array"}},
		Read: func(d *yamlfile.Decoder, path string, n ast.Node) error {
			items := []ast.Node{n}
			if l, ok := n.(*ast.SequenceNode); ok && len(l.Values) > 0 {
				items = l.Values
			}
			var texts []string
			for _, item := range items {
				value := yamlfile.Text(item)
				if !yamlfile.IsScalar(item) || strings.TrimSpace(value) == "" {
					return d.Fail(item, path, "found "+yamlfile.Describe(item), accepted)
				}
				texts = append(texts, value)
			}
			*t = text{strings.Join(texts, ","), n}
			return nil
		},
	}
}

// readFile takes over what a sweep file has and the command line does not.
func (f *pointFlags) readFile(fs *pflag.FlagSet) error {
	if f.file == "" {
		return nil
	}
	data, err := yamlfile.ReadFile(f.file, sweepNoun)
	if err != nil {
		return inputError{err}
	}
	var s sweepFile
	d := &yamlfile.Decoder{File: f.file, Noun: sweepNoun, MostKeys: 1000, MostNested: 8}
	if err := d.Read(data, s.root()); err != nil {
		return inputError{err}
	}
	f.places = map[string]string{}
	for _, scalar := range []struct {
		flag, key string
		text
	}{
		{"scenario", "scenario", s.scenario}, {"where", "where", s.where},
		{"seed", "seed", s.seed}, {"replications", "replications", s.replications},
		{"precision", "precision", s.precision}, {"max-replications", "max_replications", s.maxReplications},
	} {
		if err := f.take(fs, d, scalar.flag, scalar.key, scalar.text); err != nil {
			return err
		}
	}
	if !fs.Changed("zip") {
		for _, z := range s.zip {
			f.zip = append(f.zip, z.text)
			f.places["zip"] = d.Where(z.node) + ": zip"
		}
	}
	for _, a := range s.axes {
		if err := f.takeAxis(fs, d, a); err != nil {
			return err
		}
	}
	return nil
}

// take sets a flag that the command line does not have.
func (f *pointFlags) take(fs *pflag.FlagSet, d *yamlfile.Decoder, flag, key string, t text) error {
	if t.text == "" || fs.Changed(flag) {
		return nil
	}
	if err := fs.Lookup(flag).Value.Set(t.text); err != nil {
		return inputError{d.Fail(t.node, key, "found "+yamlfile.Quote(t.text), "what --"+flag+" takes")}
	}
	f.places[flag] = d.Where(t.node) + ": " + key
	return nil
}

// axisFlags are the flags of the axes that have one.
var axisFlags = map[string]string{
	"tables": "tables", "workers": "workers", "cpus": "cpus", "due_share": "due-share", "start": "start",
	"strategy": "strategy", "pg": "pg", "host": "host", "window": "window",
}

// takeAxis takes over an axis: one of those with a flag, a figure of the host, a
// choice or a setting.
func (f *pointFlags) takeAxis(fs *pflag.FlagSet, d *yamlfile.Decoder, a yamlfile.Named[text]) error {
	key := "axes." + a.Name
	if flag, ok := axisFlags[a.Name]; ok {
		return f.take(fs, d, flag, key, a.Value)
	}
	into, flag, name := &f.set, "set", strings.ToLower(a.Name)
	if path, ok := strings.CutPrefix(a.Name, "host."); ok {
		into, flag, name = &f.hostSet, "host-set", path
	} else if choice, ok := strings.CutPrefix(a.Name, "choice."); ok {
		into, flag, name = &f.choices, "choice", choice
	} else if !isSetting(name) {
		return inputError{d.Refuse(a.Key, key, "no such axis"+nearestAxis(a.Name)+
			"; accepted are tables, workers, cpus, due_share, start, window, strategy, pg, host, host. and a figure of the profile, choice. and its name, and settings of PostgreSQL")}
	}
	if slices.ContainsFunc(*into, func(s string) bool {
		n, _, _ := strings.Cut(s, "=")
		return strings.EqualFold(strings.TrimSpace(n), name)
	}) {
		return nil // the command line has it
	}
	*into = append(*into, name+"="+a.Value.text)
	f.places[flag+" "+name] = d.Where(a.Value.node) + ": " + key
	f.places[flag] = d.File
	return nil
}

// isSetting tells whether some version has a setting of that name.
func isSetting(name string) bool {
	return slices.ContainsFunc(guc.Branches(), func(v guc.Version) bool { _, err := guc.Lookup(v, name); return err == nil })
}

func nearestAxis(name string) string {
	var names []string
	for n := range axisFlags {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, v := range guc.Branches() {
		names = append(names, guc.Names(v)...)
	}
	if near := guc.Nearest(name, names); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}
