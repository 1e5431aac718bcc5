package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"avsim/plots"
	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// runFigures collects what the figures of a run show, while it goes on: of its
// vacuums the first, and of all the shares of intervals of time.
type runFigures struct {
	cfg     scheduler.RunConfig
	in      runInputs
	length  float64          // seconds
	from    float64          // of warm-up, of which nothing is told
	begun   map[int]sim.Time // since when a slot has its worker
	works   []work           // all of them, or nil where there are too many
	many    bool
	spent   map[spentOn][]float64 // seconds, by interval
	samples []scheduler.Sample
}

// work is something that was done on a slot.
type work struct {
	slot            int
	kind            string
	from, to        float64
	database, table string
}

type spentOn struct {
	slot int
	kind string
}

// mostWorks is how many bars a timeline shows one by one, and intervals into how
// many parts it cuts the run where there are more. mostSlots is of how many slots
// more is kept.
const (
	mostWorks = 1500
	intervals = 400
	mostSlots = 100
)

func newRunFigures(sc *scenario.Run, cfg scheduler.RunConfig) *runFigures {
	return &runFigures{cfg: cfg, in: newRunInputs(sc, cfg), length: cfg.For.Seconds(), from: cfg.WarmUp.Seconds(),
		begun: map[int]sim.Time{}, spent: map[spentOn][]float64{}}
}

// event notes what a timeline shows of an event.
func (r *runFigures) event(e scheduler.TraceEvent) {
	switch e.Form {
	case scheduler.TraceBegin:
		r.begun[e.Slot] = e.At
	case scheduler.TraceEnd:
		r.add(work{slot: e.Slot, kind: scheduler.TraceWorker, from: r.begun[e.Slot].Seconds(), to: e.At.Seconds(), database: e.Database})
	case scheduler.TraceSlice:
		r.add(work{slot: e.Slot, kind: e.Name, from: e.At.Seconds(), to: e.Until.Seconds(), database: e.Database, table: e.Table})
	}
}

func (r *runFigures) add(w work) {
	if w.from = max(w.from, r.from); w.to < w.from || w.slot > mostSlots {
		return
	}
	r.keep(w)
	key := spentOn{w.slot, w.kind}
	if r.spent[key] == nil {
		r.spent[key] = make([]float64, intervals)
	}
	step := (r.length - r.from) / intervals
	for i := int((w.from - r.from) / step); i < intervals && r.from+float64(i)*step < w.to; i++ {
		begin := r.from + float64(i)*step
		r.spent[key][i] += max(min(w.to, begin+step)-max(w.from, begin), 0)
	}
}

// keep keeps a bar as it is, as long as there are few. Workers that come and go with
// nothing to do would not be seen.
func (r *runFigures) keep(w work) {
	switch seen := w.to-w.from >= (r.length-r.from)/leastWidth; {
	case r.many || w.table == "" && !seen:
		return
	case len(r.works) == mostWorks:
		r.many, r.works = true, nil
	default:
		r.works = append(r.works, w)
	}
}

func (r *runFigures) sample(s scheduler.Sample) {
	if s.At.Seconds() >= r.from {
		r.samples = append(r.samples, s)
	}
}

// table is an empty table with these columns, after those that tell what the run
// was.
func (r *runFigures) table(columns ...string) (*experiment.Table, func(cells ...string)) {
	tables := 0
	for i := range r.cfg.World.Databases {
		tables += r.cfg.World.Databases[i].Tables.Len()
	}
	settings := slices.DeleteFunc(slices.Clone(r.in.Settings), func(s string) bool {
		return strings.HasPrefix(s, "autovacuum_naptime") || strings.HasPrefix(s, "autovacuum_max_workers")
	})
	about := append(r.in.columns(), r.in.Scenario, r.in.PG, r.in.Host, itoa(tables), strconv.FormatInt(r.cfg.Settings.Int("autovacuum_max_workers"), 10), decimal(r.cfg.Settings.Duration("autovacuum_naptime").Seconds()),
		strings.Join(settings, " "))
	t := &experiment.Table{Columns: slices.Concat(inputColumns, []string{"scenario", "pg", "host", "tables", "workers", "autovacuum_naptime_seconds", "settings"}, columns)}
	return t, func(cells ...string) { t.AppendRow(slices.Concat(about, cells)...) }
}

// timeline is a row for each piece of work or, of many, for each interval, slot
// and kind.
func (r *runFigures) timeline(*scheduler.RunResult) *experiment.Table {
	t, add := r.table("slot", "kind", "start_seconds", "end_seconds", "share", "database", "table", "from_seconds", "to_seconds")
	ends := []string{decimal(r.from), decimal(r.length)}
	if !r.many && r.wide() {
		for _, w := range r.works {
			add(itoa(w.slot), w.kind, decimal(w.from), decimal(w.to), "1", w.database, w.table, ends[0], ends[1])
		}
		return t
	}
	step := (r.length - r.from) / intervals
	keys := slices.SortedFunc(maps.Keys(r.spent), func(a, b spentOn) int {
		if a.slot != b.slot {
			return a.slot - b.slot
		}
		return strings.Compare(a.kind, b.kind)
	})
	for _, key := range keys {
		for i, seconds := range r.spent[key] {
			if seconds > 0 {
				begin := r.from + float64(i)*step
				add(itoa(key.slot), key.kind, decimal(begin), decimal(begin+step), decimal(min(seconds/step, 1)), "", "", ends[0], ends[1])
			}
		}
	}
	return t
}

// wide tells whether at least half of the vacuums and analyzes would be seen as
// bars on a page.
func (r *runFigures) wide() bool {
	all, wide := 0, 0
	for _, w := range r.works {
		if w.table == "" {
			continue
		}
		all++
		if w.to-w.from >= (r.length-r.from)/leastWidth {
			wide++
		}
	}
	return all > 0 && 2*wide >= all
}

// leastWidth is what part of the run a bar has to be.
const leastWidth = 1400

// backlog is a row for each sample.
func (r *runFigures) backlog(*scheduler.RunResult) *experiment.Table {
	t, add := r.table("time_seconds", "tables_due", "dead_rows", "live_rows", "workers_running", "worker_slots")
	for _, s := range r.samples {
		add(decimal(s.At.Seconds()), itoa(s.Due), decimal(math.Round(s.Dead)), decimal(math.Round(s.Live)), itoa(s.Running), itoa(s.Slots))
	}
	return t
}

// wraparound is the age at which ids would wrap around.
const wraparound = 1 << 31

// ages is a row for each sample and database, and for each limit where it begins
// to hold.
func (r *runFigures) ages(*scheduler.RunResult) *experiment.Table {
	t, add := r.table("series", "kind", "time_seconds", "age_transactions")
	held := map[string]int64{}
	for _, s := range r.samples {
		at := decimal(s.At.Seconds())
		for _, l := range []struct {
			name string
			age  int64
		}{
			{"vacuum_freeze_min_age", s.FreezeLimits.FreezeMinAge},
			{"vacuum_freeze_table_age", s.FreezeLimits.FreezeTableAge},
			{"autovacuum_freeze_max_age", s.FreezeLimits.FreezeMaxAge},
			{"vacuum_failsafe_age", s.FreezeLimits.FailsafeAge},
			{"wraparound (2^31)", wraparound},
		} {
			if l.age > 0 && held[l.name] != l.age {
				held[l.name] = l.age
				add(l.name, "limit", at, strconv.FormatInt(l.age, 10))
			}
		}
		for i, age := range s.OldestXID {
			if !math.IsInf(age, 0) {
				add(r.cfg.World.Databases[i].Name, "age", at, decimal(math.Round(age)))
			}
		}
	}
	return t
}

// sizeClasses are the classes of tables that lateness is told of, by their rows.
var sizeClasses = []struct {
	below float64
	name  string
}{
	{1e3, "fewer than 1,000 rows"},
	{1e4, "1,000 to 9,999 rows"},
	{1e5, "10,000 to 99,999 rows"},
	{1e6, "100,000 to 999,999 rows"},
	{1e7, "1 to 10 million rows"},
	{math.Inf(1), "10 million rows or more"},
}

// quantiles is how many points a distribution has at most.
const quantiles = 200

// lateness is rows for each class of tables: of the quantiles of its visits.
func (r *runFigures) lateness(result *scheduler.RunResult) *experiment.Table {
	t, add := r.table("class", "visits", "share", "lateness_seconds", "due_at_end")
	late := make([][]float64, len(sizeClasses))
	for place := range result.Tables.Visited() {
		x := result.Tables.At(place)
		rows := math.Max(x.RowsAtStart, x.LiveRows)
		for j, class := range sizeClasses {
			if rows < class.below {
				late[j] = append(late[j], x.Lateness...)
				break
			}
		}
	}
	due := ""
	if n := len(r.samples); n > 0 {
		due = itoa(r.samples[n-1].Due)
	}
	for j, all := range late {
		slices.Sort(all)
		n := min(len(all), quantiles)
		for i := 1; i <= n; i++ {
			last := (i*len(all) + n - 1) / n // of the visits that are no later
			add(sizeClasses[j].name, itoa(len(all)), decimal(float64(last)/float64(len(all))), decimal(all[last-1]), due)
		}
	}
	return t
}

// foreground is a row for each interval of an application; empty without one.
func (r *runFigures) foreground(result *scheduler.RunResult) *experiment.Table {
	t := feltTable()
	if result.Felt != nil {
		addFelt(t, r.in, "", result.Felt)
	}
	return t
}

// runFigureSet are the figures of a run.
var runFigureSet = []struct {
	file string
	data func(*runFigures, *scheduler.RunResult) *experiment.Table
	draw func(*experiment.Table) (*plots.Figure, error)
}{
	{"timeline", (*runFigures).timeline, plots.Timeline},
	{"backlog", (*runFigures).backlog, plots.Backlog},
	{"lateness", (*runFigures).lateness, plots.Lateness},
	{"ages", (*runFigures).ages, plots.Ages},
	{"foreground", (*runFigures).foreground, plots.Foreground},
}

// figurePaths are the pictures in a folder, and the data beside each.
func figurePaths(dir string) (out []namedFile) {
	if dir == "" {
		return nil
	}
	for _, f := range runFigureSet {
		for _, ending := range []string{".png", ".csv"} {
			out = append(out, namedFile{"--figures", filepath.Join(dir, f.file+ending)})
		}
	}
	return out
}

// tryFigures finds out before a run whether its figures can be written.
func tryFigures(dir string) error {
	if dir == "" {
		return nil
	}
	if err := experiment.CheckDir(dir); err != nil {
		return err
	}
	for _, f := range runFigureSet {
		if err := plots.CheckSave(filepath.Join(dir, f.file+".png")); err != nil {
			return err
		}
	}
	return nil
}

// write draws the figures. One that has nothing to show is told and left out, and
// one of that name from an earlier run goes.
func (r *runFigures) write(c *cobra.Command, f *runFlags, result *scheduler.RunResult) error {
	if r == nil {
		return nil
	}
	for _, x := range runFigureSet {
		if c.Context().Err() != nil {
			return fmt.Errorf("interrupted while the figures were drawn: %w", context.Canceled)
		}
		path := filepath.Join(f.figures, x.file+".png")
		if x.file == "foreground" && result.Felt == nil {
			continue
		}
		figure, err := x.draw(x.data(r, result))
		switch {
		case errors.Is(err, plots.ErrNothingToDraw):
			if !f.out.quiet {
				fmt.Fprintf(c.ErrOrStderr(), "avsim: warning: %s was not drawn: %v\n", path, err)
			}
			os.Remove(path)
			os.Remove(filepath.Join(f.figures, x.file+".csv"))
			continue
		case err != nil:
			return err
		}
		if err := figure.Save(path); err != nil {
			return err
		}
		if f.out.format == "table" {
			fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", path, figure.Title())
		}
	}
	return nil
}
