package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
)

// erlangC is the probability that a customer of an M/M/c queue waits
// (Kleinrock, Queueing Systems I, 1975, section 3.5).
func erlangC(c int, rho float64) float64 {
	load := rho * float64(c)
	term, sum := 1.0, 0.0
	for n := range c {
		sum += term
		term *= load / float64(n+1)
	}
	all := term / (1 - rho)
	return all / (sum + all)
}

// mmcWait is the mean wait of M/M/c in service times.
func mmcWait(c int, rho float64) float64 {
	return erlangC(c, rho) / (float64(c) * (1 - rho))
}

func TestErlangC(t *testing.T) {
	if got := mmcWait(1, 0.9); math.Abs(got-9) > 1e-9 {
		t.Errorf("M/M/1 at 0.9 waits ρ/(1-ρ) = 9, not %v", got)
	}
	if got := erlangC(2, 0.5); math.Abs(got-1.0/3) > 1e-9 {
		t.Errorf("M/M/2 at 0.5 waits with probability 1/3, not %v", got)
	}
}

func TestMM1(t *testing.T) {
	for _, c := range []struct {
		name                          string
		model                         func(*rand.Rand, float64, int, int) float64
		rho                           float64
		replications, customers, skip int
	}{
		{"events 0.5", mm1Events, 0.5, 20, 10_000, 500},
		{"events 0.9", mm1Events, 0.9, 20, 150_000, 5_000},
		{"mailbox 0.5", mm1Mailbox, 0.5, 20, 10_000, 500},
		{"mailbox 0.9", mm1Mailbox, 0.9, 20, 120_000, 5_000},
		{"lock 0.5", mm1Lock, 0.5, 20, 10_000, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkMean(t, mmcWait(1, c.rho), c.replications, func(s sim.Streams) float64 {
				return c.model(s.Named(c.name), c.rho, c.customers, c.skip)
			})
		})
	}
}

func TestMMc(t *testing.T) {
	t.Parallel()
	checkMean(t, mmcWait(4, 0.8), 20, func(s sim.Streams) float64 {
		return mmcServers(s.Named("M/M/4"), 4, 0.8, 40_000, 2_000)
	})
}

// Distributions of service with the mean unit. The hyperexponential one has
// balanced means and a squared coefficient of variation of 4.
var services = map[string]func(*rand.Rand) time.Duration{
	"deterministic": func(*rand.Rand) time.Duration { return unit },
	"exponential":   func(r *rand.Rand) time.Duration { return exponential(r, unit) },
	"hyperexponential": func(r *rand.Rand) time.Duration {
		p := (1 + math.Sqrt(0.6)) / 2
		if r.Float64() < p {
			return exponential(r, time.Duration(float64(unit)/(2*p)))
		}
		return exponential(r, time.Duration(float64(unit)/(2*(1-p))))
	},
}

// The mean sojourn of M/G/1-PS is S/(1-ρ) whatever the distribution of service
// (Kleinrock, Queueing Systems II, 1976, section 4.4).
func TestProcessorSharingIsInsensitive(t *testing.T) {
	const rho = 0.6
	for name, draw := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkMean(t, 1/(1-rho), 20, func(s sim.Streams) float64 {
				var k sim.Kernel
				p := sim.NewSharing(&k, 1, sim.Machine{})
				return onProcessor(&k, p, s.Named("arrivals"), s.Named(name), draw, rho, 10_000, 500)
			})
		})
	}
}

// With exponential service the number in an M/M/c system does not depend on
// who is served, so sharing has the sojourn of M/M/c.
func TestProcessorSharingOnFourCores(t *testing.T) {
	t.Parallel()
	const rho = 0.7
	checkMean(t, 1+mmcWait(4, rho), 20, func(s sim.Streams) float64 {
		var k sim.Kernel
		p := sim.NewSharing(&k, 4, sim.Machine{})
		return onProcessor(&k, p, s.Named("arrivals"), s.Named("services"), services["exponential"], rho, 8_000, 500)
	})
}

// By the same argument the fair discipline, which does not know how long a
// thread will work, has the sojourn of M/M/1 with slices of any length.
func TestFairConservesExponentialWork(t *testing.T) {
	t.Parallel()
	const rho = 0.6
	for _, slice := range []time.Duration{unit / 5, 4 * unit} {
		checkMean(t, 1/(1-rho), 20, func(s sim.Streams) float64 {
			var k sim.Kernel
			p := sim.NewFair(&k, 1, sim.Machine{}, sim.Slices{Base: slice, Tick: slice})
			return onProcessor(&k, p, s.Named("arrivals"), s.Named("services"), services["exponential"], rho, 8_000, 500)
		})
	}
}

// With small slices the fair discipline on one core comes close to processor
// sharing. A customer is off by at most one round, a slice for each of the
// ρ/(1-ρ) others and itself: a share of slice/S of the mean sojourn.
func TestFairWithSmallSlicesIsNearSharing(t *testing.T) {
	const rho, slice = 0.6, unit / 20
	for name, draw := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fair, shared []float64
			for i := range 10 {
				run := func(p *sim.Processor, k *sim.Kernel) float64 {
					s := sim.NewStreams(1, i)
					return onProcessor(k, p, s.Named("arrivals"), s.Named(name), draw, rho, 2_000, 100)
				}
				var k, l sim.Kernel
				fair = append(fair, run(sim.NewFair(&k, 1, sim.Machine{}, sim.Slices{Base: slice, Tick: slice}), &k))
				shared = append(shared, run(sim.NewSharing(&l, 1, sim.Machine{}), &l))
			}
			ratio := sim.PairedRatio(fair, shared, 0.99)
			t.Logf("fair/sharing %.4f, %.4f to %.4f", ratio.Mean, ratio.Lo, ratio.Hi)
			if ratio.Lo < 1-1.0/20 || ratio.Hi > 1+1.0/20 {
				t.Errorf("sojourn under fair slices of S/20 is %.3f (%.3f to %.3f) of that under sharing, want within 5 %%", ratio.Mean, ratio.Lo, ratio.Hi)
			}
		})
	}
}

// Whatever a work-conserving server does, it is busy in the same intervals
// (Kleinrock's conservation law along one path).
func TestWorkIsConserved(t *testing.T) {
	t.Parallel()
	type job struct {
		at      sim.Time
		service time.Duration
	}
	r := sim.NewStreams(1, 0).Named("jobs")
	var jobs []job
	var now sim.Time
	for range 3000 {
		now = now.Add(exponential(r, unit*10/8))
		jobs = append(jobs, job{now, 1 + exponential(r, unit)})
	}
	var done sim.Time // of first come first served, the reference
	var want []sim.Time
	for _, j := range jobs {
		if j.at > done && done > 0 {
			want = append(want, done)
		}
		done = max(done, j.at).Add(j.service)
	}
	want = append(want, done)

	processors := map[string]func(*sim.Kernel) *sim.Processor{
		"sharing": func(k *sim.Kernel) *sim.Processor { return sim.NewSharing(k, 1, sim.Machine{}) },
		"fair": func(k *sim.Kernel) *sim.Processor {
			return sim.NewFair(k, 1, sim.Machine{}, sim.DefaultSlices)
		},
	}
	for name, processor := range processors {
		var k sim.Kernel
		p := processor(&k)
		var got []sim.Time
		inside := 0
		k.Go("source", func(c *sim.Coroutine) {
			for _, j := range jobs {
				c.Hold(j.at.Sub(c.Now()))
				inside++
				p.Go("job", func(t *sim.Thread) {
					t.Work(working, j.service)
					if inside--; inside == 0 {
						got = append(got, t.Now())
					}
				})
			}
		})
		k.Run(sim.Forever)
		k.Close()
		if len(got) != len(want) {
			t.Errorf("%s: %d busy periods, want %d", name, len(got), len(want))
			continue
		}
		for i := range got {
			// Sharing rounds each completion up to a nanosecond.
			if off := got[i].Sub(want[i]); off < 0 || off > 100 || name == "fair" && off != 0 {
				t.Errorf("%s: busy period %d ends at %v, want %v", name, i, got[i], want[i])
				break
			}
		}
	}
}
