package foreground

import (
	"math"
	"testing"
	"time"

	"avsim/sim"
)

// replicate is a figure of a window over replications, with its 99 % interval.
func replicate(t *testing.T, want float64, of func(sim.Streams) float64) {
	t.Helper()
	var values []float64
	for i := range 20 {
		values = append(values, of(sim.NewStreams(1, i)))
	}
	got := sim.StudentInterval(values, 0.99)
	t.Logf("%.5g, 99 %% interval %.5g to %.5g, formula %.5g", got.Mean, got.Lo, got.Hi, want)
	if want < got.Lo || want > got.Hi {
		t.Errorf("%.5g, 99 %% interval %.5g to %.5g, does not contain the formula's %.5g", got.Mean, got.Lo, got.Hi, want)
	}
	if got.Hi-got.Lo > 0.1*want {
		t.Errorf("the interval is too wide to mean something")
	}
}

// meanValues is the throughput of a closed network of single servers and a place to
// think, by exact mean value analysis (Reiser and Lavenberg, J. ACM 27, 1980).
// Demands and think time in seconds.
func meanValues(customers int, think float64, demands ...float64) (throughput float64) {
	queues := make([]float64, len(demands))
	for n := 1; n <= customers; n++ {
		total := think
		times := make([]float64, len(demands))
		for i, d := range demands {
			times[i] = d * (1 + queues[i])
			total += times[i]
		}
		throughput = float64(n) / total
		for i := range queues {
			queues[i] = throughput * times[i]
		}
	}
	return throughput
}

// repairmen is the throughput of the machine-repair model M/M/c//N, as in package
// sim's tests.
func repairmen(c, customers int, think, service float64) float64 {
	p, sum, busy := 1.0, 0.0, 0.0
	for n := range customers + 1 {
		if n > 0 {
			p *= float64(customers-n+1) * service / think / float64(min(n, c))
		}
		sum += p
		busy += p * float64(min(n, c))
	}
	return busy / sum / service
}

// A core and a device of one place, both for all: a product form, whatever the
// distribution of processor time.
func TestClosedNetworkIsMeanValueAnalysis(t *testing.T) {
	for _, c := range []struct {
		clients int
		think   time.Duration
		cpu     time.Duration
		reads   float64
		read    time.Duration
	}{
		{10, 20 * time.Millisecond, time.Millisecond, 2, time.Millisecond},
		{30, 10 * time.Millisecond, time.Millisecond, 0.5, time.Millisecond},
		{5, 5 * time.Millisecond, 2 * time.Millisecond, 1, 500 * time.Microsecond},
	} {
		want := meanValues(c.clients, c.think.Seconds(), c.cpu.Seconds(), c.reads*c.read.Seconds())
		replicate(t, want, func(s sim.Streams) float64 {
			return Simulate(Config{
				Machine: Machine{Cores: 1, Depth: 1, ReadLatency: c.read, Variation: 0.15},
				Load:    Load{Clients: c.clients, Think: c.think},
				Demand:  Demand{CPU: c.cpu, Reads: c.reads}, Transactions: 20_000, Streams: s,
			}).Throughput
		})
	}
}

func TestManyCoresAreTheMachineRepairModel(t *testing.T) {
	replicate(t, repairmen(4, 10, 0.003, 0.002), func(s sim.Streams) float64 {
		return Simulate(Config{
			Machine: Machine{Cores: 4, Variation: 0.3}, Load: Load{Clients: 10, Think: 3 * time.Millisecond},
			Demand: Demand{CPU: 2 * time.Millisecond}, Transactions: 20_000, Streams: s,
		}).Throughput
	})
}

// Open transactions on one core are M/G/1-PS: the mean latency is S/(1-ρ).
func TestOpenIsProcessorSharing(t *testing.T) {
	replicate(t, 0.001/(1-0.7), func(s sim.Streams) float64 {
		return Simulate(Config{
			Machine: Machine{Cores: 1, Variation: 0.5}, Load: Load{Rate: 700},
			Demand: Demand{CPU: time.Millisecond}, Transactions: 40_000, Streams: s,
		}).Mean.Seconds()
	})
}

// A machine that cannot keep up with an open load does what it can.
func TestOverload(t *testing.T) {
	w := Simulate(Config{Machine: Machine{Cores: 2}, Load: Load{Rate: 1e6}, Demand: Demand{CPU: time.Millisecond}, Transactions: 20_000, Streams: sim.NewStreams(1, 0)})
	if math.Abs(w.Throughput/2000-1) > 0.02 {
		t.Errorf("two cores do 2,000 transactions of a millisecond a second, not %.0f", w.Throughput)
	}
}

// Where nobody waits for anybody the latency is the processor time: log-normal.
func TestQuantilesOfLatency(t *testing.T) {
	const sigma = 0.5
	cfg := Config{
		Machine: Machine{Cores: 1000, Variation: sigma}, Load: Load{Clients: 10},
		Demand: Demand{CPU: time.Millisecond}, Transactions: 20_000,
	}
	for _, q := range []struct {
		z  float64 // of the standard normal distribution
		of func(Window) time.Duration
	}{
		{0, func(w Window) time.Duration { return w.P50 }},
		{1.6449, func(w Window) time.Duration { return w.P95 }},
		{2.3263, func(w Window) time.Duration { return w.P99 }},
	} {
		replicate(t, 0.001*math.Exp(sigma*q.z-sigma*sigma/2), func(s sim.Streams) float64 {
			cfg.Streams = s
			return q.of(Simulate(cfg)).Seconds()
		})
	}
}

// Little's law: clients are the throughput times latency and think time.
func TestLittlesLaw(t *testing.T) {
	think := 500 * time.Microsecond
	replicate(t, 64, func(s sim.Streams) float64 {
		w := Simulate(Config{
			Machine: Machine{Cores: 8, Depth: 16, Bandwidth: 1e9, ReadLatency: 80 * time.Microsecond, FlushLatency: 50 * time.Microsecond, Variation: 0.15},
			Load:    Load{Clients: 64, Think: think}, Streams: s, Transactions: 20_000,
			Demand: Demand{CPU: 200 * time.Microsecond, Reads: 1.5, Writes: 1, LogBytes: 700},
			Vacuum: &Work{CPU: 5 * time.Microsecond, Idle: 200 * time.Microsecond, Reads: 1, Writes: 1, LogBytes: 8000, Ring: 32, Ahead: 16},
		})
		return w.Throughput * (w.Mean + think).Seconds()
	})
}

// One client alone waits for each flush; many share them: one serves all who came
// while the last was under way.
func TestGroupCommit(t *testing.T) {
	run := func(clients int) Window {
		return Simulate(Config{Machine: Machine{Cores: 100, Depth: 1, FlushLatency: time.Millisecond}, Load: Load{Clients: clients},
			Demand: Demand{CPU: 10 * time.Microsecond, LogBytes: 100}, Transactions: 2_000, Streams: sim.NewStreams(1, 0)})
	}
	if w := run(1); w.Mean != 1010*time.Microsecond {
		t.Errorf("one client waits for its work and a flush, 1.01 ms, not %v", w.Mean)
	}
	// The others' flush is under way when a client's work is done: it waits for the
	// rest of that one, and for the next.
	if w := run(50); math.Abs(w.Throughput/25_000-1) > 0.05 {
		t.Errorf("each of 50 clients is served by every second flush, 25,000 a second, not %.0f", w.Throughput)
	}
}

// The pace of a VACUUM alone is arithmetic.
func TestPaceOfVacuum(t *testing.T) {
	alone := func(work Work, m Machine) float64 {
		m.Cores = 1
		return Simulate(Config{Machine: m, Vacuum: &work, Length: 20 * time.Second, Streams: sim.NewStreams(1, 0)}).VacuumPages
	}
	const us = time.Microsecond
	for _, c := range []struct {
		name  string
		got   float64
		pages float64 // a second
	}{
		{"processor alone", alone(Work{CPU: 10 * us, Ahead: 16}, Machine{}), 1e5},
		{"processor and sleep", alone(Work{CPU: 10 * us, Idle: 200 * us}, Machine{}), 1e6 / 210},
		{"a flush to each ring", alone(Work{CPU: 10 * us, Writes: 1, Ahead: 16, Ring: 32}, Machine{FlushLatency: time.Millisecond}), 32 / 0.00132},
		{"reading while working, the device binds", alone(Work{CPU: us, Reads: 1, Ahead: 16}, Machine{Bandwidth: 8192 * 1e4}), 1e4},
	} {
		if math.Abs(c.got/c.pages-1) > 0.01 {
			t.Errorf("%s: %.0f pages a second, want %.0f", c.name, c.got, c.pages)
		}
	}
}

// The same seed gives the same window.
func TestSameSeedSameWindow(t *testing.T) {
	cfg := Config{Machine: Machine{Cores: 2, Depth: 4, ReadLatency: time.Millisecond, Variation: 0.2}, Load: Load{Clients: 5},
		Demand: Demand{CPU: time.Millisecond, Reads: 1}, Transactions: 1000, Streams: sim.NewStreams(7, 0)}
	if a, b := Simulate(cfg), Simulate(cfg); a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
}
