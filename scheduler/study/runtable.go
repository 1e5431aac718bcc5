package study

import (
	"math"
	"strconv"
	"strings"

	"avsim/scheduler"
	"avsim/sim"
)

// Columns are those of a result table.
func (s Runs) Columns(axes []Axis) []string {
	columns := []string{"model_version", "input_hash", "seed", "scenario", "variant", "host", "cpus", "pg", "strategy",
		"tables", "workers", "autovacuum_naptime_seconds", "settings", "run_for_seconds", "replications"}
	for _, f := range s.figures() {
		columns = append(columns, f.name)
		if f.interval {
			columns = append(columns, f.name+"_lo", f.name+"_hi")
		}
	}
	for _, share := range scheduler.Shares() {
		columns = append(columns, share.Column)
	}
	columns = append(columns, "verdict", "verdict_share", "verdict_replications")
	for _, a := range axes {
		columns = append(columns, a.Column)
	}
	return append(columns, columnsOf(s.Compared())...)
}

// Compared are the figures by which points are compared.
func (s Runs) Compared() (out []Compared) {
	for _, f := range s.figures() {
		if f.compared {
			out = append(out, Compared{f.name, f.name + "_ratio_to_first", f.name + "_difference_to_first"})
		}
	}
	return out
}

// fields are a row up to the columns that compare it with others.
func (s Runs) fields(t Tabled, p Point, runs []*Replica) []string {
	sc, err := s.scenarioOf(p)
	if err != nil {
		panic(err) // the point was run
	}
	settings, _ := s.settingsOf(sc, p)
	row := []string{
		scheduler.ModelVersion, t.Hash, strconv.FormatUint(s.Seed, 10), s.Scenario, p.Variant, p.Host.Name, strconv.Itoa(p.Host.Cores), p.PG.String(), p.Strategy.Name,
		strconv.Itoa(runs[0].tables), strconv.FormatInt(settings.Int("autovacuum_max_workers"), 10),
		number(settings.Duration("autovacuum_naptime").Seconds()), strings.Join(s.departures(p), " "),
		number(sc.RunFor.Seconds()), strconv.Itoa(len(runs)),
	}
	for _, f := range s.figures() {
		row = append(row, f.fields(runs)...)
	}
	var account sim.Account
	for _, r := range runs {
		account = account.Plus(r.time)
	}
	for _, share := range scheduler.Shares() {
		row = append(row, number(scheduler.Measurement{WorkerTime: account}.Share(share.Activity)))
	}
	verdict, n := verdictOf(runs)
	row = append(row, string(verdict.Constraint), number(verdict.Share), strconv.Itoa(n))
	for _, a := range t.Axes {
		row = append(row, a.of(p, settings))
	}
	return row
}

// fields are a figure's mean over the replications that have it, with its interval. A
// quantile has none where a replication saw too few visits or vacuums to tell it.
func (f runFigure) fields(runs []*Replica) []string {
	samples := known(samplesOf(runs, f.name))
	i := sim.StudentInterval(samples, scheduler.Confidence)
	for _, r := range runs {
		n := r.visits
		if strings.HasPrefix(f.name, "vacuum_duration") {
			n = r.vacuums
		}
		if f.rare > 0 && n < f.rare || len(samples) < len(runs) {
			i.Lo, i.Hi = math.NaN(), math.NaN()
		}
	}
	if !f.interval {
		return []string{number(i.Mean)}
	}
	return interval(i, !strings.HasSuffix(f.name, "drop_share"))
}

// verdictOf is the verdict of most replications, the first of equals, with the mean of
// their shares, and how many they are.
func verdictOf(runs []*Replica) (scheduler.Verdict, int) {
	count := map[scheduler.Constraint]int{}
	share := map[scheduler.Constraint]float64{}
	for _, r := range runs {
		count[r.verdict.Constraint]++
		share[r.verdict.Constraint] += r.verdict.Share
	}
	best := runs[0].verdict.Constraint
	for _, r := range runs {
		if count[r.verdict.Constraint] > count[best] {
			best = r.verdict.Constraint
		}
	}
	return scheduler.Verdict{Constraint: best, Share: share[best] / float64(count[best])}, count[best]
}
