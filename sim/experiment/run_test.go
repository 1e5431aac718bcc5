package experiment

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"avsim/sim"
)

// numbers is a plan of n points, each of which is its own index.
func numbers(n, replications, jobs int) Plan[int] {
	points := func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
	return Plan[int]{Points: points, Count: n, Replications: replications, Jobs: jobs}
}

// product is a replication that cannot go wrong.
func product(_ context.Context, point, replication int) (int, error) {
	return 100*point + replication, nil
}

// emitted is what a run handed out.
type emitted struct {
	index   int
	results []int
	err     error
}

func collect(into *[]emitted) func(int, int, []int, error) error {
	return func(index, _ int, results []int, err error) error {
		*into = append(*into, emitted{index, results, err})
		return nil
	}
}

func indices(all []emitted) []int {
	var is []int
	for _, e := range all {
		is = append(is, e.index)
	}
	return is
}

func TestRunEmitsInTheOrderOfThePlan(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 7} {
		synctest.Test(t, func(t *testing.T) {
			var got []emitted
			err := Run(t.Context(), numbers(50, 3, jobs), func(ctx context.Context, point, replication int) (int, error) {
				time.Sleep(time.Duration((point*37+replication*11)%50) * time.Millisecond)
				return product(ctx, point, replication)
			}, collect(&got))
			if err != nil {
				t.Fatal(err)
			}
			var want []emitted
			for i := range 50 {
				want = append(want, emitted{i, []int{100 * i, 100*i + 1, 100*i + 2}, nil})
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d jobs: %v", jobs, got)
			}
		})
	}
}

// With random streams of their own, replications give the same on any number
// of processors.
func TestRunDoesNotDependOnJobs(t *testing.T) {
	results := func(jobs int) string {
		var all strings.Builder
		err := Run(t.Context(), numbers(20, 4, jobs), func(_ context.Context, point, replication int) (float64, error) {
			if point%7 == 3 && replication == 2 {
				return 0, errors.New("unlucky")
			}
			return sim.NewStreams(1, replication).Named(fmt.Sprint(point)).Float64(), nil
		}, func(index, point int, results []float64, err error) error {
			fmt.Fprintln(&all, index, point, results, err)
			return nil
		})
		return fmt.Sprint(all.String(), err)
	}
	one := results(1)
	for _, jobs := range []int{2, 8} {
		if got := results(jobs); got != one {
			t.Errorf("with %d jobs\n%s\nwith one\n%s", jobs, got, one)
		}
	}
}

func TestRunKeepsToItsJobs(t *testing.T) {
	for _, c := range []struct{ jobs, most int }{{1, 1}, {3, 3}, {0, runtime.GOMAXPROCS(0)}} {
		synctest.Test(t, func(t *testing.T) {
			var running, most atomic.Int32
			err := Run(t.Context(), numbers(20, 2, c.jobs), func(context.Context, int, int) (int, error) {
				now := running.Add(1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
				return 0, nil
			}, collect(new([]emitted)))
			if err != nil || int(most.Load()) != c.most {
				t.Errorf("%d jobs: %d at a time, want %d, error %v", c.jobs, most.Load(), c.most, err)
			}
		})
	}
}

// While the first point takes its time, only so many others may be held.
func TestRunIsBoundedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const jobs = 2
		var farthest atomic.Int64
		var got []emitted
		err := Run(t.Context(), numbers(500, 1, jobs), func(_ context.Context, point, _ int) (int, error) {
			if point == 0 {
				time.Sleep(time.Hour)
				if most := farthest.Load(); most != aheadPerJob*jobs-1 {
					t.Errorf("point %d was begun before the first had ended, want %d", most, aheadPerJob*jobs-1)
				}
				return 0, nil
			}
			farthest.Store(max(farthest.Load(), int64(point)))
			return 0, nil
		}, collect(&got))
		if err != nil || len(got) != 500 {
			t.Errorf("%d points, error %v", len(got), err)
		}
	})
}

func TestRunReportsProgress(t *testing.T) {
	var got []string
	plan := numbers(2, 2, 2)
	plan.Progress = func(done, total int) { got = append(got, fmt.Sprintf("%d/%d", done, total)) }
	if err := Run(t.Context(), plan, product, collect(new([]emitted))); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1/4", "2/4", "3/4", "4/4"}; !reflect.DeepEqual(got, want) {
		t.Errorf("progress %v, want %v", got, want)
	}
}

func TestRunOutlivesFailures(t *testing.T) {
	unlucky := errors.New("unlucky")
	var got []emitted
	err := Run(t.Context(), numbers(5, 2, 2), func(ctx context.Context, point, replication int) (int, error) {
		switch {
		case point == 1 && replication == 0:
			return 0, unlucky
		case point == 2 && replication == 1:
			panic("a bug")
		case point == 3 && replication == 1:
			runtime.Goexit()
		}
		return product(ctx, point, replication)
	}, collect(&got))

	if want := []int{0, 1, 2, 3, 4}; !reflect.DeepEqual(indices(got), want) {
		t.Fatalf("points %v, want %v", indices(got), want)
	}
	for i, want := range []string{
		"", "point 1, replication 0: unlucky", "point 2, replication 1 panicked: a bug", "point 3, replication 1 panicked: runtime.Goexit", "",
	} {
		switch {
		case want == "" && got[i].err != nil:
			t.Errorf("point %d: error %v", i, got[i].err)
		case want != "" && (got[i].err == nil || !strings.HasPrefix(got[i].err.Error(), want)):
			t.Errorf("point %d: error %v, want %q", i, got[i].err, want)
		case want != "" && !strings.Contains(err.Error(), want):
			t.Errorf("the run's error %v lacks %q", err, want)
		}
	}
	if got[1].results[1] != 101 {
		t.Errorf("the other replication of a failed point is %v, want 101", got[1].results[1])
	}
	if !errors.Is(err, unlucky) {
		t.Errorf("the run's error %v does not wrap the replication's", err)
	}
	failure, ok := errors.AsType[*ReplicationError](got[2].err)
	if !ok || failure.Point != 2 || failure.Replication != 1 || !strings.Contains(string(failure.Stack), "run_test.go") {
		t.Errorf("the panic is told as %+v", failure)
	}
}

// Point 1 is slow and respects the cancellation, point 4 does not and ends.
func TestRunKeepsWhatIsCompleteWhenCancelled(t *testing.T) {
	stopped := errors.New("the user stopped it")
	for what, giveUp := range map[string]func(context.Context) error{
		"error": context.Context.Err,
		"cause": func(ctx context.Context) error { return fmt.Errorf("gave up: %w", context.Cause(ctx)) },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Minute, func() { cancel(stopped) })
				var got []emitted
				done := 0
				plan := numbers(100, 1, 2)
				plan.Progress = func(n, _ int) { done = n }
				err := Run(ctx, plan, func(ctx context.Context, point, replication int) (int, error) {
					switch point {
					case 1:
						<-ctx.Done()
						return 0, giveUp(ctx)
					case 4:
						time.Sleep(time.Hour)
					}
					return product(ctx, point, replication)
				}, collect(&got))
				if !errors.Is(err, context.Canceled) || errors.Is(err, stopped) {
					t.Errorf("error %v, want %v alone", err, context.Canceled)
				}
				if want := []int{0, 2, 3, 4}; !reflect.DeepEqual(indices(got), want) || done != len(want) {
					t.Errorf("points %v, progress %d, want %v", indices(got), done, want)
				}
				for _, e := range got {
					if e.err != nil || e.results[0] != 100*e.index {
						t.Errorf("point %d: %v, error %v", e.index, e.results, e.err)
					}
				}
			})
		})
	}
}

// A point is complete only with all its replications; a failure of an
// incomplete one is still told.
func TestRunSkipsAPointCancelledHalfway(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	unlucky := errors.New("unlucky")
	var got []emitted
	err := Run(ctx, numbers(3, 2, 1), func(ctx context.Context, point, replication int) (int, error) {
		if point == 1 {
			cancel()
			return 0, unlucky
		}
		return product(ctx, point, replication)
	}, collect(&got))
	if want := []int{0}; !reflect.DeepEqual(indices(got), want) {
		t.Errorf("points %v, want %v", indices(got), want)
	}
	if !errors.Is(err, context.Canceled) || !errors.Is(err, unlucky) {
		t.Errorf("error %v, want the cancellation and the failure", err)
	}
}

func TestRunCancelledAfterTheLastReplicationIsComplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var got []emitted
	plan := numbers(3, 1, 1)
	plan.Progress = func(done, total int) {
		if done == total {
			cancel()
		}
	}
	if err := Run(ctx, plan, product, collect(&got)); err != nil || len(got) != 3 {
		t.Errorf("%d points, error %v", len(got), err)
	}
}

func TestRunCancelledBeforeItStarts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var got []emitted
	if err := Run(ctx, numbers(3, 1, 1), product, collect(&got)); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("points %v, error %v", got, err)
	}
}

func TestRunEndsWhenEmitFails(t *testing.T) {
	full := errors.New("disk full")
	var started atomic.Int32
	var got []int
	err := Run(t.Context(), numbers(1000, 1, 2), func(ctx context.Context, point, _ int) (int, error) {
		started.Add(1)
		if point > 5 { // ends only because the run is ended
			<-ctx.Done()
			return 0, ctx.Err()
		}
		return 0, nil
	}, func(index, _ int, _ []int, _ error) error {
		got = append(got, index)
		if index == 3 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v alone", err, full)
	}
	if want := []int{0, 1, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("points %v, want %v", got, want)
	}
	if n := started.Load(); n > 8 {
		t.Errorf("%d replications were started", n)
	}
}

func TestRunRefusesAPlanThatCannotBe(t *testing.T) {
	for _, plan := range []Plan[int]{numbers(1, 0, 1), numbers(1, 1, -1)} {
		if err := Run(t.Context(), plan, product, collect(new([]emitted))); err == nil {
			t.Errorf("%d replications in %d jobs were accepted", plan.Replications, plan.Jobs)
		}
	}
	if err := Run(t.Context(), numbers(0, 1, 1), product, collect(new([]emitted))); err != nil {
		t.Errorf("a plan without points: %v", err)
	}
}
