package experiment

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A condition is what Go makes of it.
func TestConditionHolds(t *testing.T) {
	c, err := NewCondition("workers <= cpus*8 and not (strategy in ['original'] or tables / workers < 100)",
		map[string]any{"workers": 1.0, "cpus": 1.0, "tables": 1.0, "strategy": ""})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		workers := float64(rapid.IntRange(1, 100).Draw(t, "workers"))
		cpus := float64(rapid.IntRange(1, 16).Draw(t, "cpus"))
		tables := float64(rapid.IntRange(1, 20000).Draw(t, "tables"))
		strategy := rapid.SampledFrom([]string{"original", "leapfrog"}).Draw(t, "strategy")
		c.Set("workers", workers)
		c.Set("cpus", cpus)
		c.Set("tables", tables)
		c.Set("strategy", strategy)
		want := workers <= cpus*8 && !(strategy == "original" || tables/workers < 100)
		if got, err := c.Holds(); err != nil || got != want {
			t.Errorf("got %v, error %v, want %v", got, err, want)
		}
	})
}

func TestConditionErrors(t *testing.T) {
	values := map[string]any{"workers": 1.0, "strategy": ""}
	for text, want := range map[string]string{
		"workers +":            "unexpected token EOF",
		"workers + 1":          "accepted is a condition",
		"wrkers > 1":           `unknown name "wrkers" (known: strategy, workers)`,
		"strategy > 1":         "mismatched types",
		"":                     "unexpected token EOF",
		"let x = workers; y>x": `unknown name "y"`,
	} {
		_, err := NewCondition(text, values)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
		if _, ok := errors.AsType[*UnknownName](err); ok != strings.HasPrefix(want, "unknown name") {
			t.Errorf("%q: error %T", text, err)
		}
	}
	c, err := NewCondition("strategy[5:6] == 'x' or [1][int(workers)] == 1", values)
	if err != nil {
		t.Fatal(err)
	}
	c.Set("workers", 7.0)
	if _, err := c.Holds(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("an index out of range gives the error %v", err)
	}
}
