package sim_test

import (
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/sim"
)

// benchMM1 reports the time per customer of an M/M/1 queue at 0.9.
func benchMM1(b *testing.B, model func(*rand.Rand, float64, int, int) float64) {
	r := sim.NewStreams(1, 0).Named("M/M/1")
	b.ReportAllocs()
	model(r, 0.9, b.N, 0)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/customer")
}

func BenchmarkMM1Events(b *testing.B)    { benchMM1(b, mm1Events) }
func BenchmarkMM1Processes(b *testing.B) { benchMM1(b, mm1Mailbox) }

// A thread per customer on a processor: what the fair discipline costs.
func BenchmarkMM1FairThreads(b *testing.B) {
	s := sim.NewStreams(1, 0)
	var k sim.Kernel
	p := sim.NewFair(&k, 1, sim.Machine{}, sim.DefaultSlices)
	b.ReportAllocs()
	onProcessor(&k, p, s.Named("arrivals"), s.Named("services"), services["exponential"], 0.9, b.N, 0)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/customer")
}

var pendings = []struct {
	name string
	n    int
}{{"1e1", 10}, {"1e2", 100}, {"1e4", 10_000}, {"1e5", 100_000}, {"1e6", 1_000_000}}

// Hold model: take the earliest event, schedule one an exponential time later.
// The draws are made beforehand, so many that no branch predictor learns them.
func BenchmarkHold(b *testing.B) {
	r := sim.NewStreams(1, 0).Named("increments")
	d := make([]time.Duration, 1<<20)
	for i := range d {
		d[i] = exponential(r, time.Second)
	}
	for _, size := range pendings {
		b.Run(size.name, func(b *testing.B) {
			var k sim.Kernel
			var h sim.HandlerID
			i, left := 0, 2*size.n
			h = k.Handler(func(int64) {
				if left--; left == 0 {
					k.Stop()
				}
				i++
				k.After(d[i&(len(d)-1)], h, 0)
			})
			for range size.n {
				i++
				k.At(sim.Time(d[i&(len(d)-1)]), h, 0)
			}
			k.Run(sim.Forever) // until the times are mixed
			left = b.N
			b.ReportAllocs()
			b.ResetTimer()
			k.Run(sim.Forever)
		})
	}
}

// A thousand threads take turns at one lock on one core; the unit is an acquisition.
func BenchmarkLockContest(b *testing.B) {
	var k sim.Kernel
	defer k.Close()
	cpu := sim.NewFair(&k, 1, sim.Machine{}, sim.DefaultSlices)
	var lock sim.Lock
	for range 1000 {
		cpu.Go("contender", func(t *sim.Thread) {
			for {
				lock.Acquire(t, sim.Exclusive, locking)
				t.Work(working, 100*time.Microsecond)
				if lock.Acquisitions >= b.N {
					k.Stop()
				}
				lock.Release(t, sim.Exclusive, locking)
				t.Work(working, 10*time.Microsecond)
			}
		})
	}
	k.Run(sim.Forever)
}

// One hold of a coroutine: elided, and with a switch because two alternate.
func BenchmarkCoroutineHold(b *testing.B) {
	for _, c := range []struct {
		name       string
		coroutines int
	}{{"elided", 1}, {"switch", 2}} {
		b.Run(c.name, func(b *testing.B) {
			var k sim.Kernel
			for i := range c.coroutines {
				k.Go("holder", func(c *sim.Coroutine) {
					c.Hold(time.Duration(i))
					for {
						c.Hold(10)
					}
				})
			}
			b.ReportAllocs()
			b.ResetTimer()
			k.Run(sim.Time(10 * b.N / c.coroutines))
			k.Close()
		})
	}
}

func BenchmarkCoroutineStart(b *testing.B) {
	var k sim.Kernel
	b.ReportAllocs()
	for range b.N {
		k.Go("short", func(*sim.Coroutine) {})
		k.Run(sim.Forever)
	}
}

// What a switch to a script and back costs by itself.
func BenchmarkSwitch(b *testing.B) {
	b.Run("iter.Pull", func(b *testing.B) {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
			}
		})
		defer stop()
		for range b.N {
			next()
		}
	})
	b.Run("channels", func(b *testing.B) {
		resume, suspended := make(chan struct{}), make(chan struct{})
		go func() {
			for range resume {
				suspended <- struct{}{}
			}
		}()
		for range b.N {
			resume <- struct{}{}
			<-suspended
		}
		close(resume)
	})
}

// In the steady state neither events nor holds allocate.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	models := map[string]func(*sim.Kernel){
		"events": func(k *sim.Kernel) {
			var h sim.HandlerID
			h = k.Handler(func(d int64) { k.After(time.Duration(d), h, d) })
			for d := range int64(50) {
				k.At(0, h, d+1)
			}
		},
		"many events": func(k *sim.Kernel) {
			r := sim.NewStreams(1, 0).Named("many events")
			var h sim.HandlerID
			h = k.Handler(func(int64) { k.After(time.Duration(r.IntN(10_000)), h, 0) })
			for range 5000 {
				k.At(0, h, 0)
			}
		},
		"elided holds": func(k *sim.Kernel) {
			k.Go("holder", func(c *sim.Coroutine) {
				for {
					c.Hold(10)
				}
			})
		},
		"holds": func(k *sim.Kernel) {
			for range 3 {
				k.Go("holder", func(c *sim.Coroutine) {
					for {
						c.Hold(10)
					}
				})
			}
		},
		"mailbox": func(k *sim.Kernel) {
			var box sim.Mailbox[int]
			k.Go("source", func(c *sim.Coroutine) {
				for i := 0; ; i++ {
					box.Post(c, i)
					c.Hold(10)
				}
			})
			k.Go("reader", func(c *sim.Coroutine) {
				for {
					box.Receive(c, parked)
				}
			})
		},
		"fair threads": func(k *sim.Kernel) {
			p := sim.NewFair(k, 2, sim.Machine{}, sim.Slices{Base: 10, Tick: 40})
			for range 5 {
				p.Go("mixed", func(t *sim.Thread) {
					for {
						t.Work(working, 100)
						t.Sleep(sleeping, 30)
					}
				})
			}
		},
		"sharing threads": func(k *sim.Kernel) {
			p := sim.NewSharing(k, 2, sim.Machine{})
			for range 5 {
				p.Go("mixed", func(t *sim.Thread) {
					for {
						t.Work(working, 100)
						t.Sleep(sleeping, 30)
					}
				})
			}
		},
	}
	for name, model := range models {
		var k sim.Kernel
		model(&k)
		k.Run(10_000)
		now := k.Now()
		if n := testing.AllocsPerRun(20, func() {
			now += 10_000
			k.Run(now)
		}); n > 0 {
			t.Errorf("%s: %v allocations in 10,000 ns of simulated time, want none", name, n)
		}
		k.Close()
	}
}
