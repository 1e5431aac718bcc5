package twin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"avsim/workload"
)

// readWorkload makes the true workload: rates from one instant to another, and single
// statements.
func (r *Run) readWorkload() error {
	hot, err := r.readHot()
	if err != nil {
		return err
	}
	t, err := readTable(r.Dir, "streams.csv", "db", "table", "op", "rate_rows_per_s", "rows_per_txn", "start_s", "stop_s", "once", "actual_rows")
	if err != nil {
		return err
	}
	place := r.places()
	unknown := 0
	xids := make([]workload.Steps, len(r.World.Databases))
	tables := make([][]workload.Table, len(r.World.Databases))
	for i := range tables {
		tables[i] = r.World.Databases[i].Tables.Slice()
	}
	err = t.each(func(x row) {
		at, ok := place[x.text("db")+"\x00"+x.text("table")]
		if !ok {
			unknown++
			return
		}
		table := &tables[at[0]][at[1]]
		if hot[x.text("db")+"\x00"+x.text("table")] {
			table.Activity.HotShare = 1
		}
		if strings.EqualFold(x.text("once"), "true") {
			r.statement(x, table)
			return
		}
		r.stream(x, table)
		if perTxn := x.number("rows_per_txn"); perTxn > 0 {
			xids[at[0]] = append(xids[at[0]], workload.Step{From: seconds(x.number("start_s")), PerSecond: x.number("rate_rows_per_s") / perTxn})
		}
	})
	if err != nil {
		return err
	}
	if unknown > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %d streams of tables that tables.csv does not have: left out", t.file, unknown))
	}
	for i, steps := range xids {
		r.World.Databases[i].XIDsPerSecond = workload.Constant(perSecond(steps))
	}
	for i := range tables {
		for j := range tables[i] {
			slices.SortStableFunc(tables[i][j].Activity.Statements, func(a, b workload.Statement) int { return int(a.At - b.At) })
		}
		r.World.Databases[i].Tables = workload.TablesOf(tables[i]...)
	}
	return nil
}

func perSecond(steps workload.Steps) (sum float64) {
	for _, s := range steps {
		sum += s.PerSecond
	}
	return sum
}

// places are the places of the tables by database and name.
func (r *Run) places() map[string][2]int {
	out := make(map[string][2]int)
	for i, d := range r.World.Databases {
		for j, t := range d.Tables.All() {
			out[d.Name+"\x00"+t.Name] = [2]int{i, j}
		}
	}
	return out
}

// readHot tells of which tables no update changes an indexed column.
func (r *Run) readHot() (map[string]bool, error) {
	t, err := readTable(r.Dir, "workload.csv", "db", "table", "hot_eligible")
	if err != nil {
		return nil, err
	}
	out := make(map[string]bool)
	return out, t.each(func(x row) {
		if x.text("hot_eligible") == "1" {
			out[x.text("db")+"\x00"+x.text("table")] = true
		}
	})
}

// stream adds rows at a rate, from one instant to another.
func (r *Run) stream(x row, t *workload.Table) {
	from, to, rate := seconds(x.number("start_s")), seconds(x.number("stop_s")), x.number("rate_rows_per_s")
	into := t.Activity.By(x.text("op"))
	if into == nil || rate < 0 || to < from {
		x.fail("op", x.text("op"), "ins, upd or del with a rate of 0 or more, from start_s to a later stop_s")
		return
	}
	*into = workload.Sum(*into, window(rate, from, to, r.Length))
}

// window is a rate from one instant to another, or on and on where that is the end of
// the run.
func window(rate float64, from, to, end time.Duration) workload.Rate {
	if from <= 0 && to >= end {
		return workload.Constant(rate)
	}
	return workload.Steps{{From: from, PerSecond: rate}, {From: to}}
}

// statement adds a single statement, which its SQL tells the kind of.
func (r *Run) statement(x row, t *workload.Table) {
	rows := int64(x.number("actual_rows"))
	s := workload.Statement{At: seconds(x.number("start_s"))}
	verb, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(x.text("sql"))), " ")
	switch verb {
	case "update":
		s.Updates = rows
	case "insert":
		s.Inserts = rows
	case "delete":
		s.Deletes = rows
	default:
		x.fail("sql", x.text("sql"), "an insert, update or delete")
	}
	t.Activity.Statements = append(t.Activity.Statements, s)
}
