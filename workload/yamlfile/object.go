package yamlfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
)

// Value is what may stand at a place: how it is read, and how a JSON schema
// tells of it.
type Value struct {
	Schema map[string]any
	Read   func(d *Decoder, path string, n ast.Node) error

	definitions map[string]any // by name, what $ref refers to
}

// Field is a key of a mapping.
type Field struct {
	Name     string
	Doc      string // one line, for the schema
	Required bool
	Value    Value
}

// As makes a definition of a value that stands at several places of the schema.
func (v Value) As(name string) Value {
	all := maps.Clone(v.definitions)
	if all == nil {
		all = make(map[string]any)
	}
	all[name] = v.Schema
	return Value{Schema: map[string]any{"$ref": "#/$defs/" + name}, Read: v.Read, definitions: all}
}

// Then also checks what was read.
func (v Value) Then(check func(d *Decoder, path string, n ast.Node) error) Value {
	read := v.Read
	v.Read = func(d *Decoder, path string, n ast.Node) error {
		if err := read(d, path, n); err != nil {
			return err
		}
		return check(d, path, n)
	}
	return v
}

// Kept also keeps the node, for errors found later.
func (v Value) Kept(into *ast.Node) Value {
	return v.Then(func(_ *Decoder, _ string, n ast.Node) error {
		*into = n
		return nil
	})
}

// Object is a mapping with fixed keys.
func Object(fields ...Field) Value {
	return Value{
		Schema:      objectSchema(fields, required(fields)),
		definitions: definitionsOf(fields),
		Read: func(d *Decoder, path string, n ast.Node) error {
			seen, err := d.object(path, n, fields)
			if err != nil {
				return err
			}
			for _, f := range fields {
				if f.Required && !seen[f.Name] {
					return d.Fail(n, join(path, f.Name), "missing", "all of "+strings.Join(required(fields), ", "))
				}
			}
			return nil
		},
	}
}

// Choice is a mapping with just one of several sets of keys, a set being names
// with blanks between them; a ? at the end of a name is for a key that may be
// left out.
func Choice(fields []Field, sets ...string) Value {
	var schemas []any
	for _, set := range sets {
		needed, optional := keysOf(set)
		in := slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
			return !slices.Contains(needed, f.Name) && !slices.Contains(optional, f.Name)
		})
		schemas = append(schemas, objectSchema(in, needed))
	}
	return Value{
		Schema:      map[string]any{"oneOf": schemas},
		definitions: definitionsOf(fields),
		Read: func(d *Decoder, path string, n ast.Node) error {
			seen, err := d.object(path, n, fields)
			if err != nil {
				return err
			}
			var given []string
			for _, f := range fields {
				if seen[f.Name] {
					given = append(given, f.Name)
				}
			}
			for _, set := range sets {
				if isSet(set, given) {
					return nil
				}
			}
			what := "found " + strings.Join(given, " and ")
			if len(given) == 0 {
				what = found(n)
			}
			return d.Fail(n, path, what, "one of "+describeSets(sets))
		},
	}
}

// keysOf are the keys that a set needs, and those that it may have.
func keysOf(set string) (needed, optional []string) {
	for _, name := range strings.Fields(set) {
		if name, may := strings.CutSuffix(name, "?"); may {
			optional = append(optional, name)
		} else {
			needed = append(needed, name)
		}
	}
	return needed, optional
}

// isSet tells whether these keys are a set's.
func isSet(set string, given []string) bool {
	needed, optional := keysOf(set)
	extra := 0
	for _, name := range given {
		switch {
		case slices.Contains(optional, name):
			extra++
		case !slices.Contains(needed, name):
			return false
		}
	}
	return len(given)-extra == len(needed)
}

func describeSets(sets []string) string {
	out := make([]string, len(sets))
	for i, s := range sets {
		needed, optional := keysOf(s)
		out[i] = strings.Join(needed, " with ")
		if len(optional) > 0 {
			out[i] += " [" + strings.Join(optional, ", ") + "]"
		}
	}
	return strings.Join(out, ", ")
}

// object reads the keys that are there and returns which.
func (d *Decoder) object(path string, n ast.Node, fields []Field) (map[string]bool, error) {
	items, ok := Mapping(n)
	if !ok {
		return nil, d.Fail(n, path, found(n), "a mapping with the keys "+names(fields))
	}
	seen := make(map[string]bool)
	for _, item := range items {
		f, err := d.pick(path, item, fields)
		if err != nil {
			return nil, err
		}
		at := join(path, f.Name)
		if seen[f.Name] {
			return nil, d.Fail(item.Key, at, "given twice", "once")
		}
		seen[f.Name] = true
		if err := f.Value.Read(d, at, item.Value); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// pick finds the field of a key.
func (d *Decoder) pick(path string, item *ast.MappingValueNode, fields []Field) (Field, error) {
	key := Text(item.Key)
	var all []string
	for _, f := range fields {
		if f.Name == key {
			return f, nil
		}
		all = append(all, f.Name)
	}
	if !IsScalar(item.Key) {
		return Field{}, d.Fail(item.Key, path, found(item.Key)+" as a key", names(fields))
	}
	what := "unknown key"
	if near := guc.Nearest(key, all); near != "" {
		what += fmt.Sprintf(" (did you mean %s?)", near)
	}
	return Field{}, d.Fail(item.Key, join(path, printable(key)), what, names(fields))
}

// printable is a key as it may stand in an error of one line.
func printable(key string) string {
	quoted := Quote(key)
	if quoted == `"`+key+`"` && key != "" {
		return key
	}
	return quoted
}

func names(fields []Field) string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return strings.Join(out, ", ")
}

func required(fields []Field) []string {
	var out []string
	for _, f := range fields {
		if f.Required {
			out = append(out, f.Name)
		}
	}
	return out
}

func objectSchema(fields []Field, required []string) map[string]any {
	properties := make(map[string]any)
	for _, f := range fields {
		property := maps.Clone(f.Value.Schema)
		if f.Doc != "" {
			property["description"] = f.Doc
		}
		properties[f.Name] = property
	}
	out := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func definitionsOf(fields []Field) map[string]any {
	all := make(map[string]any)
	for _, f := range fields {
		maps.Copy(all, f.Value.definitions)
	}
	return all
}
