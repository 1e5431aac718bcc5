package host

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWith(t *testing.T) {
	p, err := Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, value string
		change      func(*Profile)
	}{
		{"cold_after", "2ms", func(q *Profile) { q.ColdAfter = 2 * time.Millisecond }},
		{"cores", "7", func(q *Profile) { q.Cores = 7 }},
		{"worker.lock_hold.hot", "3us", func(q *Profile) { q.Worker.LockHold.Hot = 3 * time.Microsecond }},
		{"statistics.read.hot", "{base: 1us, per_entry: 2ns}", func(q *Profile) {
			q.Statistics.Read.Hot = Curve{Base: time.Microsecond, PerEntry: 2}
		}},
	} {
		want := *p
		c.change(&want)
		got, err := p.With(c.path, c.value)
		if err != nil {
			t.Errorf("%s=%s: %v", c.path, c.value, err)
		} else if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s=%s changed (-want +got):\n%s", c.path, c.value, diff)
		}
	}
	if again, _ := Load("epyc-2core"); !cmp.Equal(p, again) {
		t.Error("the profile itself was changed")
	}
}

func TestWithErrors(t *testing.T) {
	p, err := Load("epyc-2core")
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[[2]string]string{
		{"cold_afte", "2ms"}:             "cold_afte: unknown key (did you mean cold_after?); accepted is like, name, description, source, cores, scheduler, wake_latency, wake_call, sleep_slack, cold_after, cache_bytes, variation, statistics, worker, memory_bytes, vacuum, device",
		{"cold_after", "2"}:              `cold_after: found "2" without a unit (2us? 2ms?); accepted is a time from 0 to 1h with its unit, such as 54us or 1.7ms`,
		{"worker.lock_hold.hott", "2ms"}: "worker.lock_hold.hott: unknown key (did you mean hot?); accepted is hot, cold",
		{"worker", "5"}:                  `worker: found "5"; accepted is a mapping with the keys start, cleanup, first_read, scan_tables, scan_toast, sort, lock_hold, vacuum`,
		{"name", "x"}:                    "name is no figure of a host profile",
		{"", "x"}:                        "=x is no figure of a host profile and its value, such as cold_after=2ms",
		{"cores", "2, tick: 1"}:          "",
		{"cores", "}"}:                   `cores: found "}"; accepted is a whole number from 1 to 1024`,
	} {
		_, err := p.With(given[0], given[1])
		if err == nil {
			t.Errorf("%s=%s is accepted", given[0], given[1])
		} else if want != "" && err.Error() != want {
			t.Errorf("%s=%s:\n got %v\nwant %s", given[0], given[1], err, want)
		}
	}
}
