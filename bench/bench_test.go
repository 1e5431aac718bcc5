package main

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
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
	if err := table(t.Context(), io.Discard, 1, "^(switch|lock)", false, nil); err != nil {
		t.Error(err)
	}
}

// What cannot be measured is refused before anything is.
func TestBadTable(t *testing.T) {
	for _, x := range []struct {
		runs int
		only string
		args []string
		want string
	}{
		{0, "", nil, "-runs 0: at least one"},
		{1, "(", nil, "-only: "},
		{1, "nothing", nil, "mm1/avsim-events"},
		{1, "", []string{"mm1"}, "no arguments are taken"},
	} {
		var out strings.Builder
		if err := table(t.Context(), &out, x.runs, x.only, false, x.args); err == nil || !strings.Contains(err.Error(), x.want) || out.Len() > 0 {
			t.Errorf("%+v: %v, %q", x, err, out.String())
		}
	}
}

// An interrupted table has what was measured until then.
func TestInterruptedTable(t *testing.T) {
	rows := []row{{name: "a/one", ns: []float64{2, 4}}, {name: "a/two", ns: []float64{6}}, {name: "a/three"}, {name: "b/one", ns: []float64{1}}}
	var out strings.Builder
	if err := write(&out, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a/one 3.0 1.00 2.0 to 4.0", "a/two 6.0 2.00 6.0 to 6.0", "b/one 1.0 1.00 1.0 to 1.0"} {
		if text := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(text, want) || strings.Contains(text, "three") {
			t.Errorf("%s\nwant %s, and nothing of three", text, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := table(ctx, &out, 1, "^switch", false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was interrupted", err)
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
