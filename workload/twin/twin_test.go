package twin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"avsim/workload"
)

const recordings = "../recorded/twin/"

// TestRead: figures of the recordings' READMEs.
func TestRead(t *testing.T) {
	for name, want := range map[string]struct {
		pg                string
		length            time.Duration
		vacuums, analyzes int
		busy              float64
		changes           int
	}{
		"r1":    {"18.4", 345 * time.Second, 342, 789, 0.016, 0},
		"r2":    {"18.4", 370 * time.Second, 108, 47, 4.05, 1},
		"r3":    {"18.4", 365 * time.Second, 1117, 1333, 0.011, 0},
		"r4p13": {"13.23", 240 * time.Second, 1526, 1526, 0.277, 0},
	} {
		r, err := Read(recordings + name)
		if err != nil {
			t.Fatal(err)
		}
		vacuums := 0
		for _, e := range r.Events {
			if e.Vacuum {
				vacuums++
			}
		}
		if r.Settings.Version().String() != want.pg || r.Length != want.length || vacuums != want.vacuums || len(r.Events)-vacuums != want.analyzes ||
			r.Busy < 0.85*want.busy || r.Busy > 1.15*want.busy || len(r.Changes) != want.changes || len(r.Warnings) > 0 {
			t.Errorf("%s: PostgreSQL %v, %v, %d vacuums, %d analyzes, %.3f workers, %d changes, warnings %v", name,
				r.Settings.Version(), r.Length, vacuums, len(r.Events)-vacuums, r.Busy, len(r.Changes), r.Warnings)
		}
	}
}

// TestWorkload: 520 + 200 + 50 rows a second in r1, single statements in r4p13.
func TestWorkload(t *testing.T) {
	sum := func(name string, at time.Duration) (out workload.Totals) {
		r, err := Read(recordings + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.World.Databases {
			for _, t := range d.Tables.All() {
				x := t.Activity.Totals(at)
				out.Inserted, out.Updated, out.Deleted = out.Inserted+x.Inserted, out.Updated+x.Updated, out.Deleted+x.Deleted
			}
		}
		return out
	}
	near := func(x, y float64) bool { return x > 0.98*y && x < 1.02*y }
	if x := sum("r1", 100*time.Second); !near(x.Updated, 52_000) || !near(x.Inserted, 20_000) || !near(x.Deleted, 5_000) {
		t.Errorf("r1 after 100 s: %+v", x)
	}
	if x := sum("r4p13", 240*time.Second); x.Updated < 100_000 || x.Inserted+x.Deleted != 0 {
		t.Errorf("r4p13: %+v", x)
	}
}

// TestBadFolders: what is wrong is told with its file, and line where it has one.
func TestBadFolders(t *testing.T) {
	files := map[string]string{
		"meta.json": `{"duration_planned_s": 60}`, "settings.csv": "name,setting\nserver_version,18.4\n",
		"tables.csv":  "db,oid,relname,relkind,reltuples,heap_pages,n_live_tup,n_dead_tup\nd,1,t,r,10,1,10,0\n",
		"workers.csv": "db,t_fork,t_processing,t_exit\nd,1,1,2\n", "workload.csv": "db,table,hot_eligible\n",
		"streams.csv": "db,table,op,rate_rows_per_s,rows_per_txn,start_s,stop_s,once,actual_rows,sql\nd,t,upd,1,1,0,60,false,60,\n",
		"events.csv":  "kind,db,schema,table,t_start,t_end\nvacuum,d,public,t,1,2\n",
	}
	for _, test := range []struct{ file, text, want string }{
		{"", "", ""},
		{"meta.json", "", "meta.json: unexpected end of JSON input"},
		{"meta.json", `{"duration_planned_s": -1}`, "meta.json: duration_planned_s: found -1; accepted is"},
		{"settings.csv", "name\n", "settings.csv:1: no column setting"},
		{"settings.csv", "name,setting\nserver_version,7\n", "settings.csv: server_version: "},
		{"tables.csv", "", "tables.csv: found no header"},
		{"tables.csv", files["tables.csv"] + "d,x,t,r,1,1,1,1\n", `tables.csv:3: oid: found "x"; accepted is a number`},
		{"streams.csv", files["streams.csv"] + "d,t,mow,1,1,0,60,false,60,\n", `streams.csv:3: op: found "mow"; accepted is ins, upd or del`},
		{"events.csv", "kind,db,schema,table,t_start,t_end\nwash,d,public,t,1,2\n", `events.csv:2: kind: found "wash"; accepted is vacuum or analyze`},
		{"workers.csv", "missing", "workers.csv: no such file"},
	} {
		dir := t.TempDir()
		for name, text := range files {
			if name == test.file {
				text = test.text
			}
			if text == "missing" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Read(dir)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("a good folder: %v", err)
		case test.want != "" && (err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "open ", ""), test.want)):
			t.Errorf("%s %q: %v, want %s", test.file, test.text, err, test.want)
		}
	}
}
