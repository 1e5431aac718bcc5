package sim_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
)

// repairmen is the throughput of N customers who think for z, exponentially, and
// are then served for one on average by c servers, in customers a unit: the
// machine-repair model M/M/c//N (Kleinrock, Queueing Systems I, 1975, section 3.8).
func repairmen(c, customers int, z float64) float64 {
	p, sum, busy := 1.0, 0.0, 0.0
	for n := range customers + 1 {
		if n > 0 {
			p *= float64(customers-n+1) / z / float64(min(n, c))
		}
		sum += p
		busy += p * float64(min(n, c))
	}
	return busy / sum
}

// closed is the throughput, in customers a unit, of customers who think and are
// then served, after a warm-up of a tenth.
func closed(k *sim.Kernel, r *rand.Rand, customers, cycles int, think time.Duration, serve func(done sim.HandlerID, arg int64)) float64 {
	var done, thought sim.HandlerID
	left, begun := cycles, sim.Time(0)
	done = k.Handler(func(arg int64) {
		if left--; left == cycles*9/10 {
			begun = k.Now()
		}
		if left == 0 {
			k.Stop()
		}
		k.After(exponential(r, think), thought, arg)
	})
	thought = k.Handler(func(arg int64) { serve(done, arg) })
	for i := range customers {
		k.After(exponential(r, think), thought, int64(i))
	}
	k.Run(sim.Forever - 1)
	return float64(cycles*9/10) / k.Now().Sub(begun).Seconds() * unit.Seconds()
}

// Whatever the distribution of service, processor sharing has the throughput of
// the machine-repair model (BCMP, J. ACM 22, 1975: insensitivity).
func TestStationIsTheMachineRepairModel(t *testing.T) {
	for name, draw := range services {
		for _, c := range []struct {
			cores, customers int
			think            float64
		}{{1, 10, 8}, {4, 20, 3}, {4, 6, 2}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				checkMean(t, repairmen(c.cores, c.customers, c.think), 20, func(s sim.Streams) float64 {
					var k sim.Kernel
					station, r := sim.NewStation(&k, c.cores), s.Named(name)
					return closed(&k, s.Named("think"), c.customers, 20_000, time.Duration(c.think*float64(unit)), func(done sim.HandlerID, arg int64) {
						station.Serve(draw(r), done, arg)
					})
				})
			})
		}
	}
}

// Without a bandwidth a device is a queue with Depth servers.
func TestDeviceIsTheMachineRepairModel(t *testing.T) {
	t.Parallel()
	const depth, customers, think = 4, 20, 3.0
	checkMean(t, repairmen(depth, customers, think), 20, func(s sim.Streams) float64 {
		var k sim.Kernel
		r := s.Named("latency")
		d := sim.NewDevice(&k, sim.DeviceSpec{Depth: depth})
		return closed(&k, s.Named("think"), customers, 20_000, think*unit, func(done sim.HandlerID, arg int64) {
			d.Request(8192, exponential(r, unit), done, arg)
		})
	})
}

// A device of one place without a latency is M/D/1: the mean wait is ρ/(2(1-ρ))
// services (Kleinrock I, section 5.7). So is one of many places, since the bytes
// share a path.
func TestDeviceIsMD1(t *testing.T) {
	const requests, skip = 20_000, 1_000
	rho := 0.7
	for _, depth := range []int{1, 1000} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			checkMean(t, rho/(2*(1-rho)), 20, func(s sim.Streams) float64 {
				var k sim.Kernel
				var sojourns sim.Tally
				r := s.Named("arrivals")
				d := sim.NewDevice(&k, sim.DeviceSpec{Depth: depth, Bandwidth: 8192 / unit.Seconds()})
				var arrive, done sim.HandlerID
				n := 0
				done = k.Handler(func(at int64) {
					if n > skip {
						sojourns.Add(float64(k.Now().Sub(sim.Time(at))) / float64(unit))
					}
				})
				arrive = k.Handler(func(int64) {
					d.Request(8192, 0, done, int64(k.Now()))
					if n++; n < requests {
						k.After(exponential(r, time.Duration(float64(unit)/rho)), arrive, 0)
					}
				})
				k.At(0, arrive, 0)
				k.Run(sim.Forever - 1)
				return sojourns.Mean() - 1
			})
		})
	}
}

// What is brought is served: with no job left the time that the station was busy
// is the work, and the device has moved every byte.
func TestStationAndDeviceConserve(t *testing.T) {
	var k sim.Kernel
	s, d := sim.NewStation(&k, 1), sim.NewDevice(&k, sim.DeviceSpec{Depth: 3, Bandwidth: 1e6})
	served := 0
	done := k.Handler(func(int64) { served++ })
	for i := range 100 {
		s.Serve(time.Duration(i+1)*time.Microsecond, done, 0)
		d.Request(int64(i+1), 0, done, 0)
	}
	k.Run(sim.Forever - 1)
	if want := 5050 * time.Microsecond; served != 200 || s.Jobs() != 0 || s.Demanded() != want || d.Bytes() != 5050 || k.Now() < sim.Time(want) {
		t.Errorf("%d done, %d left, %v of work, %d bytes by %v", served, s.Jobs(), s.Demanded(), d.Bytes(), k.Now())
	}
}
