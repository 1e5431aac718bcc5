package scheduler

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/guc"
)

// idealCosts are round numbers on a machine without latencies, so that a
// timeline can be worked out with a pencil: starting takes no time, reading the
// statistics 2 ms, writing them 3 ms, a vacuum 4 ms.
var idealCosts = costs{
	statsRead:  sim.Flat(2 * time.Millisecond),
	firstRead:  2 * time.Millisecond,
	statsWrite: 3 * time.Millisecond,
	vacuum:     sim.Flat(4 * time.Millisecond),
}

// settings of a run in which any dead row makes a table due.
func dueAtOnce(t *testing.T, workers int) guc.Settings {
	t.Helper()
	s := guc.Defaults(guc.MustVersion("9.5"))
	for _, a := range []string{"autovacuum_vacuum_threshold=0", "autovacuum_vacuum_scale_factor=0",
		"autovacuum_naptime=1s", fmt.Sprintf("autovacuum_max_workers=%d", workers)} {
		if err := s.Assign(a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestTimeline holds a run of 3 tables and 2 workers, on two processors that
// wake and sleep to the nanosecond, to timelines written by hand: testdata has
// one per strategy, each line with its reason.
func TestTimeline(t *testing.T) {
	for _, name := range []string{"original", "claim-release", "leapfrog"} {
		t.Run(name, func(t *testing.T) {
			strategy, err := LookUp(name)
			if err != nil {
				t.Fatal(err)
			}
			want := readTimeline(t, "testdata/timeline/"+name+".txt")
			got := idealRun(t, strategy, 3, 2)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("the run departs from the timeline written by hand (-want +got):\n%s", d)
			}
		})
	}
}

// idealRun is the timeline of a gated run from the opening of the gate, times
// counted from there, until the last worker has left.
func idealRun(t *testing.T, strategy Strategy, tables, workers int) []string {
	t.Helper()
	var lines []string
	k := &sim.Kernel{}
	defer k.Close()
	cpu := sim.NewSharing(k, workers, sim.Machine{})
	var sys *system
	gate := sim.Time(-1)
	exits := 0
	cfg := Config{
		Strategy:   strategy,
		Settings:   dueAtOnce(t, workers),
		Population: workload.TinyTables(tables, 1),
		Start:      Gated,
		Window:     Window{Min: time.Hour, Max: time.Hour},
		Trace: func(e Event) {
			if e.What == ListBuilt && e.Worker == workers {
				gate = e.At
			}
			if gate < 0 || e.What == ListBuilt {
				return
			}
			e.At -= gate
			lines = append(lines, e.String())
			if e.What == WorkerExited {
				if exits++; exits == workers {
					k.Stop()
				}
			}
		},
	}
	sys = newSystem(k, cpu, cfg)
	sys.addDatabase("ideal", tables, idealCosts)
	newMeter(sys, cfg, len(sys.startTiny(cfg, sim.NewStreams(1, 0)).list(snapshot{})))
	sys.onDone = nil // the meter would end the run with the last table
	sys.startCollector()
	sys.startLauncher(nil)
	k.Run(sim.Time(time.Minute))
	return lines
}

// readTimeline reads a hand-written timeline: lines of the form
// "time event # why"; a line that begins with # is prose.
func readTimeline(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
