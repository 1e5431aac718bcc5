package twin

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"avsim/workload"
)

// readTables makes the tables as they were before the workload: of each database the
// main tables in the order of their oids, then the TOAST tables.
func (r *Run) readTables() error {
	t, err := readTable(r.Dir, "tables.csv", "db", "oid", "relname", "relkind", "reltuples", "heap_pages", "n_live_tup", "n_dead_tup")
	if err != nil {
		return err
	}
	type found struct {
		oid, toast float64
		kind       string
		table      workload.Table
	}
	all := make(map[string][]found)
	var order []string
	err = t.each(func(x row) {
		db := x.text("db")
		if all[db] == nil {
			order = append(order, db)
		}
		all[db] = append(all[db], found{x.number("oid"), x.number("toast_oid"), x.text("relkind"), tableOf(x)})
	})
	if err != nil {
		return err
	}
	for _, db := range order {
		list := all[db]
		slices.SortStableFunc(list, func(a, b found) int {
			if c := cmp.Compare(b2i(a.kind == "t"), b2i(b.kind == "t")); c != 0 {
				return c
			}
			return cmp.Compare(a.oid, b.oid)
		})
		place := make(map[float64]int)
		for i, x := range list {
			if x.toast > 0 {
				place[x.toast] = i
			}
		}
		d := &r.World.Databases[r.database(db)]
		for _, x := range list {
			x.table.ToastOf = -1
			if main, ok := place[x.oid]; ok && x.kind == "t" {
				x.table.ToastOf = main
				// A VACUUM of the main table reports on both.
				x.table.NoStats = x.table.NoStats && list[main].table.NoStats
			}
			d.Tables.Append(x.table)
		}
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tableOf is one table. Its rows are made so wide that they fill the pages that it
// has, bloat included.
func tableOf(x row) workload.Table {
	n := func(column string) int64 { return int64(math.Max(x.number(column), 0)) }
	t := workload.Table{
		Name: x.text("relname"), Fillfactor: 100, Indexes: int(n("n_indexes")),
		Rows: n("n_live_tup"), Reltuples: x.number("reltuples"),
		Dead: n("n_dead_tup"), ModsSinceAnalyze: n("n_mod_since_analyze"), InsertsSinceVacuum: n("n_ins_since_vacuum"),
		XIDAge: n("frozenxid_age"),
	}
	t.NoStats = t.Rows+t.Dead+t.ModsSinceAnalyze+t.InsertsSinceVacuum == 0
	if t.Rows == 0 {
		t.Rows = int64(math.Max(t.Reltuples, 0))
	}
	t.Options, t.Fillfactor = options(x.text("reloptions"))
	pages := math.Max(x.number("heap_pages"), 1)
	t.RowBytes = rowBytes(float64(t.Rows+t.Dead), pages, t.Fillfactor)
	t.AllVisible = math.Min(x.number("relallvisible")/pages, 1)
	return t
}

// rowBytes is the width at which so many rows fill so many pages, as nearly as whole
// rows on a page allow.
func rowBytes(rows, pages float64, fillfactor int) int {
	perPage := math.Max(math.Round(rows/pages), 1)
	width := math.Floor((8192 - 24) * float64(fillfactor) / 100 / perPage)
	return int(math.Min(math.Max(width, 28), 8160))
}

// options are storage parameters as pg_class has them, name=value, separated by
// semicolons or commas, braces around or not; the fillfactor apart.
func options(text string) (map[string]string, int) {
	out, fillfactor := map[string]string{}, 100
	for _, part := range strings.FieldsFunc(strings.Trim(text, "{}"), func(c rune) bool { return c == ',' || c == ';' }) {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			continue
		}
		if name == "fillfactor" {
			if x := atoi(value); x >= 10 && x <= 100 {
				fillfactor = x
			}
			continue
		}
		out[name] = value
	}
	if len(out) == 0 {
		out = nil
	}
	return out, fillfactor
}

func atoi(text string) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1000 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
