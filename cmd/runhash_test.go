package cmd

import (
	"testing"

	"avsim/workload/scenario"
)

// TestVariantsHaveOwnInputs: of the built-in scenarios, no two variants have the same hash
// of inputs, be it that they differ in a value of a table alone.
func TestVariantsHaveOwnInputs(t *testing.T) {
	some := 0
	for _, e := range scenario.List() {
		if e.Kind != scenario.KindRun {
			continue
		}
		sc, err := scenario.LoadRun(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]string{}
		for _, v := range sc.Variants() {
			cfg, err := new(runFlags).configOf(v.Run)
			if err != nil {
				t.Fatal(err)
			}
			hash := newRunInputs(v.Run, cfg).InputHash
			if before, twice := seen[hash]; twice {
				t.Errorf("%s: the variants %s and %s have the hash %s", e.Name, before, v.Name, hash)
			}
			seen[hash] = v.Name
			some++
		}
	}
	if some == 0 {
		t.Error("there are no variants")
	}
}
