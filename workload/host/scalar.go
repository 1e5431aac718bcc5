package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
)

// What the readers accept, as it stands in errors.
const (
	acceptTime  = "a time from 0 to 1h with its unit, such as 54us or 1.7ms"
	acceptShare = "a number from 0 to 1"
	acceptCores = "a whole number from 1 to 1024"
	acceptBytes = "a number of bytes, 0 or more"
	acceptSigma = "a number from 0 to 1, the sigma of a log-normal factor"
	acceptText  = "a text"
	acceptDepth = "a whole number from 1 to 65536"
	maxCores    = 1024
)

// text is a scalar as written; a key or value without text gives "".
func text(n ast.Node) string {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.NullNode, nil:
		return ""
	case ast.ScalarNode:
		return n.GetToken().Value
	}
	return ""
}

// describe says what stands in place of what was expected.
func describe(n ast.Node) string {
	if items, ok := mapping(n); ok && len(items) == 0 {
		return "an empty mapping"
	}
	switch n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "a YAML anchor, alias, tag or merge, which profiles do without"
	}
	const most = 40
	s := strconv.Quote(text(n))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + `…"`
	}
	return s
}

func nearestField(key string, fields []field) string {
	return guc.Nearest(key, strings.Split(names(fields), ", "))
}

func (d *decoder) stringValue(into *string) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		switch n.(type) {
		case *ast.StringNode, *ast.LiteralNode:
			*into = strings.TrimSpace(text(n))
			if strings.ContainsFunc(*into, unicode.IsControl) {
				return d.fail(n, path, "found a line break or another control character", acceptText)
			}
			return nil
		}
		return d.fail(n, path, "found "+describe(n), acceptText)
	}
}

func (d *decoder) cores(into *int) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		c, err := strconv.Atoi(text(n))
		if err != nil || c < 1 || c > maxCores {
			return d.fail(n, path, "found "+describe(n), acceptCores)
		}
		*into = c
		return nil
	}
}

func (d *decoder) depth(into *int) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		x, err := strconv.Atoi(text(n))
		if err != nil || x < 1 || x > 65536 {
			return d.fail(n, path, "found "+describe(n), acceptDepth)
		}
		*into = x
		return nil
	}
}

// number reads a finite number between 0 and the given most.
func (d *decoder) number(into *float64, most float64, accepted string) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		x, err := strconv.ParseFloat(text(n), 64)
		if err != nil || math.Signbit(x) || !(x <= most) {
			return d.fail(n, path, "found "+describe(n), accepted)
		}
		*into = x
		return nil
	}
}

// time reads a duration of 0 to maxCost, rounded to a nanosecond.
func (d *decoder) time(into *time.Duration) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		x, err := d.nanoseconds(path, n)
		*into = toDuration(x)
		return err
	}
}

// nanoseconds reads a duration of 0 to maxCost with its fraction of a nanosecond.
func (d *decoder) nanoseconds(path string, n ast.Node) (float64, error) {
	s := text(n)
	x, ok := parseNanoseconds(s)
	switch {
	case isNumber(s):
		return 0, d.fail(n, path, fmt.Sprintf("found %s without a unit (%sus? %sms?)", describe(n), s, s), acceptTime)
	case !ok || math.Signbit(x) || x > float64(maxCost):
		return 0, d.fail(n, path, "found "+describe(n), acceptTime)
	}
	return x, nil
}
