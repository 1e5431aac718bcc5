package study

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// Axis is a dimension of a grid: the values that a part of its points takes,
// one or more.
type Axis struct {
	Name   string // of --zip and sweep files: workers, autovacuum_naptime, host.cold_after
	Values []Value
	// Column is that of the result table; empty where every table has it.
	Column string

	field bool // a place in the scenario's file
}

// Value is one of an axis.
type Value struct {
	Text string
	Var  any // in a condition: a text, or a number, of seconds or bytes where it is a time or size
	// also are variables that the value settles besides.
	also map[string]any
	set  func(*draft) error
}

// Variable is the axis' name in --where: host_cold_after.
func (a Axis) Variable() string { return variable(a.Name) }

func variable(name string) string { return strings.Trim(notInNames.ReplaceAllString(name, "_"), "_") }

// notInNames is what variables and columns do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// distinct refuses values that are the same in other words, such as 60s and 1min.
func (a Axis) distinct(same func(v Value) any) (Axis, error) {
	first := map[any]string{}
	for _, v := range a.Values {
		key := same(v)
		if before, twice := first[key]; twice {
			return Axis{}, fmt.Errorf("%s and %s are the same value: give it once", before, v.Text)
		}
		first[key] = v.Text
	}
	return a, nil
}

// byVar tells values apart by what they are in a condition.
func byVar(v Value) any { return v.Var }

// numbers is an axis of numbers in the syntax of experiment.ParseNumbers.
func numbers(name, text string, check func(x float64) (accepted string, ok bool), set func(*draft, float64)) (Axis, error) {
	values, err := experiment.ParseNumbers(text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: name}
	for _, x := range values {
		if accepted, ok := check(x); !ok {
			return Axis{}, fmt.Errorf("%s: %v is out of range: accepted %s", text, x, accepted)
		}
		a.Values = append(a.Values, Value{Text: number(x), Var: x, set: func(d *draft) error { set(d, x); return nil }})
	}
	return a, nil
}

func whole(name, text string, most int, set func(*draft, int)) (Axis, error) {
	check := func(x float64) (string, bool) {
		return fmt.Sprintf("are whole numbers from 1 to %d", most), x == math.Trunc(x) && x >= 1 && x <= float64(most)
	}
	a, err := numbers(name, text, check, func(d *draft, x float64) { set(d, int(x)) })
	for i := range a.Values {
		a.Values[i].Text = fmt.Sprint(int(a.Values[i].Var.(float64)))
	}
	return a, err
}

// Tables is an axis of numbers of tables, as ParseNumbers reads them; Workers,
// CPUs and DueShares are its like.
func Tables(text string) (Axis, error) {
	return whole("tables", text, MaxTables, func(d *draft, n int) { d.Tables = n })
}

// Workers is an axis of numbers of workers.
func Workers(text string) (Axis, error) {
	return whole("workers", text, MaxWorkers, func(d *draft, n int) { d.Workers = n })
}

// CPUs is an axis of numbers of processors.
func CPUs(text string) (Axis, error) {
	return whole("cpus", text, MaxCPUs, func(d *draft, n int) { d.cores = n })
}

// DueShares is an axis of shares of the tables that are due.
func DueShares(text string) (Axis, error) {
	check := func(x float64) (string, bool) { return "is above 0 to 1", x > 0 && x <= 1 }
	return numbers("due_share", text, check, func(d *draft, x float64) { d.DueShare = x })
}

// texts is an axis of names, separated by commas.
func texts(name, text string, value func(string) (func(*draft) error, error)) (Axis, error) {
	items, err := list(text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: name}
	for _, item := range items {
		set, err := value(item)
		if err != nil {
			return Axis{}, err
		}
		a.Values = append(a.Values, Value{Text: item, Var: item, set: set})
	}
	return a, nil
}

// Starts is an axis of kinds of start, gated and natural.
func Starts(text string) (Axis, error) {
	return texts("start", text, func(item string) (func(*draft) error, error) {
		s := scheduler.Start(item)
		if s != scheduler.Gated && s != scheduler.Natural {
			return nil, fmt.Errorf("%s: accepted are gated and natural", item)
		}
		return func(d *draft) error { d.Start = s; return nil }, nil
	})
}

// The shortest and the longest time to measure that can be asked for.
const (
	LeastWindow = 100 * time.Millisecond
	MostWindow  = 24 * time.Hour
)

// Windows is an axis of longest times to measure, such as 30s or a bare number
// of seconds.
func Windows(text string) (Axis, error) {
	items, err := rangesOf(text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: "window"}
	for _, item := range items {
		t, err := time.ParseDuration(item)
		if x, bad := strconv.ParseFloat(item, 64); bad == nil {
			t, err = time.Duration(x*float64(time.Second)), nil
		}
		if err != nil || t < LeastWindow || t > MostWindow {
			return Axis{}, fmt.Errorf("%s: accepted is a time of 100 ms to a day, such as 30s", item)
		}
		departure := ""
		if len(items) > 1 {
			departure = "longest_window=" + item
		}
		a.Values = append(a.Values, Value{Text: item, Var: t.Seconds(), set: func(d *draft) error {
			d.longest, d.Longest = t, departure
			return nil
		}})
	}
	if len(items) > 1 {
		a.Column = "longest_window_seconds"
	}
	return a.distinct(byVar)
}

// Hosts is an axis of host profiles, loaded by their names: built in or in files.
func Hosts(text string, load func(name string) (*host.Profile, error)) (Axis, error) {
	var cores []float64
	a, err := texts("host", text, func(item string) (func(*draft) error, error) {
		h, err := load(item)
		if err != nil {
			return nil, err
		}
		cores = append(cores, float64(h.Cores))
		return func(d *draft) error { d.Host = h; return nil }, nil
	})
	for i := range a.Values {
		a.Values[i].also = map[string]any{"cpus": cores[i]}
	}
	if err != nil {
		return a, err
	}
	hashes := map[string]string{}
	for _, v := range a.Values {
		var d draft
		if err := v.set(&d); err != nil {
			return a, err
		}
		hashes[v.Text] = d.Host.Name + d.Host.Hash()
	}
	return a.distinct(func(v Value) any { return hashes[v.Text] })
}

// Strategies is an axis of claiming strategies.
func Strategies(text string) (Axis, error) {
	return texts("strategy", text, func(item string) (func(*draft) error, error) {
		s, err := scheduler.LookUp(item)
		return func(d *draft) error { d.Strategy = s; return nil }, err
	})
}

// Versions is an axis of PostgreSQL versions: their settings and, if released,
// how their collector writes. With strategies it brings each version's own.
func Versions(text string, released, strategies bool) (Axis, error) {
	var also []map[string]any
	a, err := texts("pg", text, func(item string) (func(*draft) error, error) {
		v, err := guc.ParseVersion(item)
		if err != nil {
			return nil, err
		}
		var own scheduler.Strategy
		if strategies {
			if own, err = scheduler.StrategyOf(v); err != nil {
				return nil, err
			}
			also = append(also, map[string]any{"strategy": own.Name})
		}
		return func(d *draft) error {
			d.PG, d.released = v, released
			if strategies {
				d.Strategy = own
			}
			return nil
		}, nil
	})
	for i := range a.Values {
		a.Values[i].Var = branch(a.Values[i].Text)
		if strategies {
			a.Values[i].also = also[i]
		}
	}
	if err != nil {
		return a, err
	}
	return a.distinct(func(v Value) any { return guc.MustVersion(v.Text) })
}

// branch is a version as a number that orders as versions do: 9.5, 13.
func branch(text string) float64 {
	v := guc.MustVersion(text).Branch().String()
	var x float64
	fmt.Sscan(v, &x)
	return x
}

// Setting is an axis over a setting, for the first of the versions that has it.
func Setting(name, text string, versions Axis) (Axis, error) {
	name = strings.ToLower(name)
	items, err := rangesOf(text)
	if err != nil {
		return Axis{}, err
	}
	base, err := settingsWith(name, versions)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: name}
	for _, item := range items {
		s := base
		if err := s.Set(name, item); err != nil {
			return Axis{}, err
		}
		assignment := name + "=" + item
		a.Values = append(a.Values, Value{Text: item, Var: settingVar(s, name), set: func(d *draft) error {
			d.Settings = append(d.Settings, assignment)
			return nil
		}})
	}
	if len(items) > 1 && name != "autovacuum_naptime" {
		a.Column = name + suffix(settingOf(base, name))
	}
	return a.distinct(byVar)
}

func settingOf(s guc.Settings, name string) guc.Setting {
	d, _ := guc.Lookup(s.Version(), name)
	return d
}

// settingsWith are the defaults of the first version that has the setting.
func settingsWith(name string, versions Axis) (guc.Settings, error) {
	var first error
	for _, v := range versions.Values {
		s := guc.Defaults(guc.MustVersion(v.Text))
		_, err := guc.Lookup(s.Version(), name)
		if err == nil {
			return s, nil
		}
		if first == nil {
			first = err
		}
	}
	return guc.Settings{}, first
}

// suffix is the ending of a setting's column.
func suffix(d guc.Setting) string {
	switch d.Unit {
	case guc.Kilobyte, guc.Block:
		return "_bytes"
	case guc.Millisecond, guc.Second, guc.Minute:
		return "_seconds"
	}
	return ""
}

// settingVar is a setting's value: times in seconds, sizes in bytes, switches 1
// or 0, otherwise a number or a text.
func settingVar(s guc.Settings, name string) any {
	d := settingOf(s, name)
	switch {
	case suffix(d) == "_bytes":
		return float64(s.Bytes(name))
	case suffix(d) == "_seconds":
		if t := s.Duration(name); t >= 0 {
			return t.Seconds()
		}
		return -1.0
	case d.Kind == guc.Enum:
		return s.Text(name)
	case d.Kind == guc.Bool:
		if s.Bool(name) {
			return 1.0
		}
		return 0.0
	}
	return s.Float(name)
}

// HostFigure is an axis over a figure of the host profile, such as cold_after
// or worker.lock_hold.hot.
func HostFigure(path, text string, hosts Axis) (Axis, error) {
	if path == "cores" {
		return Axis{}, fmt.Errorf("cores is the number of processors: use --cpus")
	}
	items, err := rangesOf(text)
	if err != nil {
		return Axis{}, err
	}
	var d draft
	if err := hosts.Values[0].set(&d); err != nil {
		return Axis{}, err
	}
	a := Axis{Name: "host." + path}
	var read kindOfTexts
	for _, item := range items {
		if _, err := d.Host.With(path, item); err != nil {
			return Axis{}, err
		}
		a.Values = append(a.Values, Value{Text: item, Var: read.see(item), set: func(d *draft) error {
			d.figures = append(d.figures, [2]string{path, item})
			return nil
		}})
	}
	if len(items) > 1 {
		a.Column = variable(a.Name) + read.ending()
	}
	return a.distinct(byVar)
}

// kindOfTexts tells what the values of an axis without a kind of its own are.
type kindOfTexts struct{ times, numbers, texts int }

// see is a value in a condition.
func (k *kindOfTexts) see(text string) any {
	x, isTime := hostVar(text)
	switch x.(type) {
	case float64:
		if k.numbers++; isTime {
			k.times++
		}
	default:
		k.texts++
	}
	return x
}

// ending is that of the column: of times in seconds, of texts, none of numbers.
func (k *kindOfTexts) ending() string {
	switch {
	case k.texts > 0:
		return "_text"
	case k.times > 0 && k.times == k.numbers:
		return "_seconds"
	}
	return ""
}

// hostVar is a figure's value, in seconds if it is a time.
func hostVar(text string) (x any, isTime bool) {
	if t, ok := host.ParseTime(text); ok {
		return t.Seconds(), true
	}
	if xs, err := experiment.ParseNumbers(text); err == nil && len(xs) == 1 {
		return xs[0], false
	}
	return text, false
}

// Choice is an axis over a single choice of all strategies, such as freshness.
func Choice(name, text string) (Axis, error) {
	a, err := texts("choice."+name, text, func(item string) (func(*draft) error, error) {
		assignment := name + "=" + item
		var try scheduler.Choices
		if err := try.Override(assignment); err != nil {
			return nil, err
		}
		return func(d *draft) error { d.Choices = append(d.Choices, assignment); return nil }, nil
	})
	if len(a.Values) > 1 {
		a.Column = variable(a.Name)
	}
	if err != nil {
		return a, err
	}
	return a.distinct(func(v Value) any {
		var c scheduler.Choices
		c.Override(name + "=" + v.Text)
		return c
	})
}

// of is the value of a point along an axis, as its column has it.
func (a Axis) of(p Point, s guc.Settings) string {
	if strings.HasPrefix(a.Name, "choice.") {
		return assigned(p.Choices, strings.TrimPrefix(a.Name, "choice."))
	}
	var x any
	switch {
	case a.Name == "window":
		x = p.Window.Max.Seconds()
	case a.field:
		x, _ = hostVar(assigned(p.fields(), a.Name))
	case strings.HasPrefix(a.Name, "host."):
		x, _ = hostVar(assigned(p.HostFigures, a.Name))
	default:
		x = settingVar(s, a.Name)
	}
	if x, ok := x.(float64); ok {
		return number(x)
	}
	return x.(string)
}

// assigned is the value that assignments give a name.
func assigned(assignments []string, name string) string {
	for _, a := range assignments {
		if n, value, _ := strings.Cut(a, "="); n == name {
			return value
		}
	}
	return ""
}
