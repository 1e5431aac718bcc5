package validate

import (
	"context"
	"math"
	"slices"
	"time"

	"avsim/scheduler"
	"avsim/workload/host"
	"avsim/workload/twin"
)

// Twin is a recorded run beside a simulated one.
type Twin struct {
	Summary TwinSummary   `json:"summary"`
	Tables  []TwinTable   `json:"tables"`
	Windows []TwinWindow  `json:"windows,omitempty"`
	Matches []TwinMatched `json:"-"`
}

// TwinSummary is how well the run is met. What cannot be told is nil.
type TwinSummary struct {
	VacuumsRecorded  int `json:"vacuums_recorded"`
	VacuumsPredicted int `json:"vacuums_predicted"`
	// Of the tables with a recorded or predicted vacuum, the share where the two
	// counts differ by one at most, or 10 % of the recorded.
	TablesWithin *float64 `json:"tables_within_1_or_10pct"`
	// Recorded vacuums are matched one to one with predicted ones of the same table
	// that begin within a naptime: the share of the recorded, and of the predicted.
	Recall    *float64 `json:"recall"`
	Precision *float64 `json:"precision"`
	// Of the matched: the median distance of their starts, and the median of
	// |predicted/recorded duration - 1| over those of 100 ms or more.
	TimeError     *float64 `json:"median_time_error_seconds"`
	DurationError *float64 `json:"median_duration_error"`
	// Workers there were, on average: predicted/recorded - 1.
	BusyError *float64 `json:"busy_workers_error"`

	AnalyzesRecorded  int     `json:"analyzes_recorded"`
	AnalyzesPredicted int     `json:"analyzes_predicted"`
	BusyRecorded      float64 `json:"busy_workers_recorded"`
	BusyPredicted     float64 `json:"busy_workers_predicted"`
}

// TwinTable is what happened to a table.
type TwinTable struct {
	Database          string `json:"database"`
	Name              string `json:"name"`
	VacuumsRecorded   int    `json:"vacuums_recorded"`
	VacuumsPredicted  int    `json:"vacuums_predicted"`
	AnalyzesRecorded  int    `json:"analyzes_recorded"`
	AnalyzesPredicted int    `json:"analyzes_predicted"`
}

// TwinMatched is a recorded vacuum and the predicted one that it is matched with.
type TwinMatched struct{ Recorded, Predicted twin.Event }

// TwinWindow is a part of the run: the vacuums of user tables that lie wholly in it,
// and what all workers were charged, vacuums and analyzes at its edges by their share.
type TwinWindow struct {
	From                   time.Duration `json:"-"`
	To                     time.Duration `json:"-"`
	FromSeconds            float64       `json:"from_seconds"`
	ToSeconds              float64       `json:"to_seconds"`
	VacuumsRecorded        int           `json:"vacuums_recorded"`
	VacuumsPredicted       int           `json:"vacuums_predicted"`
	DurationRecorded       *float64      `json:"median_duration_seconds_recorded"`
	DurationPredicted      *float64      `json:"median_duration_seconds_predicted"`
	CostPerSecondRecorded  float64       `json:"cost_per_s_recorded"`
	CostPerSecondPredicted float64       `json:"cost_per_s_predicted"`
}

// RunTwin simulates a recorded run from its state before and its true workload.
func RunTwin(ctx context.Context, r *twin.Run, h *host.Profile, seed uint64, windows []TwinWindow) (*Twin, error) {
	cfg, err := twinConfig(r, h, seed)
	if err != nil {
		return nil, err
	}
	result, err := scheduler.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return compareTwin(r, predictedEvents(r, result), result.AverageWorkers(), windows), nil
}

// twinConfig is a recorded run as one to simulate.
func twinConfig(r *twin.Run, h *host.Profile, seed uint64) (scheduler.RunConfig, error) {
	s, err := scheduler.StrategyOf(r.Settings.Version())
	if err != nil {
		return scheduler.RunConfig{}, err
	}
	s.Writes = scheduler.WriteFormOf(r.Settings.Version())
	cfg := scheduler.RunConfig{World: r.World, Settings: r.Settings, Strategy: s, Host: h, For: r.Length, Seed: seed,
		FirstVisits: r.FirstVisits, Events: true}
	for _, c := range r.Changes {
		cfg.Changes = append(cfg.Changes, scheduler.SettingsChange{At: c.At, Settings: c.Settings})
	}
	return cfg, nil
}

// predictedEvents are those of the simulated run that were not given up.
func predictedEvents(r *twin.Run, result *scheduler.RunResult) (out []twin.Event) {
	system := make(map[[2]string]bool)
	for _, e := range r.Events {
		system[[2]string{e.Database, e.Table}] = e.System
	}
	for _, e := range result.Events {
		if e.Outcome == "" {
			out = append(out, twin.Event{Database: e.Database, Table: e.Table, Vacuum: e.Vacuum, System: system[[2]string{e.Database, e.Table}],
				Start: time.Duration(e.Start), End: time.Duration(e.At), Cost: e.Cost()})
		}
	}
	slices.SortStableFunc(out, func(a, b twin.Event) int { return int(a.Start - b.Start) })
	return out
}

func compareTwin(r *twin.Run, predicted []twin.Event, busy float64, windows []TwinWindow) *Twin {
	out := &Twin{Matches: match(r.Events, predicted, r.Settings.Duration("autovacuum_naptime"))}
	out.Tables = twinTables(r.Events, predicted)
	s := &out.Summary
	within, some := 0, 0
	for _, t := range out.Tables {
		s.VacuumsRecorded += t.VacuumsRecorded
		s.VacuumsPredicted += t.VacuumsPredicted
		s.AnalyzesRecorded += t.AnalyzesRecorded
		s.AnalyzesPredicted += t.AnalyzesPredicted
		if t.VacuumsRecorded+t.VacuumsPredicted == 0 {
			continue
		}
		some++
		if off := math.Abs(float64(t.VacuumsPredicted - t.VacuumsRecorded)); off <= math.Max(1, 0.1*float64(t.VacuumsRecorded)) {
			within++
		}
	}
	s.TablesWithin = ratio(within, some)
	s.Recall, s.Precision = ratio(len(out.Matches), s.VacuumsRecorded), ratio(len(out.Matches), s.VacuumsPredicted)
	s.TimeError, s.DurationError = matchErrors(out.Matches)
	s.BusyRecorded, s.BusyPredicted = r.Busy, busy
	if r.Busy > 0 {
		off := busy/r.Busy - 1
		s.BusyError = &off
	}
	for _, w := range windows {
		out.Windows = append(out.Windows, w.fill(r.Events, predicted))
	}
	return out
}

func ratio(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	x := float64(n) / float64(of)
	return &x
}

// twinTables counts by table, in the order of their names.
func twinTables(recorded, predicted []twin.Event) []TwinTable {
	place := make(map[[2]string]int)
	var out []TwinTable
	count := func(list []twin.Event, vacuums, analyzes func(*TwinTable) *int) {
		for _, e := range list {
			key := [2]string{e.Database, e.Table}
			i, ok := place[key]
			if !ok {
				i = len(out)
				place[key], out = i, append(out, TwinTable{Database: e.Database, Name: e.Table})
			}
			if e.Vacuum {
				*vacuums(&out[i])++
			} else {
				*analyzes(&out[i])++
			}
		}
	}
	count(recorded, func(t *TwinTable) *int { return &t.VacuumsRecorded }, func(t *TwinTable) *int { return &t.AnalyzesRecorded })
	count(predicted, func(t *TwinTable) *int { return &t.VacuumsPredicted }, func(t *TwinTable) *int { return &t.AnalyzesPredicted })
	slices.SortFunc(out, func(a, b TwinTable) int {
		if a.Database != b.Database {
			return cmpText(a.Database, b.Database)
		}
		return cmpText(a.Name, b.Name)
	})
	return out
}

func cmpText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// match pairs vacuums of the same table whose starts are at most a distance apart,
// one to one and in the order of time: as many pairs as there can be.
func match(recorded, predicted []twin.Event, within time.Duration) (out []TwinMatched) {
	of := func(list []twin.Event) map[[2]string][]twin.Event {
		all := make(map[[2]string][]twin.Event)
		for _, e := range list {
			if e.Vacuum {
				key := [2]string{e.Database, e.Table}
				all[key] = append(all[key], e)
			}
		}
		return all
	}
	others := of(predicted)
	for key, mine := range of(recorded) {
		theirs := others[key]
		for len(mine) > 0 && len(theirs) > 0 {
			switch d := theirs[0].Start - mine[0].Start; {
			case d < -within:
				theirs = theirs[1:]
			case d > within:
				mine = mine[1:]
			default:
				out = append(out, TwinMatched{mine[0], theirs[0]})
				mine, theirs = mine[1:], theirs[1:]
			}
		}
	}
	slices.SortFunc(out, func(a, b TwinMatched) int {
		if a.Recorded.Start != b.Recorded.Start {
			return int(a.Recorded.Start - b.Recorded.Start)
		}
		return cmpText(a.Recorded.Database+"."+a.Recorded.Table, b.Recorded.Database+"."+b.Recorded.Table)
	})
	return out
}

// leastDuration and leastDurations are from which length on durations are compared,
// and how many such vacuums it takes: log times have a resolution of milliseconds.
const (
	leastDuration  = 100 * time.Millisecond
	leastDurations = 10
)

func matchErrors(all []TwinMatched) (starts, durations *float64) {
	var off, ratio []float64
	for _, m := range all {
		off = append(off, math.Abs((m.Predicted.Start - m.Recorded.Start).Seconds()))
		if took := m.Recorded.End - m.Recorded.Start; took >= leastDuration {
			ratio = append(ratio, math.Abs(float64(m.Predicted.End-m.Predicted.Start)/float64(took)-1))
		}
	}
	starts = median(off, 1)
	return starts, median(ratio, leastDurations)
}

// median is nil for fewer values than it takes.
func median(x []float64, least int) *float64 {
	if len(x) < least {
		return nil
	}
	slices.Sort(x)
	m := (x[(len(x)-1)/2] + x[len(x)/2]) / 2
	return &m
}

func (w TwinWindow) fill(recorded, predicted []twin.Event) TwinWindow {
	w.FromSeconds, w.ToSeconds = w.From.Seconds(), w.To.Seconds()
	w.VacuumsRecorded, w.DurationRecorded, w.CostPerSecondRecorded = w.of(recorded)
	w.VacuumsPredicted, w.DurationPredicted, w.CostPerSecondPredicted = w.of(predicted)
	return w
}

func (w TwinWindow) of(list []twin.Event) (vacuums int, duration *float64, cost float64) {
	var took []float64
	for _, e := range list {
		length := e.End - e.Start
		if inside := min(e.End, w.To) - max(e.Start, w.From); inside > 0 && length > 0 {
			cost += e.Cost * float64(inside) / float64(length)
		}
		if e.Vacuum && !e.System && e.Start >= w.From && e.End <= w.To {
			vacuums++
			took = append(took, length.Seconds())
		}
	}
	return vacuums, median(took, 1), cost / (w.To - w.From).Seconds()
}
