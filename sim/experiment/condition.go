package experiment

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

// Condition is a condition on named values, such as workers <= cpus*8, in the
// language of github.com/expr-lang/expr. It holds the values of the case at hand:
// one goroutine uses it at a time.
type Condition struct {
	program *vm.Program
	values  map[string]any
}

// UnknownName is a name that a condition has and no value bears.
type UnknownName struct {
	Name  string
	Known []string // sorted
}

func (e *UnknownName) Error() string {
	return fmt.Sprintf("unknown name %q (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

// NewCondition reads a condition. The values name what there is, and are of the
// type of those to come: float64 or string. An error is one line; a name that no
// value bears is an UnknownName.
func NewCondition(text string, values map[string]any) (*Condition, error) {
	c := &Condition{values: maps.Clone(values)}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", firstLine(err))
	}
	known := slices.Sorted(maps.Keys(values))
	if unknown := unknownNames(tree.Node, known); len(unknown) > 0 {
		return nil, &UnknownName{unknown[0], known}
	}
	if c.program, err = expr.Compile(text, expr.Env(c.values), expr.AsBool()); err != nil {
		return nil, fmt.Errorf("%s; accepted is a condition, such as workers <= cpus*8", firstLine(err))
	}
	return c, nil
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

// Visit is called for each node.
func (v *names) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		v.found = append(v.found, n.Value)
	case *ast.VariableDeclaratorNode:
		v.own = append(v.own, n.Name)
	}
}

// Set makes a value that of the case at hand.
func (c *Condition) Set(name string, value any) { c.values[name] = value }

// Holds tells whether the condition holds for the values as they are set.
func (c *Condition) Holds() (bool, error) {
	out, err := expr.Run(c.program, c.values)
	if err != nil {
		return false, fmt.Errorf("the condition cannot be worked out: %s", firstLine(err))
	}
	return out.(bool), nil
}
