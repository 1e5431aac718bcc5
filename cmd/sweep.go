package cmd

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// sweepFlags are those of sweep.
type sweepFlags struct {
	pointFlags
	plan   bool
	resume bool
	shard  string
}

func newSweep() *cobra.Command {
	var f sweepFlags
	var o outputFlags
	c := &cobra.Command{
		Use:   "sweep [SCENARIO]",
		Short: "A grid of tables, workers, strategies and settings: CSV and figures",
		Long: `sweep measures every point of a grid. With -o DIR it writes

  sweep.csv        a row per point
  throughput.png   throughput against tables (or the axis that is swept)
  workers.png      throughput against workers
  time.png         what the workers do with their time

or, of a scenario of 'avsim run', which is run over its hours or days at every point,

  sweep.csv        a row per point: vacuums, lateness, dead rows, busy workers, verdict
  lateness.png     how late workers come to tables, against the axis that is swept
  dead.png         the share of rows that are dead
  busy.png         workers at work on average
  time.png         what the workers do with their time

and each figure's data beside it (throughput.csv and so on); --format adds
sweep.jsonl, sweep.parquet, sweep.json or sweep.bench.txt. Without -o the rows go
to standard output as they are finished, in their order.

AXES. A list or range makes an axis: of tables, workers, cpus and due shares, of
versions, strategies, hosts, kinds of start, of any setting (--set a=1,2), figure
of the host (--host-set) and single choice (--choice); of a scenario of run also of
any field of its file (--set 'databases[0].tables[orders].rows=1000,2000'), of its
variants and its length (--for). --set takes every axis by its name. --zip lets axes go in
step, --where keeps the points for which a condition holds. Its names are those
of the axes, with _ for a point (host_cold_after): numbers, times in seconds,
sizes in bytes, pg as 9.5 or 13, and texts such as strategy. A sweep file (-f)
holds all of it; docs/sweep.md is its manual. --plan tells the points and what
they may cost, and runs nothing.

REPLICATIONS. A replication of a scenario of run is what 'avsim run' gives with the
next seed. The strategies at one place of the grid see the same random
numbers, so their differences and ratios to the first (ratio_to_first and
difference_to_first_per_s) are taken in pairs. --precision adds replications to a
point until half its 95 % interval is narrow enough, looking after the least
number (10, or --replications) and whenever half as many have been added, up to
--max-replications.

STOPPING AND GOING ON. With -o each point is kept in DIR/sweep.journal as soon as
it is finished. --resume goes on from there, whatever ended the sweep before; the
files are the same as without the interruption.

MORE THAN ONE MACHINE. --shard 3/8 runs the third of eight parts, of about equal
cost, and writes DIR/sweep.3-of-8.journal; 'avsim merge' makes the files of all
parts. --shard auto takes the part from the environment of an array job: of Slurm
(SLURM_ARRAY_TASK_ID), Kubernetes (JOB_COMPLETION_INDEX, and the number of tasks
as auto/8 or JOB_COMPLETION_COUNT) or AWS Batch (AWS_BATCH_JOB_ARRAY_INDEX and
_SIZE).`,
		Example: `  avsim sweep -o out
  avsim sweep --tables 1000..100000/log10x3 --workers 1,10 -o out
  avsim sweep --tables 10000 --workers 10 --cpus 1..16 --format csv
  avsim sweep --tables 10000 --set autovacuum_naptime=5s,15s,60s --start natural -o out
  avsim sweep --workers 1,4,16 --cpus 2,8,32 --zip workers,cpus --host-set cold_after=1ms..9ms/+2
  avsim sweep --workers 1..100/1-2-5 --cpus 1..64/log2x1 --where 'workers <= cpus*8' --plan
  avsim sweep onap-cps --set autovacuum_naptime=5s,15s,60s -o out
  avsim sweep onap-cps --set version=13,14 --set 'databases[cpsdb].tables[fragment].fillfactor=70,100'
  avsim sweep pg16-vs-pg17 --pg 16,17 --set maintenance_work_mem=64MB,256MB,1GB -o out
  avsim sweep -f sweep.yaml --precision 5% --resume -o out
  avsim sweep -f sweep.yaml --shard 3/8 -o out`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("sweep takes one scenario, got %d (see 'avsim scenarios list')", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(scenario.KindMeasure, scenario.KindRun), cobra.ShellCompDirectiveDefault
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if c.Flags().Changed("scenario") {
					return usagef("%s: --scenario %s is given too: give one of them", args[0], f.scenario)
				}
				if err := c.Flags().Set("scenario", args[0]); err != nil {
					return usageError{err}
				}
			}
			return sweep(c, &f, &o)
		},
	}
	fs := c.Flags()
	f.registerGrid(fs)
	fs.BoolVar(&f.plan, "plan", false, "list the points and an estimate of their cost, and run nothing")
	fs.BoolVar(&f.resume, "resume", false, "go on with what an interrupted sweep left in the folder of -o")
	fs.StringVar(&f.shard, "shard", "", "run one of several parts: i/n, auto or auto/n")
	o.registerRows(fs, "folder to write sweep.csv and the figures to")
	return c
}

// job is a sweep that is about to be run.
type job struct {
	study  study.Study
	grid   *study.Grid
	survey study.Survey // of the whole sweep
	shard  shard
	cost   study.Survey // of the shard: points and cost
	header experiment.JournalHeader
	axes   []study.Axis // those with columns
}

func sweep(c *cobra.Command, f *sweepFlags, o *outputFlags) error {
	if err := o.checkRows(c.Flags()); err != nil {
		return err
	}
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if err := f.readFile(c.Flags()); err != nil {
		return err
	}
	st, g, err := f.subject(c.Flags())
	if err != nil {
		return err
	}
	part, err := f.check(o)
	if err != nil {
		return err
	}
	if f.plan {
		return f.printPlan(c, st, g, part, o)
	}
	if err := f.checkSize(g); err != nil {
		return err
	}
	j, err := f.prepare(st, g, part)
	if err != nil {
		return err
	}
	if o.out == "" {
		return j.stream(c, &f.pointFlags, o)
	}
	return j.keep(c, f, o)
}

// subject is what the flags come to: a study, and the grid of its points.
func (f *sweepFlags) subject(fs *pflag.FlagSet) (study.Study, *study.Grid, error) {
	if err := f.routeSets(fs); err != nil {
		return nil, nil, err
	}
	if !f.isContest() {
		return typed(f.runs(fs))
	}
	for _, x := range []struct{ flag, value string }{{"for", f.lasting}, {"variant", f.variant}} {
		if x.value != "" {
			return nil, nil, f.fail(x.flag, "", ": ", fmt.Errorf("is for scenarios of run, not for %s", f.scenario))
		}
	}
	return typed(f.contest(fs, func(s *scenario.Scenario) (string, string) { return s.Sweep.Tables, s.Sweep.Workers }))
}

// typed makes a study of one of its kinds.
func typed[S study.Study](s S, g *study.Grid, err error) (study.Study, *study.Grid, error) {
	return s, g, err
}

// check holds the flags against each other.
func (f *sweepFlags) check(o *outputFlags) (shard, error) {
	part, err := shardOf(f.shard, environment)
	switch {
	case err != nil:
		return part, err
	case f.resume && o.out == "":
		return part, usagef("--resume needs the folder of the interrupted sweep: -o DIR")
	case f.shard != "" && o.out == "" && !f.plan:
		return part, usagef("--shard needs a folder for its part: -o DIR")
	}
	return part, nil
}

// prepare goes through the grid once: hash, number of points, cost, and those
// of the shard.
func (f *sweepFlags) prepare(st study.Study, g *study.Grid, part shard) (*job, error) {
	j := &job{study: st, grid: g, shard: part, axes: g.Columns()}
	shares := experiment.NewShares(part.of)
	mine := fnv.New64a() // which points are the shard's
	var err error
	j.survey, err = f.survey(st, g, func(p study.GridPoint, cost time.Duration) error {
		if shares.Next(float64(cost)) == part.number-1 {
			fmt.Fprintln(mine, p.Index)
			j.cost.Points++
			j.cost.Cost += cost
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	j.header = experiment.JournalHeader{
		Format: experiment.JournalFormat, Model: scheduler.ModelVersion, Inputs: j.survey.Hash,
		Points: j.survey.Points, Shard: part.number, Shards: part.of, Items: j.cost.Points,
		Share: fmt.Sprintf("%016x", mine.Sum64()), Columns: st.Columns(j.axes),
	}
	return j, nil
}

// items are the points of the shard, each with its number there, but for those
// that skip tells of.
func (j *job) items(skip func(item int) bool) iter.Seq2[int, study.GridPoint] {
	return func(yield func(int, study.GridPoint) bool) {
		shares := experiment.NewShares(j.shard.of)
		item := -1
		for p, err := range j.grid.Points() {
			if err != nil {
				panic(err) // the survey made every point
			}
			if shares.Next(float64(j.study.Cost(p.Point))) != j.shard.number-1 {
				continue
			}
			if item++; !skip(item) && !yield(item, p) {
				return
			}
		}
	}
}

// run measures points and hands each result to emit, with its number in the
// shard.
func (j *job) run(c *cobra.Command, o *outputFlags, skip func(int) bool, ordered bool, emit func(experiment.Record) error) error {
	items := map[int]int{} // by point, of those that are under way
	points := func(yield func(study.GridPoint) bool) {
		for item, p := range j.items(skip) {
			if items[p.Index] = item; !yield(p) {
				return
			}
		}
	}
	opts := study.Options{Jobs: o.jobs, Unordered: !ordered, Total: j.cost.Cost, Progress: o.costProgress(c.Context(), c.ErrOrStderr())}
	finished := 0
	return j.study.Measure(c.Context(), points, opts, study.Tabled{Hash: j.survey.Hash, Axes: j.axes}, func(p study.GridPoint, record experiment.Record) error {
		record.Item, record.Point, record.Group, record.First = items[p.Index], p.Index, p.Group, p.First
		delete(items, p.Index)
		if err := emit(record); err != nil {
			return err
		}
		if finished++; afterPoints != nil {
			afterPoints(finished)
		}
		return nil
	})
}

// afterPoints, if a test has set it, sees how many points a sweep has finished.
var afterPoints func(n int)

// none skips nothing.
func none(int) bool { return false }

// stream runs a sweep whose rows go to standard output, each as soon as it and
// all before it are finished.
func (j *job) stream(c *cobra.Command, f *pointFlags, o *outputFlags) error {
	out := openRows(c.OutOrStdout(), o.formats[0], j.header.Columns)
	w := warningsOf(j.study)
	var pairs study.Pairing
	err := j.run(c, o, none, true, func(r experiment.Record) error {
		r.Row = append(r.Row, pairs.Fields(r.Group, r.First, r.Samples)...)
		w.see(j.header.Columns, r.Row)
		if err := out.Row(r.Row, r.Samples); err != nil || !slices.Contains(lineFormats, o.formats[0]) {
			return err
		}
		return out.Close()
	})
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return interrupted(err, w.points, j.survey.Points, "printed")
	}
	w.say(c.ErrOrStderr(), o.quiet, f.idle())
	return nil
}

// paired completes the rows with the columns that compare them.
func paired(records iter.Seq2[experiment.Record, error]) iter.Seq2[experiment.Record, error] {
	return func(yield func(experiment.Record, error) bool) {
		var pairs study.Pairing
		for r, err := range records {
			if err == nil {
				r.Row = slices.Concat(r.Row, pairs.Fields(r.Group, r.First, r.Samples))
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// interrupted tells what is kept of a run that was ended early. Other errors it
// returns as they are.
func interrupted(err error, done, total int, kept string) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	if total == 1 {
		return fmt.Errorf("interrupted, %s: %w", kept, context.Canceled)
	}
	return fmt.Errorf("interrupted with %s of %s finished, %s: %w", thousands(done), plural(total, "point"), kept, context.Canceled)
}
