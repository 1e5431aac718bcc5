package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"
	"time"

	"avsim/scheduler/vacuum"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// reported are the numbers of the thirty public cases.
var reported = []string{"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "13", "14", "15", "16", "17", "18", "19",
	"21", "22", "23", "25", "26", "27", "29", "30", "31", "33", "34", "35", "37"}

// TestCases runs every public case: what its file expects, which stood in the report or
// follows from PostgreSQL's source, has to come out, so that its answer stands.
func TestCases(t *testing.T) {
	found := map[string]bool{}
	for _, e := range scenario.List() {
		if !scenario.IsCase(e.Name) {
			continue
		}
		number := e.Name[1:3]
		found[number] = true
		t.Run("T"+number, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			code := run(context.Background(), []string{"run", e.Name, "--format", "json", "--quiet"}, &stdout, &stderr)
			if code != exitDone {
				t.Fatalf("exit code %d: %s", code, stderr.String())
			}
			var out struct{ Answer *string }
			if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
				t.Fatal(err)
			}
			if out.Answer == nil || *out.Answer == "" {
				t.Error("no answer")
			}
		})
	}
	for _, number := range reported {
		if !found[number] {
			t.Errorf("there is no scenario of case T%s", number)
		}
	}
}

// TestCasesDisks: what the formula leaves out of the last two lines that calibrate is
// what a host gives: the one of 18 reads from the solid-state disk of the built-in profiles
// and sleeps as the line before it does, 2.28 ms instead of 2; the one of 9.5 has the disk that its log
// tells, 4.4 MB/s. A sleep of 20 ms is too short for that disk to fill the read-ahead,
// so that it never rests: the time is the disk's alone.
func TestCasesDisks(t *testing.T) {
	machine := func(figures ...string) vacuum.Machine {
		h, err := host.Load("generic-4core")
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(figures); i += 2 {
			if h, err = h.With(figures[i], figures[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		return vacuum.MachineOf(h)
	}
	within := func(what string, got, want, share float64) {
		t.Helper()
		t.Logf("%s: %.2f s, logged %.2f s: %+.1f %%", what, got, want, 100*(got/want-1))
		if math.Abs(got/want-1) > share {
			t.Errorf("%s: %.2f s, logged %.2f s: off by more than %.0f %%", what, got, want, 100*share)
		}
	}
	ssd := machine().Reading(vacuum.Usage{Reads: 74238, FromDevice: 74238}, 1) / 1e9
	line := vacuum.Logged{Hits: 74279, Reads: 74238, Dirtied: 18846, CPU: 2920 * time.Millisecond}
	slept := line.Elapsed(vacuum.PageCosts{Hit: 1, Miss: 2, Dirty: 20}, []vacuum.LimitFrom{{Limit: 200}}, 2*time.Millisecond, 280*time.Microsecond).Seconds()
	within("18", slept+ssd, 10.89, 0.03)

	slow := machine("device.read_bytes_per_s", "4613734") // 4.4 MB of 2^20 bytes
	rate, window := slow.Device.ReadPerSecond, slow.Device.ReadAhead
	if asleep := 0.020 * rate; asleep > window {
		t.Fatalf("the disk reads %.0f bytes in a sleep, more than the read-ahead of %.0f: it rests", asleep, window)
	}
	disk := slow.Reading(vacuum.Usage{Reads: 70138, FromDevice: 70138}, 1) / 1e9
	within("9.5", disk, 123.46, 0.02)
	line = vacuum.Logged{Hits: 89805, Reads: 70138, Dirtied: 359, CPU: 800 * time.Millisecond}
	if one := line.Elapsed(vacuum.PageCosts{Hit: 1, Miss: 10, Dirty: 20}, []vacuum.LimitFrom{{Limit: 1000}}, 20*time.Millisecond, 0).Seconds(); one > disk/5 {
		t.Errorf("%.1f s of sleeps and processor time against %.1f s of the disk: it is not the disk that binds", one, disk)
	}
}

// TestCasesLoggedTimes: what a log tells of vacuums, pages and processor time, gives the
// time that it tells, or what the reports say that the formula leaves out (T16 and the lines
// that calibrate).
func TestCasesLoggedTimes(t *testing.T) {
	old := vacuum.PageCosts{Hit: 1, Miss: 10, Dirty: 20}
	from14 := vacuum.PageCosts{Hit: 1, Miss: 2, Dirty: 20}
	const ms = time.Millisecond
	for _, c := range []struct {
		what         string
		logged       vacuum.Logged
		costs        vacuum.PageCosts
		limit        int
		delay, slack time.Duration
		seconds      float64
		within       float64
	}{
		{"T16, found", vacuum.Logged{Hits: 10414, Dirtied: 769, CPU: 460 * ms}, old, 200, 20 * ms, 0, 3.19, 0.05},
		{"T16, read", vacuum.Logged{Hits: 75143, Reads: 73378, Dirtied: 73364, CPU: 2970 * ms}, old, 200, 20 * ms, 0, 231.2, 0.01},
		{"formula, 16 or 17", vacuum.Logged{Hits: 444687, Reads: 440385, Dirtied: 442496, CPU: 24330 * ms}, from14, 200, 2 * ms, 0, 126.1, 0.01},
		{"a sleep of 2.28 ms", vacuum.Logged{Hits: 444687, Reads: 440385, Dirtied: 442496, CPU: 24330 * ms}, from14, 200, 2 * ms, 280 * time.Microsecond, 140.29, 0.02},
		{"formula, 18", vacuum.Logged{Hits: 74279, Reads: 74238, Dirtied: 18846, CPU: 2920 * ms}, from14, 200, 2 * ms, 0, 8.9, 0.02},
		{"formula, 9.5", vacuum.Logged{Hits: 89805, Reads: 70138, Dirtied: 359, CPU: 800 * ms}, old, 1000, 20 * ms, 0, 16.8, 0.02},
	} {
		got := c.logged.Elapsed(c.costs, []vacuum.LimitFrom{{Limit: c.limit}}, c.delay, c.slack).Seconds()
		if math.Abs(got/c.seconds-1) > c.within {
			t.Errorf("%s: %.2f s, want %.2f s to %.0f %%", c.what, got, c.seconds, 100*c.within)
		}
	}
}
