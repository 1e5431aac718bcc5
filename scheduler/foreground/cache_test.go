package foreground

import (
	"math"
	"math/rand/v2"
	"testing"
)

// lru is an LRU memory, as dumb as can be.
type lru struct {
	at    map[int]int // when each page was last looked at
	order []int       // page by time; -1 for looked at since
	first int
	room  int
}

func (l *lru) look(page int) bool {
	at, hit := l.at[page]
	if hit {
		l.order[at] = -1
	}
	l.at[page] = len(l.order)
	l.order = append(l.order, page)
	if len(l.at) > l.room {
		for l.order[l.first] == -1 {
			l.first++
		}
		delete(l.at, l.order[l.first])
		l.order[l.first] = -1
	}
	return hit
}

// Che's approximation is within a hundredth of a simulated LRU memory under
// independent looks, with pages of different rates and some that come by once.
func TestCheAgainstLRU(t *testing.T) {
	classes := []PageClass{{Pages: 100, Rate: 10}, {Pages: 1000, Rate: 1}, {Pages: 3000, Rate: 0.1}}
	for _, c := range []struct{ once, memory float64 }{{0, 500}, {0, 2000}, {0, 4200}, {500, 500}, {2000, 1500}} {
		want := simulateLRU(classes, c.once, int(c.memory))
		for i, got := range Cache(classes, c.once, c.memory) {
			if math.Abs(got-want[i]) > 0.01 {
				t.Errorf("%v once, memory of %v: class %d is found in %.3f of its looks, LRU %.3f", c.once, c.memory, i, got, want[i])
			}
		}
	}
}

func simulateLRU(classes []PageClass, once float64, room int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	memory := lru{at: map[int]int{}, room: room}
	total := once
	for _, c := range classes {
		total += c.Pages * c.Rate
	}
	hits, looks := make([]float64, len(classes)), make([]float64, len(classes))
	next := 1_000_000
	for n := range 600_000 {
		u, base := r.Float64()*total, 0
		k := -1
		for i, c := range classes {
			if u < c.Pages*c.Rate {
				k = i
				break
			}
			u -= c.Pages * c.Rate
			base += int(c.Pages)
		}
		if k < 0 {
			memory.look(next)
			next++
			continue
		}
		hit := memory.look(base + r.IntN(int(classes[k].Pages)))
		if n > 100_000 {
			looks[k]++
			if hit {
				hits[k]++
			}
		}
	}
	for i := range hits {
		hits[i] /= looks[i]
	}
	return hits
}

// With even rates LRU finds what part of the pages fits, exactly.
func TestCacheOfEvenRates(t *testing.T) {
	if got := Cache([]PageClass{{Pages: 1000, Rate: 3}}, 0, 250)[0]; math.Abs(got-0.25) > 1e-9 {
		t.Errorf("a quarter of the pages fits, found %v", got)
	}
	if got := Cache([]PageClass{{Pages: 1000, Rate: 3}}, 0, 1000)[0]; got != 1 {
		t.Errorf("all pages fit, found %v", got)
	}
	if got := Cache([]PageClass{{Pages: 1000, Rate: 3}}, 0, 0)[0]; got != 0 {
		t.Errorf("without memory nothing is found, not %v", got)
	}
}

// A scan that no ring keeps apart drives out what is looked at; through a ring it
// takes the ring's pages and no more.
func TestRingKeepsTheCache(t *testing.T) {
	classes := []PageClass{{Pages: 1000, Rate: 1}}
	const memory, ring = 1000, 16
	apart := Cache(classes, 0, memory-ring)[0]
	through := Cache(classes, 5000, memory)[0]
	if apart < 0.98 || through > 0.2 {
		t.Errorf("found %.3f with a ring, %.3f without", apart, through)
	}
}
