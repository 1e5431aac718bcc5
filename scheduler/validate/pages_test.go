package validate

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"avsim/scheduler"
	"avsim/scheduler/vacuum"
	"avsim/workload/host"
)

// recordedUsage adds up what the server logged of the automatic vacuums of user
// tables that ended before an instant, in seconds of the run.
func recordedUsage(t *testing.T, name string, before float64) (u vacuum.Usage, frozen float64) {
	t.Helper()
	f, err := os.Open("../../workload/recorded/twin/" + name + "/events.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	place := make(map[string]int)
	for i, column := range rows[0] {
		place[column] = i
	}
	for _, row := range rows[1:] {
		get := func(column string) float64 {
			x, err := strconv.ParseFloat(row[place[column]], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if row[place["kind"]] == "vacuum" && row[place["schema"]] == "public" && get("t_end") < before {
			u.Hits += get("buf_hits")
			u.Reads += get("buf_misses")
			u.Dirtied += get("buf_dirtied")
			u.Images += get("wal_fpi")
			u.WALBytes += get("wal_bytes")
			frozen += get("frozen_pages")
		}
	}
	return u, frozen
}

// predictedUsage is the same of a simulated run.
func predictedUsage(t *testing.T, name string, before float64) (u vacuum.Usage, frozen float64) {
	t.Helper()
	r := recordedTwin(t, name)
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scheduler.StrategyOf(r.Settings.Version())
	if err != nil {
		t.Fatal(err)
	}
	cfg := scheduler.RunConfig{World: r.World, Settings: r.Settings, Strategy: s, Host: h, For: r.Length, Seed: 1, FirstVisits: r.FirstVisits, Events: true}
	for _, c := range r.Changes {
		cfg.Changes = append(cfg.Changes, scheduler.SettingsChange{At: c.At, Settings: c.Settings})
	}
	result, err := scheduler.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Events {
		if e.Vacuum && e.Outcome == "" && !strings.HasPrefix(e.Table, "pg_") && e.At.Seconds() < before {
			u.Add(e.Usage())
			frozen += e.FrozenPages()
		}
	}
	return u, frozen
}

// What the vacuums of a saturated server found in shared buffers, read, dirtied and
// wrote to the log in its first three minutes, with three workers: data mostly not in
// shared buffers, the first image of each page since the checkpoint before.
func TestPagesOfASaturatedServer(t *testing.T) {
	const before = 180
	got, gotFrozen := predictedUsage(t, "r2", before)
	want, wantFrozen := recordedUsage(t, "r2", before)
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"hits", got.Hits, want.Hits}, {"reads", got.Reads, want.Reads}, {"dirtied", got.Dirtied, want.Dirtied},
		{"images", got.Images, want.Images}, {"WAL bytes", got.WALBytes, want.WALBytes},
		{"frozen pages", gotFrozen, wantFrozen}, // none is old enough: all since an image of them was written
	} {
		t.Logf("%s: %.0f, recorded %.0f: %+.1f %%", x.what, x.got, x.want, 100*(x.got/x.want-1))
		if math.Abs(x.got/x.want-1) > 0.15 {
			t.Errorf("%s: %.0f, recorded %.0f", x.what, x.got, x.want)
		}
	}
}
