package cmd

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// halves are recorded runs, of which an administrator imports what is there at half
// time; change is what the administrator knows to come.
var halves = []struct {
	name      string
	from, to  float64 // seconds: the last statistics of the first half, the end
	change    []string
	leastLike float64 // share of tables whose vacuums are met within one or 10 %
}{
	{"r1", 170, 345, nil, 0.95},
	{"r2", 185, 370, []string{"--set", "autovacuum_max_workers=6"}, 0.95},
	{"r3", 180, 365, nil, 0.95},
	{"r4p13", 120, 240, nil, 0.9}, // single statements, spread as if they came evenly
}

// TestForecast: what is imported at half time foretells how often the tables are
// vacuumed in the second half.
func TestForecast(t *testing.T) {
	for _, h := range halves {
		dir := t.TempDir()
		scenario, events := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "events.csv")
		twin, own := "../workload/recorded/twin/"+h.name+"/", "../workload/imported/testdata/"+h.name+"/"
		avsim(t, "import", "csv", twin+"settings.csv", twin+"tables.csv.gz", own+"databases.csv", own+"snapshots.csv.gz", "--host", "epyc-2core", "--quiet", "-o", scenario)
		length := strconv.FormatFloat(h.to-h.from, 'f', -1, 64) + "s"
		avsim(t, append([]string{"run", scenario, "--for", length, "--events", events, "--quiet"}, h.change...)...)

		recorded, foretold := make(map[string]int), make(map[string]int)
		all := [2]int{}
		for _, row := range readCompressed(t, twin+"events.csv.gz") {
			start, _ := strconv.ParseFloat(row["t_start"], 64)
			end, _ := strconv.ParseFloat(row["t_end"], 64)
			if row["kind"] == "vacuum" && start >= h.from && end <= h.to {
				recorded[row["db"]+"."+row["table"]]++
				all[0]++
			}
		}
		for _, row := range readRows(t, events) {
			if row["kind"] == "vacuum" && row["outcome"] == "done" {
				foretold[row["database"]+"."+row["table"]]++
				all[1]++
			}
		}
		like, tables := 0, 0
		for name := range union(recorded, foretold) {
			tables++
			if math.Abs(float64(recorded[name]-foretold[name])) <= max(1, 0.1*float64(recorded[name])) {
				like++
			}
		}
		share, off := float64(like)/float64(tables), float64(all[1])/float64(all[0])-1
		t.Logf("%s: %d vacuums recorded, %d foretold (%+.0f %%); %d of %d tables within one or 10 %%", h.name, all[0], all[1], 100*off, like, tables)
		if math.Abs(off) > 0.1 || share < h.leastLike {
			t.Errorf("%s: the forecast is off by %+.0f %%, %.0f %% of the tables are met", h.name, 100*off, 100*share)
		}
	}
}

// TestForecastByLog: one export whose statistics tell no rates, and a log, come near
// what was recorded.
func TestForecastByLog(t *testing.T) {
	for name, vacuums := range map[string]float64{"r1": 342, "r3": 1119} {
		dir := t.TempDir()
		scenario := filepath.Join(dir, "x.yaml")
		twin, own := "../workload/recorded/twin/"+name+"/", "../workload/imported/testdata/"+name+"/"
		avsim(t, "import", "csv", twin+"settings.csv", twin+"tables.csv.gz", own+"databases.csv", "--log", own+"server.log.gz", "--host", "epyc-2core", "--quiet", "-o", scenario)
		var result struct {
			Summary struct {
				Vacuums float64 `json:"total_autovacuum_count"`
			}
		}
		if err := json.Unmarshal([]byte(avsim(t, "run", scenario, "--for", "345s", "--format", "json", "--quiet")), &result); err != nil {
			t.Fatal(err)
		}
		off := result.Summary.Vacuums/vacuums - 1
		t.Logf("%s: %.0f vacuums recorded, %.0f by the log (%+.0f %%)", name, vacuums, result.Summary.Vacuums, 100*off)
		if math.Abs(off) > 0.2 {
			t.Errorf("%s: off by %+.0f %%", name, 100*off)
		}
	}
}

func union(a, b map[string]int) map[string]bool {
	out := make(map[string]bool)
	for _, m := range []map[string]int{a, b} {
		for name := range m {
			out[name] = true
		}
	}
	return out
}

func readCompressed(t *testing.T, path string) (out []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(z)
	header, err := r.Read()
	for err == nil {
		var row []string
		if row, err = r.Read(); err == nil {
			m := make(map[string]string)
			for i, name := range header {
				m[name] = row[i]
			}
			out = append(out, m)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return out
}

// TestImportedRoundTrip: the log of a run of an imported scenario names its tables.
func TestImportedRoundTrip(t *testing.T) {
	dir := t.TempDir()
	scenario, log := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "x.log")
	twin, own := "../workload/recorded/twin/r1/", "../workload/imported/testdata/r1/"
	avsim(t, "import", "csv", twin+"settings.csv", twin+"tables.csv.gz", own+"databases.csv", own+"snapshots.csv.gz", "--log", own+"server.log.gz", "--quiet", "-o", scenario)
	var result struct {
		Summary struct {
			Vacuums int `json:"total_autovacuum_count"`
		}
	}
	text := avsim(t, "run", scenario, "--for", "10m", "--log", log, "--format", "json", "--quiet")
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		t.Fatal(err)
	}
	if l := readLog(t, log); l.Summary.Vacuums != result.Summary.Vacuums || l.Summary.Vacuums == 0 {
		t.Errorf("%d vacuums in the log, %d in the result", l.Summary.Vacuums, result.Summary.Vacuums)
	}
	whole, err := os.ReadFile(scenario)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"xids_per_second: 55", "# relpages ", "# n_tup_ins, _upd, _del over 2m50s", "autovacuum_naptime: 5s", "# Made by avsim import of:"} {
		if !strings.Contains(string(whole), part) {
			t.Errorf("%q is not in the scenario", part)
		}
	}
}
