package cmd

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler/study"
	"avsim/sim/experiment"
)

// planned are the columns of --plan.
var planned = []string{"point", "tables", "workers", "cpus", "due_share", "start", "host", "pg", "settings", "strategy", "shard", "seconds"}

// printPlan lists the points, with an estimate of what each costs, and what all
// of them do.
func (f *sweepFlags) printPlan(c *cobra.Command, st study.Study, g *study.Grid, part shard, o *outputFlags) error {
	if !slices.Contains([]string{"table", "csv", "jsonl"}, o.formats[0]) || len(o.formats) > 1 {
		return usagef("--format %s: --plan is printed as table, csv or jsonl", strings.Join(o.formats, ","))
	}
	out := planRows(c.OutOrStdout(), o.formats[0])
	shares := experiment.NewShares(part.of)
	var mine study.Survey
	all, err := f.survey(st, g, func(p study.GridPoint, cost time.Duration) error {
		number := shares.Next(float64(cost)) + 1
		if number != part.number {
			return nil
		}
		mine.Points++
		mine.Cost += cost
		return out.Row(planRow(p, fmt.Sprintf("%d/%d", number, part.of), cost*time.Duration(st.Replications)), nil)
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	last := c.ErrOrStderr()
	if o.formats[0] == "table" {
		last = c.OutOrStdout()
	}
	tellPlan(last, st, g, part, all, mine, o.jobs)
	return nil
}

func planRows(w io.Writer, format string) rowWriter {
	if format == "table" {
		return &planTable{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), 0}
	}
	return openRows(w, format, planned)
}

// planTable writes rows in blocks, so that those of a large grid need not be held.
type planTable struct {
	out  *tabwriter.Writer
	rows int
}

// planBlock is the number of rows that are aligned with each other.
const planBlock = 1000

func (p *planTable) Row(row []string, _ []float64) error {
	if p.rows%planBlock == 0 {
		if err := p.Close(); err != nil {
			return err
		}
		fmt.Fprintln(p.out, strings.Join(planned, "\t")+"\t")
	}
	p.rows++
	_, err := fmt.Fprintln(p.out, strings.Join(row, "\t")+"\t")
	return err
}

func (p *planTable) Close() error { return p.out.Flush() }

func planRow(p study.GridPoint, part string, cost time.Duration) []string {
	return []string{
		itoa(p.Index + 1), itoa(p.Tables), itoa(p.Workers), itoa(p.Host.Cores), fmt.Sprint(p.DueShare), string(p.Start),
		p.Host.Name, p.PG.String(), strings.Join(p.Departures(), " "), p.Strategy.Name, part, fmt.Sprintf("%.3g", cost.Seconds()),
	}
}

// tellPlan tells number and cost of all points, and of the shard.
func tellPlan(w io.Writer, st study.Study, g *study.Grid, part shard, all, mine study.Survey, jobs int) {
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	tell := func(what string, s study.Survey) {
		runs := s.Points * st.Replications
		cost := s.Cost * time.Duration(st.Replications)
		fmt.Fprintf(w, "%s: %s, %s%s, about %s of processor time", what, plural(s.Points, "point"), atLeast(st), plural(runs, "run"), roughly(cost))
		fmt.Fprintf(w, "; with %s about %s\n", plural(jobs, "job"), roughly(cost/time.Duration(min(jobs, max(runs, 1)))))
	}
	if names := swept(g); len(names) > 0 {
		fmt.Fprintf(w, "axes: %s\n", strings.Join(names, ", "))
	}
	tell("all", all)
	if part.of > 1 {
		tell(fmt.Sprintf("shard %d/%d", part.number, part.of), mine)
	}
	if st.Until != nil {
		fmt.Fprintf(w, "precision %s: from %d to %s a point\n", share(st.Until.Precision), st.Until.Least, plural(st.Until.Most, "replication"))
	}
	fmt.Fprintf(w, "inputs %s; the estimate may be off by a factor of three\n", all.Hash)
}

func atLeast(st study.Study) string {
	if st.Until != nil {
		return "at least "
	}
	return ""
}

// roughly is a time with two digits.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.2g s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}
