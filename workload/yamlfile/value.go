package yamlfile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
)

// String is a text of one line.
func String(into *string) Value {
	const accepted = "a text of one line"
	return Value{
		Schema: map[string]any{"type": "string"},
		Read: func(d *Decoder, path string, n ast.Node) error {
			switch n.(type) {
			case *ast.StringNode, *ast.LiteralNode:
			default:
				return d.Fail(n, path, found(n), accepted)
			}
			text := strings.TrimSpace(Text(n))
			switch {
			case strings.ContainsFunc(text, unicode.IsControl):
				return d.Fail(n, path, "found a line break or another control character", accepted)
			case text == "":
				return d.Fail(n, path, "found an empty text", accepted)
			}
			*into = text
			return nil
		},
	}
}

// Prose is a text of any number of lines.
func Prose(into *string) Value {
	return Value{
		Schema: map[string]any{"type": "string"},
		Read: func(d *Decoder, path string, n ast.Node) error {
			switch n.(type) {
			case *ast.StringNode, *ast.LiteralNode:
				*into = strings.TrimSpace(Text(n))
				return nil
			}
			return d.Fail(n, path, found(n), "a text")
		},
	}
}

// Scalar is a text, number or switch, taken as it is written.
func Scalar(into *string, accepted string) Value {
	return Value{
		Schema: map[string]any{"type": []string{"string", "number", "boolean"}},
		Read: func(d *Decoder, path string, n ast.Node) error {
			if !IsScalar(n) || Text(n) == "" {
				return d.Fail(n, path, found(n), accepted)
			}
			*into = Text(n)
			return nil
		},
	}
}

// OneOf is one of several words.
func OneOf[T ~string](into *T, words ...T) Value {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return Value{
		Schema: map[string]any{"enum": all},
		Read: func(d *Decoder, path string, n ast.Node) error {
			word := Text(n)
			if IsScalar(n) && slices.Contains(all, word) {
				*into = T(word)
				return nil
			}
			what := found(n)
			if near := guc.Nearest(word, all); near != "" && IsScalar(n) {
				what += fmt.Sprintf(" (did you mean %s?)", near)
			}
			return d.Fail(n, path, what, "one of "+strings.Join(all, ", "))
		},
	}
}

// Switch is true or false.
func Switch(into *bool) Value {
	return Value{
		Schema: map[string]any{"type": "boolean"},
		Read: func(d *Decoder, path string, n ast.Node) error {
			b, ok := n.(*ast.BoolNode)
			if !ok {
				return d.Fail(n, path, found(n), "true or false")
			}
			*into = b.Value
			return nil
		},
	}
}

// Number is a number within bounds.
func Number(into *float64, least, most float64) Value {
	return number(into, least, most, false)
}

// Whole is a whole number within bounds of at most 2^53.
func Whole[T ~int | ~int64](into *T, least, most T) Value {
	var x float64
	return number(&x, float64(least), float64(most), true).Then(func(*Decoder, string, ast.Node) error {
		*into = T(x)
		return nil
	})
}

func number(into *float64, least, most float64, whole bool) Value {
	kind, name := "number", "a number"
	if whole {
		kind, name = "integer", "a whole number"
	}
	return Value{
		Schema: map[string]any{"type": kind, "minimum": least, "maximum": most},
		Read: func(d *Decoder, path string, n ast.Node) error {
			x, ok := ParseNumber(Text(n))
			if !ok || !IsScalar(n) || x < least || x > most || whole && x != math.Trunc(x) {
				return d.Fail(n, path, found(n), fmt.Sprintf("%s from %s to %s", name, Plain(least), Plain(most)))
			}
			*into = x
			return nil
		},
	}
}

// ParseNumber reads a decimal number such as 1e6, 1_000_000 or 0.02; infinity
// and what is no number are not read.
func ParseNumber(text string) (float64, bool) {
	if strings.ContainsAny(text, "xXpP") {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return x + 0, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// Plain writes a number without an exponent unless it is 1e16 or more, or very small.
func Plain(x float64) string {
	if x != 0 && (math.Abs(x) >= 1e16 || math.Abs(x) < 1e-6) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// List is a list of at least so many items.
func List[T any](into *[]T, least int, item func(*T) Value) Value {
	kind := item(new(T))
	schema := map[string]any{"type": "array", "items": kind.Schema}
	if least > 0 {
		schema["minItems"] = least
	}
	return Value{
		Schema:      schema,
		definitions: kind.definitions,
		Read: func(d *Decoder, path string, n ast.Node) error {
			list, ok := n.(*ast.SequenceNode)
			if !ok || len(list.Values) < least {
				return d.Fail(n, path, found(n), fmt.Sprintf("a list of %d or more", least))
			}
			out := make([]T, len(list.Values))
			for i, v := range list.Values {
				if err := item(&out[i]).Read(d, fmt.Sprintf("%s[%d]", path, i), v); err != nil {
					return err
				}
			}
			*into = out
			return nil
		},
	}
}

// Named is an item of a mapping whose keys are names.
type Named[T any] struct {
	Name  string
	Key   ast.Node
	Value T
}

// Map is a mapping whose keys are names of the file's own choice.
func Map[T any](into *[]Named[T], item func(*T) Value) Value {
	kind := item(new(T))
	return Value{
		Schema:      map[string]any{"type": "object", "additionalProperties": kind.Schema},
		definitions: kind.definitions,
		Read: func(d *Decoder, path string, n ast.Node) error {
			items, ok := Mapping(n)
			if !ok {
				return d.Fail(n, path, found(n), "a mapping of names to values")
			}
			seen := make(map[string]bool)
			out := make([]Named[T], len(items))
			for i, item1 := range items {
				name := Text(item1.Key)
				switch {
				case !IsScalar(item1.Key) || name == "":
					return d.Fail(item1.Key, path, found(item1.Key)+" as a key", "a name")
				case seen[name]:
					return d.Fail(item1.Key, join(path, printable(name)), "given twice", "once")
				}
				seen[name] = true
				out[i].Name, out[i].Key = name, item1.Key
				if err := item(&out[i].Value).Read(d, join(path, printable(name)), item1.Value); err != nil {
					return err
				}
			}
			*into = out
			return nil
		},
	}
}

// Raw is any value, as it stands in the file, on one line.
func Raw(into *string) Value {
	return Value{
		Schema: map[string]any{},
		Read: func(d *Decoder, path string, n ast.Node) error {
			text := strings.TrimSpace(n.String())
			if strings.Contains(text, "\n") {
				return d.Fail(n, path, "found a value of several lines", "one in the form {key: value, …} or [item, …]")
			}
			*into = text
			return nil
		},
	}
}

// Or reads a mapping by one value and everything else by another.
func Or(scalar, mapping Value) Value {
	all := maps.Clone(scalar.definitions)
	if all == nil {
		all = make(map[string]any)
	}
	maps.Copy(all, mapping.definitions)
	return Value{
		Schema:      map[string]any{"anyOf": []any{scalar.Schema, mapping.Schema}},
		definitions: all,
		Read: func(d *Decoder, path string, n ast.Node) error {
			if _, ok := Mapping(n); ok {
				return mapping.Read(d, path, n)
			}
			return scalar.Read(d, path, n)
		},
	}
}
