package validate

import (
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload/recorded"
)

// TestConfig: a recorded point becomes the run that was recorded: its own release's
// files, freshness, naptime, start, workers, tables and window.
func TestConfig(t *testing.T) {
	row := func(version, strategy string, freshness time.Duration, exhausted string, window time.Duration) recorded.Point {
		r := recorded.Row{Exhausted: exhausted, Window: window}
		r.Key = recorded.Key{PGVersion: version, Strategy: strategy, Freshness: freshness, Tables: 123, Workers: 7, Start: "natural", Naptime: 110 * time.Millisecond}
		return recorded.Point{Key: r.Key, Rows: []recorded.Row{r}}
	}
	leapfrog, err := scheduler.LookUp("leapfrog")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		point     recorded.Point
		freshness time.Duration
		writes    scheduler.WriteForm
		longest   time.Duration
	}{
		{row("9.5.12", "original", 500*time.Millisecond, "no", 61*time.Second), 500 * time.Millisecond, scheduler.WriteServesAll, 61 * time.Second},
		{row("9.5.13", "leapfrog", recorded.UnknownFreshness, "yes", 2*time.Second), leapfrog.Freshness, scheduler.WriteServesAll, scheduler.DefaultWindow(leapfrog).Max},
		{row("9.5.3", "original", 10*time.Millisecond, "no", 3*time.Second), 10 * time.Millisecond, scheduler.WritePerInquiry, 3 * time.Second},
		{row("13.23", "claim-release", 10*time.Millisecond, "no", 3*time.Second), 10 * time.Millisecond, scheduler.WriteServesAll, 3 * time.Second},
	} {
		cfg, err := config(c.point, options(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Strategy.Name != c.point.Strategy || cfg.Strategy.Freshness != c.freshness || cfg.Strategy.Writes != c.writes {
			t.Errorf("%v: strategy %+v, want freshness %v", c.point.Key, cfg.Strategy, c.freshness)
		}
		if cfg.Start != "natural" || cfg.Naptime != 110*time.Millisecond || cfg.Window.Max != c.longest || cfg.Window.Min > cfg.Window.Max {
			t.Errorf("%v: start %s, naptime %v, window %+v; want natural, 110ms, at most %v", c.point.Key, cfg.Start, cfg.Naptime, cfg.Window, c.longest)
		}
		if n := cfg.Population.Tables; n != 123 {
			t.Errorf("%v: %d tables, want 123", c.point.Key, n)
		}
		for name, want := range map[string]string{
			"autovacuum_max_workers": "7", "autovacuum_vacuum_threshold": "0",
			"autovacuum_vacuum_scale_factor": "0", "autovacuum_vacuum_cost_delay": "0",
		} {
			if got, err := cfg.Settings.Show(name); got != want || err != nil {
				t.Errorf("%v: %s is %s (%v), want %s", c.point.Key, name, got, err, want)
			}
		}
	}
}
