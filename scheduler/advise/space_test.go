package advise

import (
	"slices"
	"strings"
	"testing"

	"avsim/workload/guc"
)

// In each version, every setting that may be free has levels that the version takes, from
// less to more, and what is now is among them.
func TestSpaceOfEachVersion(t *testing.T) {
	for _, v := range guc.Branches() {
		for _, name := range Freeable() {
			s := guc.Defaults(v)
			if name == TableOptions || !s.Has(name) {
				continue
			}
			free, err := ParseFree([]string{name}, v)
			if err != nil {
				t.Fatal(err)
			}
			if name == "autovacuum_vacuum_cost_limit" {
				s.Set("autovacuum_vacuum_cost_limit", "345")
			}
			space := NewSpace(s, free, nil)
			if len(space) != 1 {
				t.Errorf("%v: %s makes %d dimensions", v, name, len(space))
				continue
			}
			d := space[0]
			if d.Kind == Other && d.Now != 0 || d.Kind != Other && d.Now == 0 {
				t.Errorf("%v: %s: what is now is level %d of %d", v, name, d.Now, len(d.Levels))
			}
			for i, l := range d.Levels {
				then := s
				for _, c := range l.Changes {
					if err := then.Set(c.Name, c.Value); err != nil {
						t.Errorf("%v: %v", v, err)
					}
				}
				if i == d.Now && then.Canonical() != s.Canonical() {
					t.Errorf("%v: %s: the level of now changes %v", v, name, then.Overrides())
				}
				if i > 0 && d.Kind == Budget && l.Rate <= d.Levels[i-1].Rate || i > 0 && d.Kind == Slots && l.Slots <= d.Levels[i-1].Slots {
					t.Errorf("%v: %s: level %s does not give more than %s", v, name, l.Text, d.Levels[i-1].Text)
				}
			}
		}
	}
}

// Limit and delay are one dimension: beyond the highest limit the delay falls.
func TestBudgetDimension(t *testing.T) {
	v := guc.MustVersion("13")
	free, err := ParseFree([]string{"autovacuum_vacuum_cost_limit", "autovacuum_vacuum_cost_delay"}, v)
	if err != nil {
		t.Fatal(err)
	}
	space := NewSpace(guc.Defaults(v), free, nil)
	if len(space) != 1 || space[0].Levels[space[0].Now].Rate != 100_000 {
		t.Fatalf("%+v", space)
	}
	last := space[0].Levels[len(space[0].Levels)-1]
	if len(last.Changes) != 2 || last.Changes[0].Value != "10000" || last.Rate <= 5_000_000 {
		t.Errorf("%+v", last)
	}
	unlimited := guc.Defaults(v)
	unlimited.Set("autovacuum_vacuum_cost_delay", "0")
	if space := NewSpace(unlimited, free, nil); len(space) != 0 {
		t.Errorf("without a limit: %+v", space)
	}
}

// Bounds hold, and are levels themselves.
func TestBounds(t *testing.T) {
	v := guc.MustVersion("17")
	free, err := ParseFree([]string{"autovacuum_max_workers=2..7", "autovacuum_naptime=13s..1min"}, v)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, d := range NewSpace(guc.Defaults(v), free, nil) {
		for _, l := range d.Levels {
			texts = append(texts, l.Text)
		}
	}
	if want := []string{"2", "3", "4", "5", "6", "7", "1min", "30s", "20s", "15s", "13s"}; !slices.Equal(texts, want) {
		t.Errorf("levels %v, want %v", texts, want)
	}
}

func TestBadFree(t *testing.T) {
	for text, want := range map[string]string{
		"autovacuum_max_worker":           "did you mean autovacuum_max_workers?",
		"shared_buffers":                  "accepted are autovacuum_",
		"autovacuum_max_workers=3":        "accepted is a setting alone or with bounds",
		"autovacuum_max_workers=..":       "accepted is a setting alone or with bounds",
		"autovacuum_max_workers=9..3":     "above the upper one",
		"autovacuum_naptime=1parsec..":    "invalid value",
		"table_options=1..2":              "accepted is a setting alone",
		"autovacuum_vacuum_max_threshold": "exists from PostgreSQL 18 on",
	} {
		if _, err := ParseFree([]string{text}, guc.MustVersion("16")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	if _, err := ParseFree([]string{"autovacuum_naptime", "autovacuum_naptime=..3s"}, guc.MustVersion("16")); err == nil {
		t.Error("a setting given twice is taken")
	}
}

// From 18 on there are no more workers than slots, which only a restart can change.
func TestSlotsOf18(t *testing.T) {
	v := guc.MustVersion("18")
	free, _ := ParseFree([]string{"autovacuum_max_workers"}, v)
	s := guc.Defaults(v)
	d := NewSpace(s, free, nil)[0]
	last := d.Levels[len(d.Levels)-1]
	if last.Slots != 16 || last.Changes[0].Restart {
		t.Errorf("%+v", last)
	}
	d = NewSpace(guc.Defaults(guc.MustVersion("17")), free, nil)[0]
	if last := d.Levels[len(d.Levels)-1]; last.Slots != 32 || !last.Changes[0].Restart {
		t.Errorf("%+v", last)
	}
}
