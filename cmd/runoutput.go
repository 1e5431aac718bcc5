package cmd

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// runInputs tell what a result of run came from, in each of its outputs.
type runInputs struct {
	Scenario     string   `json:"scenario"`
	PG           string   `json:"pg"`
	Strategy     string   `json:"strategy"`
	Host         string   `json:"host"`
	Settings     []string `json:"settings"`
	RunFor       float64  `json:"run_for_seconds"`
	WarmUp       float64  `json:"warm_up_seconds"`
	Seed         uint64   `json:"seed"`
	ModelVersion string   `json:"model_version"`
	InputHash    string   `json:"input_hash"`
}

func newRunInputs(sc *scenario.Run, cfg scheduler.RunConfig) runInputs {
	return runInputs{
		Scenario: sc.Name, PG: cfg.Settings.Version().String(), Strategy: cfg.Strategy.Name, Host: cfg.Host.Name,
		Settings: append([]string{}, cfg.Settings.Overrides()...),
		RunFor:   cfg.For.Seconds(), WarmUp: cfg.WarmUp.Seconds(), Seed: cfg.Seed,
		ModelVersion: scheduler.ModelVersion, InputHash: runHash(sc, cfg),
	}
}

// runHash identifies the inputs of a run: model version, the scenario's file,
// what holds of it once the flags have had their say, and of the host what it
// costs. Twelve hexadecimal digits.
func runHash(sc *scenario.Run, cfg scheduler.RunConfig) string {
	h := sha256.New()
	fmt.Fprintf(h, "model %s\n%q\n", scheduler.ModelVersion, sc.Text)
	fmt.Fprintf(h, "%v %q\n", cfg.Settings.Version(), cfg.Settings.Canonical())
	for _, c := range cfg.Changes {
		fmt.Fprintf(h, "%v %q\n", c.At, c.Settings.Canonical())
	}
	if changed := sc.Departures(); len(changed) > 0 {
		fmt.Fprintf(h, "%q\n", changed)
	}
	fmt.Fprintf(h, "%s %+v %s %v %v %d\n", cfg.Strategy.Name, cfg.Strategy.Choices, cfg.Host.Hash(), cfg.For, cfg.WarmUp, cfg.Seed)
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// The columns that tell in each row what it came from.
var inputColumns = []string{"model_version", "input_hash", "seed"}

func (in runInputs) columns() []string {
	return []string{in.ModelVersion, in.InputHash, strconv.FormatUint(in.Seed, 10)}
}

func runCSV(w io.Writer, in runInputs, tables shownTables) error {
	t := &experiment.Table{Columns: slices.Concat(inputColumns, []string{"database", "name", "autovacuum_count", "autoanalyze_count", "anti_wraparound_count",
		"first_vacuum_seconds", "last_vacuum_seconds", "vacuum_seconds", "skipped", "cancelled", "failsafe", "wasted_looks", "lateness_mean_seconds", "lateness_p99_seconds", "waiting_seconds",
		"dead_tuples_peak", "dead_tuples_end", "dead_rows_end", "live_rows_end", "inserted", "updated", "deleted", "removed", "pruned", "next_forced_seconds"})}
	for r := range tables.all() {
		t.AppendRow(append(in.columns(), r.Database, r.Name, itoa(r.Vacuums), itoa(r.Analyzes), itoa(r.Wraparound),
			since(r.FirstVacuum.Seconds()), since(r.LastVacuum.Seconds()), decimal(r.VacuumSeconds), itoa(r.Skipped), itoa(r.Cancelled), itoa(int(r.Failsafe)), itoa(int(r.Wasted)), decimal(r.LatenessMean()), decimal(r.LatenessP99()), decimal(r.Waiting),
			decimal(r.DeadPeak), decimal(r.DeadTold), decimal(r.DeadRows), decimal(r.LiveRows),
			decimal(r.Inserted), decimal(r.Updated), decimal(r.Deleted), decimal(r.Removed), decimal(r.Pruned), since(r.NextForced.Seconds()))...)
	}
	return t.WriteCSV(w)
}

func since(seconds float64) string {
	if seconds < 0 {
		return ""
	}
	return decimal(seconds)
}

func decimal(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 9, 64)
}

// The JSON form of run; docs/output.md describes it.
type (
	runSummary struct {
		AvgWorkers     float64 `json:"avg_autovacuum_workers"`
		Vacuums        int     `json:"total_autovacuum_count"`
		Analyzes       int     `json:"total_autoanalyze_count"`
		AntiWraparound int     `json:"total_anti_wraparound_autovacuum_count"`
		Simulated      float64 `json:"simulated_seconds"`
		Charged        float64 `json:"cost_charged"`
		Starts         int     `json:"worker_starts"`
		Skips          int     `json:"skips"`
		Wasted         int     `json:"wasted_rechecks"`
		CappedSleeps   float64 `json:"capped_sleeps"`
		Skipped        int     `json:"skipped"`
		Cancelled      int     `json:"cancelled"`
		Killed         int     `json:"killed"`
		Failsafe       int     `json:"failsafe"`
		HeldBack       int     `json:"held_back"`
		Halted         float64 `json:"halted_seconds"`

		LatenessMean  *float64 `json:"lateness_mean_seconds"`
		LatenessP90   *float64 `json:"lateness_p90_seconds"`
		LatenessP99   *float64 `json:"lateness_p99_seconds"`
		LatenessMax   *float64 `json:"lateness_max_seconds"`
		DueAtEnd      int      `json:"due_at_end"`
		DeadShare     float64  `json:"dead_share"`
		DeadSharePeak float64  `json:"dead_share_peak"`
		CostPerSecond float64  `json:"cost_per_second"`
	}
	runWarningJSON struct {
		At   float64 `json:"at_seconds"`
		Text string  `json:"text"`
	}
	runDatabaseJSON struct {
		Name           string  `json:"name"`
		Starts         int     `json:"worker_starts"`
		Vacuums        int     `json:"autovacuum_count"`
		Analyzes       int     `json:"autoanalyze_count"`
		AntiWraparound int     `json:"anti_wraparound_count"`
		VacuumSeconds  float64 `json:"vacuum_seconds"`
	}
	runTableJSON struct {
		Database       string    `json:"database"`
		Name           string    `json:"name"`
		Vacuums        int       `json:"autovacuum_count"`
		Analyzes       int       `json:"autoanalyze_count"`
		AntiWraparound int       `json:"anti_wraparound_count"`
		FirstVacuum    *float64  `json:"first_vacuum_seconds"`
		LastVacuum     *float64  `json:"last_vacuum_seconds"`
		VacuumSeconds  float64   `json:"vacuum_seconds"`
		Skipped        int       `json:"skipped"`
		Cancelled      int       `json:"cancelled"`
		Failsafe       int       `json:"failsafe"`
		Wasted         int       `json:"wasted_looks"`
		LatenessMean   *float64  `json:"lateness_mean_seconds"`
		LatenessP99    *float64  `json:"lateness_p99_seconds"`
		Waiting        float64   `json:"waiting_seconds"`
		DeadPeak       float64   `json:"dead_tuples_peak"`
		DeadEnd        float64   `json:"dead_tuples_end"`
		DeadRows       float64   `json:"dead_rows_end"`
		LiveRows       float64   `json:"live_rows_end"`
		Inserted       float64   `json:"inserted"`
		Updated        float64   `json:"updated"`
		Deleted        float64   `json:"deleted"`
		Removed        float64   `json:"removed"`
		Pruned         float64   `json:"pruned"`
		NextForced     *float64  `json:"next_forced_seconds"`
		VacuumTimes    []float64 `json:"vacuum_times_seconds"`
		ForcedTimes    []float64 `json:"anti_wraparound_times_seconds"`
	}
)

// runOutput is the JSON form of run.
type runOutput struct {
	Run       runInputs          `json:"run"`
	Summary   runSummary         `json:"summary"`
	Databases []runDatabaseJSON  `json:"databases"`
	Tables    []runTableJSON     `json:"tables"`
	Verdict   scheduler.Verdict  `json:"verdict"`
	Time      map[string]float64 `json:"time_share"`
	Warnings  []runWarningJSON   `json:"warnings"`
	Felt      *feltJSON          `json:"foreground,omitempty"`
	Expected  []expectationJSON  `json:"expectations"`
	Claims    []claimJSON        `json:"claims"`
	Answer    *string            `json:"answer,omitempty"`
	IO        []ioContextJSON    `json:"io"`
	Progress  any                `json:"progress,omitempty"` // of the times asked for
}

func newRunOutput(in runInputs, cfg scheduler.RunConfig, r *scheduler.RunResult, tables shownTables, told toldJSON) *runOutput {
	out := &runOutput{
		Run:       in,
		Summary:   summaryJSON(r),
		Databases: databasesJSON(cfg, r), Tables: []runTableJSON{}, Verdict: r.Verdict, Time: map[string]float64{}, Warnings: []runWarningJSON{}, Felt: newFeltJSON(r.Felt), Expected: told.Expectations, Claims: told.Claims, Answer: told.Answer,
	}
	out.IO = ioJSON(cfg.Settings.Version(), r.IO)
	if len(cfg.ProgressAt) > 0 {
		out.Progress = progressJSON(cfg.Settings.Version(), r.Progress)
	}
	for _, x := range r.Warnings {
		out.Warnings = append(out.Warnings, runWarningJSON{x.At.Seconds(), x.Text})
	}
	for _, share := range scheduler.Shares() {
		out.Time[share.Column] = scheduler.Measurement{WorkerTime: r.WorkerTime}.Share(share.Activity)
	}
	for t := range tables.all() {
		out.Tables = append(out.Tables, tableJSON(t))
	}
	return out
}

func runJSON(w io.Writer, in runInputs, cfg scheduler.RunConfig, r *scheduler.RunResult, tables shownTables, told toldJSON) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(newRunOutput(in, cfg, r, tables, told))
}

func summaryJSON(r *scheduler.RunResult) runSummary {
	f := r.Figures()
	return runSummary{
		AvgWorkers: r.AverageWorkers(), Vacuums: r.Vacuums, Analyzes: r.Analyzes, AntiWraparound: r.Wraparound, Simulated: r.Simulated.Seconds(),
		Charged: r.Charged, Starts: len(r.Starts), Skips: r.Skips, Wasted: r.WastedRechecks, CappedSleeps: r.CappedSleeps,
		Skipped: r.Skipped, Cancelled: r.Cancelled, Killed: r.Killed, Failsafe: r.Failsafe, HeldBack: r.HeldBack, Halted: r.Halted.Seconds(),
		LatenessMean: known(f["lateness_mean_seconds"]), LatenessP90: known(f["lateness_p90_seconds"]),
		LatenessP99: known(f["lateness_p99_seconds"]), LatenessMax: known(f["lateness_max_seconds"]),
		DueAtEnd: r.DueAtEnd(), DeadShare: r.DeadShare, DeadSharePeak: r.DeadSharePeak, CostPerSecond: r.ChargedPerSecond(),
	}
}

// databasesJSON adds up what happened in each database, in the scenario's order,
// over all of its tables, printed or not.
func databasesJSON(cfg scheduler.RunConfig, r *scheduler.RunResult) []runDatabaseJSON {
	var out []runDatabaseJSON
	place := make(map[string]int)
	for _, db := range cfg.World.Databases {
		place[db.Name] = len(out)
		out = append(out, runDatabaseJSON{Name: db.Name})
	}
	for _, s := range r.Starts {
		out[place[s.Database]].Starts++
	}
	for i, t := range r.Tables.Visited() {
		db := &out[place[r.Tables.Database(i)]]
		db.Vacuums += t.Vacuums
		db.Analyzes += t.Analyzes
		db.AntiWraparound += t.Wraparound
		db.VacuumSeconds += t.VacuumSeconds
	}
	return out
}

func tableJSON(t *scheduler.TableResult) runTableJSON {
	row := runTableJSON{
		Database: t.Database, Name: t.Name, Vacuums: t.Vacuums, Analyzes: t.Analyzes, AntiWraparound: t.Wraparound,
		FirstVacuum: happened(t.FirstVacuum), LastVacuum: happened(t.LastVacuum), VacuumSeconds: t.VacuumSeconds, Wasted: int(t.Wasted),
		Skipped: t.Skipped, Cancelled: t.Cancelled, Failsafe: int(t.Failsafe), NextForced: happened(sim.Time(t.NextForced)),
		LatenessMean: known(t.LatenessMean()), LatenessP99: known(t.LatenessP99()), Waiting: t.Waiting,
		DeadPeak: math.Round(t.DeadPeak), DeadEnd: math.Round(t.DeadTold), DeadRows: math.Round(t.DeadRows), LiveRows: math.Round(t.LiveRows),
		Inserted: math.Round(t.Inserted), Updated: math.Round(t.Updated), Deleted: math.Round(t.Deleted),
		Removed: math.Round(t.Removed), Pruned: math.Round(t.Pruned), VacuumTimes: []float64{}, ForcedTimes: []float64{},
	}
	for _, at := range t.WraparoundTimes {
		row.ForcedTimes = append(row.ForcedTimes, at.Seconds())
	}
	for _, at := range t.VacuumTimes {
		row.VacuumTimes = append(row.VacuumTimes, at.Seconds())
	}
	return row
}

// known is a number, or null where there is none.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// happened is an instant in seconds, or null for what never happened.
func happened(at sim.Time) *float64 {
	if at < 0 {
		return nil
	}
	x := at.Seconds()
	return &x
}

func eventsCSV(w io.Writer, in runInputs, r *scheduler.RunResult) error {
	c := csv.NewWriter(w)
	c.Write(slices.Concat(inputColumns, []string{"start_seconds", "end_seconds", "worker", "database", "table", "kind", "outcome", "reason", "wraparound", "failsafe", "removed", "cost",
		"index_scans", "dead_item_bytes", "hits", "reads", "dirtied", "wal_records", "wal_images", "wal_bytes"}))
	for _, e := range r.Events {
		kind := "analyze"
		if e.Vacuum {
			kind = "vacuum"
		}
		u := e.Usage()
		peak, _ := e.DeadBytes()
		c.Write(append(in.columns(), decimal(e.Start.Seconds()), decimal(e.At.Seconds()), itoa(e.Worker), e.Database, e.Table, kind, string(cmp.Or(e.Outcome, "done")), e.Reason,
			strconv.FormatBool(e.Wraparound), strconv.FormatBool(e.Failsafe), decimal(math.Round(e.Removed)), decimal(math.Round(e.Cost())),
			itoa(e.IndexScans()), strconv.FormatInt(peak, 10), wholeNumber(u.Hits), wholeNumber(u.Reads), wholeNumber(u.Dirtied), wholeNumber(u.Records), wholeNumber(u.Images), wholeNumber(u.WALBytes)))
	}
	c.Flush()
	return c.Error()
}

// wholeNumber is a number without its fraction.
func wholeNumber(x float64) string { return strconv.FormatInt(int64(math.Round(x)), 10) }

// workersCSV is a row for each worker: where it was, what it did, and what its
// time went into.
func workersCSV(w io.Writer, in runInputs, r *scheduler.RunResult) error {
	c := csv.NewWriter(w)
	columns := slices.Concat(inputColumns, []string{"worker", "database", "end_seconds", "autovacuum_count", "autoanalyze_count"})
	for _, s := range scheduler.Shares() {
		columns = append(columns, strings.TrimSuffix(s.Column, "_share")+"_seconds")
	}
	c.Write(columns)
	for _, x := range r.Workers {
		row := append(in.columns(), itoa(x.Number), x.Database, decimal(x.End.Seconds()), itoa(x.Vacuums), itoa(x.Analyzes))
		for _, s := range scheduler.Shares() {
			row = append(row, decimal(x.Time[s.Activity].Seconds()))
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}
