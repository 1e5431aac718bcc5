package sim_test

import (
	"testing"
	"time"

	"avsim/sim"
	"pgregory.net/rapid"
)

// deed is a step of a random thread.
type deed struct {
	what string
	d    time.Duration
}

var deeds = rapid.Custom(func(t *rapid.T) deed {
	return deed{
		what: rapid.SampledFrom([]string{"work", "cost", "sleep", "park", "park for", "lock"}).Draw(t, "what"),
		d:    time.Duration(rapid.IntRange(0, 3_000_000).Draw(t, "ns")),
	}
})

// audit checks what must hold of accounts at any instant.
func audit(t *rapid.T, now sim.Time, p *sim.Processor, threads []*sim.Thread) {
	var used time.Duration
	for i, thread := range threads {
		account := thread.Account()
		life := min(thread.Died(), now).Sub(thread.Born())
		if account.Total() != life {
			t.Fatalf("at %v thread %d has lived for %v and accounts for %v: %v", now, i, life, account.Total(), account)
		}
		for a, d := range account {
			if d < 0 {
				t.Fatalf("at %v thread %d: activity %d has %v", now, i, a, d)
			}
		}
		if thread.Used() > life {
			t.Fatalf("at %v thread %d has used %v in %v", now, i, thread.Used(), life)
		}
		used += thread.Used()
	}
	if busy := p.Busy(); busy != used {
		t.Fatalf("at %v cores were busy for %v, threads used %v", now, busy, used)
	}
	if limit := time.Duration(p.Cores()) * now.Sub(0); used > limit {
		t.Fatalf("at %v threads have used %v, the cores have %v", now, used, limit)
	}
}

// Every nanosecond of a thread's life is charged once, at any instant, and its
// work is charged to the activity that it was done for.
func TestAccountsHaveNoRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scripts := scriptsOf(t, deeds, 8)
		cores := rapid.IntRange(1, 3).Draw(t, "cores")
		fair := rapid.Bool().Draw(t, "fair")
		checks := rapid.SliceOfN(rapid.Int64Range(0, 30_000_000), 0, 6).Draw(t, "checks")

		var k sim.Kernel
		defer k.Close()
		r := sim.NewStreams(1, 0).Named("machine")
		m := sim.Machine{
			WakeLatency: func() time.Duration { return time.Duration(r.IntN(90)) * time.Microsecond },
			WakeCall:    func() time.Duration { return 2 * time.Microsecond }, WakeOnWaker: 0.3, Random: r,
			SleepSlack: func(time.Duration) time.Duration { return 57 * time.Microsecond },
			ColdAfter:  time.Millisecond,
		}
		var p *sim.Processor
		if fair {
			p = sim.NewFair(&k, cores, m, sim.DefaultSlices)
		} else {
			p = sim.NewSharing(&k, cores, m)
		}

		var threads, waiting []*sim.Thread
		var lock sim.Lock
		work := make([]time.Duration, len(scripts))
		for i, script := range scripts {
			threads = append(threads, p.Go("thread", func(t *sim.Thread) {
				for _, deed := range script {
					switch deed.what {
					case "work":
						work[i] += deed.d
						t.Work(working, deed.d)
					case "cost":
						work[i] += deed.d
						t.WorkCost(working, sim.Flat(deed.d))
					case "sleep":
						t.Sleep(sleeping, deed.d)
					case "park":
						waiting = append(waiting, t)
						t.Park(parked)
					case "park for":
						t.ParkFor(parked, deed.d)
					case "lock":
						lock.Acquire(t, sim.Exclusive, locking)
						work[i] += deed.d
						t.Work(working, deed.d)
						lock.Release(t, sim.Exclusive, locking)
					}
				}
			}))
		}
		var unpark sim.HandlerID
		unpark = k.Handler(func(int64) {
			if len(waiting) > 0 {
				waiting[0].Unpark(nil)
				waiting = waiting[1:]
			}
			if k.Now() < sim.Time(time.Second) {
				k.After(1_234_567, unpark, 0)
			}
		})
		k.At(0, unpark, 0)
		check := k.Handler(func(int64) { audit(t, k.Now(), p, threads) })
		for _, at := range checks {
			k.At(sim.Time(at), check, 0)
		}
		k.Run(sim.Forever)
		audit(t, k.Now(), p, threads)
		for i, thread := range threads {
			if thread.Died() == sim.Forever {
				t.Fatalf("thread %d is lost", i)
			}
			if got := thread.Account()[working]; got != work[i] {
				t.Fatalf("thread %d worked for %v and accounts for %v", i, work[i], got)
			}
		}
	})
}
