package host

import (
	"testing"
	"time"
)

func TestCurveLinear(t *testing.T) {
	c := Curve{Base: 54 * time.Microsecond, PerEntry: 179.7}
	if got, want := c.At(100_000), 54*time.Microsecond+17_970_000; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCurvePoints(t *testing.T) {
	c := Curve{Points: []Point{{1000, 100}, {2000, 300}, {4000, 400}}}
	noisy := Curve{Points: []Point{{1000, 100}, {2000, 90}}}
	for _, x := range []struct {
		what string
		c    Curve
		n    int
		want time.Duration
	}{
		{"a knot", c, 2000, 300},
		{"between two", c, 3000, 350},
		{"beyond the last, by the last slope", c, 6000, 500},
		{"at zero, where the first segment would be negative", c, 0, 0},
		{"below the first, on the line from there", c, 500, 50},
		{"below the first of a falling segment", noisy, 0, 110},
		{"beyond the last of a falling segment", noisy, 100_000, 90},
		{"a negative number, as zero", noisy, -5, 110},
	} {
		if got := x.c.At(x.n); got != x.want {
			t.Errorf("%s: %d ns, want %d", x.what, got, x.want)
		}
	}
}

func TestSlack(t *testing.T) {
	s := Slack{{time.Millisecond, 60}, {3 * time.Millisecond, 80}}
	for d, want := range map[time.Duration]time.Duration{
		0: 60, time.Millisecond: 60, 2 * time.Millisecond: 70, time.Hour: 80,
	} {
		if got := s.At(d); got != want {
			t.Errorf("a sleep of %v overshoots by %d ns, want %d", d, got, want)
		}
	}
}
