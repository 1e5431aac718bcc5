package scheduler

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"avsim/sim"
	"avsim/workload"
)

// drawRun draws a small run: some tables in two databases, of any version.
func drawRun(t *testing.T, r *rapid.T) RunConfig {
	var world workload.World
	for d := range 2 {
		db := workload.Database{Name: fmt.Sprintf("db%d", d), XIDsPerSecond: workload.Constant(rapid.SampledFrom([]float64{0, 100, 50_000}).Draw(r, "xids"))}
		for i := range rapid.IntRange(1, 8).Draw(r, "tables") {
			x := table(fmt.Sprintf("t%d", i), rapid.Int64Range(0, 200_000).Draw(r, "rows"))
			x.Dead = rapid.Int64Range(0, x.Rows/2).Draw(r, "dead")
			x.XIDAge = rapid.SampledFrom([]int64{0, 199_000_000, 300_000_000}).Draw(r, "age")
			x.Activity.Updates = workload.Constant(rapid.SampledFrom([]float64{0, 1, 300}).Draw(r, "updates"))
			x.Activity.Poisson = rapid.Bool().Draw(r, "poisson")
			db.Tables.Append(x)
		}
		world.Databases = append(world.Databases, db)
	}
	pg := rapid.SampledFrom([]string{"9.4", "10", "14", "16", "18"}).Draw(r, "pg")
	cfg := runConfig(t, pg, 150*time.Second, world, "autovacuum_naptime="+rapid.SampledFrom([]string{"1s", "15s", "1min"}).Draw(r, "naptime"))
	if rapid.Bool().Draw(r, "reload") {
		more := cfg.Settings
		if err := more.Assign("autovacuum_vacuum_cost_limit=1000"); err != nil {
			t.Fatal(err)
		}
		cfg.Changes = []SettingsChange{{At: time.Minute, Settings: more}}
	}
	return cfg
}

// TestTraceChangesNothing: a run that is traced and sampled has the same result
// as one that is not, to the last bit.
func TestTraceChangesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cfg := drawRun(t, r)
		alone, err := Run(context.Background(), cfg)
		if err != nil {
			r.Fatal(err)
		}
		cfg.Trace, cfg.Sample, cfg.Samples = func(TraceEvent) {}, func(Sample) {}, 37
		traced, err := Run(context.Background(), cfg)
		if err != nil {
			r.Fatal(err)
		}
		if d := cmp.Diff(told(alone), told(traced)); d != "" {
			r.Fatalf("the trace changes the run:\n%s", d)
		}
	})
}

// TestTraceTellsTheRun: the slices of a trace are the run's vacuums and analyzes,
// those of a slot lie within the life of the worker that holds it and do not
// overlap, and all that began has ended.
func TestTraceTellsTheRun(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cfg := drawRun(t, r)
		type life struct {
			begin, busy sim.Time
			alive       bool
		}
		slots := map[int]*life{}
		done, unfinished := 0, 0
		cfg.Trace = func(e TraceEvent) {
			if e.Slot > 0 && slots[e.Slot] == nil {
				slots[e.Slot] = &life{}
			}
			s := slots[e.Slot]
			switch e.Form {
			case TraceBegin:
				if s.alive {
					r.Fatalf("slot %d: a second worker begins at %v", e.Slot, e.At)
				}
				*s = life{begin: e.At, busy: e.At, alive: true}
			case TraceEnd:
				if !s.alive || s.busy > e.At {
					r.Fatalf("slot %d: %+v ends at %v", e.Slot, s, e.At)
				}
				s.alive = false
			case TraceSlice:
				if !s.alive || e.At < s.busy || e.Until < e.At {
					r.Fatalf("slot %d: %s from %v to %v, in %+v", e.Slot, e.Name, e.At, e.Until, s)
				}
				s.busy = e.Until
				switch {
				case e.Name == TraceStartUp:
				case e.Args[len(e.Args)-1].Name == "unfinished":
					unfinished++
				default:
					done++
				}
			}
		}
		result, err := Run(context.Background(), cfg)
		if err != nil {
			r.Fatal(err)
		}
		if done != len(result.Events) || unfinished > len(slots) {
			r.Fatalf("%d slices and %d unfinished ones in %d slots, of %d events", done, unfinished, len(slots), len(result.Events))
		}
		for n, s := range slots {
			if s.alive {
				r.Fatalf("slot %d: its worker has no end", n)
			}
		}
	})
}

// TestSamplesAreTheState: at the end a sample is what the result says, and at any
// instant as many tables are due as the rules say of each without shortcuts.
func TestSamplesAreTheState(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cfg := drawRun(t, r)
		for i := range cfg.World.Databases {
			d := &cfg.World.Databases[i]
			d.Tables = d.Tables.Changed(func(_ int, x *workload.Table) { x.Activity.Poisson = false }) // samples have the mean
		}
		var samples []Sample
		var ages []float64
		var inside *live
		cfg.inside = func(c *live) { inside = c }
		cfg.Samples, cfg.Sample = 50, func(s Sample) {
			samples = append(samples, s)
			ages = append(ages, s.OldestXID...)
			due := 0
			for i := range inside.tables.kept {
				if inside.dueAt(inside.lookAt(int32(i)), s.At) {
					due++
				}
			}
			if due != s.Due {
				r.Fatalf("at %v %d tables are due, the sample says %d", s.At, due, s.Due)
			}
		}
		result, err := Run(context.Background(), cfg)
		if err != nil {
			r.Fatal(err)
		}
		var dead, live float64
		for _, x := range result.Tables.All() {
			dead, live = dead+x.DeadRows, live+x.LiveRows
		}
		last := samples[len(samples)-1]
		if len(samples) != 51 || last.At != sim.Time(cfg.For) || math.Abs(last.Dead-dead) > 1e-6*(1+dead) || last.Live != live {
			r.Fatalf("%d samples, the last %+v; dead %v, live %v", len(samples), last, dead, live)
		}
		if len(ages) != 2*len(samples) {
			r.Fatalf("%d ages in %d samples", len(ages), len(samples))
		}
	})
}

// told is all that a result says.
func told(r *RunResult) string {
	out := *r
	out.Tables = TableResults{}
	text := fmt.Sprintf("%+v", out)
	for _, t := range r.Tables.All() {
		text += fmt.Sprintf("\n%+v", *t)
	}
	return text
}
