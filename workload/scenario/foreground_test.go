package scenario

import (
	"testing"
	"time"

	"avsim/workload"
)

// The application of testdata/application.yaml, and its variants.
func TestForeground(t *testing.T) {
	sc, err := ParseRun([]byte(application(t)), "application.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := sc.Foreground
	if f.Clients != 4 || f.Think != 10*time.Millisecond || f.FlushLatency != time.Millisecond || f.Apart != time.Minute || f.VacuumTime != 2 || f.Done != 1000 {
		t.Errorf("%+v", f)
	}
	if f.Costs != workload.AssumedCosts { // the file writes them out
		t.Errorf("costs %+v", f.Costs)
	}
	if got := f.Progress.Total(30 * time.Minute); got != 500 {
		t.Errorf("%v transactions half-way, want 500", got)
	}
	if want := (workload.Access{Reads: 1, Updates: 1, Inserts: 0.5, Scans: 0.01}); len(f.Transaction) != 1 || f.Transaction[0] != want {
		t.Errorf("%+v", f.Transaction)
	}
	v := sc.Variants()
	if len(v) != 2 || v[0].PG.String() != "16" || v[1].PG.String() != "17" || v[1].Host != "epyc-2core" || v[1].Settings.Bytes("vacuum_buffer_usage_limit") != 4<<20 {
		t.Fatalf("%d variants: %+v", len(v), v)
	}
	if len(v[1].Expect) != 0 || len(v[1].Claims) != 0 || len(sc.Claims) != 1 || len(v[1].Variants()) != 0 {
		t.Error("what is expected of all variants is not of one of them")
	}
	if short := sc.Lasting(time.Minute); short.Variants()[1].RunFor != time.Minute {
		t.Error("variants last as long as the scenario")
	}
}
