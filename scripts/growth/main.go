//go:build unix

// Command growth measures what a run costs with ever more tables, and draws the figure of
// docs/performance.md. What happens is the same: 5,000 vacuums and 5,800 analyzes an hour
// for a week, as in the built-in scenario many-tables, spread over a thousand to a million
// tables. It also measures 30 workers with all tables due, by strategy, for each event of
// the engine.
//
//	go run ./scripts/growth -o docs
//
// It writes growth.png and its data, growth.csv. Times are of the processor, medians of -n runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

var sizes = []int{1_000, 10_000, 100_000, 1_000_000}

func main() {
	dir := flag.String("o", ".", "folder for growth.png and growth.csv")
	n := flag.Int("n", 3, "runs of each, of which the median is taken")
	flag.Parse()
	if err := run(*dir, *n); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run(dir string, n int) error {
	debug.SetGCPercent(35) // as avsim run has it
	table := &experiment.Table{Columns: []string{"what", "tables", "ns_per_event"}}
	title := ""
	for _, m := range measurements() {
		each, err := medians(m, n)
		if err != nil {
			return err
		}
		for i, tables := range sizes {
			table.AppendRow(m.name, strconv.Itoa(tables), fmt.Sprintf("%.4g", each[i]))
			fmt.Fprintf(os.Stderr, "%s, %d tables: %.0f ns, %.2f times that of %d\n", m.name, tables, each[i], each[i]/each[0], sizes[0])
		}
		if title == "" {
			title = fmt.Sprintf("With a thousand times the tables %s takes %.1f times as long", m.name, each[len(each)-1]/each[0])
		}
	}
	figure, err := plots.Lines(table, plots.Spec{X: "tables", Y: "ns_per_event", Series: "what", LogX: true, LogY: true, Name: "growth",
		XLabel: "tables", YLabel: "processor time, ns", Title: title})
	if err != nil {
		return err
	}
	return figure.Save(filepath.Join(dir, "growth.png"))
}

// measurement is something that is done with so many tables: how many events that is.
type measurement struct {
	name string
	make func(tables int) (func() (events float64, err error), error)
}

func measurements() []measurement {
	out := []measurement{{"a vacuum or analyze of a week", week}}
	for _, strategy := range []string{"original", "claim-release", "leapfrog", "shared-stats"} {
		out = append(out, measurement{"an event of " + strategy, func(tables int) (func() (float64, error), error) {
			return allDue(strategy, tables)
		}})
	}
	return out
}

// medians are the processor time of an event in nanoseconds, for each size that of the run
// in the middle. The sizes take turns, as the machine may have other work. What is made
// before a run is not in it.
func medians(m measurement, n int) ([]float64, error) {
	all := make([][]float64, len(sizes))
	for range n {
		for i, tables := range sizes {
			each, err := once(m, tables)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], each)
		}
	}
	out := make([]float64, len(sizes))
	for i := range all {
		slices.Sort(all[i])
		out[i] = all[i][len(all[i])/2]
	}
	return out, nil
}

// once is the processor time of an event in one run.
func once(m measurement, tables int) (float64, error) {
	do, err := m.make(tables)
	if err != nil {
		return 0, err
	}
	runtime.GC()
	before, err := used()
	if err != nil {
		return 0, err
	}
	events, err := do()
	if err != nil {
		return 0, err
	}
	after, err := used()
	return float64(after-before) / events, err
}

// used is the processor time of the process.
func used() (time.Duration, error) {
	var r syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), err
}

// week is many-tables, with as many changes in all whatever the tables are.
func week(tables int) (func() (float64, error), error) {
	text, err := scenario.Text("many-tables")
	if err != nil {
		return nil, err
	}
	each := 100_000 / float64(tables)
	changed := strings.NewReplacer("count: 100000", fmt.Sprint("count: ", tables), "{min: 1.55/h, max: 5.55/h}", fmt.Sprintf("{min: %g/h, max: %g/h}", 1.55*each, 5.55*each)).Replace(string(text))
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "week.yaml")
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		return nil, err
	}
	sc, err := scenario.LoadRun(file)
	if err != nil {
		return nil, err
	}
	h, err := host.Load(sc.Host)
	if err != nil {
		return nil, err
	}
	s, err := scheduler.StrategyOf(sc.PG)
	if err != nil {
		return nil, err
	}
	world, err := sc.World(1)
	if err != nil {
		return nil, err
	}
	return func() (float64, error) {
		r, err := scheduler.Run(context.Background(), scheduler.RunConfig{World: world, Settings: sc.Settings, Strategy: s, Host: h, For: sc.RunFor, Seed: 1})
		if err != nil {
			return 0, err
		}
		return float64(r.Vacuums + r.Analyzes), nil
	}, nil
}

// allDue is a measurement of ten minutes, three times, of 30 workers with all tables due.
func allDue(strategy string, tables int) (func() (float64, error), error) {
	s, err := scheduler.LookUp(strategy)
	if err != nil {
		return nil, err
	}
	h, err := host.Load("epyc-2core")
	if err != nil {
		return nil, err
	}
	settings := guc.Defaults(guc.MustVersion("9.5"))
	for _, a := range []string{"autovacuum_max_workers=30", "autovacuum_naptime=1s", "autovacuum_vacuum_threshold=0", "autovacuum_vacuum_scale_factor=0"} {
		if err := settings.Assign(a); err != nil {
			return nil, err
		}
	}
	return func() (float64, error) {
		var n float64
		for seed := range uint64(3) {
			m, err := scheduler.Measure(context.Background(), scheduler.Config{Strategy: s, Settings: settings, Host: h,
				Population: workload.TinyTables(tables, 1), Start: scheduler.Gated, Window: scheduler.Window{Min: 10 * time.Minute, Max: 10 * time.Minute}, Seed: seed + 1})
			if err != nil {
				return 0, err
			}
			n += float64(m.KernelEvents)
		}
		return n, nil
	}, nil
}
