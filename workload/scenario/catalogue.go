package scenario

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/yamlfile"
)

// mostColumns is MaxHeapAttributeNumber (access/htup_details.h).
const mostColumns = 1600

// tempTables are sessions that create temporary tables and drop them, each as
// soon as it is made. What they leave are dead rows in the system catalogues.
type tempTables struct {
	perSecond float64
	columns   int64
	node      ast.Node // nil where there are none
}

func tempTablesValue(x *tempTables) yamlfile.Value {
	return yamlfile.Object(
		yamlfile.Field{Name: "rate", Doc: "tables created and dropped", Required: true, Value: scalarRate(&x.perSecond)},
		yamlfile.Field{Name: "columns", Doc: "of each", Required: true, Value: yamlfile.Whole(&x.columns, 1, mostColumns)},
	).Kept(&x.node)
}

// catalogues are those that hold a table without indexes and TOAST, in the order
// in which pg_class has them. All is as observed in a database just made by
// PostgreSQL 15.18: rows and indexes, and mean widths of rows (pg_column_size,
// filled up to 8 bytes, and a line pointer of 4). A CREATE TEMP TABLE of the
// superuser inserts, and its DROP TABLE deletes, by pg_stat_sys_tables, one row
// in pg_class, one in pg_attribute for each column and for each of the six that
// every table has (ctid, xmin and so on), two in pg_type (the type of its rows
// and that of arrays of them), and three in pg_depend: of the table on its
// schema, of the type on the table, of the array type on the type.
var catalogues = []struct {
	name                string
	rows                int64
	rowBytes, indexes   int
	perTable, perColumn int64
}{
	{"pg_type", 611, 188, 2, 2, 0},
	{"pg_attribute", 3054, 148, 2, 6, 1},
	{"pg_class", 410, 204, 3, 1, 0},
	{"pg_depend", 1831, 60, 2, 3, 0},
}

// system are the system catalogues that stand in a database, before its other
// tables: those that temporary tables bloat, where there are any.
func (b *database) system() []workload.Table {
	if b.temp.node == nil {
		return nil
	}
	out := make([]workload.Table, len(catalogues))
	for i, c := range catalogues {
		rate := workload.Constant(b.temp.perSecond * float64(c.perTable+c.perColumn*b.temp.columns))
		out[i] = workload.Table{
			Name: c.name, ToastOf: -1, Rows: c.rows, RowBytes: c.rowBytes, Fillfactor: 100, Indexes: c.indexes,
			Reltuples: float64(c.rows), AllVisible: 1, Activity: workload.Activity{Inserts: rate, Deletes: rate},
		}
	}
	return out
}

// checkTemp refuses more rows a second than other rates may have, and a table
// with the name of a catalogue.
func (f *runFile) checkTemp(path string, b *database) error {
	for _, t := range b.system() {
		if rows := t.Activity.Inserts.Most(0); rows > mostRate {
			return f.d.Fail(b.temp.node, path+".temp_tables", fmt.Sprintf("found %s rows a second inserted in %s", yamlfile.Plain(rows), t.Name),
				yamlfile.Plain(mostRate)+" at most")
		}
		for i := range b.populations {
			p := &b.populations[i]
			if _, taken := numberOf(t.Name, p.name, p.count); taken {
				return f.d.Fail(p.nameNode, fmt.Sprintf("%s.tables[%d].name", path, i),
					fmt.Sprintf("found %s, a catalogue that temp_tables puts into the database", yamlfile.Quote(t.Name)),
					"a name of its own for each table of a database")
			}
		}
	}
	return nil
}
