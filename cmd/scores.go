package cmd

import (
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// scoresOf has a run keep the scores of all tables at --scores-at, or at its end.
func (f *runFlags) scoresOf(c *cobra.Command, cfg *scheduler.RunConfig, keep *[]scheduler.TableScores) error {
	if f.scores == "" {
		if c.Flags().Changed("scores-at") {
			return usagef("--scores-at: there is no --scores file to write to")
		}
		return nil
	}
	cfg.ScoresAt = cfg.For - time.Nanosecond
	if f.scoresAt != "" {
		at, err := scenario.ParseRunFor(f.scoresAt)
		if err != nil || at >= cfg.For {
			return usagef("--scores-at %s: accepted is a time from the start with its unit, within the run of %v", f.scoresAt, cfg.For)
		}
		cfg.ScoresAt = at
	}
	cfg.Scores = func(all []scheduler.TableScores) { *keep = all }
	return nil
}

// writeScores writes them as pg_stat_autovacuum_scores shows them, the highest first.
func (f *runFlags) writeScores(in runInputs, at time.Duration, all []scheduler.TableScores) error {
	if f.scores == "" {
		return nil
	}
	t := &experiment.Table{Columns: append(append([]string{}, inputColumns...), "time_seconds", "database", "name", "score", "xid_score", "mxid_score",
		"vacuum_score", "vacuum_insert_score", "analyze_score", "needs_vacuum", "needs_analyze", "for_wraparound",
		"dead_tuples", "inserts_since_vacuum", "mods_since_analyze", "xid_age", "multi_age")}
	yes := strconv.FormatBool
	for _, s := range all {
		t.AppendRow(append(in.columns(), decimal(at.Seconds()), s.Database, s.Name, decimal(s.Scores.Max()), decimal(s.Scores.XID), decimal(s.Scores.MXID),
			decimal(s.Scores.Vacuum), decimal(s.Scores.Insert), decimal(s.Scores.Analyze), yes(s.Vacuum), yes(s.Analyze), yes(s.Forced),
			decimal(s.Dead), decimal(s.Inserted), decimal(s.Modified), strconv.FormatInt(s.XIDAge, 10), strconv.FormatInt(s.MultiAge, 10))...)
	}
	return experiment.WriteFile(f.scores, func(w io.Writer) error { return t.WriteCSV(w) })
}
