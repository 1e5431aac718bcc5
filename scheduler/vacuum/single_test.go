package vacuum_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/workload/host"
)

// single is the job of a recorded single vacuum.
func single(t *testing.T, row map[string]string) vacuum.Job {
	t.Helper()
	pages := number(t, row, "heap_pages")
	share := number(t, row, "frac_pages_with_dead")
	perPage := number(t, row, "dead_per_page")
	x := vacuum.Table{Pages: pages, RowsPerPage: 61, RowBytes: 132, Spread: vacuum.Even,
		DeadPages: math.Ceil(pages * share), EmptyTail: number(t, row, "pages_removed")}
	x.Dead = perPage * x.DeadPages
	if share < 1 { // the first pages or, of kind trail, the last ones
		x.Spread = vacuum.Clustered
	}
	x.Skippable = pages - x.DeadPages
	x.Together = true
	if row["fresh"] == "1" {
		x.Skippable, x.Marked = 0, pages
	}
	c := vacuum.Cache{Cached: 1}
	switch row["cache"] {
	case "dirty":
		c.Dirty, c.Logged = 1, 1
	case "os", "cold":
		c = vacuum.Cache{InOS: 1}
	}
	x.DeadCache, x.MarkedCache, x.RestCache = c, c, c
	indexes := int(number(t, row, "n_indexes"))
	if row["cache"] == "dirty" { // the rows were deleted, their entries were not
		c = vacuum.Cache{Cached: 1}
	}
	for i := range indexes {
		in := vacuum.Index{Pages: number(t, row, "index_pages") / float64(indexes), Correlated: i == 0, Cache: c}
		if perPage == 61 { // all rows of the pages: so are all entries
			in.Emptied = math.Floor(share * (in.Pages - 6))
		}
		x.Indexes = append(x.Indexes, in)
	}
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	return vacuum.Job{Settings: vacuum.Manual(settings(t, "18.4")), Machine: vacuum.MachineOf(h), Table: x}
}

// Pages found, read and dirtied, images and bytes of the log, and passes, of
// single vacuums as the server reported them; and how long they took.
func TestSingleVacuums(t *testing.T) {
	off := make(map[string]offs)
	times := make(map[string]offs)
	for _, row := range rowsOf(t, "testdata/single.csv") {
		p := single(t, row).Plan()
		u := p.Total()
		delay := seconds(number(t, row, "cost_delay_ms") / 1000)
		took := number(t, row, "elapsed_ms") / 1000
		got := p.Elapsed(vacuum.Budget{Limit: int(number(t, row, "cost_limit")), Delay: delay, Slack: slack})
		if want := int(number(t, row, "index_scans")); p.IndexScans != want {
			t.Errorf("%s: %d index scans, recorded %d", row["config"], p.IndexScans, want)
		}
		for what, x := range map[string]float64{"hits": u.Hits, "reads": u.Reads, "dirtied": u.Dirtied, "wal_bytes": u.WALBytes, "wal_fpi": u.Images} {
			want := number(t, row, what)
			if want > 100 {
				o := off[what]
				o = append(o, math.Abs(x/want-1))
				off[what] = o
			}
		}
		group := "without a delay"
		if delay > 0 {
			group = "with a delay"
		}
		o := times[group]
		o.add(got, took)
		times[group] = o
		t.Logf("%-10s hits %6.0f/%-6s reads %5.0f/%-5s dirtied %5.0f/%-5s images %5.0f/%-5s WAL %9.0f/%-9s %v/%s ms", row["config"], u.Hits, row["hits"],
			u.Reads, row["reads"], u.Dirtied, row["dirtied"], u.Images, row["wal_fpi"], u.WALBytes, row["wal_bytes"], got.Round(time.Millisecond), row["elapsed_ms"])
	}
	for what, most := range map[string]float64{"hits": 0.02, "reads": 0.01, "dirtied": 0.01, "wal_fpi": 0.01, "wal_bytes": 0.03} {
		t.Logf("%s: median error %.2f %%, largest %.1f %%", what, 100*off[what].median(), 100*slices.Max(off[what]))
		if off[what].median() > most {
			t.Errorf("%s: median error %.2f %%, at most %.0f %%", what, 100*off[what].median(), 100*most)
		}
	}
	for group, most := range map[string]float64{"with a delay": 0.1, "without a delay": 0.25} {
		t.Logf("%s: median error %.1f %%, largest %.0f %%", group, 100*times[group].median(), 100*slices.Max(times[group]))
		if times[group].median() > most {
			t.Errorf("times %s: median error %.1f %%, at most %.0f %%", group, 100*times[group].median(), 100*most)
		}
	}
}
