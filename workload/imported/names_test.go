package imported

import (
	"testing"

	"avsim/workload/guc"
	"avsim/workload/pgexport"
	"avsim/workload/scenario"
)

// A table whose name in the scenario does not tell which it is has its name in SQL beside.
func TestNamesInSQL(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct{ schema, table, name, sql string }{
		{"public", "plain", "plain", ""},
		{"shop", "orders", "shop.orders", ""},
		{"public", "dot.ted", "dot.ted", `"public"."dot.ted"`},
		{"a.b", "c", "a.b.c", `"a.b"."c"`},
		{"public", "line\nbreak", "line_break", `"public".U&"line\+00000Abreak"`},
		{"public", "line_break", "line_break (2)", `"public"."line_break"`},
		{"public", `q"uote`, `q"uote`, ""},
		{"public", "back\\\tslash", "back\\_slash", `"public".U&"back\\\+000009slash"`},
	} {
		var e entry
		e.named(&pgexport.Table{Schema: c.schema, Name: c.table}, taken)
		if e.name != c.name || e.sqlName != c.sql {
			t.Errorf("%q.%q is %q, in SQL %q; want %q and %q", c.schema, c.table, e.name, e.sqlName, c.name, c.sql)
		}
	}
}

// What PostgreSQL takes and a scenario does not is left out, not the import.
func TestOptionsThatAreNoValues(t *testing.T) {
	for _, o := range [][2]string{{"autovacuum_vacuum_scale_factor", "0x1"}, {"autovacuum_enabled", "maybe"}, {"autovacuum_enabled", ""},
		{"autovacuum_freeze_max_age", "5"}, {"autovacuum_vacuum_threshold", "99999999999"}, {"autovacuum_vacuum_scale_factor", "-0.5"}, {"autovacuum_vacuum_cost_delay", "1e400"}} {
		m := &maker{e: &pgexport.Export{Version: guc.MustVersion("15")}, out: &Scenario{}}
		var e entry
		m.options(&e, &pgexport.Table{Name: "t", Options: [][2]string{o, {"autovacuum_vacuum_threshold", "100"}}})
		if len(e.options) != 1 || len(m.out.Warnings) != 1 {
			t.Errorf("%v: %d options, warnings %q", o, len(e.options), m.out.Warnings)
		}
		if scenario.CheckOption(guc.MustVersion("15"), o[0], o[1]) == nil {
			t.Errorf("%v is taken", o)
		}
	}
}
