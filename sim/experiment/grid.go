package experiment

import (
	"fmt"
	"math"
	"strings"
)

// Axis is one dimension of a grid: a parameter and the values it takes.
type Axis struct {
	Name   string
	Values []string
}

// Grid is the cartesian product of its axes in row-major order: the last axis
// changes fastest. A grid without axes has one point, without settings.
type Grid []Axis

// Setting is a parameter with one value.
type Setting struct {
	Name, Value string
}

// Point is one combination of the axes' values, in the order of the axes.
type Point []Setting

// Check tells what is wrong with a grid: an axis without a name or without
// values, a name or a value given twice, more points than an int can count.
func (g Grid) Check() error {
	points := 1
	names := map[string]bool{}
	for i, axis := range g {
		switch {
		case axis.Name == "":
			return fmt.Errorf("axis %d has no name", i+1)
		case names[axis.Name]:
			return fmt.Errorf("axis %s is given twice", axis.Name)
		case len(axis.Values) == 0:
			return fmt.Errorf("axis %s has no values", axis.Name)
		case points > math.MaxInt/len(axis.Values):
			return fmt.Errorf("the grid has more than %d points", math.MaxInt)
		}
		names[axis.Name] = true
		points *= len(axis.Values)

		values := map[string]bool{}
		for _, value := range axis.Values {
			if values[value] {
				return fmt.Errorf("axis %s has the value %q twice", axis.Name, value)
			}
			values[value] = true
		}
	}
	return nil
}

// Len is the number of points.
func (g Grid) Len() int {
	n := 1
	for _, axis := range g {
		n *= len(axis.Values)
	}
	return n
}

// Point returns the point with that index, counted from 0. An index outside
// the grid panics.
func (g Grid) Point(index int) Point {
	if index < 0 || index >= g.Len() {
		panic(fmt.Sprintf("experiment: point %d of a grid of %d", index, g.Len()))
	}
	point := make(Point, len(g))
	for i := len(g) - 1; i >= 0; i-- {
		n := len(g[i].Values)
		point[i] = Setting{g[i].Name, g[i].Values[index%n]}
		index /= n
	}
	return point
}

// Points returns all points in order.
func (g Grid) Points() []Point {
	points := make([]Point, g.Len())
	for i := range points {
		points[i] = g.Point(i)
	}
	return points
}

// Value returns the value of a parameter and whether the point has it.
func (p Point) Value(name string) (string, bool) {
	for _, setting := range p {
		if setting.Name == name {
			return setting.Value, true
		}
	}
	return "", false
}

// String is "name=value name=value", in the order of the axes.
func (p Point) String() string {
	var b strings.Builder
	for i, setting := range p {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(setting.Name + "=" + setting.Value)
	}
	return b.String()
}
