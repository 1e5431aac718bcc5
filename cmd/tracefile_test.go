package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// traceEvent is an event of a trace file, all fields that the format has of those
// that are written.
type traceEvent struct {
	Phase string         `json:"ph"`
	At    *float64       `json:"ts"`
	Dur   *float64       `json:"dur"`
	PID   *int           `json:"pid"`
	TID   *int           `json:"tid"`
	Scope string         `json:"s"`
	Cat   string         `json:"cat"`
	Name  string         `json:"name"`
	Args  map[string]any `json:"args"`
}

// track is where slices nest.
type track struct{ pid, tid int }

// readTrace reads a trace file and checks it by the rules of the format: times are
// there and not negative, processes and threads are named before they are used,
// each end has a begin and each begin an end, lengths are not negative, the slices of
// a thread nest, and counters are numbers.
func readTrace(data []byte) ([]traceEvent, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var file struct {
		DisplayTimeUnit string         `json:"displayTimeUnit"`
		OtherData       map[string]any `json:"otherData"`
		TraceEvents     []traceEvent   `json:"traceEvents"`
	}
	if err := d.Decode(&file); err != nil {
		return nil, err
	}
	named := map[track]bool{}
	slices := map[track]*nesting{}
	for i, e := range file.TraceEvents {
		if e.PID == nil || e.TID == nil || e.Name == "" && e.Phase != "E" {
			return nil, fmt.Errorf("event %d: %+v has no process, thread or name", i, e)
		}
		at := track{*e.PID, *e.TID}
		if e.Phase == "M" {
			named[at] = true
			continue
		}
		if e.At == nil || *e.At < 0 || !named[at] || !named[track{at.pid, 0}] {
			return nil, fmt.Errorf("event %d: %+v has no time or is where nothing has a name", i, e)
		}
		if slices[at] == nil {
			slices[at] = &nesting{}
		}
		if err := slices[at].event(e); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	for at, n := range slices {
		if err := n.check(); err != nil {
			return nil, fmt.Errorf("thread %v: %w", at, err)
		}
	}
	return file.TraceEvents, nil
}

// nesting is the slices of a thread.
type nesting struct {
	open   []int // in slices
	slices []span
}

type span struct{ from, to float64 }

func (n *nesting) event(e traceEvent) error {
	switch e.Phase {
	case "B":
		n.open = append(n.open, len(n.slices))
		n.slices = append(n.slices, span{*e.At, -1})
	case "E":
		if len(n.open) == 0 {
			return fmt.Errorf("%+v: an end without a begin", e)
		}
		last := n.open[len(n.open)-1]
		n.open = n.open[:len(n.open)-1]
		if n.slices[last].to = *e.At; *e.At < n.slices[last].from {
			return fmt.Errorf("%+v: an end before its begin", e)
		}
	case "X":
		if e.Dur == nil || *e.Dur < 0 {
			return fmt.Errorf("%+v: no length", e)
		}
		n.slices = append(n.slices, span{*e.At, *e.At + *e.Dur})
	case "i":
		if e.Scope != "t" {
			return fmt.Errorf("%+v: no scope", e)
		}
	case "C":
		if len(e.Args) == 0 {
			return fmt.Errorf("%+v: no values", e)
		}
		for _, v := range e.Args {
			if _, ok := v.(float64); !ok {
				return fmt.Errorf("%+v: %v is no number", e, v)
			}
		}
	default:
		return fmt.Errorf("%+v: no such phase", e)
	}
	return nil
}

// rounding is of sums of microseconds.
const rounding = 1e-3

func (n *nesting) check() error {
	if len(n.open) > 0 {
		return errors.New("a begin without an end")
	}
	slices.SortStableFunc(n.slices, func(a, b span) int { return cmp.Compare(a.from, b.from) }) // of equal ones the outer comes first
	var within []span
	for _, s := range n.slices {
		for len(within) > 0 && within[len(within)-1].to <= s.from+rounding && within[len(within)-1].to < s.to {
			within = within[:len(within)-1]
		}
		if len(within) > 0 && s.to > within[len(within)-1].to+rounding {
			return fmt.Errorf("%v overlaps %v", s, within[len(within)-1])
		}
		within = append(within, s)
	}
	return nil
}

// traceOf runs and traces.
func traceOf(cfg scheduler.RunConfig, most int) (*traceFile, []byte, error) {
	var b bytes.Buffer
	t := newTraceFile(&b, runInputs{Scenario: "test"}, most, func() {})
	cfg.Trace, cfg.Sample, cfg.Samples = t.event, t.sample, 20
	if _, err := scheduler.Run(context.Background(), cfg); err != nil {
		return nil, nil, err
	}
	err := t.close()
	return t, b.Bytes(), err
}

// TestTraceOfBuiltIn: the traces of the built-in scenarios are in the format.
func TestTraceOfBuiltIn(t *testing.T) {
	for _, e := range scenario.List() {
		if e.Kind != scenario.KindRun || scenario.IsCase(e.Name) {
			continue
		}
		f := runFlags{runFor: "2h"}
		switch e.Name {
		case "many-tables":
			f.runFor = "6m"
		case "lab-tiny", "lab-100k":
			f.runFor = "15s"
		}
		_, cfg, err := f.config(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		_, data, err := traceOf(cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		events, err := readTrace(data)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if e.Name != "idle" && len(events) < 80 {
			t.Errorf("%s: %d events", e.Name, len(events))
		}
	}
}

// TestTraceOfRandom: so are those of small random ones, under any limit, and what
// the limit leaves out is counted.
func TestTraceOfRandom(t *testing.T) {
	h, err := host.Load("generic-4core")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		v := guc.MustVersion(rapid.SampledFrom([]string{"9.4", "13", "14", "16", "18"}).Draw(r, "pg"))
		s, err := scheduler.StrategyOf(v)
		if err != nil {
			r.Fatal(err)
		}
		cfg := scheduler.RunConfig{Settings: guc.Defaults(v), Strategy: s, Host: h, For: 2 * time.Minute, Seed: 1}
		if err := cfg.Settings.Assign(rapid.SampledFrom([]string{"autovacuum_naptime=1s", "autovacuum_naptime=10s"}).Draw(r, "naptime")); err != nil {
			r.Fatal(err)
		}
		for d := range rapid.IntRange(1, 3).Draw(r, "databases") {
			db := workload.Database{Name: rapid.String().Draw(r, "name"), XIDsPerSecond: workload.Constant(1e6 * float64(d))}
			for i := range rapid.IntRange(1, 6).Draw(r, "tables") {
				x := workload.Table{Name: fmt.Sprintf("t%d%s", i, rapid.String().Draw(r, "name")), ToastOf: -1, RowBytes: 100, Fillfactor: 100, Indexes: 1,
					Rows: rapid.Int64Range(0, 300_000).Draw(r, "rows"), XIDAge: rapid.SampledFrom([]int64{0, 250_000_000}).Draw(r, "age")}
				x.Dead = x.Rows / 2
				x.Activity.Updates = workload.Constant(rapid.SampledFrom([]float64{0, 100}).Draw(r, "updates"))
				db.Tables.Append(x)
			}
			cfg.World.Databases = append(cfg.World.Databases, db)
		}
		whole, data, err := traceOf(cfg, 0)
		if err != nil {
			r.Fatal(err)
		}
		if _, err := readTrace(data); err != nil {
			r.Fatalf("%v in %s", err, data)
		}
		most := rapid.IntRange(1, whole.written+1).Draw(r, "most")
		cut, data, err := traceOf(cfg, most)
		if err != nil {
			r.Fatal(err)
		}
		if _, err := readTrace(data); err != nil {
			r.Fatalf("with %d events at most: %v in %s", most, err, data)
		}
		if cut.written+cut.left != whole.written || cut.written > most {
			r.Fatalf("%d events at most: %d written and %d left out of %d", most, cut.written, cut.left, whole.written)
		}
	})
}

// full is a disk with so much room.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// TestTraceOfAFullDisk: the run is ended at the first write that fails.
func TestTraceOfAFullDisk(t *testing.T) {
	ended := 0
	file := newTraceFile(&full{room: 1000}, runInputs{}, 0, func() { ended++ })
	for range 100 {
		file.counter("x", 0, scheduler.TraceArg{Name: "y", Value: 1})
	}
	if err := file.close(); err == nil || ended != 1 {
		t.Errorf("error %v, the run was ended %d times", err, ended)
	}
}
