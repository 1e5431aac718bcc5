package scheduler

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestRunsShareNothing: runs of one world, at a time and one after another, give the same
// (and with -race, nobody writes what another reads).
func TestRunsShareNothing(t *testing.T) {
	for seed := range 20 {
		cfg := rapid.Custom(anyRun(t)).Example(seed)
		sharesNothing(t, fmt.Sprint("scenario ", seed), func(i int) (string, error) {
			cfg := cfg
			cfg.Replication = i
			r, err := Run(context.Background(), cfg)
			if err != nil {
				return "", err
			}
			return told(r), nil
		})
	}
}

// TestMeasurementsShareNothing is the same of measurements.
func TestMeasurementsShareNothing(t *testing.T) {
	for _, s := range Strategies() {
		cfg := recordedConfig(t, s.Name, 200, 8)
		sharesNothing(t, s.Name, func(i int) (string, error) {
			cfg := cfg
			cfg.Replication = i
			m, err := Measure(context.Background(), cfg)
			return fmt.Sprintf("%+v", m), err
		})
	}
}

// sharesNothing has some replications run alone, then all together.
func sharesNothing(t *testing.T, name string, replication func(i int) (string, error)) {
	t.Helper()
	var alone, together [4]string
	var failed [4]error
	for i := range alone {
		var err error
		if alone[i], err = replication(i); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i := range together {
		all.Go(func() { together[i], failed[i] = replication(i) })
	}
	all.Wait()
	for i := range alone {
		if failed[i] != nil || alone[i] != together[i] {
			t.Errorf("%s, replication %d: others at the same time change it (%v)", name, i, failed[i])
		}
	}
}
