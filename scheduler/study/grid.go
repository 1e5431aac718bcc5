package study

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/workload/guc"
)

// Grid is what a study goes through: the product of its axes, the last of which
// changes fastest, without the points that Where leaves out. Its points are made
// when they are needed, so a grid takes no memory for them.
type Grid struct {
	// Axes in their order. Those of a grid are tables, workers, hosts and so on:
	// what a point needs has an axis, be it of one value.
	Axes []Axis
	// Window gives each strategy its window, of at most the longest time, where
	// that is above zero.
	Window func(s scheduler.Strategy, longest time.Duration) scheduler.Window
	// Where, if not nil, tells the points to keep.
	Where *Where

	steps []step
}

// step is one or several axes that go in step.
type step struct {
	axes []Axis
	n    int
}

// draft is a point on the way.
type draft struct {
	Point
	cores    int         // 0 for the host's
	figures  [][2]string // of the host, path and value
	released bool        // the collector is that of the version
	longest  time.Duration
}

// GridPoint is a point and its place.
type GridPoint struct {
	Point
	Index int // among the points that are kept, counted from 0
	// Group numbers the points that differ along the last axis alone, which see
	// the same random numbers; First is the first of them, if it was kept.
	Group int
	First bool
}

// NewGrid makes a grid of axes. Each of zip names axes that go in step: they
// have the same number of values, and take their place with the last of them.
func NewGrid(axes []Axis, zip [][]string) (*Grid, error) {
	g := &Grid{Axes: axes}
	zipped := map[string]int{} // the zip that an axis is of
	for i, names := range zip {
		if err := g.checkZip(names, zipped, i); err != nil {
			return nil, err
		}
	}
	for i, a := range axes {
		z, in := zipped[a.Name]
		if !in {
			g.steps = append(g.steps, step{[]Axis{a}, len(a.Values)})
			continue
		}
		if last := slices.IndexFunc(axes[i+1:], func(o Axis) bool { return slices.Contains(zip[z], o.Name) }); last >= 0 {
			continue
		}
		s := step{n: len(a.Values)}
		for _, o := range axes[:i+1] {
			if slices.Contains(zip[z], o.Name) {
				s.axes = append(s.axes, o)
			}
		}
		g.steps = append(g.steps, s)
	}
	return g, nil
}

func (g *Grid) checkZip(names []string, zipped map[string]int, number int) error {
	if len(names) < 2 {
		return fmt.Errorf("%s: accepted are two or more axes with commas between, such as workers,cpus", strings.Join(names, ","))
	}
	length := 0
	for _, name := range names {
		i := slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Name == name })
		if i < 0 {
			return unknownAxis(name, g.names())
		}
		if _, twice := zipped[name]; twice {
			return fmt.Errorf("%s is given twice", name)
		}
		zipped[name] = number
		switch n := len(g.Axes[i].Values); {
		case length == 0:
			length = n
		case n != length:
			return fmt.Errorf("%s has %d values and %s %d: axes that go in step have equally many", names[0], length, name, n)
		}
	}
	return nil
}

// names are those of the axes.
func (g *Grid) names() (out []string) {
	for _, a := range g.Axes {
		out = append(out, a.Name)
	}
	return out
}

func unknownAxis(name string, known []string) error {
	hint := ""
	if near := guc.Nearest(name, known); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return fmt.Errorf("no axis %q%s (there are %s)", name, hint, strings.Join(known, ", "))
}

// Size is the number of points before Where, as a product that cannot overflow.
func (g *Grid) Size() float64 {
	n := 1.0
	for _, s := range g.steps {
		n *= float64(s.n)
	}
	return n
}

// Columns are those that the result table has for the axes.
func (g *Grid) Columns() (out []Axis) {
	for _, a := range g.Axes {
		if a.Column != "" {
			out = append(out, a)
		}
	}
	return out
}

// Points goes through the grid. It stops at a point that cannot be made.
func (g *Grid) Points() iter.Seq2[GridPoint, error] {
	return func(yield func(GridPoint, error) bool) {
		at := make([]int, len(g.steps))
		hosts := &hostMemo{}
		index := 0
		for n := 0; ; n++ {
			keep, err := g.keeps(at)
			if keep {
				p := GridPoint{Index: index, Group: n / g.steps[len(g.steps)-1].n, First: at[len(at)-1] == 0}
				if err == nil {
					p.Point, err = g.point(at, hosts)
				}
				if !yield(p, err) || err != nil {
					return
				}
				index++
			}
			if !g.advance(at) {
				return
			}
		}
	}
}

// advance goes to the next combination, the last step fastest.
func (g *Grid) advance(at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < g.steps[i].n {
			return true
		}
		at[i] = 0
	}
	return false
}

func (g *Grid) keeps(at []int) (bool, error) {
	if g.Where == nil {
		return true, nil
	}
	for i, s := range g.steps {
		for _, a := range s.axes {
			g.Where.set(a, a.Values[at[i]])
		}
	}
	keep, err := g.Where.holds()
	return keep || err != nil, err
}

// point makes the point at a combination.
func (g *Grid) point(at []int, hosts *hostMemo) (Point, error) {
	var d draft
	for i, s := range g.steps {
		for _, a := range s.axes {
			if err := a.Values[at[i]].set(&d); err != nil {
				return Point{}, err
			}
		}
	}
	if d.released {
		d.Strategy.Writes = scheduler.WriteFormOf(d.PG)
	}
	for _, c := range d.Choices {
		if err := d.Strategy.Override(c); err != nil {
			return Point{}, err
		}
	}
	for _, f := range d.figures {
		d.HostFigures = append(d.HostFigures, "host."+f[0]+"="+f[1])
	}
	d.Window = g.Window(d.Strategy, d.longest)
	var err error
	d.Host, err = hosts.of(&d)
	return d.Point, err
}
