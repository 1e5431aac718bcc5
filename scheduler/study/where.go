package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Where is a condition on the points of a grid, such as workers <= cpus*8. Its
// names are the axes', with _ for a point: numbers, times in seconds, sizes in
// bytes, versions as 9.5 or 13, or texts, such as strategy.
//
// A Where holds the values of the point at hand: one goroutine uses it at a time.
type Where struct {
	program *vm.Program
	values  map[string]any
}

// NewWhere reads a condition on points of these axes.
func NewWhere(text string, axes []Axis) (*Where, error) {
	w := &Where{values: map[string]any{}}
	for _, a := range axes {
		w.set(a, a.Values[0])
	}
	names := slices.Sorted(maps.Keys(w.values))
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", text, firstLine(err))
	}
	if unknown := unknownNames(tree.Node, names); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: %w", text, unknownAxis(unknown[0], names))
	}
	if w.program, err = expr.Compile(text, expr.Env(w.values), expr.AsBool()); err != nil {
		return nil, fmt.Errorf("%s: %s; accepted is a condition, such as workers <= cpus*8", text, firstLine(err))
	}
	return w, nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// unknownNames are the names of an expression that are not among those known.
func unknownNames(n ast.Node, known []string) []string {
	v := &names{}
	ast.Walk(&n, v)
	return slices.DeleteFunc(v.found, func(name string) bool { return slices.Contains(known, name) || slices.Contains(v.own, name) })
}

// names collects identifiers, and those that the expression itself declares.
type names struct{ found, own []string }

func (v *names) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		v.found = append(v.found, n.Value)
	case *ast.VariableDeclaratorNode:
		v.own = append(v.own, n.Name)
	}
}

// set makes a value that of the point at hand.
func (w *Where) set(a Axis, v Value) {
	for name, x := range v.also {
		w.values[name] = x
	}
	w.values[a.Variable()] = v.Var
}

func (w *Where) holds() (bool, error) {
	out, err := expr.Run(w.program, w.values)
	if err != nil {
		return false, fmt.Errorf("the condition cannot be worked out: %s", firstLine(err))
	}
	return out.(bool), nil
}
