package study

import (
	"context"
	"slices"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

func small(t *testing.T) (Study, Point) {
	t.Helper()
	h, err := host.Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scheduler.LookUp("claim-release")
	if err != nil {
		t.Fatal(err)
	}
	study := Study{
		Scenario: "test", Population: workload.TinyTables(0, 1), Seed: 1, Replications: 2,
		Settings: []string{"autovacuum_vacuum_threshold=0", "autovacuum_vacuum_scale_factor=0", "autovacuum_naptime=1s"},
	}
	return study, Point{
		Tables: 50, Workers: 2, Strategy: s, PG: guc.MustVersion("9.5"), Host: h, DueShare: 1, Start: scheduler.Gated,
		Window: scheduler.Window{Min: time.Second, Max: time.Second},
	}
}

// TestHash: whatever changes a result changes the hash, and nothing else does.
func TestHash(t *testing.T) {
	s, p := small(t)
	base := s.Hash([]Point{p})
	if again := s.Hash([]Point{p}); again != base || len(base) != 12 {
		t.Errorf("hashes %q and %q of the same inputs", base, again)
	}
	named := *p.Host
	named.Description = "another description"
	q := p
	q.Host = &named
	if s.Hash([]Point{q}) != base {
		t.Error("the description of a host is in the hash")
	}
	for what, change := range map[string]func(*Study, *Point){
		"tables":    func(_ *Study, p *Point) { p.Tables++ },
		"workers":   func(_ *Study, p *Point) { p.Workers++ },
		"cpus":      func(_ *Study, p *Point) { p.Host = p.Host.WithCores(3) },
		"due share": func(_ *Study, p *Point) { p.DueShare = 0.5 },
		"start":     func(_ *Study, p *Point) { p.Start = scheduler.Natural },
		"window":    func(_ *Study, p *Point) { p.Window.Max *= 2 },
		"version":   func(_ *Study, p *Point) { p.PG = guc.MustVersion("9.6") },
		"setting":   func(_ *Study, p *Point) { p.Settings = []string{"autovacuum_naptime=2s"} },
		"choice":    func(_ *Study, p *Point) { p.Strategy.Recheck = scheduler.RecheckNone },
		"seed":      func(s *Study, _ *Point) { s.Seed++ },
		"runs":      func(s *Study, _ *Point) { s.Replications++ },
		"defaults":  func(s *Study, _ *Point) { s.Settings = s.Settings[:2] },
	} {
		s, p := small(t)
		change(&s, &p)
		if s.Hash([]Point{p}) == base {
			t.Errorf("another %s has the same hash", what)
		}
	}
}

// TestRows: a row has a field for every column, and shares that add up to one.
func TestRows(t *testing.T) {
	s, p := small(t)
	var results []Result
	err := s.Run(context.Background(), slices.Values([]GridPoint{{Point: p, First: true}}), Options{}, func(r Result) error {
		if len(r.Runs) != 2 {
			t.Errorf("%d replications, want 2", len(r.Runs))
		}
		results = append(results, r)
		return nil
	})
	table := s.Table("hash", nil, results)
	if err != nil || len(table.Rows) != 1 {
		t.Fatal(err, len(table.Rows))
	}
	sum := 0.0
	for _, share := range scheduler.Shares() {
		x, err := table.Float(0, share.Column)
		if err != nil {
			t.Error(err)
		}
		sum += x
	}
	if sum < 0.9999 || sum > 1.0001 {
		t.Errorf("shares of the workers' time add up to %v", sum)
	}
	for column, want := range map[string]string{"tables": "50", "workers": "2", "cpus": "2", "strategy": "claim-release",
		"exhausted": "yes", "autovacuum_naptime_seconds": "1", "input_hash": "hash", "replications": "2", "ratio_to_first": "1", "difference_to_first_per_s": "0"} {
		if got := table.Text(0, column); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
}

// TestCheck: what the version does not have, or what is not a setting's to say.
func TestCheck(t *testing.T) {
	for _, bad := range []string{"autovacuum_max_workers=3", "autovacuum_naptim=3s", "autovacuum_naptime=3 parsecs",
		"autovacuum_vacuum_insert_threshold=5", "autovacuum_naptime"} {
		s, p := small(t)
		p.Settings = []string{bad}
		if s.Check(p) == nil {
			t.Errorf("%s is accepted for 9.5", bad)
		}
	}
}
