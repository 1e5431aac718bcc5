package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// checkSettings reads the settings and their changes by the run's version.
func (f *runFile) checkSettings(r *Run) (err error) {
	r.Settings = guc.Defaults(f.version)
	if r.Assignments, err = f.assign(&r.Settings, "settings", f.settings, false); err != nil {
		return err
	}
	now := r.Settings
	for i, c := range f.changes {
		path := fmt.Sprintf("changes[%d]", i)
		if err := f.within(path+".at", c.at, c.node); err != nil {
			return err
		}
		if i > 0 && c.at <= f.changes[i-1].at {
			return f.d.Fail(c.node, path+".at", "found "+yamlfile.FormatDuration(c.at)+", not after the one above", "times in rising order")
		}
		list, err := f.assign(&now, path+".settings", c.settings, true)
		if err != nil {
			return err
		}
		r.Changes = append(r.Changes, Change{At: c.at, Assignments: list})
	}
	return nil
}

// assign sets what a file assigns, in its order. While a server runs, settings
// that take effect at a start are refused.
func (f *runFile) assign(s *guc.Settings, path string, list []assignment, running bool) ([][2]string, error) {
	var out [][2]string
	seen := make(map[string]bool)
	for _, a := range list {
		path := path + "." + a.Name
		what, err := guc.Lookup(f.version, a.Name)
		switch {
		case err != nil:
			return nil, f.d.Refuse(a.Key, path, err.Error())
		case seen[what.Name]:
			return nil, f.d.Fail(a.Key, path, "given twice", "once")
		case running && what.Context == guc.Restart:
			return nil, f.d.Fail(a.Key, path, "found a setting that takes effect only when the server starts",
				"one that a reload changes; this one belongs under settings at the top")
		}
		seen[what.Name] = true
		if err := s.Set(a.Name, a.Value.text); err != nil {
			return nil, f.d.Refuse(a.Value.node, path, err.Error()+accepted(what))
		}
		out = append(out, [2]string{what.Name, a.Value.text})
	}
	return out, nil
}

// accepted adds to an error of guc what a number may be, in the words of the
// other errors.
func accepted(s guc.Setting) string {
	if s.Kind != guc.Int && s.Kind != guc.Real {
		return ""
	}
	unit := ""
	if s.Unit != guc.NoUnit {
		unit = fmt.Sprintf(" in %s, or with a unit", s.Unit)
	}
	return fmt.Sprintf("; accepted is from %s to %s%s", yamlfile.Plain(s.Min), yamlfile.Plain(s.Max), unit)
}

// settingNames are those of all versions, sorted.
var settingNames = sync.OnceValue(func() []string {
	all := make(map[string]bool)
	for _, v := range guc.Branches() {
		for _, name := range guc.Names(v) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
})

// optionNames are the storage parameters of all versions, with and without the
// prefix of TOAST tables, sorted.
var optionNames = sync.OnceValue(func() []string {
	all := make(map[string]bool)
	for name := range onlyOptions {
		all[name], all[toastPrefix+name] = true, true
	}
	for _, v := range guc.Branches() {
		for _, name := range guc.Names(v) {
			if s, err := guc.Lookup(v, name); err == nil && s.Reloption != "" {
				all[s.Reloption] = true
				if !strings.Contains(s.Reloption, "analyze") {
					all[toastPrefix+s.Reloption] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
})

// Storage parameters that have no setting of their own, or a younger one, and
// those that are younger than their setting (reloptions.c).
var (
	onlyOptions = map[string]struct {
		since  string
		values []string
	}{
		"vacuum_truncate":      {"12", []string{"on", "off", "true", "false"}},
		"vacuum_index_cleanup": {"12", []string{"auto", "on", "off", "true", "false"}},
		// Proposed in 2018 and in no release; the strategy priority goes by it.
		"autovacuum_table_priority": {"9.3", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}},
	}
	optionSince = map[string]string{"log_autovacuum_min_duration": "9.5"}
)

// toastPrefix begins the storage parameters of a TOAST table.
const toastPrefix = "toast."

// CheckOption tells whether a table of a scenario can have a storage parameter's value, as
// a version of PostgreSQL has it.
func CheckOption(v guc.Version, name, value string) error {
	f := &runFile{version: v}
	_, known, err := f.option(name, value)
	switch {
	case err != nil:
		return err
	case !known:
		return f.unknownOption(name)
	}
	return nil
}

// checkOptions sorts the storage parameters into those of the table and those
// of its TOAST table.
func (f *runFile) checkOptions(path string, p *population) error {
	p.mainOptions, p.toastOptions = nil, nil
	for _, o := range p.options {
		path := path + "." + o.Name
		name, ofTOAST := strings.CutPrefix(strings.ToLower(o.Name), toastPrefix)
		switch {
		case name == "fillfactor":
			return f.d.Fail(o.Key, path, "found fillfactor among the storage parameters", "fillfactor beside options, as a key of the table")
		case ofTOAST && !p.toast:
			return f.d.Fail(o.Key, path, "found an option of a TOAST table, which the table does not have", "one where toast is true")
		case ofTOAST && strings.Contains(name, "analyze"):
			return f.d.Fail(o.Key, path, "found an option that TOAST tables do not have", "one about vacuum: nothing analyzes a TOAST table")
		}
		text, known, err := f.option(name, o.Value.text)
		if !known {
			return f.d.Refuse(o.Key, path, err.Error())
		} else if err != nil {
			return f.d.Refuse(o.Value.node, path, err.Error())
		}
		into := &p.mainOptions
		if ofTOAST {
			into = &p.toastOptions
		}
		if *into == nil {
			*into = make(map[string]string)
		}
		if _, twice := (*into)[name]; twice {
			return f.d.Fail(o.Key, path, "given twice", "once")
		}
		(*into)[name] = text
	}
	return nil
}

// option holds a storage parameter against the run's version, in which it is
// known where the version has one of that name. It returns the value as
// PostgreSQL takes it in WITH (...): a number bare, in the unit of the setting
// that the parameter overrides.
func (f *runFile) option(name, text string) (value string, known bool, err error) {
	if values := f.onlyOption(name); values != nil {
		if slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, text) }) {
			return text, true, nil
		}
		return "", true, fmt.Errorf("found %s; accepted is one of %s", yamlfile.Quote(text), strings.Join(values, ", "))
	}
	s, ok := f.settingOf(name)
	if !ok {
		return "", false, f.unknownOption(name)
	}
	value, err = f.bareValue(s, text)
	return value, true, err
}

// onlyOption are the values of a storage parameter that has no setting of its
// own; nil for others, and for those that the version does not have.
func (f *runFile) onlyOption(name string) []string {
	only, ok := onlyOptions[name]
	if !ok || !f.version.AtLeast(guc.MustVersion(only.since)) {
		return nil
	}
	if name == "vacuum_index_cleanup" && !f.version.AtLeast(guc.MustVersion("14")) {
		return onlyOptions["vacuum_truncate"].values // a switch until then
	}
	return only.values
}

func (f *runFile) unknownOption(name string) error {
	hint := ""
	if near := guc.Nearest(name, slices.DeleteFunc(slices.Clone(optionNames()), func(other string) bool {
		_, has := f.settingOf(other)
		return !has
	})); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("found no such storage parameter in PostgreSQL %s%s; accepted are autovacuum_enabled and the others of CREATE TABLE that concern vacuum", f.version, hint)
}

// bareValue reads a storage parameter like the setting that it overrides, with
// or without a unit. What stands in a setting for the value of another one is
// refused, as PostgreSQL does.
func (f *runFile) bareValue(s guc.Setting, text string) (string, error) {
	scratch := guc.Defaults(f.version)
	if err := scratch.Set(s.Name, text); err != nil {
		return "", fmt.Errorf("%w%s", err, accepted(s))
	}
	if s.Kind != guc.Int && s.Kind != guc.Real {
		return text, nil
	}
	least := s.Min
	switch {
	case s.Fallback == "vacuum_cost_limit":
		least = 1
	case s.Fallback != "":
		least = 0
	}
	// Show, unlike Float, does not follow -1, or a cost limit of 0, to the other setting.
	if shown, _ := scratch.Show(s.Name); least > s.Min && (strings.HasPrefix(shown, "-") || shown == "0" && least > 0 || scratch.Float(s.Name) < least) {
		return "", fmt.Errorf("found %s; accepted is %s or more: leave the option out for the server's", yamlfile.Quote(text), yamlfile.Plain(least))
	}
	return strconv.FormatFloat(scratch.Float(s.Name), 'f', -1, 64), nil
}

// settingOf is the setting of the run's version that a storage parameter
// overrides.
func (f *runFile) settingOf(option string) (guc.Setting, bool) {
	if since, late := optionSince[option]; late && !f.version.AtLeast(guc.MustVersion(since)) {
		return guc.Setting{}, false
	}
	for _, name := range guc.Names(f.version) {
		if s, err := guc.Lookup(f.version, name); err == nil && s.Reloption != "" && s.Reloption == option {
			return s, true
		}
	}
	return guc.Setting{}, false
}
