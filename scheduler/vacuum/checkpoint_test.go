package vacuum

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"avsim/workload/guc"
)

// server is the dumb reference: checkpoints one by one, from a random instant on, each of
// which writes its pages one after the other in the order of a random place of each.
type server struct {
	interval, first, target float64
	place                   float64 // of the page at hand, 0 to 1
}

func drawServer(r *rand.Rand, c Cycle) server {
	i := c.Interval.Seconds()
	return server{i, r.Float64() * i, c.Target, r.Float64()}
}

// begun is when the last checkpoint before an instant began.
func (s server) begun(at float64) float64 {
	return s.first + s.interval*math.Floor((at-s.first)/s.interval)
}

// logged and dirty: of a page changed at one instant, at another.
func (s server) logged(changed, at float64) bool { return s.begun(at) <= changed }
func (s server) dirty(changed, at float64) bool {
	written := s.begun(changed) + s.interval + s.place*s.target*s.interval
	return at < written
}

func share(n int, of func() bool) float64 {
	sum := 0
	for range n {
		if of() {
			sum++
		}
	}
	return float64(sum) / float64(n)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.4f, the reference has %.4f ± %.4f", what, got, want, within)
	}
}

// TestCycle holds the formulas against checkpoints drawn one by one.
func TestCycle(t *testing.T) {
	const draws, within = 200_000, 4 * 0.5 / 447 // four standard errors at most
	r := rand.New(rand.NewPCG(1, 2))
	for _, target := range []float64{0, 0.5, 0.9, 1} {
		c := Cycle{300 * time.Second, target}
		for _, ago := range []float64{0, 30, 150, 299, 301, 500, 700} {
			d := time.Duration(ago * 1e9)
			near(t, "logged", c.Logged(d), share(draws, func() bool { return drawServer(r, c).logged(-ago, 0) }), within)
			near(t, "dirty", c.Dirty(d), share(draws, func() bool { return drawServer(r, c).dirty(-ago, 0) }), within)
		}
		for _, perSecond := range []float64{1e-5, 1e-3, 1. / 300, 0.05, 10} {
			logged, dirty := c.Changed(perSecond)
			near(t, "changed, logged", logged, share(draws, func() bool { return drawServer(r, c).logged(-r.ExpFloat64()/perSecond, 0) }), within)
			near(t, "changed, dirty", dirty, share(draws, func() bool { return drawServer(r, c).dirty(-r.ExpFloat64()/perSecond, 0) }), within)
		}
	}
	if l, d := (Cycle{}).Changed(1); l != 1 || d != 1 {
		t.Errorf("without checkpoints %v and %v of the changed pages are logged and dirty, want all", l, d)
	}
}

// passesJob goes through two indexes, all in shared buffers, several times.
func passesJob(pg string, k Checkpoints) Job {
	s := SettingsOf(guc.Defaults(guc.MustVersion(pg)))
	s.Memory, s.Ring, s.SharedBuffers = 1<<20, 0, 1e6
	m := Machine{}
	m.Throttled.Heap, m.Free.Heap = 10_000, 10_000
	return Job{Settings: s, Machine: m, Checkpoints: k, Budget: Budget{Limit: 200, Delay: 2 * time.Millisecond},
		Table: Table{Pages: 20_000, RowsPerPage: 61, RowBytes: 130, Dead: 500_000, Indexes: []Index{{Pages: 3000, Cache: All()}, {Pages: 1500, Cache: All()}},
			DeadCache: All(), MarkedCache: All(), RestCache: All()}}
}

// TestCheckpointsDuringAVacuum goes through the pages one by one, at the times that the
// plan's phases have, and counts images and pages dirtied.
func TestCheckpointsDuringAVacuum(t *testing.T) {
	for _, timeout := range []time.Duration{10 * time.Second, 40 * time.Second, 200 * time.Second} {
		k := Checkpoints{Timeout: timeout, Target: 0.9}
		p := passesJob("13", k).Plan()
		if p.IndexScans < 3 || len(p.starts) == 0 {
			t.Fatalf("%d passes over the indexes, planned again: %v; want several", p.IndexScans, len(p.starts) > 0)
		}
		images, dirtied := walk(p, Cycle{timeout, k.Target}, []float64{3000, 1500}, 20_000, 61)
		near(t, "images, against all", p.Total().Images/images, 1, 0.02)
		near(t, "dirtied, against all", p.Total().Dirtied/dirtied, 1, 0.02)
	}
}

// walk is a vacuum page by page.
func walk(p *Plan, c Cycle, indexes []float64, heap int, rows int) (images, dirtied float64) {
	r := rand.New(rand.NewPCG(3, 4))
	type page struct{ changed float64 }
	never := math.Inf(-1)
	visit := func(s server, x *page, at float64) {
		if !s.logged(x.changed, at) {
			images++
		}
		if !s.dirty(x.changed, at) {
			dirtied++
		}
		x.changed = at
	}
	const times = 40
	for n := range times {
		s := drawServer(r, c)
		s.first = (float64(n) + r.Float64()) / times * s.interval
		start := func(i int) float64 { return p.starts[i].Seconds() }
		on := make([][]page, len(indexes))
		for i, pages := range indexes {
			on[i] = make([]page, int(pages))
			for j := range on[i] {
				on[i][j].changed = never
			}
		}
		for f := range p.Dead.Fills {
			fill, scan := p.Dead.Fills[f], 1+3*f
			for n := range int(fill.Pages) {
				x, at := page{never}, (float64(n)+0.5)/fill.Pages
				s.place = r.Float64()
				visit(s, &x, start(scan)+at*(start(scan+1)-start(scan)))
				visit(s, &x, start(scan+2)+at*(start(scan+3)-start(scan+2)))
			}
			for i := range on {
				hit := Touched(fill.Items, indexes[i])
				for j := range on[i] {
					if r.Float64() < hit {
						at := (float64(j) + 0.5) / indexes[i]
						s.place = float64(j) / indexes[i] // the same at each visit
						visit(s, &on[i][j], start(scan+1)+at*(start(scan+2)-start(scan+1)))
					}
				}
			}
		}
	}
	return images / times, dirtied / times
}

// TestNoCheckpointDuringAVacuum: where none begins, a long timeout is as none.
func TestNoCheckpointDuringAVacuum(t *testing.T) {
	none, rare := passesJob("13", Checkpoints{}).Plan(), passesJob("13", Checkpoints{Timeout: 1e6 * time.Hour, Target: 0.9}).Plan()
	if none.Total() != rare.Total() {
		t.Errorf("one checkpoint in a hundred years changes\n%+v to\n%+v", none.Total(), rare.Total())
	}
}

// TestCheckpointsForTheVolumeOfTheLog: so much log as begins a checkpoint is written in
// the time between two, the vacuum's and others' together.
func TestCheckpointsForTheVolumeOfTheLog(t *testing.T) {
	for _, distance := range []float64{2 << 20, 16 << 20, 64 << 20} {
		k := Checkpoints{Timeout: time.Hour, Target: 0.9, Distance: distance, OthersLog: 1e5}
		j := passesJob("13", k)
		p := j.Plan()
		interval := k.Interval(p.Total().WALBytes / p.Elapsed(j.Budget).Seconds())
		q := passesJob("13", Checkpoints{Timeout: interval, Target: 0.9}).Plan()
		near(t, "images at that interval", p.Total().Images/q.Total().Images, 1, 0.01)
		if none := passesJob("13", Checkpoints{}).Plan(); p.Total().Images < 1.2*none.Total().Images {
			t.Errorf("%.0f images at a checkpoint every %v, %.0f without any", p.Total().Images, interval, none.Total().Images)
		}
	}
}
