package expect

import (
	"strings"
	"testing"
)

var figures = Figures{
	Summary: map[string]float64{"total_autovacuum_count": 10},
	Tables:  TableMap{"db.t": {"autovacuum_count": 11}, `db.a  "b", c`: {"autovacuum_count": 3}},
	Verdict: "cost-budget",
	Held:    map[string]Held{"up db.t autovacuum_count": {By: "naptime", Told: "in words"}},
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]bool{
		"total_autovacuum_count >= 10":                true,
		"total_autovacuum_count > 10":                 false,
		"total_autovacuum_count < 10.5":               true,
		"total_autovacuum_count <= 9":                 false,
		"total_autovacuum_count = 10":                 true,
		"db.t  autovacuum_count 10..12":               true,
		"db.t autovacuum_count 12..13":                false,
		"verdict cost-budget":                         true,
		"verdict none":                                false,
		" total_autovacuum_count  9..10 ":             true,
		"naptime holds up db.t autovacuum_count":      true,
		"disk|naptime holds up db.t autovacuum_count": true,
		"disk holds up db.t autovacuum_count":         false,
		"naptime holds down db.t autovacuum_count":    false,
		"naptime holds up total_autovacuum_count":     false,
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if holds, found, err := e.Check(figures); holds != want || err != nil {
			t.Errorf("%q: %v (found %s, %v), want %v", text, holds, found, err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "accepted is such as",
		"total":                          "accepted is such as",
		"total_autovacuum_count 12..10":  "no range",
		"total_autovacuum_count >= many": "no number",
		"total_autovacuum_count => 3":    "unknown operator",
		"a b c d":                        "accepted is such as",
		"disk holds up a b c":            "accepted is such as",
		"disk holds sideways a":          "accepted is such as",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"total_autovacuum_cont >= 3": "did you mean total_autovacuum_count",
		"db.u autovacuum_count >= 3": "did you mean db.t",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.Check(figures); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check(%q): %v, want %q", text, err, want)
		}
	}
}

// TestCutTable: a name, quoted where it has to be, is cut off as it was.
func TestCutTable(t *testing.T) {
	for _, name := range []string{"db.t", `db."T"`, "db.a b", "db.a,b", "db.\n", `db."`, "db. "} {
		if table, rest, ok := CutTable(Quoted(name) + "  dead_rows_end  < 3"); !ok || table != name || rest != "dead_rows_end  < 3" {
			t.Errorf("%q: %q, %q, %v", name, table, rest, ok)
		}
	}
	for _, text := range []string{"", "dead_rows_end < 3", `"db.t`, `"`} {
		if _, rest, ok := CutTable(text); ok || rest != text {
			t.Errorf("%q: %q, %v", text, rest, ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("db.t autovacuum_count 10..12")
	f.Add("disk|none holds down db.t autovacuum_count")
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := Parse(text); err == nil {
			e.Check(figures)
			if again, err := Parse(e.Of() + " >= 0"); e.Figure() != "" && (err != nil || again.Table() != e.Table() || again.Figure() != e.Figure()) {
				t.Fatalf("%q is of %q, which is read as of %q, %v", text, e.Of(), again.Of(), err)
			}
		}
	})
}
