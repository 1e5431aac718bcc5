package advise

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"avsim/workload/guc"
)

func TestStatements(t *testing.T) {
	o := &Outcome{Changes: []Change{
		{Name: "autovacuum_max_workers", Value: "5", Restart: true},
		{Database: `o'ne "x"`, Table: `a "b"`, Name: "autovacuum_vacuum_scale_factor", Value: "0.02"},
		{Name: "autovacuum_naptime", Value: "15s"},
		{Database: "a=b", Table: "sales.Items", Name: "autovacuum_vacuum_scale_factor", Value: "0.01"},
	}}
	got := strings.Join(o.Statements(guc.MustVersion("16")), "\n")
	want := `ALTER SYSTEM SET autovacuum_max_workers = '5';
ALTER SYSTEM SET autovacuum_naptime = '15s';
SELECT pg_reload_conf();
-- restart the server: autovacuum_max_workers takes effect at a start only
\connect "o'ne ""x"""
ALTER TABLE "a ""b""" SET (autovacuum_vacuum_scale_factor = 0.02);
\connect -reuse-previous=on "dbname='a=b'"
ALTER TABLE "sales"."Items" SET (autovacuum_vacuum_scale_factor = 0.01);`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if old := o.Statements(guc.MustVersion("9.3")); old[0] != "-- in postgresql.conf: autovacuum_max_workers = '5'" || !o.Restart() {
		t.Errorf("9.3: %q", old)
	}
}

// TestServer: psql takes every statement that there can be: each level of each setting
// of the server's version, and names of all kinds.
func TestServer(t *testing.T) {
	dsn := os.Getenv("AVSIM_TEST_DSN")
	if dsn == "" {
		t.Skip("no server: run scripts/pgtemp go test ./scheduler/advise -run Server")
	}
	psql := func(text string) string {
		c := exec.Command("psql", "-X", "-v", "ON_ERROR_STOP=1", "-At", dsn)
		c.Stdin = strings.NewReader(text)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", text, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	version, _, _ := strings.Cut(psql("SHOW server_version"), " ")
	v, err := guc.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	s := guc.Defaults(v)
	setup := ""
	var changes []Change
	databases := []string{"plain", `qu"ote`, "o'ne", "a=b", `back\slash`, "two words", "line\nbreak", "eq=\nual"}
	tables := []string{"t", `a "b"`, "CamelCase", "with;semicolon", "select", "newline\nin it", "other.t"}
	for _, db := range databases {
		setup += "CREATE DATABASE " + quoted(db) + ";\n" + `\connect ` + connectTo(db) + "\nCREATE SCHEMA other;\n"
		for _, table := range tables {
			setup += "CREATE TABLE " + tableName(table) + " (a int);\n"
			changes = append(changes, Change{Database: db, Table: table, Name: "autovacuum_vacuum_scale_factor", Value: "0.02"})
		}
	}
	psql(setup)
	for _, name := range Freeable() {
		if name != TableOptions && s.Has(name) {
			free, _ := ParseFree([]string{name}, v)
			for _, d := range NewSpace(s, free, nil) {
				for _, l := range d.Levels {
					changes = append(changes, l.Changes...)
				}
			}
		}
	}
	psql(strings.Join((&Outcome{Changes: changes}).Statements(v), "\n") + "\n\\connect postgres\nALTER SYSTEM RESET ALL;")
	for _, db := range databases {
		if n := psql(`\connect ` + connectTo(db) + "\nSELECT count(*) FROM pg_class WHERE reloptions = '{autovacuum_vacuum_scale_factor=0.02}'"); !strings.HasSuffix(n, "7") {
			t.Errorf("%s: %s tables have the option, want %d", db, n, len(tables))
		}
	}
}
