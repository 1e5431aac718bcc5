package guc

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Off is what the getters return for a -1 that switches something off
// (log_autovacuum_min_duration, autovacuum_vacuum_insert_threshold,
// autovacuum_vacuum_max_threshold), whatever the unit.
const Off = -1

// Settings are the settings of a server: the defaults of a version and what has
// been set otherwise. A copy is independent of the original.
type Settings struct {
	version Version
	set     map[string]float64 // never changed in place
}

// Defaults returns a version's settings with nothing set.
func Defaults(v Version) Settings { return Settings{version: v} }

// Version returns the version that the settings are those of.
func (s Settings) Version() Version { return s.version }

// Set reads a value as PostgreSQL reads it from postgresql.conf, without the
// quotes. On an error nothing is changed.
func (s *Settings) Set(name, text string) error {
	d, err := Lookup(s.version, name)
	if err != nil {
		return err
	}
	x, err := d.parse(text)
	if err != nil {
		return err
	}
	set := maps.Clone(s.set)
	if set == nil {
		set = make(map[string]float64)
	}
	set[d.Name] = x
	s.set = set
	return nil
}

// Assign is Set of an assignment such as autovacuum_naptime=15s.
func (s *Settings) Assign(text string) error {
	name, value, err := ParseAssignment(text)
	if err != nil {
		return err
	}
	return s.Set(name, value)
}

// ParseAssignment splits name=value. Blanks around both are dropped, and so are
// single quotes around the value, in which two quotes stand for one.
func ParseAssignment(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.Trim(name, blanks), strings.Trim(value, blanks)
	if !ok || name == "" || value == "" {
		return "", "", fmt.Errorf("%q is not an assignment: accepted is name=value, such as autovacuum_naptime=15s", text)
	}
	if len(value) >= 2 && value[0] == '\'' && value[len(value)-1] == '\'' {
		value = strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	}
	return name, value, nil
}

// Has tells whether the version has the setting.
func (s Settings) Has(name string) bool {
	_, err := Lookup(s.version, name)
	return err == nil
}

// Show returns a value as PostgreSQL's SHOW prints it: 1min, 64MB, 200, off.
func (s Settings) Show(name string) (string, error) {
	d, err := Lookup(s.version, name)
	if err != nil {
		return "", err
	}
	return d.show(s.raw(d)), nil
}

// Overrides returns what differs from the version's defaults, as name=value
// sorted by name, values as Show writes them.
func (s Settings) Overrides() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.set)) {
		d, _ := Lookup(s.version, name)
		if x := s.set[name]; x != d.defaultValue() {
			out = append(out, name+"="+d.show(x))
		}
	}
	return out
}

// Canonical returns Overrides, a line each: the same text for the same settings
// however they were written, fit for hashing together with the version.
func (s Settings) Canonical() string {
	lines := s.Overrides()
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// The typed getters below follow a -1 to the setting that it stands for
// (autovacuum_vacuum_cost_limit to vacuum_cost_limit). They panic when the
// version has no such setting or it is of another type: names stand in source
// code, and Has asks first. Each call looks the name up: read once what a loop
// needs.

// Bool returns a switch.
func (s Settings) Bool(name string) bool { return s.value(name, Bool).x == 1 }

// Int returns a whole number in the setting's own unit.
func (s Settings) Int(name string) int64 { return int64(s.value(name, Int).x) }

// Float returns a number, real or whole, in the setting's own unit.
func (s Settings) Float(name string) float64 { return s.value(name, Int, Real).x }

// Text returns an enum's option.
func (s Settings) Text(name string) string {
	v := s.value(name, Enum)
	return v.d.Options[int(v.x)]
}

// Duration returns a time, or Off (-1 ns).
func (s Settings) Duration(name string) time.Duration {
	v := s.value(name, Int, Real)
	unit := v.d.Unit.duration()
	if unit == 0 {
		panic(fmt.Sprintf("guc: %s is not a time", name))
	}
	if v.x < 0 {
		return Off
	}
	return time.Duration(v.x*float64(unit) + 0.5)
}

// Bytes returns a size in bytes.
func (s Settings) Bytes(name string) int64 {
	v := s.value(name, Int)
	unit := v.d.Unit.bytes()
	if unit == 0 {
		panic(fmt.Sprintf("guc: %s is not a size", name))
	}
	if v.x < 0 {
		return Off
	}
	return int64(v.x) * unit
}

type value struct {
	d Setting
	x float64
}

func (s Settings) value(name string, kinds ...Kind) value {
	d, err := Lookup(s.version, name)
	if err != nil {
		panic("guc: " + err.Error())
	}
	x := s.raw(d)
	if (x == -1 || x == 0 && d.Name == costLimit) && d.Fallback != "" {
		return s.value(d.Fallback, kinds...)
	}
	if !slices.Contains(kinds, d.Kind) {
		panic(fmt.Sprintf("guc: %s is of type %s", name, d.Kind))
	}
	return value{d, x}
}

// raw is the value as set, or the default; -1 stays -1.
func (s Settings) raw(d Setting) float64 {
	if x, ok := s.set[d.Name]; ok {
		return x
	}
	return d.defaultValue()
}

// defaultValue is the default in the setting's own unit.
func (d Setting) defaultValue() float64 {
	x, err := d.parse(d.Default)
	if err != nil {
		panic("guc: " + err.Error())
	}
	return x
}

// costLimit is the one setting of which 0 stands for another too: what counts is a limit
// above 0 (AutoVacuumUpdateCostLimit, to 15 autovac_balance_cost).
const costLimit = "autovacuum_vacuum_cost_limit"
