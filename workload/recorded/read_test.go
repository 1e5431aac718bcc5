package recorded

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestEmbedded checks the copy against figures quoted in the recordings' README.
func TestEmbedded(t *testing.T) {
	rows, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 76 {
		t.Errorf("%d rows, the file has 76", len(rows))
	}
	for _, p := range Points(rows) {
		if p.Strategy == "claim-release" && p.Tables == 1000 && p.Workers == 30 {
			all, _, _ := p.Spread(func(r Row) float64 { return r.Throughput })
			first, _, _ := p.Spread(func(r Row) float64 { return r.Distinct })
			if math.Round(all) != 1673 || math.Round(first) != 878 {
				t.Errorf("1,000 tables and 30 workers: %v and %v, the README says 1,673 and 878", all, first)
			}
		}
	}
}

func TestRepetitions(t *testing.T) {
	rows, warnings, err := Read(strings.NewReader(`pg_version,strategy,freshness_ms,tables,workers,start,naptime_seconds,exhausted,throughput_per_s
9.5.13,leapfrog,500,10000,3,gated,0.11,yes,1730
9.5.13,leapfrog,500,10000,3,natural,0.11,no,5
9.5.13,leapfrog,500,10000,3,gated,0.11,no,1202
`), "t.csv")
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	points := Points(rows)
	if len(points) != 2 || len(points[0].Rows) != 2 {
		t.Fatalf("%d points, the first with %d repetitions; want 2 and 2", len(points), len(points[0].Rows))
	}
	mean, least, greatest := points[0].Spread(func(r Row) float64 { return r.Throughput })
	if mean != 1466 || least != 1202 || greatest != 1730 || points[0].Exhausted() != "yes" || points[0].Naptime != 110*time.Millisecond {
		t.Errorf("mean %v, least %v, greatest %v, exhausted %s, naptime %v", mean, least, greatest, points[0].Exhausted(), points[0].Naptime)
	}
}

// TestBadRows: what cannot be right is named with file and line, the others stay.
func TestBadRows(t *testing.T) {
	rows, warnings, err := Read(strings.NewReader(`pg_version,strategy,tables,workers,start,throughput_per_s
9.5.12,original,1000,1,gated,0
9.5.12,original,1000,1,gated,-3
9.5.12,original,1000,0,gated,3
9.5.12,original,x,1,gated,3
9.5.12,original,1000,1,later,3
9.5.12,original,1000,1,gated,NaN
9.5.12,original,1000,1,gated,
9.5.12,original,1000,1,gated,92
`), "t.csv")
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v; want the one that is right", len(rows), err)
	}
	want := []string{"t.csv:1: no column freshness_ms, naptime_seconds, exhausted", "t.csv:2: throughput_per_s", "t.csv:3: throughput_per_s", "t.csv:4: workers", "t.csv:5: tables",
		"t.csv:6: start", "t.csv:7: throughput_per_s", "t.csv:8: throughput_per_s"}
	for i, w := range want {
		if i >= len(warnings) || !strings.HasPrefix(warnings[i], w) {
			t.Fatalf("warnings %q, want one that begins with %q", warnings, w)
		}
	}
	if _, _, err := Read(strings.NewReader("pg_version,strategy,tables,workers\n"), "t.csv"); err == nil || !strings.Contains(err.Error(), "t.csv:1: no column throughput_per_s") {
		t.Errorf("a missing column gives %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("pg_version,strategy,tables,workers,throughput_per_s\n9.5,original,1,1,3\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, _, _ := Read(strings.NewReader(text), "f")
		for _, r := range rows {
			if !(r.Throughput > 0) || r.Tables < 1 || r.Workers < 1 {
				t.Errorf("a row that cannot be right is taken: %+v", r)
			}
		}
	})
}
