package experiment

import (
	"fmt"
	"strings"
	"testing"
)

func TestGridIsRowMajor(t *testing.T) {
	grid := Grid{
		{"tables", []string{"1000", "10000"}},
		{"workers", []string{"3", "5", "8"}},
	}
	want := []string{
		"tables=1000 workers=3", "tables=1000 workers=5", "tables=1000 workers=8",
		"tables=10000 workers=3", "tables=10000 workers=5", "tables=10000 workers=8",
	}
	if grid.Len() != len(want) {
		t.Fatalf("%d points, want %d", grid.Len(), len(want))
	}
	for i, point := range grid.Points() {
		if point.String() != want[i] {
			t.Errorf("point %d is %s, want %s", i, point, want[i])
		}
	}
	if err := grid.Check(); err != nil {
		t.Error(err)
	}
}

func TestPointValue(t *testing.T) {
	point := Grid{{"a", []string{"1"}}, {"b", []string{""}}}.Point(0)
	if value, ok := point.Value("a"); value != "1" || !ok {
		t.Errorf("a is %q, %v", value, ok)
	}
	if value, ok := point.Value("b"); value != "" || !ok {
		t.Errorf("b is %q, %v", value, ok)
	}
	if _, ok := point.Value("c"); ok {
		t.Error("there is a c")
	}
}

// The empty product is one.
func TestGridWithoutAxes(t *testing.T) {
	if points := (Grid{}).Points(); len(points) != 1 || len(points[0]) != 0 {
		t.Errorf("points %v, want a single empty one", points)
	}
}

func TestGridPointOutside(t *testing.T) {
	for _, index := range []int{-1, 2} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("point %d of 2 did not panic", index)
				}
			}()
			Grid{{"a", []string{"1", "2"}}}.Point(index)
		}()
	}
}

func TestGridCheck(t *testing.T) {
	many := make([]string, 1<<16)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, c := range []struct {
		grid Grid
		want string
	}{
		{Grid{{"", []string{"1"}}}, "axis 1 has no name"},
		{Grid{{"a", nil}}, "axis a has no values"},
		{Grid{{"a", []string{"1"}}, {"a", []string{"2"}}}, "axis a is given twice"},
		{Grid{{"a", []string{"1", "2", "1"}}}, `axis a has the value "1" twice`},
		{Grid{{"a", many}, {"b", many}, {"c", many}, {"d", many}}, "more than"},
	} {
		if err := c.grid.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
