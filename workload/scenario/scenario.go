// Package scenario reads scenario files: what is in the databases, how the
// server is set, and what happens or is measured. The built-in ones are
// embedded.
//
// A Scenario is for compare and sweep: many equal tables that are due at once.
// A Run is for run: databases in which tables come due by what is done to them,
// over hours or weeks. docs/scenario.md is the manual of its format.
package scenario

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"avsim/workload"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Scenario is a scenario file of compare and sweep.
type Scenario struct {
	Name       string        `yaml:"name"`
	Title      string        `yaml:"title"`
	PG         string        `yaml:"pg"`
	Host       string        `yaml:"host"`
	Strategies []string      `yaml:"strategies"`
	Start      string        `yaml:"start"`
	Window     Window        `yaml:"window"`
	Population Population    `yaml:"population"`
	Settings   yaml.MapSlice `yaml:"settings"`
	Compare    Point         `yaml:"compare"`
	Sweep      Axes          `yaml:"sweep"`
}

// Window is how long a measurement lasts.
type Window struct {
	Min          time.Duration `yaml:"min"`
	Max          time.Duration `yaml:"max"`
	MaxUnderLock time.Duration `yaml:"max_under_lock"`
	Vacuums      int           `yaml:"vacuums"`
}

// Population is what the tables are like; how many there are is the point's.
type Population struct {
	LiveTuples int64   `yaml:"live_tuples"`
	DeadTuples int64   `yaml:"dead_tuples"`
	DueShare   float64 `yaml:"due_share"`
}

// Point is where compare measures unless flags say otherwise.
type Point struct {
	Tables  int `yaml:"tables"`
	Workers int `yaml:"workers"`
}

// Axes are what sweep goes through unless flags say otherwise, in the syntax
// of the flags.
type Axes struct {
	Tables  string `yaml:"tables"`
	Workers string `yaml:"workers"`
}

// Names lists the built-in scenarios of compare and sweep, sorted; List has
// those of run too.
func Names() []string { return namesOf(KindMeasure) }

// BuiltIn reads a built-in scenario of compare and sweep.
func BuiltIn(name string) (*Scenario, error) {
	text, err := Text(name)
	switch {
	case err != nil:
		return nil, unknown(name, Names())
	case KindOf(text) != KindMeasure:
		return nil, fmt.Errorf("%s is a scenario of avsim run, not of avsim compare and sweep (built in: %s)", name, strings.Join(Names(), ", "))
	}
	return Parse(text, name+".yaml")
}

// Parse reads a scenario file. An unknown key is an error; errors name file,
// line and column.
func Parse(text []byte, filename string) (*Scenario, error) {
	s := new(Scenario)
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(s)
	var e yaml.Error
	switch {
	case errors.As(err, &e) && e.GetToken() != nil:
		at := e.GetToken().Position
		return nil, fmt.Errorf("%s:%d:%d: %s", filename, at.Line, at.Column, oneLine(e.GetMessage()))
	case err != nil:
		return nil, fmt.Errorf("%s: %s", filename, oneLine(err.Error()))
	}
	return s, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Tables is the population of n tables.
func (s *Scenario) Tables(n int) workload.Population {
	p := s.Population
	return workload.Population{Tables: n, DueShare: p.DueShare, LiveTuples: p.LiveTuples, DeadTuples: p.DeadTuples}
}

// Assignments are the scenario's settings as name and value, in its order.
func (s *Scenario) Assignments() [][2]string {
	var out [][2]string
	for _, item := range s.Settings {
		out = append(out, [2]string{fmt.Sprint(item.Key), fmt.Sprint(item.Value)})
	}
	return out
}
