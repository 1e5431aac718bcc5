package cmd

import (
	"fmt"
	"strings"

	"avsim/scheduler"
	"avsim/scheduler/expect"
	"avsim/workload/scenario"
)

// exitUnmet is for an expectation of a scenario that is not met.
const exitUnmet = 3

// unmetError is a list of expectations that are not met.
type unmetError struct{ unmet []string }

func (e unmetError) Error() string { return "expected, but not so: " + strings.Join(e.unmet, "; ") }

// readExpectations reads what a scenario expects, before it is run.
func readExpectations(sc *scenario.Run) (out []expect.Expectation, err error) {
	for i, text := range sc.Expect {
		e, err := expect.Parse(text)
		if err != nil {
			return nil, inputError{fmt.Errorf("%s: expect: %w", sc.Where(fmt.Sprintf("expect[%d]", i)), err)}
		}
		out = append(out, e)
	}
	return out, nil
}

// checkExpectations holds a result to what the scenario expects.
func checkExpectations(sc *scenario.Run, list []expect.Expectation, r *scheduler.RunResult) error {
	figures := figuresOf(r)
	var unmet []string
	for i, e := range list {
		holds, found, err := e.Check(figures)
		switch {
		case err != nil:
			return inputError{fmt.Errorf("%s: expect: %w", sc.Where(fmt.Sprintf("expect[%d]", i)), err)}
		case !holds:
			unmet = append(unmet, fmt.Sprintf("%s (it is %s)", e, found))
		}
	}
	if len(unmet) > 0 {
		return unmetError{unmet}
	}
	return nil
}

// figuresOf are the results that expectations can be about.
func figuresOf(r *scheduler.RunResult) expect.Figures {
	f := expect.Figures{
		Summary: map[string]float64{
			"avg_autovacuum_workers":                 r.AverageWorkers(),
			"total_autovacuum_count":                 float64(r.Vacuums),
			"total_autoanalyze_count":                float64(r.Analyzes),
			"total_anti_wraparound_autovacuum_count": float64(r.Wraparound),
		},
		Tables:  map[string]map[string]float64{},
		Verdict: string(r.Verdict.Constraint),
	}
	for _, t := range r.Tables {
		f.Tables[t.Database+"."+t.Name] = map[string]float64{
			"autovacuum_count": float64(t.Vacuums), "autoanalyze_count": float64(t.Analyzes),
			"anti_wraparound_count": float64(t.Wraparound), "dead_tuples_end": t.DeadTold, "dead_rows_end": t.DeadRows,
			"live_rows_end": t.LiveRows, "dead_tuples_peak": t.DeadPeak,
			"lateness_mean_seconds": t.LatenessMean(), "lateness_p99_seconds": t.LatenessP99(),
		}
	}
	return f
}
