package guc

import (
	"errors"
	"testing"
	"time"
)

// Every default of every version must be legal in that version.
func TestDefaultsAreLegal(t *testing.T) {
	for _, v := range Branches() {
		for _, name := range Names(v) {
			d, err := Lookup(v, name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.parse(d.Default); err != nil {
				t.Errorf("PostgreSQL %s: default of %s: %v", v, name, err)
			}
			if d.Fallback != "" {
				if _, err := Lookup(v, d.Fallback); err != nil {
					t.Errorf("PostgreSQL %s: %s falls back: %v", v, name, err)
				}
			}
		}
	}
}

// autovacuum_max_workers became reloadable in 18 (release notes).
func TestContext(t *testing.T) {
	for version, want := range map[string]Context{"17": Restart, "18": Reload} {
		if d, _ := Lookup(MustVersion(version), "autovacuum_max_workers"); d.Context != want {
			t.Errorf("PostgreSQL %s: autovacuum_max_workers takes a %s, want %s", version, d.Context, want)
		}
	}
}

func TestGetters(t *testing.T) {
	s := Defaults(MustVersion("13"))
	if got := s.Duration("autovacuum_naptime"); got != time.Minute {
		t.Errorf("naptime %v, want 1m", got)
	}
	if got := s.Bytes("shared_buffers"); got != 128<<20 {
		t.Errorf("shared_buffers %d bytes, want 128 MiB", got)
	}
	if got := s.Float("autovacuum_vacuum_scale_factor"); got != 0.2 {
		t.Errorf("scale factor %v, want 0.2", got)
	}
	if !s.Bool("autovacuum") {
		t.Error("autovacuum is off by default")
	}
	if got := s.Duration("log_autovacuum_min_duration"); got != Off {
		t.Errorf("log_autovacuum_min_duration %v, want Off", got)
	}
	if s.Has("autovacuum_worker_slots") || !s.Has("autovacuum_work_mem") {
		t.Error("Has disagrees with the release notes of 18 and 9.4")
	}
}

// TestNoCostLimit: a cost limit of 0 is that of vacuum_cost_limit, in every version.
func TestNoCostLimit(t *testing.T) {
	for _, v := range Branches() {
		s := Defaults(v)
		if err := errors.Join(s.Set("vacuum_cost_limit", "350"), s.Set("autovacuum_vacuum_cost_limit", "0")); err != nil {
			t.Fatal(err)
		}
		if got := s.Int("autovacuum_vacuum_cost_limit"); got != 350 {
			t.Errorf("%v: a limit of %d, want 350", v, got)
		}
	}
}

// -1 stands for the general setting (documentation of the three).
func TestFallback(t *testing.T) {
	s := Defaults(MustVersion("16"))
	for _, a := range []string{
		"vacuum_cost_limit=1000",
		"vacuum_cost_delay=500us", "autovacuum_vacuum_cost_delay=-1",
		"maintenance_work_mem=1GB",
	} {
		if err := s.Assign(a); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Int("autovacuum_vacuum_cost_limit"); got != 1000 {
		t.Errorf("cost limit %d, want vacuum_cost_limit's 1000", got)
	}
	if got := s.Duration("autovacuum_vacuum_cost_delay"); got != 500*time.Microsecond {
		t.Errorf("cost delay %v, want vacuum_cost_delay's 500us", got)
	}
	if got := s.Bytes("autovacuum_work_mem"); got != 1<<30 {
		t.Errorf("autovacuum_work_mem %d, want maintenance_work_mem's 1 GiB", got)
	}
}

// The same settings give the same text, however they were written; a copy does
// not follow the original; an error changes nothing.
func TestCanonical(t *testing.T) {
	a, b := Defaults(MustVersion("13")), Defaults(MustVersion("13"))
	for _, text := range []string{"autovacuum_naptime=90s", "maintenance_work_mem = '1GB'", "autovacuum_max_workers=3"} {
		if err := a.Assign(text); err != nil {
			t.Fatal(err)
		}
	}
	copied := a
	for _, text := range []string{"maintenance_work_mem=1048576", "autovacuum_naptime=1.5min"} {
		if err := b.Assign(text); err != nil {
			t.Fatal(err)
		}
	}
	const want = "autovacuum_naptime=90s\nmaintenance_work_mem=1GB\n"
	if a.Canonical() != want || b.Canonical() != want {
		t.Errorf("canonical texts %q and %q, want %q", a.Canonical(), b.Canonical(), want)
	}
	if err := a.Set("autovacuum_naptime", "0"); err == nil {
		t.Error("naptime 0 was accepted")
	}
	_ = a.Set("autovacuum_naptime", "5s")
	if copied.Canonical() != want {
		t.Errorf("a copy changed with its original: %q", copied.Canonical())
	}
}

func TestParseAssignment(t *testing.T) {
	for text, want := range map[string][2]string{
		"a=1":             {"a", "1"},
		" a = '15 min' ":  {"a", "15 min"},
		"a='it''s'":       {"a", "it's"},
		"a=b=c":           {"a", "b=c"},
		"autovacuum= off": {"autovacuum", "off"},
	} {
		name, value, err := ParseAssignment(text)
		if err != nil || [2]string{name, value} != want {
			t.Errorf("%q splits into %q, %q, %v; want %q", text, name, value, err, want)
		}
	}
	for _, text := range []string{"", "a", "=1", "a="} {
		if _, _, err := ParseAssignment(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"leapfrog", "original", "claim-release"}
	for word, want := range map[string]string{"leepfrog": "leapfrog", "orignal": "original", "claimrelease": "claim-release", "zebra": ""} {
		if got := Nearest(word, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
	if d := levenshtein("kitten", "sitting"); d != 3 { // the textbook's example
		t.Errorf("distance of kitten and sitting is %d, want 3", d)
	}
}
