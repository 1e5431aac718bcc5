package cmd

import (
	"reflect"
	"testing"

	"avsim/scheduler"
	"avsim/scheduler/explain"
	"avsim/workload/scenario"
)

// TestLoosenings: of every built-in scenario each loosening can be made, changes something
// and leaves what others share as it is.
func TestLoosenings(t *testing.T) {
	for _, e := range scenario.List() {
		if e.Kind != scenario.KindRun || e.Name == "many-tables" {
			continue
		}
		sc, err := scenario.LoadRun(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		runs := []*scenario.Run{sc}
		for _, v := range sc.Variants() {
			runs = append(runs, v.Run)
		}
		for _, run := range runs {
			var f runFlags
			cfg, err := f.configOf(run)
			if err != nil {
				t.Fatal(err)
			}
			loosened(t, e.Name, cfg)
		}
	}
}

func loosened(t *testing.T, name string, cfg scheduler.RunConfig) {
	t.Helper()
	host, tables := *cfg.Host, cfg.World.Databases[0].Tables.At(0)
	for _, l := range explain.Loosenings(&cfg) {
		then := cfg
		l.Apply(&then)
		if then.Settings.Canonical() == cfg.Settings.Canonical() && then.Host == cfg.Host && reflect.DeepEqual(then.Strategy, cfg.Strategy) && reflect.DeepEqual(then.World, cfg.World) {
			t.Errorf("%s: %s changes nothing", name, l.What)
		}
	}
	if !reflect.DeepEqual(*cfg.Host, host) || !reflect.DeepEqual(cfg.World.Databases[0].Tables.At(0), tables) {
		t.Errorf("%s: what is shared was changed", name)
	}
}
