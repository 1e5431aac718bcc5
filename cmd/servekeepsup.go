package cmd

import (
	"fmt"
	"math"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/workload/guc"
)

// Autovacuum keeps up where workers come in time: a visit is made each autovacuum_naptime,
// so that the wait for one is a naptime at most. A naptime below a minute, PostgreSQL's
// default, is held to a minute.
const (
	keepsUpWithin = 2  // naptimes, of the 99th percentile of lateness
	barelyWithin  = 10 // the same
	leastNaptime  = time.Minute
	fewWaiting    = 0.01 // of the tables may wait longer at the end
)

// keepsUp answers the question of the page by the figures of a run: Yes, Barely or No, and
// by what. docs/serve.md tells the rule.
func keepsUp(r *scheduler.RunResult, s guc.Settings) string {
	switch {
	case isOff(s.Overrides()):
		return "No: autovacuum is off."
	case r.Verdict.Constraint == scheduler.BoundByWraparound && r.Halted > 0:
		return "No: clients had to stop."
	case r.Verdict.Constraint == scheduler.BoundByHorizon:
		return "No: workers come, but most visits leave more dead rows than they remove."
	}
	naptime := max(s.Duration("autovacuum_naptime"), leastNaptime).Seconds()
	waiting, longest := waitingLong(r, barelyWithin*naptime)
	if waiting > 0 && float64(waiting) > fewWaiting*float64(r.Tables.Len()) {
		verb := "have"
		if waiting == 1 {
			verb = "has"
		}
		return fmt.Sprintf("No: at the end %s %s been due without a worker for more than %s, up to %s.", plural(waiting, "table"), verb, inTime(barelyWithin*naptime), inTime(longest))
	}
	late := summaryJSON(r).LatenessP99
	switch {
	case late == nil:
		return "Yes: no table was due."
	case *late > barelyWithin*naptime:
		return fmt.Sprintf("No: of the visits 1 in 100 comes %s or more after its table is due.", inTime(*late))
	case *late > keepsUpWithin*naptime, r.Verdict.Constraint == scheduler.BoundByTableLock:
		return fmt.Sprintf("Barely: of the visits 1 in 100 comes %s or more after its table is due.", inTime(*late))
	}
	return fmt.Sprintf("Yes: 99 of 100 visits come within %s of their table being due.", inTime(*late))
}

// keepsUpRule tells by what the answer was given.
func keepsUpRule(s guc.Settings) string {
	naptime := max(s.Duration("autovacuum_naptime"), leastNaptime).Seconds()
	return fmt.Sprintf("In time is within %s, too late after %s.", inTime(keepsUpWithin*naptime), inTime(barelyWithin*naptime))
}

// whatBinds is the meaning of a run's verdict, beside the answer.
func whatBinds(v scheduler.Verdict, settings []string, answer string) string {
	means := meaningOf(v, settings)
	if rest, free := strings.CutPrefix(means, "Workers have time to spare"); free && !strings.HasPrefix(answer, "Yes") {
		return "On the whole workers have time to spare" + rest
	}
	return upperFirst(strings.TrimPrefix(means, "Autovacuum is off: "))
}

// waitingLong are the tables that are due at the end, for more than so many seconds and
// without a worker, and for how long the longest.
func waitingLong(r *scheduler.RunResult, seconds float64) (n int, longest float64) {
	for _, t := range r.Tables.Visited() {
		if t.Waiting > seconds {
			n++
			longest = math.Max(longest, t.Waiting)
		}
	}
	return n, longest
}
