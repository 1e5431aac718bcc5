package scheduler

import (
	"reflect"
	"testing"
	"time"

	"avsim/sim"
)

// TestProgressOfARun: a vacuum shows up while it is under way, from its start to its
// end, goes on and never back, and looking changes nothing.
func TestProgressOfARun(t *testing.T) {
	x := table("t", 3_000_000)
	x.Dead, x.AllVisible, x.Indexes = 1_000_000, 0, 2
	cfg := runConfig(t, "17", time.Hour, oneDatabase(x), "maintenance_work_mem=1MB", "autovacuum_analyze_threshold=1000000000")
	blind := mustRun(t, cfg)
	for at := time.Duration(0); at < cfg.For; at += time.Second {
		cfg.ProgressAt = append(cfg.ProgressAt, at)
	}
	r := mustRun(t, cfg)
	if !reflect.DeepEqual(blind.Events, r.Events) {
		t.Error("looking changes what happens")
	}
	e := r.Events[0]
	seen := 0
	for i, p := range r.Progress {
		if p.At < e.Start || p.At > e.At {
			t.Fatalf("a vacuum from %v to %v shows up at %v", e.Start, e.At, p.At)
		}
		if i > 0 {
			if q := r.Progress[i-1]; p.HeapScanned < q.HeapScanned || p.HeapVacuumed < q.HeapVacuumed || p.IndexScans < q.IndexScans || p.Phase != q.Phase && p.HeapScanned == 0 {
				t.Fatalf("%+v after %+v", p, q)
			}
		}
		seen++
	}
	if want := int((e.At - e.Start) / sim.Time(time.Second)); seen < want || seen > want+1 {
		t.Errorf("%d seconds of a vacuum of %d", seen, want)
	}
	if last := r.Progress[len(r.Progress)-1]; last.IndexScans < e.IndexScans()-1 || last.HeapTotal != int64(e.pages) || e.IndexScans() < 2 {
		t.Errorf("in the end %+v of a vacuum with %d index scans", last, e.IndexScans())
	}
}

// TestIOByContext: what is read goes through the ring; with a ring of 0 through shared
// buffers like anything else.
func TestIOByContext(t *testing.T) {
	x := table("t", 3_000_000)
	x.Dead = 1_000_000
	ring := mustRun(t, runConfig(t, "17", time.Hour, oneDatabase(x), "autovacuum_analyze_threshold=1000000000")).IO
	none := mustRun(t, runConfig(t, "17", time.Hour, oneDatabase(x), "autovacuum_analyze_threshold=1000000000", "vacuum_buffer_usage_limit=0")).IO
	if ring.Vacuum.Reads < 1000 || ring.Normal.Reads != 0 || ring.Vacuum.Reuses == 0 || ring.Vacuum.Evictions > 3*3*256 {
		t.Errorf("with a ring of 256 pages: %+v", ring)
	}
	if none.Vacuum != (IOContext{}) || none.Normal.Reads < 1000 || none.Normal.Reuses != 0 || none.Normal.Evictions != none.Normal.Reads {
		t.Errorf("without a ring: %+v", none)
	}
}
