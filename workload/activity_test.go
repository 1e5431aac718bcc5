package workload

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestPoissonPath: counts over disjoint intervals have mean and variance of
// their length, are the same however they are asked for, and never fall.
func TestPoissonPath(t *testing.T) {
	for _, length := range []float64{1, 7, 100, 5000} {
		var sum, squares float64
		const n = 4000
		for i := range n {
			p := poissonPath(i + 1)
			x := p.at(3*length, nil) - p.at(2*length, nil)
			sum += x
			squares += (x - length) * (x - length)
		}
		mean, variance := sum/n, squares/n
		if sigma := math.Sqrt(length / n); math.Abs(mean-length) > 4*sigma {
			t.Errorf("intervals of %v hold %v points on average", length, mean)
		}
		if math.Abs(variance/length-1) > 0.12 {
			t.Errorf("intervals of %v: variance %v", length, variance)
		}
	}
	p := poissonPath(7)
	last, again := 0.0, map[float64]float64{}
	for x := 0.0; x < 300; x += 0.25 {
		n := p.at(x, nil)
		if n < last {
			t.Fatalf("the count falls from %v to %v at %v", last, n, x)
		}
		last, again[x] = n, n
	}
	for x, n := range again {
		if p.at(x, nil) != n {
			t.Errorf("at %v the count is %v and then %v", x, n, p.at(x, nil))
		}
	}
}

// TestRates holds totals to closed integrals.
func TestRates(t *testing.T) {
	day := 24 * time.Hour
	for _, c := range []struct {
		what string
		rate Rate
		at   time.Duration
		want float64
	}{
		{"constant", Constant(3), 10 * time.Second, 30},
		{"steps before the first", Steps{{From: time.Second, PerSecond: 5}}, time.Second, 0},
		{"steps", Steps{{From: time.Second, PerSecond: 5}, {From: 3 * time.Second, PerSecond: 1}}, 10 * time.Second, 17},
		{"a whole wave", Wave{Mean: 2, Amplitude: 0.9, Period: day, Peak: 14 * time.Hour}, day, 2 * 86400},
		{"a wave's upper half", Wave{Mean: 2, Amplitude: 1, Period: 4 * time.Second, Peak: time.Second}, 2 * time.Second, 2 * (2 + 4/math.Pi)},
		{"bursts", Bursts{PerSecond: 10, Every: time.Minute, Length: 6 * time.Second, First: 30 * time.Second}, 93 * time.Second, 90},
	} {
		if got := c.rate.Total(c.at); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestMost: no rate ever exceeds what Most said before.
func TestMost(t *testing.T) {
	for _, r := range []Rate{
		Constant(3),
		Steps{{From: time.Second, PerSecond: 5}, {From: 3 * time.Second, PerSecond: 9}, {From: 5 * time.Second, PerSecond: 1}},
		Wave{Mean: 2, Amplitude: 0.9, Period: 7 * time.Second, Peak: 2 * time.Second},
		Bursts{PerSecond: 10, Every: 4 * time.Second, Length: time.Second},
	} {
		for from := time.Duration(0); from < 10*time.Second; from += 100 * time.Millisecond {
			for to := from + 50*time.Millisecond; to < 10*time.Second; to += 170 * time.Millisecond {
				if got, most := r.Total(to)-r.Total(from), r.Most(from)*(to-from).Seconds(); got > most+1e-9 {
					t.Fatalf("%T: %v rows from %v to %v, at most %v", r, got, from, to, most)
				}
			}
		}
	}
}

// TestStatements count from their instant on.
func TestStatements(t *testing.T) {
	a := Activity{Statements: []Statement{{At: time.Second, Deletes: 5}, {At: 2 * time.Second, Inserts: 7}}}
	if s := a.Totals(time.Second); s.Deleted != 5 || s.Inserted != 0 {
		t.Errorf("at the first statement: %+v", s)
	}
	if at, ok := a.NextStatement(time.Second); !ok || at != 2*time.Second {
		t.Errorf("after the first statement comes %v, %v", at, ok)
	}
	if _, ok := a.NextStatement(2 * time.Second); ok {
		t.Error("a statement after the last")
	}
}

// TestMemo: what is remembered of the last place changes no count, wherever one asks
// next.
func TestMemo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(50) {
		p, last, x := poissonPath(seed), new(interval), 0.0
		for range 200 {
			switch r.IntN(4) {
			case 0:
				x = r.Float64() * top
			case 1:
				x = math.Max(x-1000*r.Float64(), 0)
			default:
				x += 100 * r.Float64()
			}
			if with, without := p.at(x, last), p.at(x, nil); with != without {
				t.Fatalf("seed %d: at %v the count is %v, with a memo %v", seed, x, without, with)
			}
		}
	}
}

// TestDelayed: a client two seconds late after five, and no longer after ten.
func TestDelayed(t *testing.T) {
	d := Delayed{Rate: Constant(10), Course: []Point{{}, {At: 5 * time.Second, Schedule: 3 * time.Second}, {At: 10 * time.Second, Schedule: 10 * time.Second}}}
	for at, want := range map[float64]float64{0: 0, 2.5: 15, 5: 30, 7.5: 65, 10: 100, 12: 120} {
		if got := d.Total(time.Duration(at * 1e9)); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v rows after %v s, want %v", got, at, want)
		}
	}
	if m := d.Most(0); math.Abs(m-14) > 1e-9 {
		t.Errorf("at most %v rows a second, want 14 while it catches up", m)
	}
	if m := d.Most(10 * time.Second); m != 10 {
		t.Errorf("at most %v rows a second after that, want 10", m)
	}
}
