package main

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"avsim/bench/calendar"
)

// The mean time in the system of M/M/1 is 1/(1-ρ) service times, 10 at ρ = 0.9: all
// engines run the same queue. A million customers come within 8 % of it.
func TestMM1(t *testing.T) {
	const customers = 1_000_000
	for name, got := range map[string]float64{
		"plain Go":  mm1Plain(rand.New(rand.NewPCG(1, 2)), 0.9, 1, customers),
		"events":    mm1Events(customers),
		"processes": mm1Processes(customers),
	} {
		if math.Abs(got-10) > 0.8 {
			t.Errorf("%s: mean time in the system %.2f, want 10", name, got)
		}
	}
}

// In event style nothing is allocated per customer.
func TestMM1AllocatesNothing(t *testing.T) {
	few := testing.AllocsPerRun(1, func() { mm1Events(10_000) })
	many := testing.AllocsPerRun(1, func() { mm1Events(200_000) })
	if many > few+20 { // the line grows now and then
		t.Errorf("%v allocations for 200,000 customers, %v for 10,000", many, few)
	}
}

// In the steady state the hold model allocates nothing, with few events pending and many.
func TestHoldAllocatesNothing(t *testing.T) {
	delays := calendar.Distributions()[0].Delays()
	for _, pending := range []int{10, 10_000} {
		run := kernelHold(pending, delays)
		if n := testing.AllocsPerRun(5, func() { run(50_000) }); n > 0 {
			t.Errorf("%d pending: %v allocations in 50,000 holds", pending, n)
		}
	}
}

func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for a while")
	}
	if err := table(io.Discard, 1, "^(switch|lock)", false); err != nil {
		t.Error(err)
	}
	if err := table(io.Discard, 0, "", false); err == nil {
		t.Error("a table of no runs")
	}
}

// All cases in the form that benchstat reads; cpu-ns/op is what to compare where other
// work shares the machine.
func Benchmark(b *testing.B) {
	for _, m := range cases() {
		b.Run(m.name, func(b *testing.B) {
			b.ReportMetric(m.perUnit(b.N), "cpu-ns/op")
		})
	}
}
