package cmd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
)

// fewVacuums is the number below which a rate is little more than a guess: its
// own counting error, 1/√n, exceeds a fifth.
const fewVacuums = 25

// warnings are what a reader has to know of a result, gathered from its rows.
type warnings struct {
	until                          *experiment.Sequential
	points                         int
	ranOut, ramp, few, none, wider int
}

func newWarnings(st study.Study) *warnings { return &warnings{until: st.Until} }

// see looks at a row.
func (w *warnings) see(columns, row []string) {
	w.points++
	text := func(name string) string {
		if i := slices.Index(columns, name); i >= 0 {
			return row[i]
		}
		return ""
	}
	float := func(name string) float64 {
		x, err := strconv.ParseFloat(text(name), 64)
		if err != nil {
			return 0
		}
		return x
	}
	vacuums := float("vacuums")
	switch exhausted := scheduler.Exhausted(text("exhausted")); {
	case vacuums == 0:
		w.none++
	case exhausted == scheduler.RampExhausted:
		w.ramp++
	case exhausted == scheduler.TablesExhausted:
		w.ranOut++
	case vacuums < fewVacuums:
		w.few++
	}
	if mean := float("throughput_per_s"); w.until != nil && float("replications") >= float64(w.until.Most) &&
		float("throughput_per_s_hi")-mean > w.until.Precision*mean {
		w.wider++
	}
}

// of sees the results of a study.
func (w *warnings) of(table *experiment.Table) *warnings {
	for _, row := range table.Rows {
		w.see(table.Columns, row)
	}
	return w
}

// say tells what was seen, and which of the settings that were given change
// nothing.
func (w *warnings) say(stderr io.Writer, quiet bool, set []string) {
	if quiet {
		return
	}
	for _, assignment := range set {
		if name, _, _ := strings.Cut(assignment, "="); !scheduler.UsesSetting(strings.TrimSpace(strings.ToLower(name))) {
			fmt.Fprintf(stderr, "avsim: warning: %s changes nothing here: compare and sweep model %s\n", name, scheduler.SettingsUsed())
		}
	}
	say := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(stderr, "avsim: warning: %s %s\n", plural(n, "point"), what)
		}
	}
	say(w.ranOut, "ran out of tables: the rate is that until all were done once (exhausted: yes)")
	say(w.ramp, "ran out of tables before all workers were there: the rate is end to end (exhausted: ramp)")
	say(w.few, fmt.Sprintf("saw fewer than %d vacuums in all replications: the window was too short, take the rate with care", fewVacuums))
	say(w.none, "saw no vacuum: no table exceeded the threshold, or the window was too short")
	if w.until != nil {
		say(w.wider, fmt.Sprintf("did not come to the precision of %s within %s", share(w.until.Precision), plural(w.until.Most, "replication")))
	}
}

// share writes 0.05 as 5 %.
func share(x float64) string { return strconv.FormatFloat(100*x, 'g', 4, 64) + " %" }
