package scheduler

import (
	"math"
	"testing"
	"time"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
)

// TestLogBetweenCheckpoints: segments worked out by hand from the defaults of each version.
func TestLogBetweenCheckpoints(t *testing.T) {
	for _, c := range []struct {
		pg, set  string
		segments float64
	}{
		{"9.4", "", 3},
		{"9.5", "", 25},                       // 64 / 2.5
		{"10", "", 25},                        // likewise
		{"11", "", 42},                        // 64 / 1.5
		{"14", "", 33},                        // 64 / 1.9
		{"14", "max_wal_size=8GB", 269},       // 512 / 1.9
		{"14", "max_wal_size=2MB", 1},         // at least one
		{"9.4", "checkpoint_segments=64", 64}, // as it is
	} {
		s := guc.Defaults(guc.MustVersion(c.pg))
		if c.set != "" {
			if err := s.Assign(c.set); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := checkpointsOf(s).distance, (c.segments-0.5)*16*1024*1024; got != want {
			t.Errorf("%s %s: a checkpoint every %.0f bytes of log, want %.0f", c.pg, c.set, got, want)
		}
	}
}

// TestCheckpointsOfAnEvenLoad: 10,000 rows of 132 bytes a second go into a table with no index: each
// logs itself and 60 bytes, and each page of 61 is logged once as it is.
func TestCheckpointsOfAnEvenLoad(t *testing.T) {
	x := table("t", 1_000_000)
	x.Indexes, x.RowBytes = 0, 132
	x.Activity.Inserts = workload.Constant(10_000)
	cfg := runConfig(t, "16", time.Hour, oneDatabase(x), "autovacuum=off")
	perSecond := 10_000*(132+60) + 10_000/float64(x.RowsInPage())*8192
	c, err := newLive(newSystem(&sim.Kernel{}, nil, cfg.config()), &cfg.World, cfg.Settings, cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.pages(sim.Time(10 * time.Minute))
	distance := 32.5 * 16 * 1024 * 1024
	if got, want := c.checkpoints.every.Sub(0).Seconds(), distance/perSecond; math.Abs(got/want-1) > 1e-3 {
		t.Errorf("a checkpoint every %.1f s, want every %.1f s", got, want)
	}
}

// TestReloadKeepsTheLastCheckpoint: a shorter timeout counts from when the last one began.
func TestReloadKeepsTheLastCheckpoint(t *testing.T) {
	s := guc.Defaults(guc.MustVersion("16"))
	k := checkpointsOf(s)
	at := sim.Time(1000 * time.Second) // the last began at 900 s
	if err := s.Assign("checkpoint_timeout=2min"); err != nil {
		t.Fatal(err)
	}
	k.again(s, at)
	if began, _ := k.since(sim.Time(1010 * time.Second)); began != sim.Time(110*time.Second) {
		t.Errorf("the last checkpoint began %v ago, want 1m50s", began.Sub(0))
	}
	if began, _ := k.since(sim.Time(1030 * time.Second)); began != sim.Time(10*time.Second) {
		t.Errorf("the last checkpoint began %v ago, want 10s", began.Sub(0))
	}
}
