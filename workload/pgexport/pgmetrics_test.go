package pgexport

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// pgmetricsText is a report as schema 1.19 has it, cut down to what a server of one
// table tells.
func pgmetricsText(at, updates int64) string {
	return fmt.Sprintf(`{
  "meta": {"version": "1.19", "at": %d, "collected_dbs": ["shop"], "local": true, "user_agent": "pgmetrics/1.18.1", "user": "postgres", "mode": "postgres"},
  "start_time": 1764400000, "system_identifier": "7", "timeline_id": 1, "next_xid": %d, "oldest_xid": 548, "checkpoint_time": %d,
  "is_in_recovery": false,
  "backends": [{"db_name": "shop", "query": "SELECT \"}\"", "pid": 3}],
  "databases": [
    {"oid": 5, "name": "postgres", "age_datfrozenxid": 212079, "xact_commit": 39301, "xact_rollback": 43, "stats_reset": 0, "size": 7583207},
    {"oid": 16385, "name": "shop", "age_datfrozenxid": 150000, "xact_commit": 1, "xact_rollback": 0, "stats_reset": 1764300000, "size": 8132071}],
  "tablespaces": null,
  "tables": [
    {"oid": 16632, "db_name": "shop", "schema_name": "public", "name": "orders, \"big\"", "n_tup_ins": 100000, "n_tup_upd": %d, "n_tup_del": 10, "n_tup_hot_upd": %d,
     "n_live_tup": 100000, "n_dead_tup": 1234, "n_mod_since_analyze": 77, "last_autovacuum": 1764400500, "vacuum_count": 1, "autovacuum_count": 9, "analyze_count": 0, "autoanalyze_count": 4,
     "size": 16384000, "bloat": -1, "relkind": "r", "relpersistence": "p", "relnatts": 3, "age_relfrozenxid": 140000, "n_ins_since_vacuum": 55, "n_tup_newpage_upd": 3},
    {"oid": 16640, "db_name": "shop", "schema_name": "public", "name": "parts", "n_tup_ins": 0, "n_live_tup": 0, "size": 0, "relkind": "p"},
    {"oid": 16650, "db_name": "shop", "schema_name": "sales", "name": "small", "n_tup_ins": 5, "n_tup_upd": 0, "n_tup_del": 0, "n_tup_hot_upd": 0, "n_live_tup": 5, "n_dead_tup": 0, "n_mod_since_analyze": 5, "size": -1, "relkind": "r"}],
  "indexes": [
    {"oid": 1, "db_name": "shop", "table_oid": 16632, "size": 8192000}, {"oid": 2, "db_name": "shop", "table_oid": 16632, "size": 8192}, {"oid": 3, "db_name": "other", "table_oid": 16632, "size": 8192}],
  "system": {"cpu_model": "A CPU", "num_cores": 8, "hostname": "db1"},
  "settings": {
    "server_version": {"setting": "17.2 (Debian 17.2-1)"}, "autovacuum_naptime": {"setting": "30", "bootval": "60", "source": "configuration file"},
    "shared_buffers": {"setting": "65536", "bootval": "16384", "source": "configuration file"}, "log_line_prefix": {"setting": "%%m [%%p] "}}
}`, at, 1000+updates, at-60, updates, updates/2)
}

// TestPgmetrics: two reports tell sizes, settings and what happened in between.
func TestPgmetrics(t *testing.T) {
	e := new(Export)
	for i, at := range []int64{1764400600, 1764404200} {
		if err := e.ReadPgmetrics(strings.NewReader(pgmetricsText(at, int64(i)*7200)), fmt.Sprintf("%d.json", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	if e.Version.String() != "17.2" || e.Bad > 0 || e.Last.Sub(e.First) != time.Hour {
		t.Fatalf("version %s, %d bad rows %q, %v", e.Version, e.Bad, e.BadFirst, e.Last.Sub(e.First))
	}
	if v, _ := e.Setting("autovacuum_naptime"); v != "30" {
		t.Errorf("autovacuum_naptime %q", v)
	}
	d := e.Databases[1]
	if d.Name != "shop" || d.XIDAge != 150000 || len(d.Tables) != 2 || e.Dropped["p"] != 2 || !d.Twice() {
		t.Fatalf("%+v, dropped %v", d, e.Dropped)
	}
	x := d.Tables[0]
	if x.Name != `orders, "big"` || x.Indexes != 2 || x.IndexPages != 1001 || x.Bytes != 16384000 || x.Last.Updated-x.First.Updated != 7200 || x.Last.InsertedSinceVacuum != 55 || x.Last.XIDAge != 140000 || x.Last.NewPage != 3 {
		t.Errorf("%+v", x)
	}
	if x := d.Tables[1]; x.Schema != "sales" || x.Bytes != 0 || x.Indexes != 0 || x.Last.XIDAge != -1 {
		t.Errorf("%+v", x)
	}
	if r := e.Databases[0].XIDs; len(r) != 2 || r[1].Value-r[0].Value != 7200 || r[1].At.Sub(r[0].At) != time.Hour {
		t.Errorf("readings of next_xid: %+v", r)
	}
	notes := strings.Join(e.Notes, "\n")
	for _, want := range []string{"neither storage parameters", "8 cores (A CPU)", `database "postgres" is in the report, its tables are not`} {
		if strings.Count(notes, want) != 1 {
			t.Errorf("%q is not told once:\n%s", want, notes)
		}
	}
}

// A report that is none, or has nothing to use, is refused; one that is cut off or has
// values of other types is used as far as it goes.
func TestBadPgmetrics(t *testing.T) {
	whole := pgmetricsText(1764400600, 0)
	for text, want := range map[string]string{
		"":                                    "no JSON object",
		"[1]":                                 "no JSON object",
		`{"a": 1}`:                            "no report of pgmetrics",
		whole[:200]:                           "ends early, before any table",
		`{"meta": {"at": 5}, "tables": null}`: "no tables in the report",
		`{"meta": {"at": 5, "mode": "pgbouncer"}}`: "a report of pgbouncer",
	} {
		if err := new(Export).ReadPgmetrics(strings.NewReader(text), "x.json"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40s: %v; want %q", text, err, want)
		}
	}
	e := new(Export)
	if err := e.ReadPgmetrics(strings.NewReader(whole[:strings.Index(whole, `"indexes"`)+20]), "x.json"); err != nil || len(e.Databases) != 2 || !strings.Contains(strings.Join(e.Notes, " "), "ends early") {
		t.Errorf("cut off: %v, %q", err, e.Notes)
	}
	e = new(Export)
	strange := strings.Replace(whole, `"n_live_tup": 100000`, `"n_live_tup": "many"`, 1)
	if err := e.ReadPgmetrics(strings.NewReader(strange), "x.json"); err != nil || e.Bad != 1 || !strings.Contains(e.BadFirst[0], "n_live_tup") || len(e.databases["shop"].Tables) != 1 {
		t.Errorf("a text for a number: %v, %q", err, e.BadFirst)
	}
}

func FuzzPgmetrics(f *testing.F) {
	whole := pgmetricsText(1764400600, 7)
	f.Add(whole)
	f.Add(whole[:900])
	f.Add(`{"meta":{"at":1},"tables":[{"name":"a"},{"name":1},null,[]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		e := new(Export)
		if err := e.ReadPgmetrics(strings.NewReader(text), "x.json"); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of several lines: %q", err)
			}
			return
		}
		e.Finish()
	})
}
