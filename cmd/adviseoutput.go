package cmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"avsim/scheduler"
	"avsim/scheduler/advise"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// adviseOutput is what a search found and what it came from.
type adviseOutput struct {
	sc      *scenario.Run
	cfg     scheduler.RunConfig
	problem *advise.Problem
	advice  *advise.Advice
	in      runInputs
}

func (f *adviseFlags) print(w io.Writer, o *adviseOutput) error {
	if f.out.format == "json" {
		return o.json(w)
	}
	return o.text(w)
}

// answer is the best point or, where there is none, the nearest.
func (o *adviseOutput) answer() *advise.Outcome {
	if o.advice.Best != nil {
		return o.advice.Best
	}
	return o.advice.Nearest
}

func (o *adviseOutput) met() bool { return o.advice.Now.Holds }

// unmet says that nothing was found.
func (o *adviseOutput) unmet() string {
	var terms []string
	for _, t := range o.problem.Objective {
		terms = append(terms, t.Text)
	}
	return strings.Join(terms, " and ")
}

// valueText is a figure with its unit.
func valueText(t advise.Term, x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case advise.IsTime(t.Figure):
		return inTime(x)
	case advise.IsShare(t.Figure):
		return figure(100*x) + " %"
	}
	return figure(x)
}

// inTime writes seconds to three digits or so.
func inTime(seconds float64) string {
	d := time.Duration(seconds * 1e9)
	switch {
	case d >= time.Hour:
		return d.Round(time.Minute).String()
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// measured is a term's mean with half the width of its interval.
func measured(m advise.Measured) string {
	text := valueText(m.Term, m.Interval.Mean)
	if m.Interval.Known() {
		text += " ± " + valueText(m.Term, (m.Interval.Hi-m.Interval.Lo)/2)
	}
	return text
}

func holdsText(holds bool) string {
	if holds {
		return "holds"
	}
	return "misses"
}

// budgetText is an I/O budget in cost units a second.
func budgetText(rate float64) string {
	if rate == 0 {
		return "no limit"
	}
	return figure(rate) + " units/s"
}

// pageMB is a page in the megabytes of PostgreSQL's log, 2^20 bytes.
const pageMB = 8192.0 / (1 << 20)

// mbPerSecond is what a budget allows to be read where no page is in shared buffers, and
// to be dirtied; NaN for no limit or a page that costs nothing.
func (o *adviseOutput) mbPerSecond(rate float64) (reads, dirtied float64) {
	of := func(name string) float64 {
		if cost := o.cfg.Settings.Float(name); rate > 0 && cost > 0 {
			return rate / cost * pageMB
		}
		return math.NaN()
	}
	return of("vacuum_cost_page_miss"), of("vacuum_cost_page_dirty")
}

func (o *adviseOutput) text(w io.Writer) error {
	a := o.advice
	fmt.Fprintf(w, "%s: %s\n%s simulated, PostgreSQL %v (%s), %s; %s of each point that may be the answer, seeds from %d; %s in all\n\n",
		o.sc.Name, o.sc.Title, o.cfg.For, o.cfg.Settings.Version(), o.cfg.Strategy.Name, o.cfg.Host.Name,
		plural(o.problem.Replications, "replication"), o.problem.Seed, plural(a.Runs, "run"))
	fmt.Fprintln(w, o.headline())
	if err := o.beforeAndAfter(w); err != nil {
		return err
	}
	if a.Best == nil {
		o.inTheWay(w)
	} else {
		o.changesText(w)
		o.cheaperText(w)
		if err := o.frontText(w); err != nil {
			return err
		}
	}
	if err := o.aloneText(w); err != nil {
		return err
	}
	if list := o.statements(); len(list) > 0 {
		fmt.Fprintf(w, "\nFor psql:\n\n%s\n", strings.Join(list, "\n"))
	}
	return nil
}

// headline is the answer in one sentence.
func (o *adviseOutput) headline() string {
	a := o.advice
	objective := o.unmet()
	switch {
	case a.Best == nil && a.Cut != nil:
		return fmt.Sprintf("Nothing that meets %s was found until the search ended.", objective)
	case a.Best == nil:
		return fmt.Sprintf("Nothing within the bounds meets %s.", objective)
	case o.met() && len(a.Best.Changes) == 0:
		return fmt.Sprintf("%s is met already: nothing has to be changed, and nothing cheaper meets it.", objective)
	case o.met():
		return fmt.Sprintf("%s is met already: nothing has to be changed. The cheapest of the values tried that still meets it:", objective)
	case a.Cut != nil:
		return fmt.Sprintf("%s is not met now. The cheapest that meets it of what was tried until the search ended:", objective)
	}
	return fmt.Sprintf("%s is not met now. The cheapest of the values tried that meets it:", objective)
}

// beforeAndAfter is a table of what is now and what would be.
func (o *adviseOutput) beforeAndAfter(w io.Writer) error {
	a, now, then := o.advice, o.advice.Now, o.answer()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	name := "found"
	if a.Best == nil {
		name = "nearest"
	}
	fmt.Fprintf(t, "\tnow\t%s\t\n", name)
	row := func(what, x, y string) { fmt.Fprintf(t, "%s\t%s\t%s\t\n", what, x, y) }
	for i, m := range now.Measured {
		x, y := m, then.Measured[i]
		row(x.Term.Text, measured(x)+", "+holdsText(x.Holds), measured(y)+", "+holdsText(y.Holds))
	}
	row("worker slots", itoa(now.Slots), itoa(then.Slots))
	row("I/O budget", budgetText(now.Rate), budgetText(then.Rate))
	mb := func(rate float64) (string, string) {
		reads, dirtied := o.mbPerSecond(rate)
		return figure(reads) + " MB/s", figure(dirtied) + " MB/s"
	}
	r1, d1 := mb(now.Rate)
	r2, d2 := mb(then.Rate)
	row("which is read, at most", r1, r2)
	row("or dirtied, at most", d1, d2)
	row("spent of it", figure(now.Spent)+" units/s", figure(then.Spent)+" units/s")
	row("what binds", string(now.Verdict.Constraint), string(then.Verdict.Constraint))
	return t.Flush()
}

func (o *adviseOutput) changesText(w io.Writer) {
	if len(o.advice.Best.Changes) == 0 {
		return
	}
	fmt.Fprintln(w, "\nChanges:")
	for _, c := range o.advice.Best.Changes {
		note := ""
		if c.Restart {
			note = "  (needs a restart of the server)"
		}
		fmt.Fprintf(w, "  %s from %s to %s%s\n", changeName(c), c.From, c.Value, note)
	}
	o.lowered(w)
}

// lowered tells of capacity that the answer takes away.
func (o *adviseOutput) lowered(w io.Writer) {
	now, then := o.advice.Now, o.advice.Best
	if then.Slots < now.Slots {
		fmt.Fprintf(w, "  With fewer workers a long vacuum holds up the other tables; --free ...,autovacuum_max_workers=%d.. keeps those that there are.\n", now.Slots)
	}
}

func changeName(c advise.Change) string {
	if c.Table == "" {
		return c.Name
	}
	return fmt.Sprintf("%s of %s.%s", c.Name, c.Database, c.Table)
}

// cheaperText is what one step cheaper does.
func (o *adviseOutput) cheaperText(w io.Writer) {
	a := o.advice
	switch {
	case !a.Final:
		fmt.Fprintln(w, "\nWhether one step cheaper meets it too was not found out until the search ended.")
		return
	case len(a.Cheaper) == 0:
		if a.Kept {
			fmt.Fprintln(w, "\nThere is nothing cheaper within the bounds that does not take away what there is now (--give-back does).")
		} else {
			fmt.Fprintln(w, "\nThere is nothing cheaper within the bounds.")
		}
		return
	}
	fmt.Fprintln(w, "\nOne step cheaper, or nearer to what is now:")
	for _, s := range a.Cheaper {
		fmt.Fprintf(w, "  %s: %s\n", stepName(s), missed(s.Outcome))
	}
}

// stepName is what a step changes.
func stepName(s advise.Step) string {
	return fmt.Sprintf("%s %s instead of %s", s.Dimension, s.To, s.From)
}

// missed tells which terms a point misses, by what.
func missed(o *advise.Outcome) string {
	var parts []string
	for _, m := range o.Measured {
		if !m.Holds {
			by := "misses " + m.Term.Text
			if !m.Missed() {
				by += " at the end of its interval alone"
			}
			parts = append(parts, fmt.Sprintf("%s (%s)", by, measured(m)))
		}
	}
	if len(parts) == 0 {
		return "meets it"
	}
	return strings.Join(parts, ", ")
}

// frontText is the front as a table.
func (o *adviseOutput) frontText(w io.Writer) error {
	fmt.Fprintln(w, "\nThe least I/O budget by worker slots, of what meets it:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "slots\tbudget, units/s\tread, MB/s\tspent, units/s\t")
	for _, m := range o.problem.Objective {
		fmt.Fprintf(t, "%s\t", m.Text)
	}
	fmt.Fprintln(t, "what else is changed\t")
	less := false
	for _, p := range o.advice.Front {
		less = less || p.Price < o.advice.Best.Price
		reads, _ := o.mbPerSecond(p.Rate)
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t", p.Slots, strings.TrimSuffix(budgetText(p.Rate), " units/s"), figure(reads), figure(p.Spent))
		for _, m := range p.Measured {
			fmt.Fprintf(t, "%s\t", measured(m))
		}
		fmt.Fprintf(t, "%s\t\n", o.otherChanges(p))
	}
	if err := t.Flush(); err != nil || !less {
		return err
	}
	_, err := fmt.Fprintln(w, "Fewer slots or less budget than now are not proposed (--give-back does).")
	return err
}

// otherChanges are those beyond budget and slots.
func (o *adviseOutput) otherChanges(p *advise.Outcome) string {
	var parts []string
	for i, d := range o.advice.Space {
		if d.Kind == advise.Other && p.Point[i] != d.Now {
			parts = append(parts, d.Name+" "+d.Levels[p.Point[i]].Text)
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// aloneText is what each single change does.
func (o *adviseOutput) aloneText(w io.Writer) error {
	if len(o.advice.Alone) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nEach change alone, and of the others the most that the bounds allow (one replication where no interval stands):")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, m := range o.problem.Objective {
		fmt.Fprintf(t, "\t%s", m.Text)
	}
	fmt.Fprint(t, "\tspent, units/s\t\n")
	for _, s := range o.advice.Alone {
		fmt.Fprintf(t, "%s from %s to %s\t", s.Dimension, s.From, s.To)
		for _, m := range s.Measured {
			fmt.Fprintf(t, "%s, %s\t", measured(m), holdsText(m.Holds))
		}
		fmt.Fprintf(t, "%s\t\n", figure(s.Spent))
	}
	return t.Flush()
}

// inTheWay tells what stands in the way of the objective.
func (o *adviseOutput) inTheWay(w io.Writer) {
	n := o.advice.Nearest
	fmt.Fprintf(w, "\nIn the way: %s.\n", o.obstacle())
	var at []string
	for _, c := range n.Changes {
		at = append(at, changeName(c)+"="+c.Value)
	}
	if len(at) > 0 {
		fmt.Fprintf(w, "Nearest comes %s.\n", strings.Join(at, ", "))
	}
}

// obstacle is the constraint at the nearest point, in words.
func (o *adviseOutput) obstacle() string {
	n := o.advice.Nearest
	text := inWords(n.Verdict)
	if n.Verdict.Constraint != scheduler.Unbound {
		return text
	}
	for _, m := range n.Measured {
		switch {
		case m.Holds:
		case strings.HasPrefix(m.Term.Figure, "lateness_"):
			return text + "; what is left of lateness is the time between two visits to a database, autovacuum_naptime, and a worker's start"
		case strings.HasPrefix(m.Term.Figure, "dead_"):
			return text + "; what is left of dead rows is below the thresholds at which tables come due"
		}
	}
	return text
}

// statements are those of the best point.
func (o *adviseOutput) statements() []string {
	if o.advice.Best == nil {
		return nil
	}
	if o.met() && slices.ContainsFunc(o.advice.Now.Measured, tooFew) { // nothing to go by for giving anything back
		return nil
	}
	list := o.advice.Best.Statements(o.cfg.Settings.Version())
	if o.met() && len(list) > 0 {
		list = slices.Insert(list, 0, "-- nothing has to be changed: this gives back what is not needed")
	}
	return list
}

// front is what the figure of the front shows: a row for each point of the front, each
// step down from the best, and what is now.
func (o *adviseOutput) front() *experiment.Table {
	t := &experiment.Table{Columns: []string{"model_version", "input_hash", "seed", "replications", "scenario", "pg_version", "objective", "point", "worker_slots",
		"io_budget_units_per_s", "read_mb_per_s", "spent_units_per_s", "holds", "changes"}}
	for _, term := range o.problem.Objective {
		t.Columns = append(t.Columns, term.Text)
	}
	add := func(point string, p *advise.Outcome) {
		reads, _ := o.mbPerSecond(p.Rate)
		var changes []string
		for _, c := range p.Changes {
			changes = append(changes, changeName(c)+"="+c.Value)
		}
		row := append(o.in.columns(), itoa(p.Replications), o.sc.Name, o.in.PG, o.unmet(), point, itoa(p.Slots), decimal(p.Rate), decimal(reads), decimal(p.Spent), strconv.FormatBool(p.Holds), strings.Join(changes, "; "))
		for _, m := range p.Measured {
			row = append(row, decimal(m.Interval.Mean))
		}
		t.AppendRow(row...)
	}
	add("now", o.advice.Now)
	if o.advice.Best != nil {
		add("found", o.advice.Best)
	}
	for _, p := range o.advice.Front {
		if p != o.advice.Best {
			add("front", p)
		}
	}
	for _, s := range o.advice.Cheaper {
		add("cheaper", s.Outcome)
	}
	if o.advice.Best == nil {
		add("nearest", o.advice.Nearest)
	}
	return t
}

// cutText is why a search ended early, empty for one that is complete.
func cutText(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, advise.ErrBudget):
		return "budget"
	}
	return "interrupted"
}
