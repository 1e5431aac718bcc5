package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// What the page is to show, as JSON.
type (
	liveControls struct {
		Title     string         `json:"title"`
		Kicker    string         `json:"kicker"`
		Source    string         `json:"source"`
		Controls  []liveControl  `json:"controls"`
		Questions []liveQuestion `json:"questions"`
		Figures   []string       `json:"figures"` // in their order
	}
	// liveControl is a slider ("range") or a list ("choice"). Standard is the value that
	// the simulation has of itself: it is not asked for, nor in the page's address.
	liveControl struct {
		Name     string      `json:"name"`
		Label    string      `json:"label"`
		Kind     string      `json:"kind"`
		Values   []liveValue `json:"values"`
		Standard string      `json:"standard"`
		Help     string      `json:"help,omitempty"`
	}
	liveValue struct {
		Value string `json:"value"`
		Label string `json:"label"`
	}
	liveQuestion struct {
		Name    string   `json:"name"`
		Verdict bool     `json:"verdict"` // whether its answer has one
		Figures []string `json:"figures"` // that its answer may have
	}
)

func slider(name, label, standard, help string, values ...string) liveControl {
	return control("range", name, label, standard, help, values)
}

func choiceOf(name, label, standard, help string, values ...string) liveControl {
	return control("choice", name, label, standard, help, values)
}

// control has the values in their order; the standard is among them.
func control(kind, name, label, standard, help string, values []string) liveControl {
	c := liveControl{Name: name, Label: label, Kind: kind, Standard: standard, Help: help}
	for _, v := range values {
		c.Values = append(c.Values, liveValue{v, valueLabel(v)})
	}
	return c
}

// valueLabel is a value for people: thousands apart, a time as PostgreSQL shows it.
func valueLabel(v string) string {
	if n, err := strconv.Atoi(v); err == nil {
		return thousands(n)
	}
	return v
}

// counts are whole numbers up to the most, 1, 2, 5, 10 and so on.
func counts(from, most int) (out []string) {
	for decade := 1; decade <= most; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if n := digit * decade; n >= from && n <= most {
				out = append(out, itoa(n))
			}
		}
	}
	return out
}

// settingControls are those of settings, at what they are.
func settingControls(s guc.Settings) []liveControl {
	show := func(name string) string {
		text, err := s.Show(name)
		if err != nil {
			panic(err) // of every version
		}
		return text
	}
	limit := show("autovacuum_vacuum_cost_limit")
	if limit == "-1" {
		limit = show("vacuum_cost_limit")
	}
	return []liveControl{
		slider("workers", "Workers", show("autovacuum_max_workers"), "autovacuum_max_workers", "1", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "100"),
		slider("naptime", "Naptime", show("autovacuum_naptime"), "autovacuum_naptime", "1s", "2s", "5s", "10s", "15s", "30s", "1min", "2min", "5min", "10min"),
		slider("cost_limit", "Cost limit", limit, "autovacuum_vacuum_cost_limit, of all workers together", "50", "100", "200", "400", "600", "800", "1000", "2000", "4000", "10000"),
		slider("scale_factor", "Scale factor", show("autovacuum_vacuum_scale_factor"), "autovacuum_vacuum_scale_factor", "0.01", "0.02", "0.05", "0.1", "0.2", "0.4"),
	}
}

// versionControls are those of who does it: a version, and a strategy instead of its own.
func versionControls(version, strategy, machine string) []liveControl {
	strategies := choiceOf("strategy", "Strategy", strategy, "", liveStrategies()...)
	if strategy == "" {
		strategies.Values = slices.Insert(strategies.Values, 0, liveValue{"", "the version's own"})
	}
	versions := choiceOf("pg", "PostgreSQL", version, "", liveVersions()...)
	return []liveControl{versions, strategies, choiceOf("host", "Machine", machine, "", host.Embedded()...)}
}

func liveVersions() (out []string) {
	for _, v := range guc.Branches() {
		out = append(out, v.String())
	}
	return out
}

func liveStrategies() (out []string) {
	for _, s := range scheduler.Strategies() {
		out = append(out, s.Name)
	}
	return out
}

// mostWorkersShown is the most workers that the page takes.
const mostWorkersShown = 200

// liveValues reads the values of the controls: each is one that its control could have.
type liveValues struct {
	given map[string]string
	err   error
}

// oneOf is the value of a list.
func (v *liveValues) oneOf(name string, accepted []string) string {
	text := v.given[name]
	if text != "" && !slices.Contains(accepted, text) {
		v.refuse("%s=%s: accepted are %s", name, text, strings.Join(accepted, ", "))
	}
	return text
}

// number is the value of a slider of whole numbers, 0 where it stands at its standard.
func (v *liveValues) number(name string, least, most int, why string) int {
	text := v.given[name]
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		v.refuse("%s=%s: accepted is a whole number from %s to %s%s", name, text, thousands(least), thousands(most), why)
		return 0
	}
	return n
}

func (v *liveValues) refuse(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// assignments are those of the sliders that are settings.
func (v *liveValues) assignments() (out []string) {
	if n := v.number("workers", 1, mostWorkersShown, ""); n > 0 {
		out = append(out, "autovacuum_max_workers="+itoa(n))
	}
	for _, x := range [][2]string{{"naptime", "autovacuum_naptime"}, {"cost_limit", "autovacuum_vacuum_cost_limit"}, {"scale_factor", "autovacuum_vacuum_scale_factor"}} {
		if text := v.given[x[0]]; text != "" {
			out = append(out, x[1]+"="+text)
		}
	}
	return out
}
