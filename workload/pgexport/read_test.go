package pgexport

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	settings = "name,setting,unit,source\nserver_version,15.18 (Debian 15.18-0+deb12u1),,default\nautovacuum_naptime,30,s,configuration file\n"
	tables   = "time,db,oid,nspname,relname,relkind,class_place,reltuples,relpages,n_indexes,reloptions,toast_oid,n_tup_ins,n_tup_upd,n_tup_del,n_live_tup,n_dead_tup\n"
)

// export reads files by name, in that order, and finishes.
func export(t *testing.T, files ...string) *Export {
	t.Helper()
	e := new(Export)
	for i, text := range files {
		if _, err := e.Read(strings.NewReader(text), fmt.Sprintf("%d.csv", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	return e
}

// Two exports of one database: rates come of both, what is said last of the tables.
func TestTwoExports(t *testing.T) {
	e := export(t, settings,
		tables+"2026-11-30 09:00:00+00,shop,20,public,b,r,2,100,5,1,,0,10,0,0,100,1\n2026-11-30 09:00:00+00,shop,10,public,a,r,1,50,5,3,\"{fillfactor=70,autovacuum_enabled=false}\",11,5,5,5,50,2\n2026-11-30 09:00:00+00,shop,30,public,gone,r,3,1,1,1,,0,0,0,0,1,0\n",
		tables+"2026-11-30 10:00:00+00,shop,10,public,a,r,1,60,6,3,\"{fillfactor=70,autovacuum_enabled=false}\",11,15,25,5,60,9\n2026-11-30 10:00:00+00,shop,20,public,b,r,2,100,5,1,,0,10,0,0,100,1\n2026-11-30 10:00:00+00,shop,40,public,new,r,4,7,1,1,,0,7,0,0,7,0\n")
	d := e.Databases[0]
	var names []string
	for _, x := range d.Tables {
		names = append(names, x.Name)
	}
	if got := strings.Join(names, " "); got != "a b new" || !d.Twice() || e.Version.String() != "15.18" {
		t.Fatalf("tables %s, version %s", got, e.Version)
	}
	a, fresh := d.Tables[0], d.Tables[2]
	if a.First.Updated != 5 || a.Last.Updated != 25 || a.Last.Pages != 6 || a.Indexes != 3 || len(a.Options) != 2 || a.Toast != 11 {
		t.Errorf("%+v", a)
	}
	if fresh.First.At != d.First || fresh.First.Inserted != 0 || fresh.Last.Inserted != 7 {
		t.Errorf("a table that was made between the exports: %+v", fresh)
	}
	if !strings.Contains(strings.Join(e.Notes, "\n"), "1 tables of the first export are not in the last one") {
		t.Errorf("%q", e.Notes)
	}
}

// What is wrong with a row is told, and the others are used.
func TestBadRows(t *testing.T) {
	e := export(t, settings, tables+
		"2026-11-30 09:00:00+00,shop,1,public,good,r,1,100,5,1,,0,10,0,0,100,1\n"+
		"2026-11-30 09:00:00+00,shop,2,public,short\n"+
		"yesterday,shop,3,public,when,r,1,100,5,1,,0,10,0,0,100,1\n"+
		"2026-11-30 09:00:00+00,shop,4,public,what,r,1,many,5,1,,0,10,0,0,100,1\n"+
		"2026-11-30 09:00:00+00,shop,5,public,,r,1,1,5,1,,0,10,0,0,100,1\n"+
		"2026-11-30 09:00:00+00,shop,6,public,parent,p,1,-1,0,1,,0,0,0,0,0,0\n"+
		"2026-11-30 09:00:00+00,shop,7,public,\"say \"\"x\"\",\nthen\",r,1,100,5,1,,0,10,0,0,100,1\n"+
		"2026-11-30 09:00:00+00,shop,8,public,bad\"quote,r,1,100,5,1,,0,10,0,0,100,1\n")
	d := e.Databases[0]
	if len(d.Tables) != 2 || d.Tables[1].Name != "say \"x\",\nthen" || e.Dropped["p"] != 1 {
		t.Errorf("%d tables, dropped %v", len(d.Tables), e.Dropped)
	}
	want := []string{
		"2.csv:3: found 5 fields, accepted are 17 as in the header",
		`2.csv:4: time: found "yesterday"; accepted is a time such as 2026-11-30 09:29:37+00`,
		`2.csv:5: reltuples: found "many"; accepted is a number from 0 to 1e15`,
		"2.csv:6: relname: found nothing; accepted is a name",
		`2.csv:10: bare " in non-quoted-field`,
	}
	if e.Bad != 5 || strings.Join(e.BadFirst, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d bad rows:\n%s\nwant\n%s", e.Bad, strings.Join(e.BadFirst, "\n"), strings.Join(want, "\n"))
	}
}

// Counters that fall, as after a reset, count from there on.
func TestCountersBackwards(t *testing.T) {
	row := func(at string, updated int) string {
		return fmt.Sprintf("2026-11-30 %s+00,shop,1,public,a,r,1,100,5,1,,0,10,%d,0,100,1\n", at, updated)
	}
	e := export(t, settings, tables+row("09:00:00", 1000)+row("10:00:00", 5)+row("11:00:00", 65))
	a := e.Databases[0].Tables[0]
	if !a.Backwards || a.First.Updated != 5 || a.Last.Updated != 65 || a.Last.At.Sub(a.First.At) != time.Hour || len(e.Notes) != 1 {
		t.Errorf("%+v, %q", a, e.Notes)
	}
}

// A table of a file without times is the state before; rows of what has changed only,
// without a first row, start from there.
func TestRowsOfChangesOnly(t *testing.T) {
	before := "db,oid,nspname,relname,relkind,reltuples,relpages,n_live_tup,n_dead_tup,n_mod_since_analyze\nshop,1,public,a,r,100,5,100,30,20\nshop,2,public,b,r,100,5,100,0,0\n"
	changes := "time,db,relid,schemaname,relname,n_tup_ins,n_tup_upd,n_tup_del\n2026-11-30T09:00:00Z,shop,2,public,b,100,0,0\n2026-11-30T09:05:00Z,shop,1,public,a,140,90,0\n"
	for _, files := range [][]string{{settings, before, changes}, {settings, changes, before}} {
		e := export(t, files...)
		a, b := e.Databases[0].Tables[0], e.Databases[0].Tables[1]
		if a.First.Inserted != 100 || a.First.Updated != 30 || a.Last.Updated != 90 || a.First.At != e.First || a.Last.Dead != 30 {
			t.Errorf("a: %+v", a)
		}
		if b.First.Inserted != 100 || b.Last.Inserted != 100 || b.Last.Pages != 5 {
			t.Errorf("b: %+v", b)
		}
	}
}

// What is no export is told from what is.
func TestKinds(t *testing.T) {
	for header, want := range map[string]Kind{
		"name,setting": Settings, "oid,datname,datfrozenxid,age": Databases, "relid,schemaname,relname,n_live_tup": Tables,
		"kind,db,table": Unknown, "a": Unknown, "relname,phase": Unknown,
	} {
		if got, err := new(Export).Read(strings.NewReader(header+"\n"), "x.csv"); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", header, got, err, want)
		}
	}
	for _, text := range []string{"", "\x1f\x8bxx", "a,\"b\nc"} {
		if _, err := new(Export).Read(strings.NewReader(text), "x.csv"); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if err := new(Export).Finish(); err == nil {
		t.Error("an empty export was accepted")
	}
}

// A compressed file that is cut off is read as far as it goes.
func TestCutOff(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, tables)
	for i := range 5000 {
		fmt.Fprintf(z, "2026-11-30 09:00:00+00,shop,%d,public,t%d,r,%d,100,5,1,,0,%d,0,0,100,1\n", i+1, i*7919, i+1, i*104729%1000)
	}
	z.Close()
	e := new(Export)
	e.Read(strings.NewReader(settings), "settings.csv")
	if kind, err := e.Read(bytes.NewReader(b.Bytes()[:b.Len()/2]), "x.csv.gz"); kind != Tables || err != nil {
		t.Fatal(kind, err)
	}
	if err := e.Finish(); err != nil || len(e.Databases[0].Tables) < 1000 || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "ends early") {
		t.Errorf("%v, %d tables, %q", err, len(e.Databases[0].Tables), e.Notes)
	}
}

// The script has every query, and no variable that nothing sets.
func TestScript(t *testing.T) {
	script := Script()
	for _, part := range []string{"READ ONLY", `\gset avsim_`, "-settings.csv'", "-databases.csv'", "-tables.csv'", "statement_timeout"} {
		if !strings.Contains(script, part) {
			t.Errorf("%q is missing", part)
		}
	}
	for _, word := range strings.FieldsFunc(tablesQuery+databasesQuery, func(r rune) bool { return strings.ContainsRune(" \n,();", r) }) {
		name, variable := strings.CutPrefix(word, ":"+prefix)
		if variable && !strings.Contains(variables, " AS "+name) {
			t.Errorf("nothing sets %s", word)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(settings))
	f.Add([]byte(tables + "2026-11-30 09:00:00+00,shop,1,public,good,r,1,100,5,1,,0,10,0,0,100,1\n"))
	f.Add([]byte("oid,datname,datfrozenxid,age\n1,a,2,3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		e := new(Export)
		e.Read(strings.NewReader(settings), "settings.csv")
		e.Read(bytes.NewReader(text), "x.csv")
		e.Finish()
	})
}
