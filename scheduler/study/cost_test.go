//go:build unix

package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// cpuTime is the processor time that the process has used.
func cpuTime(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkContestCost draws points and tells by what factor estimates of what they cost
// are off, in the median and at the 90th percentile, and the ratio of the sums:
//
//	go test ./scheduler/study -run '^$' -bench ContestCost -benchtime 300x
//
// With COSTS=file it writes each point there, for a new fit.
func BenchmarkContestCost(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var out *os.File
	if name := os.Getenv("COSTS"); name != "" {
		var err error
		if out, err = os.Create(name); err != nil {
			b.Fatal(err)
		}
		defer out.Close()
	}
	r := rand.New(rand.NewPCG(17, 18))
	var factors []float64
	var estimated, measured float64
	for b.Loop() {
		p := randomPoint(b, r)
		st := Contest{Common: Common{Seed: r.Uint64() % 1000, Replications: 1}, Population: workload.TinyTables(0, 1),
			Settings: []string{"autovacuum_vacuum_threshold=0", "autovacuum_vacuum_scale_factor=0", "autovacuum_naptime=1s"}}
		runtime.GC()
		before := cpuTime(b)
		m, err := st.One(b.Context(), p, 0)
		if err != nil {
			b.Fatal(err)
		}
		took := (cpuTime(b) - before).Seconds()
		if out != nil {
			fmt.Fprintln(out, p.Strategy.Name, p.Tables, p.Workers, p.Host.Cores, p.DueShare, p.Start, p.Window.Min.Seconds(), p.Window.Max.Seconds(), took, m.Vacuums, m.Rechecks, m.Window.Seconds())
		}
		guess := st.Cost(p).Seconds()
		estimated, measured = estimated+guess, measured+took
		factors = append(factors, math.Exp(math.Abs(math.Log(guess/max(took, 1e-5)))))
	}
	slices.Sort(factors)
	b.ReportMetric(factors[len(factors)/2], "median-factor")
	b.ReportMetric(factors[len(factors)*9/10], "p90-factor")
	b.ReportMetric(estimated/measured, "sum-ratio")
}

func randomPoint(b testing.TB, r *rand.Rand) Point {
	h, err := host.Load("epyc-2core")
	if err != nil {
		b.Fatal(err)
	}
	all := scheduler.Strategies()
	s := all[r.IntN(len(all))]
	between := func(lo, hi float64) int { return int(math.Round(math.Exp(math.Log(lo) + r.Float64()*math.Log(hi/lo)))) }
	w := scheduler.DefaultWindow(s)
	p := Point{Tables: between(10, 300_000), Workers: between(1, 100), Strategy: s, PG: guc.MustVersion("13"), DueShare: 1, Start: scheduler.Gated, Window: w,
		Host: h.WithCores([]int{1, 2, 4, 8, 16, 32}[r.IntN(6)])}
	if r.IntN(4) == 0 {
		p.DueShare = 0.01 + 0.99*r.Float64()
	}
	if r.IntN(4) == 0 {
		p.Start = scheduler.Natural
	}
	return p
}
