package scheduler

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"avsim/workload/guc"
)

func settings(t *testing.T, version string, assignments ...string) guc.Settings {
	t.Helper()
	s := guc.Defaults(guc.MustVersion(version))
	for _, a := range assignments {
		if err := s.Assign(a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func limitsOf(b *balancer) (out []int) {
	for _, x := range b.limits() {
		out = append(out, x.limit)
	}
	return out
}

// The whole numbers that workers logged (200, 100, 66, 50, 40, 33 in a run of
// PostgreSQL 18), and sums that follow: 10 workers get no more than 3.
func TestLimitPerWorker(t *testing.T) {
	want := []int{200, 100, 66, 50, 40, 33, 28, 25, 22, 20}
	for _, v := range versionsOf(t, "9.4-19") {
		b := newBalancer(guc.Defaults(v))
		for i, limit := range want {
			b.begin(i, nil)
			for worker := range i + 1 {
				if got, ok := b.of(worker); !ok || got.limit != limit {
					t.Errorf("PostgreSQL %s: worker %d of %d may spend %d, want %d", v, worker, i+1, got.limit, limit)
				}
			}
		}
		for i := len(want) - 1; i > 0; i-- {
			b.exit(i)
			if got, _ := b.of(0); got.limit != want[i-1] {
				t.Errorf("PostgreSQL %s: %d are left with %d, want %d", v, i, got.limit, want[i-1])
			}
		}
	}
}

func TestLimitIsAtLeastOne(t *testing.T) {
	for _, v := range []string{"9.4", "15", "16", "19"} {
		b := newBalancer(settings(t, v, "vacuum_cost_limit=2"))
		for i := range 5 {
			b.begin(i, nil)
		}
		if got := limitsOf(b); !slices.Equal(got, []int{1, 1, 1, 1, 1}) {
			t.Errorf("PostgreSQL %s: %v", v, got)
		}
	}
}

func TestTablesOutOfTheBalance(t *testing.T) {
	for _, c := range []struct {
		versions string
		options  tableOptions
		limits   []int
		delay    time.Duration
	}{
		{"9.4-19", tableOptions{"autovacuum_vacuum_cost_limit": 10000}, []int{10000, 100, 100}, -1}, // 10,200 in all
		{"9.4-19", tableOptions{"autovacuum_vacuum_cost_delay": 5}, []int{200, 100, 100}, 5 * time.Millisecond},
		{"9.4-19", tableOptions{"autovacuum_vacuum_cost_limit": 300, "autovacuum_vacuum_cost_delay": 5}, []int{300, 100, 100}, 5 * time.Millisecond},
		{"9.4-19", tableOptions{"autovacuum_vacuum_cost_delay": 0}, []int{200, 100, 100}, 0},
		{"9.4-19", tableOptions{"autovacuum_enabled": 1}, []int{66, 66, 66}, -1},
	} {
		for _, v := range versionsOf(t, c.versions) {
			b := newBalancer(guc.Defaults(v))
			b.begin(1, c.options)
			b.begin(2, nil)
			b.begin(3, nil)
			if got := limitsOf(b); !slices.Equal(got, c.limits) {
				t.Errorf("PostgreSQL %s: with %v the limits are %v, want %v", v, c.options, got, c.limits)
			}
			if got, _ := b.of(1); c.delay >= 0 && got.delay != c.delay {
				t.Errorf("PostgreSQL %s: with %v the delay is %v", v, c.options, got.delay)
			}
		}
	}
}

func TestReload(t *testing.T) {
	for _, v := range []string{"15", "16"} {
		b := newBalancer(settings(t, v))
		b.begin(1, nil)
		b.begin(2, nil)
		b.reload(settings(t, v, "autovacuum_vacuum_cost_limit=1000"))
		want := []int{500, 500}
		if v == "15" { // no more than at the table's start
			want = []int{200, 200}
		}
		if got := limitsOf(b); !slices.Equal(got, want) {
			t.Errorf("PostgreSQL %s: %v after the reload, want %v", v, got, want)
		}
		b.begin(1, nil)
		b.begin(2, nil)
		if got := limitsOf(b); !slices.Equal(got, []int{500, 500}) {
			t.Errorf("PostgreSQL %s: %v with the next tables", v, got)
		}
	}
}

// Workers without parameters of their own never spend more together than the
// settings allow, the least of 1 apart, and lose at most 1 each.
func TestSharesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := guc.Defaults(rapid.SampledFrom(guc.Branches()).Draw(t, "version"))
		limit := rapid.IntRange(1, 10000).Draw(t, "limit")
		if err := s.Assign("autovacuum_vacuum_cost_limit=" + strconv.Itoa(limit)); err != nil {
			t.Fatal(err)
		}
		b := newBalancer(s)
		n := rapid.IntRange(1, 60).Draw(t, "workers")
		for i := range n {
			b.begin(i, nil)
		}
		sum := 0
		for _, x := range b.limits() {
			sum += x.limit
		}
		if sum > max(limit, n) || sum < limit-n {
			t.Fatalf("%d workers may spend %d of %d", n, sum, limit)
		}
	})
}
