package scheduler

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/host"
)

// watched is a run with an observer, which fails the test at the instant at
// which the model breaks one of its laws.
type watched struct {
	cfg    Config
	at     map[int]int // table under vacuum, by worker
	claims map[int]int // table claimed, by worker
}

func (w *watched) observe(fail func(string, ...any)) func(Event) {
	w.at, w.claims = map[int]int{}, map[int]int{}
	return func(e Event) {
		switch e.What {
		case Claimed:
			for worker, table := range w.claims {
				if table == e.Table && worker != e.Worker {
					fail("%v: worker %d claims t%d, which worker %d holds", e.At, e.Worker, e.Table, worker)
				}
			}
			w.claims[e.Worker] = e.Table
		case RecheckWasted:
			delete(w.claims, e.Worker)
		case VacuumStarted:
			for worker, table := range w.at {
				if table == e.Table {
					fail("%v: workers %d and %d vacuum t%d at once", e.At, e.Worker, worker, e.Table)
				}
			}
			w.at[e.Worker] = e.Table
		case VacuumFinished:
			if w.at[e.Worker] != e.Table {
				fail("%v: worker %d finishes t%d, which it did not start", e.At, e.Worker, e.Table)
			}
			delete(w.at, e.Worker)
			delete(w.claims, e.Worker)
		}
	}
}

// TestLaws runs random small configurations: no table is claimed or vacuumed
// by two workers at once, every worker's account sums to its life to the
// nanosecond, every recheck is needed or wasted, and every vacuum had a recheck.
func TestLaws(t *testing.T) {
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		cfg := drawConfig(t, r, h)
		w := &watched{cfg: cfg}
		cfg.Trace = w.observe(r.Fatalf)
		k := &sim.Kernel{}
		defer k.Close()
		streams := sim.NewStreams(cfg.Seed, cfg.Replication)
		cpu := processor(k, cfg.Host, streams, cfg.Without)
		sys := newSystem(k, cpu, cfg)
		sys.addDatabase("laws", cfg.Population.Tables, cfg.costs(cfg.Population.Tables, cfg.Population.Tables))
		threads := map[int]*sim.Thread{}
		observe := sys.trace
		sys.trace = func(e Event) {
			observe(e)
			for _, o := range sys.workers {
				threads[o.number] = o.thread
			}
		}
		m, err := sys.measure(context.Background(), cfg, sys.startTiny(cfg, streams))
		if err != nil {
			r.Fatal(err)
		}
		for _, thread := range threads {
			account := thread.Account()
			if life := min(thread.Died(), k.Now()).Sub(thread.Born()); account.Total() != life {
				r.Errorf("%s: account %v, life %v", thread.Name(), account.Total(), life)
			}
		}
		c := sys.count
		switch needed := c.rechecks - c.wasted; {
		case cfg.Strategy.Recheck == RecheckNone && c.rechecks != 0:
			r.Errorf("%d rechecks without a recheck", c.rechecks)
		case cfg.Strategy.Recheck != RecheckNone && (c.vacuums > needed || c.vacuums < needed-cfg.workers()):
			r.Errorf("%d vacuums, but %d rechecks found the table in need", c.vacuums, needed)
		}
		if used := m.WorkersUsed + m.CollectorUsed; used > time.Duration(cfg.Host.Cores)*m.Window {
			r.Errorf("%v of processor time in %v on %d cores", used, m.Window, cfg.Host.Cores)
		}
		if m.Distinct > m.Vacuums || m.Distinct > cfg.Population.Tables {
			r.Errorf("%d tables vacuumed for the first time in %d vacuums of %d tables", m.Distinct, m.Vacuums, cfg.Population.Tables)
		}
	})
}

// drawConfig draws a small configuration.
func drawConfig(t *testing.T, r *rapid.T, h *host.Profile) Config {
	strategy := rapid.SampledFrom(Strategies()).Draw(r, "strategy")
	for _, choice := range []string{"recheck=none", "writes=per-inquiry", "freshness=500ms", "freshness=none", "order=oid"} {
		if rapid.IntRange(0, 5).Draw(r, choice) == 0 {
			if err := strategy.Override(choice); err != nil {
				t.Fatal(err)
			}
		}
	}
	return Config{
		Strategy:   strategy,
		Settings:   dueAtOnce(t, rapid.IntRange(1, 12).Draw(r, "workers")),
		Host:       h.WithCores(rapid.IntRange(1, 5).Draw(r, "cores")),
		Population: workload.TinyTables(rapid.IntRange(1, 400).Draw(r, "tables"), rapid.SampledFrom([]float64{1, 0.5, 0.1}).Draw(r, "due")),
		Start:      rapid.SampledFrom([]Start{Gated, Natural}).Draw(r, "start"),
		Window:     Window{Min: 200 * time.Millisecond, Max: time.Second, Vacuums: 40},
		Naptime:    rapid.SampledFrom([]time.Duration{110 * time.Millisecond, time.Second}).Draw(r, "naptime"),
		Seed:       rapid.Uint64().Draw(r, "seed"),
	}
}

// TestSameInputsSameRun: a run is a function of its inputs.
func TestSameInputsSameRun(t *testing.T) {
	for _, s := range Strategies() {
		cfg := recordedConfig(t, s.Name, 2000, 10)
		a, errA := Measure(context.Background(), cfg)
		b, errB := Measure(context.Background(), cfg)
		if errA != nil || errB != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: two runs of the same inputs differ:\n%+v\n%+v", s.Name, a, b)
		}
		cfg.Seed++
		if c, _ := Measure(context.Background(), cfg); fmt.Sprint(a) == fmt.Sprint(c) {
			t.Errorf("%s: another seed gives the same run", s.Name)
		}
	}
}

// TestCancel: a run can be interrupted.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx, recordedConfig(t, "original", 1000, 3)); err != context.Canceled {
		t.Errorf("an interrupted run gives %v, want context.Canceled", err)
	}
}
