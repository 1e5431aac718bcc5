package experiment

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
)

// mm1Wait simulates an M/M/1 queue that begins empty, and returns the mean wait
// of its customers in service times, but for the first skip.
func mm1Wait(r *rand.Rand, rho float64, customers, skip int) float64 {
	const service = float64(time.Millisecond)
	var k sim.Kernel
	var queue []sim.Time // arrivals of those that wait or are served
	var waits sim.Tally
	var arrive, depart sim.HandlerID
	served := 0
	serve := func() {
		if served++; served > skip {
			waits.Add(float64(k.Now().Sub(queue[0])) / service)
		}
		k.After(time.Duration(r.ExpFloat64()*service), depart, 0)
	}
	arrive = k.Handler(func(int64) {
		if queue = append(queue, k.Now()); len(queue) == 1 {
			serve()
		}
		if served+len(queue) < customers+skip {
			k.After(time.Duration(r.ExpFloat64()*service/rho), arrive, 0)
		}
	})
	depart = k.Handler(func(int64) {
		if queue = queue[1:]; len(queue) > 0 {
			serve()
		}
	})
	k.After(0, arrive, 0)
	k.Run(sim.Time(1 << 62))
	return waits.Mean()
}

// Over 400 sweeps of an M/M/1 queue, the 95 % intervals of the mean wait cover
// ρ/(1-ρ) service times (Pollaczek and Khinchine) 92 to 98 % of the time: with a
// fixed number of replications, and where the sequential rule adds them.
func TestIntervalsCoverTheMeanOfMM1(t *testing.T) {
	const sweeps = 400
	const rho, customers, skip = 0.5, 4000, 300
	for what, rule := range map[string]*Sequential{
		"10 replications": nil,
		"precision 5 %":   {Precision: 0.05, Least: 10, Most: 200, Confidence: 0.95},
	} {
		covered, replications := 0, 0
		for sweep := range sweeps {
			more := func([]float64) int { return 0 }
			if rule != nil {
				more = rule.More
			}
			plan := Plan[float64]{Points: Points(rho), Replications: 10}
			err := RunUntil(t.Context(), plan, func(_ context.Context, rho float64, replication int) (float64, error) {
				return mm1Wait(sim.NewStreams(uint64(sweep+1), replication).Named("queue"), rho, customers, skip), nil
			}, more, func(_ int, rho float64, means []float64, err error) error {
				i := sim.StudentInterval(means, 0.95)
				if truth := rho / (1 - rho); i.Lo <= truth && truth <= i.Hi {
					covered++
				}
				replications += len(means)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		share := float64(covered) / sweeps
		t.Logf("%s: %.1f %% of %d intervals cover the mean; %.1f replications each", what, 100*share, sweeps, float64(replications)/sweeps)
		if share < 0.92 || share > 0.98 {
			t.Errorf("%s: %.1f %% of %d intervals cover the mean, want 92 to 98 %%", what, 100*share, sweeps)
		}
	}
}
