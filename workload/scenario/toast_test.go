package scenario

import (
	"reflect"
	"strings"
	"testing"

	"avsim/workload"
)

const toasted = `name: toasted
title: tables with values out of line
pg: "16"
host: generic-4core
run_for: 10d
databases:
  - name: db
    tables:
      - name: logs_%d
        count: 2
        rows: {uniform: {min: 1000, max: 9000}}
        row_bytes: 700
        xid_age: 5
        options: {toast.autovacuum_vacuum_scale_factor: 0.1}
        toast: {rows: 3000, dead: 7, inserts_since_vacuum: 9, all_visible: 0.5, multi_age: 6, activity: {inserts: 300/d, deletes: 200/d}}
      - {name: other, rows: 10, row_bytes: 100}
`

// TestTOASTInUse: a TOAST table has chunks and activity of its own, the options with
// toast. before their name, one index, and stands behind all tables; its table is what it
// is without.
func TestTOASTInUse(t *testing.T) {
	_, w := mustParse(t, toasted)
	tables := w.Databases[0].Tables.Slice()
	if len(tables) != 5 || tables[3].Name != "pg_toast_logs_1" || tables[4].Name != "pg_toast_logs_2" {
		t.Fatalf("tables %+v", tables)
	}
	want := workload.Table{
		Name: "pg_toast_logs_2", ToastOf: 1, Rows: 3000, RowBytes: 2036, Fillfactor: 100, Indexes: 1, Reltuples: 3000, AllVisible: 0.5,
		Dead: 7, InsertsSinceVacuum: 9, XIDAge: 5, MultiAge: 6, Options: map[string]string{"autovacuum_vacuum_scale_factor": "0.1"},
		Activity: workload.Activity{Inserts: workload.Constant(300.0 / 86400), Deletes: workload.Constant(200.0 / 86400)},
	}
	if !reflect.DeepEqual(tables[4], want) {
		t.Errorf("TOAST table\n got %+v\nwant %+v", tables[4], want)
	}
	begin, end := strings.Index(toasted, "        toast: {"), strings.Index(toasted, "      - {name: other")
	_, without := mustParse(t, toasted[:begin]+"        toast: true\n"+toasted[end:])
	if !reflect.DeepEqual(without.Databases[0].Tables.Slice()[:3], tables[:3]) {
		t.Error("what is in the TOAST tables changes the tables")
	}
	if empty := without.Databases[0].Tables.At(4); empty.Rows != 0 || !empty.Activity.Idle() || empty.ToastOf != 1 || empty.XIDAge != 5 {
		t.Errorf("an empty TOAST table is %+v", empty)
	}
}

// TestTOASTRefused: what no TOAST table can have is refused at its place.
func TestTOASTRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"inserts: 300/d, ", "updates: 300/d, ", `s.yaml:15:106: databases[0].tables[0].toast.activity.updates: `},
		{"deletes: 200/d", "statements: [{at: 1d, update: 3}]", `databases[0].tables[0].toast.activity.statements[0].update: `},
		{"deletes: 200/d", "deletes: 900/d", `databases[0].tables[0].toast.activity.deletes: found 9000 rows deleted by 10d from table pg_toast_logs_1, which has had 6000`},
		{"deletes: 200/d", "statements: [{at: 11d, delete: 3}]", `databases[0].tables[0].toast.activity.statements[0].at: found 11d, after the end`},
		{"dead: 7", "mods: 7", `databases[0].tables[0].toast.mods: `},
		{"xid_age: 5\n", "temporary: orphaned\n", `databases[0].tables[0].toast.activity: found activity on a table that a crashed session left`},
		{"name: other", "name: pg_toast_logs_2", `found "pg_toast_logs_2", the name of the TOAST table of logs_2`},
		{"rows: 3000, ", "rows: 1000000000000, row_bytes: 8000, ", `databases[0].tables[0].toast.rows: table 1 has`},
	} {
		text := strings.Replace(toasted, c.old, c.new, 1)
		if _, err := ParseRun([]byte(text), "s.yaml"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}
