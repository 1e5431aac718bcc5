package study

import (
	"errors"
	"fmt"

	"avsim/sim/experiment"
)

// Where is a condition on the points of a grid, such as workers <= cpus*8. Its
// names are the axes', with _ for a point: numbers, times in seconds, sizes in
// bytes, versions as 9.5 or 13, or texts, such as strategy.
type Where struct{ condition *experiment.Condition }

// NewWhere reads a condition on points of these axes.
func NewWhere(text string, axes []Axis) (*Where, error) {
	values := map[string]any{}
	for _, a := range axes {
		a.each(a.Values[0], func(name string, x any) { values[name] = x })
	}
	c, err := experiment.NewCondition(text, values)
	if unknown, ok := errors.AsType[*experiment.UnknownName](err); ok {
		err = unknownAxis(unknown.Name, unknown.Known)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return &Where{c}, nil
}

// each goes through what a value settles.
func (a Axis) each(v Value, set func(name string, x any)) {
	for name, x := range v.also {
		set(name, x)
	}
	set(a.Variable(), v.Var)
}

// set makes a value that of the point at hand.
func (w *Where) set(a Axis, v Value) { a.each(v, w.condition.Set) }

func (w *Where) holds() (bool, error) { return w.condition.Holds() }
