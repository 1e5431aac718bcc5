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
func planned(st study.Study) []string {
	return slices.Concat([]string{"point"}, st.PlaceColumns(), []string{"shard", "seconds"})
}

// printPlan lists the points, with an estimate of what each costs, and what all
// of them do.
func (f *sweepFlags) printPlan(c *cobra.Command, st study.Study, g *study.Grid, part shard, o *outputFlags) error {
	if !slices.Contains([]string{"table", "csv", "jsonl"}, o.formats[0]) || len(o.formats) > 1 {
		return usagef("--format %s: --plan is printed as table, csv or jsonl", strings.Join(o.formats, ","))
	}
	if g.Size() > mostPoints && !f.many {
		return f.planMany(c, st, g, o)
	}
	out := planRows(c.OutOrStdout(), o.formats[0], planned(st))
	shares := experiment.NewShares(part.of)
	var mine study.Survey
	all, err := f.survey(st, g, func(p study.GridPoint, cost time.Duration) error {
		number := shares.Next(float64(cost)) + 1
		if number != part.number {
			return nil
		}
		mine.Points++
		mine.Cost += cost
		return out.Row(planRow(st, p, fmt.Sprintf("%d/%d", number, part.of), cost*time.Duration(st.All().Replications)), nil)
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

func planRows(w io.Writer, format string, columns []string) rowWriter {
	if format == "table" {
		return &planTable{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), columns, 0}
	}
	return openRows(w, format, columns)
}

// planTable writes rows in blocks, so that those of a large grid need not be held.
type planTable struct {
	out     *tabwriter.Writer
	columns []string
	rows    int
}

// planBlock is the number of rows that are aligned with each other.
const planBlock = 1000

func (p *planTable) Row(row []string, _ []experiment.Samples) error {
	if p.rows%planBlock == 0 {
		if err := p.Close(); err != nil {
			return err
		}
		fmt.Fprintln(p.out, strings.Join(p.columns, "\t")+"\t")
	}
	p.rows++
	_, err := fmt.Fprintln(p.out, strings.Join(row, "\t")+"\t")
	return err
}

func (p *planTable) Close() error { return p.out.Flush() }

func planRow(st study.Study, p study.GridPoint, part string, cost time.Duration) []string {
	return slices.Concat([]string{itoa(p.Index + 1)}, st.Place(p.Point), []string{part, fmt.Sprintf("%.3g", cost.Seconds())})
}

// planSampled is how many points of a grid of very many are looked at.
const planSampled = 100_000

// planMany tells number and cost of a grid that has too many points to list, from some
// that are drawn from it.
func (f *sweepFlags) planMany(c *cobra.Command, st study.Study, g *study.Grid, o *outputFlags) error {
	s, err := study.Guess(c.Context(), st, g, planSampled)
	if err != nil {
		return f.ofPoint(err)
	}
	last := c.ErrOrStderr()
	if o.formats[0] == "table" {
		last = c.OutOrStdout()
	}
	if names := swept(g); len(names) > 0 {
		fmt.Fprintf(last, "axes: %s\n", strings.Join(names, ", "))
	}
	about := ""
	if f.where != "" {
		about = "about "
	}
	if s.Kept == 0 {
		fmt.Fprintf(last, "all: %s points; --where holds for none of %s drawn from them\n", manyPoints(g.Size()), thousands(s.Drawn))
		return nil
	}
	all := s.Points * s.Cost.Seconds() * float64(st.All().Replications)
	fmt.Fprintf(last, "all: %s%s points, %s%s runs, about %s of processor time; with %s about %s\n", about, manyPoints(s.Points), atLeast(st), manyPoints(s.Points*float64(st.All().Replications)),
		roughly(all), plural(jobsOf(o.jobs), "job"), roughly(all/float64(jobsOf(o.jobs))))
	fmt.Fprintf(last, "found by %s points drawn at random; too many to list: --where leaves some out, --yes lists and runs up to %s\n", thousands(s.Drawn), thousands(experiment.MostPoints))
	fmt.Fprintln(last, estimateError)
	return nil
}

// estimateError is what can be said of an estimate.
const estimateError = "of a contest nine points in ten take between a third of their estimate and three times as long; of a run up to thirty times as long, where tables are large or hot"

func jobsOf(jobs int) int {
	if jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

// tellPlan tells number and cost of all points, and of the shard.
func tellPlan(w io.Writer, st study.Study, g *study.Grid, part shard, all, mine study.Survey, jobs int) {
	jobs = jobsOf(jobs)
	c := st.All()
	tell := func(what string, s study.Survey) {
		runs := s.Points * c.Replications
		cost := s.Cost.Seconds() * float64(c.Replications)
		fmt.Fprintf(w, "%s: %s, %s%s, about %s of processor time", what, plural(s.Points, "point"), atLeast(st), plural(runs, "run"), roughly(cost))
		fmt.Fprintf(w, "; with %s about %s\n", plural(jobs, "job"), roughly(cost/float64(min(jobs, max(runs, 1)))))
	}
	if names := swept(g); len(names) > 0 {
		fmt.Fprintf(w, "axes: %s\n", strings.Join(names, ", "))
	}
	tell("all", all)
	if part.of > 1 {
		tell(fmt.Sprintf("shard %d/%d", part.number, part.of), mine)
	}
	if c.Until != nil {
		fmt.Fprintf(w, "precision %s: from %d to %s a point\n", share(c.Until.Precision), c.Until.Least, plural(c.Until.Most, "replication"))
	}
	fmt.Fprintf(w, "inputs %s; %s\n", all.Hash, estimateError)
}

func atLeast(st study.Study) string {
	if st.All().Until != nil {
		return "at least "
	}
	return ""
}

// roughly is a time with two digits.
func roughly(seconds float64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%.2g s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	case seconds < 2*365*86400:
		return fmt.Sprintf("%.0f days", seconds/86400)
	}
	return fmt.Sprintf("%.3g years", seconds/365/86400)
}
