package study

import (
	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// Config is what a run of a scenario depends on, with these settings at its start. The
// scenario's own changes of settings come on top. An error is the scenario's.
func Config(sc *scenario.Run, settings guc.Settings, s scheduler.Strategy, h *host.Profile, seed uint64) (scheduler.RunConfig, error) {
	cfg := scheduler.RunConfig{Settings: settings, Strategy: s, Host: h, For: sc.RunFor, WarmUp: sc.WarmUp, Seed: seed, Foreground: sc.Foreground}
	var err error
	if cfg.World, err = sc.World(seed); err != nil {
		return cfg, err
	}
	changed := settings
	for _, change := range sc.Changes {
		for _, a := range change.Assignments {
			if err := changed.Set(a[0], a[1]); err != nil {
				return cfg, err
			}
		}
		cfg.Changes = append(cfg.Changes, scheduler.SettingsChange{At: change.At, Settings: changed})
	}
	return cfg, nil
}
