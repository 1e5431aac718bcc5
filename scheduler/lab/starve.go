package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// Case is a small scenario of the search for starvation: one database of a few tables and
// so many workers. It can be written down in a line.
type Case struct {
	Workers int
	Tables  []CaseTable // in the order of pg_class
}

// CaseTable is a table of a case: a power of ten of rows, a third of which are dead at the
// start, and the rows updated a second.
type CaseTable struct {
	Rows    int64
	Dead    bool
	Updates int
}

// The bounds of a case, and what holds of all.
const (
	mostCaseTables  = 8
	mostCaseWorkers = 3
	caseLength      = time.Hour
)

// String is the case in a line.
func (c Case) String() string { return fmt.Sprintf("%d workers, tables %+v", c.Workers, c.Tables) }

// randomCase draws a case.
func randomCase(r *rand.Rand) Case {
	c := Case{Workers: 1 + r.IntN(mostCaseWorkers)}
	for range 1 + r.IntN(mostCaseTables) {
		c.Tables = append(c.Tables, randomTable(r))
	}
	return c
}

func randomTable(r *rand.Rand) CaseTable {
	sizes := []int64{1e3, 1e5, 1e6, 1e7, 1e8}
	return CaseTable{Rows: sizes[r.IntN(len(sizes))], Dead: r.IntN(2) == 0, Updates: []int{0, 10, 100, 1000}[r.IntN(4)]}
}

// config is the run of a case.
func (c Case) config(s scheduler.Strategy, h *host.Profile) (scheduler.RunConfig, error) {
	v := guc.MustVersion("19")
	settings := guc.Defaults(v)
	if err := settings.Assign(fmt.Sprintf("autovacuum_max_workers=%d", c.Workers)); err != nil {
		return scheduler.RunConfig{}, err
	}
	db := workload.Database{Name: "db"}
	for i, t := range c.Tables {
		x := workload.Table{Name: fmt.Sprintf("t%d", i+1), ToastOf: -1, Rows: t.Rows, RowBytes: 132, Fillfactor: 100, Indexes: 2, Reltuples: float64(t.Rows), AllVisible: 1}
		if t.Dead {
			x.Dead = t.Rows / 3
		}
		x.Activity.Updates = workload.Constant(float64(t.Updates))
		db.Tables.Append(x)
	}
	s.Writes = scheduler.WriteFormOf(v)
	return scheduler.RunConfig{World: workload.World{Databases: []workload.Database{db}}, Settings: settings, Strategy: s, Host: h,
		For: caseLength, Seed: 1, Events: true, Waits: true}, nil
}

// LongestWait of a table in the case, in seconds, and the strategy's name for errors.
func (c Case) LongestWait(ctx context.Context, s scheduler.Strategy, h *host.Profile) (float64, error) {
	cfg, err := c.config(s, h)
	if err != nil {
		return 0, err
	}
	r, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.Name, err)
	}
	return quantile(newOutcome(r, nil).late, 1), nil
}

// Starvation is a case in which a strategy does badly: its longest wait, and that of the
// best of the others.
type Starvation struct {
	Case
	Worst, Best float64 // seconds
	By          string  // the strategy that is best
}

// Gap is by how much a table waits longer than it needs to.
func (s Starvation) Gap() float64 { return s.Worst - s.Best }

// Starve searches for the case in which a strategy does worst against the best of the
// others: so many random cases, of which the worst is then made smaller as long as it
// keeps nine tenths of its gap. The same seed finds the same.
func Starve(ctx context.Context, s scheduler.Strategy, others []scheduler.Strategy, h *host.Profile, seed uint64, tries int) (Starvation, error) {
	return NewSearch(h).Starve(ctx, s, others, seed, tries)
}

// Search remembers waits, since searches of one seed try the same cases.
type Search struct {
	host  *host.Profile
	waits map[string]float64
}

// NewSearch is one on a machine.
func NewSearch(h *host.Profile) *Search { return &Search{h, map[string]float64{}} }

// Starve is the function of that name.
func (x *Search) Starve(ctx context.Context, s scheduler.Strategy, others []scheduler.Strategy, seed uint64, tries int) (Starvation, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	var worst Starvation
	for range tries {
		found, err := x.against(ctx, randomCase(r), s, others)
		if err != nil {
			return worst, err
		}
		if found.Gap() > worst.Gap() {
			worst = found
		}
	}
	return x.shrink(ctx, worst, s, others)
}

func (x *Search) wait(ctx context.Context, c Case, s scheduler.Strategy) (float64, error) {
	key := s.Name + " " + c.String()
	if wait, ok := x.waits[key]; ok {
		return wait, nil
	}
	wait, err := c.LongestWait(ctx, s, x.host)
	if err == nil {
		x.waits[key] = wait
	}
	return wait, err
}

// against holds a strategy against others in a case.
func (x *Search) against(ctx context.Context, c Case, s scheduler.Strategy, others []scheduler.Strategy) (Starvation, error) {
	out := Starvation{Case: c}
	var err error
	if out.Worst, err = x.wait(ctx, c, s); err != nil {
		return out, err
	}
	out.Best, out.By = out.Worst, s.Name
	for _, o := range others {
		wait, err := x.wait(ctx, c, o)
		if err != nil {
			return out, err
		}
		if wait < out.Best {
			out.Best, out.By = wait, o.Name
		}
	}
	return out, nil
}

// shrink leaves out tables, activity and workers that the gap does not need.
func (x *Search) shrink(ctx context.Context, worst Starvation, s scheduler.Strategy, others []scheduler.Strategy) (Starvation, error) {
	enough := 0.9 * worst.Gap()
	for again := true; again; {
		again = false
		for _, smaller := range worst.smaller() {
			found, err := x.against(ctx, smaller, s, others)
			if err != nil {
				return worst, err
			}
			if found.Gap() >= enough && enough > 0 {
				worst, again = found, true
				break
			}
		}
	}
	return worst, nil
}

// smaller are the cases with one thing less.
func (c Case) smaller() (out []Case) {
	if c.Workers > 1 {
		out = append(out, Case{c.Workers - 1, c.Tables})
	}
	for i, t := range c.Tables {
		if len(c.Tables) > 1 {
			out = append(out, Case{c.Workers, append(append([]CaseTable{}, c.Tables[:i]...), c.Tables[i+1:]...)})
		}
		for _, less := range []CaseTable{{t.Rows, t.Dead, 0}, {t.Rows, false, t.Updates}} {
			if less != t {
				tables := append([]CaseTable{}, c.Tables...)
				tables[i] = less
				out = append(out, Case{c.Workers, tables})
			}
		}
	}
	return out
}
