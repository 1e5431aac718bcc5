package host

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Parse reads a profile. The file name stands in the errors and, where the
// profile gives no name, is its name. Errors are of the form
//
//	file:line:column: field: what was found; accepted is …
func Parse(data []byte, filename string) (*Profile, error) {
	if len(data) > maxFileBytes {
		return nil, tooLarge(filename, int64(len(data)))
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // byte order mark
	if line, what := tooMuch(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: %s", filename, line, what)
	}
	d := decoder{file: filename}
	root, err := d.document(data)
	if err != nil {
		return nil, err
	}
	p := new(Profile)
	if err := d.like(root, p); err != nil {
		return nil, err
	}
	err = d.profile(root, p)
	if err != nil {
		return nil, err
	}
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(filename), filepath.Ext(filename))
	}
	return p, nil
}

// decoder turns the syntax tree into a profile.
type decoder struct {
	file     string
	inherits bool // from a profile named by "like": nothing need be given
	whole    bool // in a curve, which is never inherited in part
}

// field is a key of a mapping and what to do with its value.
type field struct {
	name     string
	read     func(path string, n ast.Node) error
	optional bool
}

// document parses the file's only document.
func (d *decoder) document(data []byte) (ast.Node, error) {
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, d.syntax(err)
	}
	var root ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if root != nil {
			return nil, d.fail(doc.Body, "", "found a second document", "one per file")
		}
		root = doc.Body
	}
	if root == nil {
		return nil, fmt.Errorf("%s: empty; a host profile has at least a key such as \"like: %s\"", d.file, Embedded()[0])
	}
	return root, nil
}

// syntax gives a YAML error the form of the others.
func (d *decoder) syntax(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		p := e.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", d.file, p.Line, p.Column, strings.ReplaceAll(e.GetMessage(), "\n", " "))
	}
	return fmt.Errorf("%s: %s", d.file, strings.ReplaceAll(err.Error(), "\n", " "))
}

// fail names the place, the field, what was found and what is accepted.
func (d *decoder) fail(n ast.Node, path, found, accepted string) error {
	where := d.file
	if where != "" && n != nil && n.GetToken() != nil && n.GetToken().Position != nil {
		// A mapping's own token is its first colon; its first key is the place.
		if items, ok := mapping(n); ok && len(items) > 0 {
			n = items[0].Key
		}
		p := n.GetToken().Position
		where = fmt.Sprintf("%s:%d:%d", d.file, p.Line, p.Column)
	}
	if path != "" {
		path += ": "
	}
	if where != "" {
		where += ": "
	}
	return fmt.Errorf("%s%s%s; accepted is %s", where, path, found, accepted)
}

// mapping returns the items of a mapping in either of the parser's two shapes.
func mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// object reads a mapping with fixed keys. Keys that are not among the fields
// are errors, and so are fields not given, unless optional or inherited.
func (d *decoder) object(path string, n ast.Node, fields []field) error {
	items, ok := mapping(n)
	if !ok {
		return d.fail(n, path, "found "+describe(n), "a mapping with the keys "+names(fields))
	}
	seen := make(map[string]bool)
	for _, item := range items {
		f, err := d.pick(path, item, fields)
		if err != nil {
			return err
		}
		if seen[f.name] {
			return d.fail(item.Key, join(path, f.name), "given twice", "once")
		}
		seen[f.name] = true
		if err := f.read(join(path, f.name), item.Value); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !seen[f.name] && !f.optional && !d.inherits {
			return d.fail(n, join(path, f.name), "missing", d.required(fields))
		}
	}
	return nil
}

// required names the keys that have to be given.
func (d *decoder) required(fields []field) string {
	all := "all of " + names(slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f.optional }))
	if d.whole {
		return all
	}
	return all + fmt.Sprintf(", or \"like: %s\" at the top to take the rest from there", Embedded()[0])
}

// pick finds the field of a key.
func (d *decoder) pick(path string, item *ast.MappingValueNode, fields []field) (field, error) {
	key := text(item.Key)
	for _, f := range fields {
		if f.name == key {
			return f, nil
		}
	}
	found := "unknown key"
	if near := nearestField(key, fields); near != "" {
		found += fmt.Sprintf(" (did you mean %s?)", near)
	}
	return field{}, d.fail(item.Key, join(path, key), found, names(fields))
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(fields []field) string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return strings.Join(out, ", ")
}

// tooMuch returns the line at which a file has deeper nesting or more keys than
// any profile, and which of the two; or 0. The YAML parser's time grows with the
// squares of both.
func tooMuch(data []byte) (line int, what string) {
	const mostNested, mostKeys = 32, 2000
	brackets, indicators, keys := 0, 0, 0
	line = 1
	for i, c := range data {
		alone := i+1 == len(data) || strings.IndexByte(" \t\r\n", data[i+1]) >= 0
		switch {
		case c == '\n':
			line++
			indicators = 0
		case c == '[' || c == '{':
			brackets++
		case c == ']' || c == '}':
			brackets = max(brackets-1, 0)
		case alone && (c == '?' || c == '-'):
			indicators++
		case alone && c == ':':
			keys++
		}
		if brackets > mostNested || indicators > mostNested {
			return line, "nested too deeply; a host profile needs four levels"
		}
		if keys > mostKeys {
			return line, fmt.Sprintf("more than %d keys; a host profile needs some hundred", mostKeys)
		}
	}
	return 0, ""
}
