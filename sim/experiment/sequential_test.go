package experiment

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"avsim/sim"
)

// The rule stops between its bounds, and before the last only where the interval
// is narrow enough.
func TestSequentialStopsAsItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Sequential{
			Precision:  rapid.Float64Range(0.001, 0.5).Draw(t, "precision"),
			Least:      rapid.IntRange(2, 20).Draw(t, "least"),
			Most:       rapid.IntRange(20, 200).Draw(t, "most"),
			Confidence: 0.95,
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		spread := rapid.Float64Range(0, 5).Draw(t, "spread")
		r := sim.NewStreams(rapid.Uint64().Draw(t, "seed"), 0).Named("samples")
		draw := func(n int) (out []float64) {
			for range n {
				out = append(out, 10+spread*r.NormFloat64())
			}
			return out
		}
		samples := draw(s.Least)
		for n := s.More(len(samples), samples); n > 0; n = s.More(len(samples), samples) {
			samples = append(samples, draw(n)...)
		}
		i := sim.StudentInterval(samples, 0.95)
		narrow := i.Hi-i.Mean <= s.Precision*i.Mean
		if len(samples) < s.Least || len(samples) > s.Most || !narrow && len(samples) < s.Most {
			t.Errorf("%+v stopped at %d with %+v", s, len(samples), i)
		}
	})
}

func TestSequentialChecks(t *testing.T) {
	for _, bad := range []Sequential{{0, 5, 10, 0.95}, {1, 5, 10, 0.95}, {math.NaN(), 5, 10, 0.95}, {0.1, 1, 10, 0.95}, {0.1, 11, 10, 0.95}} {
		if bad.Check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// RunUntil hands out what the rule asked for, in order, with any number of jobs.
func TestRunUntilAddsReplications(t *testing.T) {
	more := func(results []int) int {
		if point := results[0] / 100; len(results) < 2+point%5 {
			return 1 + point%2
		}
		return 0
	}
	for _, jobs := range []int{1, 2, 7} {
		var got []emitted
		if err := RunUntil(t.Context(), numbers(60, 2, jobs), product, more, collect(&got)); err != nil {
			t.Fatal(err)
		}
		for i, e := range got {
			want := []int{100 * i, 100*i + 1}
			for n := more(want); n > 0; n = more(want) {
				for range n {
					want = append(want, 100*i+len(want))
				}
			}
			if e.index != i || !reflect.DeepEqual(e.results, want) {
				t.Fatalf("%d jobs: point %d has %v, want point %d with %v", jobs, e.index, e.results, i, want)
			}
		}
	}
}

// An unordered plan hands out each point once, and a slow one holds up no other.
func TestRunUnordered(t *testing.T) {
	plan := numbers(10, 2, 3)
	plan.Unordered = true
	release := make(chan bool)
	var got []int
	err := Run(t.Context(), plan, func(_ context.Context, point, _ int) (int, error) {
		if point == 0 {
			<-release
		}
		return point, nil
	}, func(index, _ int, _ []int, _ error) error {
		if got = append(got, index); len(got) == 9 {
			close(release)
		}
		return nil
	})
	seen := map[int]bool{}
	for _, i := range got {
		seen[i] = true
	}
	if err != nil || len(got) != 10 || len(seen) != 10 || got[9] != 0 {
		t.Errorf("points %v, error %v", got, err)
	}
}

// A figure without a value ends the rule, one that some replications lack is bounded by
// the number of replications.
func TestSequentialWithoutValues(t *testing.T) {
	s := Sequential{Precision: 0.05, Least: 5, Most: 20, Confidence: 0.95}
	if n := s.More(5, nil); n != 0 {
		t.Errorf("of a figure that nothing has a value of: %d more replications", n)
	}
	for n := 5; n < 20; {
		more := s.More(n, []float64{1, 100})
		if more < 1 || n+more > 20 {
			t.Fatalf("after %d replications %d more", n, more)
		}
		n += more
	}
	if n := s.More(20, []float64{1, 100}); n != 0 {
		t.Errorf("beyond the most: %d more", n)
	}
}
