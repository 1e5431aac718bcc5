package twin

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"

	"avsim/workload"
)

// The client of a recorded run may have fallen behind its schedule, where the server
// was slow; what it did by when stands in the snapshots of the counters. They are up
// to a second old, always by about as much; what they are behind more than usual is
// the client's.

// leastDelay is the delay from which on it is followed.
const leastDelay = 500 * time.Millisecond

// readDelays puts off what the client did late.
func (r *Run) readDelays() error {
	t, err := readTable(r.Dir, "snapshots.csv", "t", "db", "relname", "n_tup_ins", "n_tup_upd", "n_tup_del")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	done, err := r.progress(t)
	if err != nil {
		return err
	}
	course := r.courseOf(done)
	if course == nil {
		return nil
	}
	for i := range r.World.Databases {
		d := &r.World.Databases[i]
		d.Tables = d.Tables.Changed(func(_ int, t *workload.Table) {
			a := &t.Activity
			for _, rate := range []*workload.Rate{&a.Inserts, &a.Updates, &a.Deletes} {
				if *rate != nil {
					*rate = workload.Delayed{Rate: *rate, Course: course}
				}
			}
		})
	}
	return nil
}

// counted is how many rows all tables with a workload had had changed by an instant.
type counted struct {
	at   time.Duration
	rows float64
}

// progress adds up the counters of each snapshot. A snapshot has the tables that
// changed since the one before; those of all databases are taken one after another.
func (r *Run) progress(t *table) (out []counted, err error) {
	const apart = time.Second
	place := r.places()
	first, last := make(map[string]float64), make(map[string]float64)
	sum := func() (rows float64) {
		for key, now := range last {
			rows += now - first[key]
		}
		return rows
	}
	var now time.Duration
	err = t.each(func(x row) {
		key := x.text("db") + "\x00" + x.text("relname")
		at, ok := place[key]
		if !ok {
			return
		}
		if t := r.World.Databases[at[0]].Tables.At(at[1]); t.Activity.Most(0) == 0 {
			return
		}
		if when := seconds(x.number("t")); when > now+apart {
			out, now = append(out, counted{now, sum()}), when
		}
		rows := x.number("n_tup_ins") + x.number("n_tup_upd") + x.number("n_tup_del")
		if _, seen := first[key]; !seen {
			first[key] = rows
		}
		last[key] = rows
	})
	return append(out, counted{now, sum()}), err
}

// courseOf is by when the client had done what it should have done by when, or nil
// where it kept to its schedule.
func (r *Run) courseOf(done []counted) []workload.Point {
	rate := 0.0
	for i := range r.World.Databases {
		for _, t := range r.World.Databases[i].Tables.All() {
			rate += t.Activity.Most(0)
		}
	}
	if rate <= 0 || len(done) < 3 {
		return nil
	}
	lags := make([]float64, len(done))
	for i, d := range done {
		lags[i] = d.at.Seconds() - d.rows/rate
	}
	usual := slices.Sorted(slices.Values(lags))[len(lags)/2]
	course, most, schedule := []workload.Point{{}}, 0.0, time.Duration(0)
	for i, d := range done {
		if d.at <= 0 {
			continue
		}
		late := math.Max(lags[i]-usual, 0)
		most = math.Max(most, late)
		schedule = max(schedule, d.at-seconds(late))
		course = append(course, workload.Point{At: d.at, Schedule: schedule})
	}
	if most < leastDelay.Seconds() {
		return nil
	}
	return course
}
