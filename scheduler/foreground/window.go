package foreground

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"avsim/sim"
)

// Config is a window: everything else stands still in it.
type Config struct {
	Machine Machine
	Load    Load
	Demand  Demand
	// Vacuum is at work meanwhile; nil for none.
	Vacuum *Work
	// Transactions is how many are looked at, after a tenth as many more. With a
	// load of nobody Length is the window's instead.
	Transactions int
	Length       time.Duration
	Streams      sim.Streams
}

// Window is what a window gave.
type Window struct {
	Transactions int
	Length       time.Duration // simulated, without warm-up
	Throughput   float64       // transactions a second
	Mean         time.Duration // latency, as the quantiles
	P50          time.Duration
	P95          time.Duration
	P99          time.Duration
	VacuumPages  float64 // a second; 0 where there is none
	CPU, Device  float64 // shares in use
}

// window is a simulation under way.
type window struct {
	k       sim.Kernel
	machine Machine
	cores   *sim.Station
	device  *sim.Device
	log     *flusher

	latencies []float64 // seconds
	skip      int
	want      int
	from      sim.Time
}

// Simulate runs a window.
func Simulate(cfg Config) Window {
	w := &window{machine: cfg.Machine, skip: cfg.Transactions / 10, want: cfg.Transactions}
	w.cores = sim.NewStation(&w.k, cfg.Machine.Cores)
	w.device = sim.NewDevice(&w.k, sim.DeviceSpec{Depth: max(cfg.Machine.Depth, 1), Bandwidth: cfg.Machine.Bandwidth})
	w.log = newFlusher(&w.k, w.device, cfg.Machine.FlushLatency)
	w.latencies = make([]float64, 0, cfg.Transactions)
	if cfg.Load.Clients > 0 || cfg.Load.Rate > 0 {
		newClients(w, cfg.Load, cfg.Demand, cfg.Streams)
	}
	var v *vacuuming
	if cfg.Vacuum != nil {
		v = newVacuuming(w, *cfg.Vacuum, cfg.Streams)
	}
	w.k.Run(until(cfg))
	out := w.result()
	if v != nil {
		out.VacuumPages = v.pagesPerSecond()
	}
	return out
}

func until(cfg Config) sim.Time {
	if cfg.Length > 0 {
		return sim.Time(cfg.Length)
	}
	return sim.Forever - 1
}

// latency draws how long a page takes until it flows.
func (w *window) latency(r *rand.Rand) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(w.machine.ReadLatency))
}

// answered notes the end of a transaction; the last that is wanted ends the window.
func (w *window) answered(after time.Duration) {
	if w.skip > 0 {
		if w.skip--; w.skip == 0 {
			w.from = w.k.Now()
		}
		return
	}
	if w.latencies = append(w.latencies, after.Seconds()); len(w.latencies) == w.want {
		w.k.Stop()
	}
}

func (w *window) result() Window {
	now := w.k.Now()
	out := Window{Transactions: len(w.latencies), Length: now.Sub(w.from)}
	if now > 0 {
		out.CPU = min(w.cores.Demanded().Seconds()/now.Seconds()/float64(w.machine.Cores), 1)
		out.Device = w.device.Utilization()
	}
	if n := len(w.latencies); n > 0 && out.Length > 0 {
		out.Throughput = float64(n) / out.Length.Seconds()
		var all sim.Tally
		for _, x := range w.latencies {
			all.Add(x)
		}
		slices.Sort(w.latencies)
		at := func(p float64) time.Duration {
			return seconds(w.latencies[int(math.Ceil(p*float64(n)))-1])
		}
		out.Mean, out.P50, out.P95, out.P99 = seconds(all.Mean()), at(0.5), at(0.95), at(0.99)
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }
