package vacuum_test

import (
	"container/list"
	"math"
	"math/rand/v2"
	"testing"

	"avsim/scheduler/vacuum"
)

// What is found in a pool, against a list that always drops the page looked up
// longest ago: three kinds of pages, and a stream of pages looked up once.
func TestPoolAgainstLRU(t *testing.T) {
	kinds := []struct{ pages, perSecond float64 }{{1000, 10}, {5000, 1}, {20_000, 0.05}}
	for _, stream := range []float64{0, 2000} {
		var p vacuum.Pool
		total := stream
		for _, k := range kinds {
			p.Add(k.pages, k.perSecond)
			total += k.pages * k.perSecond
		}
		p.Stream(stream)
		const room = 6000
		w := p.Window(room)

		random := rand.New(rand.NewPCG(3, 4))
		order, place := list.New(), map[[2]int]*list.Element{}
		found, asked := make([]float64, len(kinds)), make([]float64, len(kinds))
		once := 0
		for i := range 600_000 {
			key := [2]int{-1, once}
			x := random.Float64() * total
			for j, k := range kinds {
				if x -= k.pages * k.perSecond; x < 0 {
					key = [2]int{j, random.IntN(int(k.pages))}
					break
				}
			}
			if key[0] < 0 {
				once++
			}
			e, in := place[key]
			if key[0] >= 0 && i > 200_000 {
				asked[key[0]]++
				if in {
					found[key[0]]++
				}
			}
			if in {
				order.MoveToFront(e)
				continue
			}
			place[key] = order.PushFront(key)
			if order.Len() > room {
				last := order.Back()
				delete(place, last.Value.([2]int))
				order.Remove(last)
			}
		}
		for j, k := range kinds {
			if got, want := w.Found(k.perSecond), found[j]/asked[j]; math.Abs(got-want) > 0.03 {
				t.Errorf("stream %v: of pages looked up %v times a second %.3f are found, in the list %.3f", stream, k.perSecond, got, want)
			}
		}
	}
}

func TestPoolWithRoom(t *testing.T) {
	var p vacuum.Pool
	p.Add(100, 1)
	p.Add(100, 0)
	w := p.Window(150)
	if w.Found(1) != 1 || w.Found(0) != 0.5 || !math.IsInf(w.Seconds, 1) {
		t.Errorf("%+v", w)
	}
}
