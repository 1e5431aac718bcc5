package scenario

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"avsim/workload/yamlfile"
)

func changed(t *testing.T, path, value string) (*Run, error) {
	t.Helper()
	text, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseRun(text, "good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return r.Changed([]yamlfile.Change{{Path: path, Value: value, What: "--set " + path + "=" + value}}, nil)
}

// What is changed is as if it stood in the file: list items by number or name, keys
// that the file does not have, mappings as a whole.
func TestChanged(t *testing.T) {
	text := `
name: small
title: two tables
pg: "14"
host: epyc-2core
run_for: 1h
databases:
  - name: shop
    tables:
      - {name: orders, rows: 1000, row_bytes: 100, activity: {updates: 1/s}}
      - {name: items, rows: 2000, row_bytes: 100}
  - {name: other, tables: [{name: a.b, rows: 5, row_bytes: 100}]}
`
	r, err := ParseRun([]byte(text), "small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, value, instead string }{
		{"run_for", "2h", strings.Replace(text, "run_for: 1h", "run_for: 2h", 1)},
		{"warm_up", "5m", text + "warm_up: 5m\n"},
		{"databases[0].tables[1].rows", "7", strings.Replace(text, "2000", "7", 1)},
		{"databases.0.tables.1.rows", "7", strings.Replace(text, "2000", "7", 1)},
		{"databases.shop.tables.items.rows", "7", strings.Replace(text, "2000", "7", 1)},
		{"databases[other].tables[a.b].rows", "7", strings.Replace(text, "rows: 5,", "rows: 7,", 1)},
		{"databases[0].tables[items].rows", "{uniform: {min: 10, max: 20}}", strings.Replace(text, "2000", "{uniform: {min: 10, max: 20}}", 1)},
		{"databases[0].tables[items].activity.inserts.rate", "3/s", strings.Replace(text, "2000, row_bytes: 100", "2000, row_bytes: 100, activity: {inserts: {rate: 3/s}}", 1)},
		{"databases[0].tables[orders].activity.updates", "3/s", strings.Replace(text, "1/s", "3/s", 1)},
		{"databases[1].tables[0].fillfactor", "50", strings.Replace(text, "rows: 5,", "rows: 5, fillfactor: 50,", 1)},
	} {
		got, err := r.Changed([]yamlfile.Change{{Path: c.path, Value: c.value, What: "x"}}, nil)
		if err != nil {
			t.Errorf("%s=%s: %v", c.path, c.value, err)
			continue
		}
		want, err := ParseRun([]byte(c.instead), "small.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if a, b := worldText(t, got), worldText(t, want); a != b {
			t.Errorf("%s=%s: got\n%s\nwant\n%s", c.path, c.value, a, b)
		}
	}
	if a, b := worldText(t, r), worldText(t, parsedSmall(t, text)); a != b {
		t.Error("a change changed the scenario that it was made from")
	}
}

func parsedSmall(t *testing.T, text string) *Run {
	r, err := ParseRun([]byte(text), "small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func worldText(t *testing.T, r *Run) string {
	t.Helper()
	w, err := r.World(1)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprint(r.RunFor, r.WarmUp)
	for _, b := range w.Databases {
		for _, x := range b.Tables.All() {
			out += fmt.Sprintf("\n%s.%s %v %v %v %+v", b.Name, x.Name, x.Rows, x.Dead, x.Fillfactor, x.Activity.Expected(time.Hour))
		}
	}
	return out
}

// A change that cannot be names itself, not a line of the file.
func TestChangedErrors(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"run_fro", "1h", `--set run_fro=1h: run_fro: unknown key (did you mean run_for?)`},
		{"databases[0].tables[0].rwos", "1", `rwos: unknown key (did you mean rows?)`},
		{"databases[0].tables[0].rows", "many", `--set databases[0].tables[0].rows=many: databases[0].tables[0].rows: found "many"`},
		{"databases[99].tables[0].rows", "1", `databases has no item 99`},
		{"databases[nobody].tables[0].rows", "1", `databases has no item "nobody"; accepted is a number from 0 to `},
		{"databases[0].tables[0].rows", "{", "cannot be read as a value of YAML"},
		{"databases[0].tables[0].rows", "1\nname: x", "cannot be read as a value of YAML"},
		{"databases..rows", "1", "is no place in a file"},
		{"databases[0", "1", "is no place in a file"},
		{"run_for.x", "1", "which has no parts"},
	} {
		_, err := changed(t, c.path, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "--set ") {
			t.Errorf("%s=%q: error %v, want %q", c.path, c.value, err, c.want)
		}
	}
}

// Whatever is changed, and into what, is taken or refused in one line.
func FuzzChanged(f *testing.F) {
	f.Add("databases[0].tables[0].rows", "5")
	f.Add("databases.x.tables[0].activity.updates", "{per_second: 5}")
	f.Add("run_for", "'1h'")
	f.Add("changes", "[{at: 1m, settings: {autovacuum: off}}]")
	text, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		f.Fatal(err)
	}
	r, err := ParseRun(text, "good.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		if len(value) > 200 {
			return
		}
		_, err := r.Changed([]yamlfile.Change{{Path: path, Value: value, What: "--set"}}, nil)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}
