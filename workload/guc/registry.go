package guc

import (
	"fmt"
	"sort"
	"strings"
)

// Kind is the type of a setting's value.
type Kind uint8

// The kinds of settings.
const (
	Bool Kind = iota
	Int
	Real
	Enum
)

func (k Kind) String() string { return [...]string{"bool", "integer", "real", "enum"}[k] }

// Context says when a changed value takes effect.
type Context uint8

// Reload covers PostgreSQL's sighup, superuser and user contexts, all of which
// a running server takes over; Restart is its postmaster context.
const (
	Reload Context = iota
	Restart
)

func (c Context) String() string { return [...]string{"reload", "restart"}[c] }

// Unit is what a bare number means. Its text is that of pg_settings.unit.
type Unit string

// The units of the settings known here.
const (
	NoUnit      Unit = ""
	Kilobyte    Unit = "kB"
	Block       Unit = "8kB"
	Megabyte    Unit = "MB"
	Segment     Unit = "16MB"
	Millisecond Unit = "ms"
	Second      Unit = "s"
	Minute      Unit = "min"
)

// Setting is what one PostgreSQL version has under one name.
type Setting struct {
	Name      string
	Kind      Kind
	Unit      Unit
	Min, Max  float64 // in Unit; both zero for Bool and Enum
	Default   string  // as it could stand in postgresql.conf
	Context   Context
	Options   []string // of an Enum
	Fallback  string   // the setting whose value -1 stands for, if any
	Reloption string   // the storage parameter that overrides it for one table, if any

	zeroOrAtLeast float64 // a value between 0 and this is an error
	floor         float64 // a value other than -1 and below this is raised to it
}

// entry is a setting through the versions. The first of its eras says where it
// begins, and each later one repeats the whole state, so that a line is read
// alone.
type entry struct {
	name      string
	unit      Unit
	fallback  string
	reloption string
	until     string // the last branch that had it, if it was removed
	eras      []era
}

type era struct {
	since    string
	kind     Kind
	min, max float64
	def      string
	context  Context
	options  []string
	unit     Unit // where it is another than the entry's

	zeroOrAtLeast float64
	floor         float64
}

// Names returns the names of the settings that a version has, sorted.
func Names(v Version) []string {
	var out []string
	for _, e := range table {
		if e.in(v) {
			out = append(out, e.name)
		}
	}
	sort.Strings(out)
	return out
}

// Lookup finds a setting of a version. Names are taken in any case, as in
// PostgreSQL. The error for an unknown name suggests the nearest; that for a
// setting of other versions says which.
func Lookup(v Version, name string) (Setting, error) {
	e, ok := byName[strings.ToLower(name)]
	if !ok {
		return Setting{}, unknown(v, name)
	}
	if !e.in(v) {
		if since := e.since(); !v.AtLeast(since) {
			return Setting{}, fmt.Errorf("%s exists from PostgreSQL %s on, not in %s", e.name, since, v)
		}
		return Setting{}, fmt.Errorf("%s exists to PostgreSQL %s only, not in %s", e.name, e.until, v)
	}
	return e.at(v), nil
}

func unknown(v Version, name string) error {
	for _, e := range table {
		if e.reloption == strings.ToLower(name) {
			return fmt.Errorf("%s is a storage parameter of a table, not a setting; the setting is %s", name, e.name)
		}
	}
	if near := Nearest(strings.ToLower(name), Names(v)); near != "" {
		return fmt.Errorf("unknown setting %q: did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown setting %q", name)
}

func (e *entry) since() Version { return MustVersion(e.eras[0].since) }

func (e *entry) in(v Version) bool {
	return v.AtLeast(e.since()) && (e.until == "" || v.branch <= MustVersion(e.until).branch)
}

// at returns the state of the last era that has begun in v.
func (e *entry) at(v Version) Setting {
	now := e.eras[0]
	for _, x := range e.eras[1:] {
		if v.AtLeast(MustVersion(x.since)) {
			now = x
		}
	}
	unit := e.unit
	if now.unit != NoUnit {
		unit = now.unit
	}
	return Setting{
		Name: e.name, Kind: now.kind, Unit: unit, Min: now.min, Max: now.max,
		Default: now.def, Context: now.context, Options: now.options,
		Fallback: e.fallback, Reloption: e.reloption,
		zeroOrAtLeast: now.zeroOrAtLeast, floor: now.floor,
	}
}

var byName = func() map[string]*entry {
	m := make(map[string]*entry, len(table))
	for i := range table {
		m[table[i].name] = &table[i]
	}
	return m
}()
