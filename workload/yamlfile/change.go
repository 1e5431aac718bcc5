package yamlfile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"avsim/workload/guc"
)

// Change puts a value in a file's place of another, or beside what is there, before
// the file is read: what it comes to is checked as if it stood in the file.
type Change struct {
	// Path names the place as errors do, databases[0].tables[2].rows, or with items of
	// lists by their name, databases[shop].tables[orders].rows, or without brackets.
	Path string
	// Value is YAML as it could stand there: 5, 10s or {per_second: 5}.
	Value string
	// What stands in errors about the value in place of file and line.
	What string
}

// mostChange bounds the length of a path and of a value.
const mostChange = 10_000

// change applies a change to the file's document.
func (d *Decoder) change(root ast.Node, c Change) error {
	steps, err := pathSteps(c.Path)
	if err == nil {
		err = d.put(root, steps, c)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", oneLine(c.What), err)
	}
	return nil
}

// pathSteps splits a path at points and brackets.
func pathSteps(path string) ([]string, error) {
	bad := fmt.Errorf("%s is no place in a file: accepted is such as run_for or databases[0].tables[0].rows", Quote(path))
	var steps []string
	for rest := path; rest != ""; {
		var step string
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, bad
			}
			step, rest = rest[1:end], rest[end+1:]
			if rest != "" && rest[0] != '.' && rest[0] != '[' {
				return nil, bad
			}
		} else if end := strings.IndexAny(rest, ".["); end >= 0 {
			step, rest = rest[:end], rest[end:]
		} else {
			step, rest = rest, ""
		}
		if len(rest) > 0 && rest[0] == '.' {
			if rest = rest[1:]; rest == "" || rest[0] == '[' {
				return nil, bad
			}
		}
		if strings.TrimSpace(step) != step || step == "" {
			return nil, bad
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 || len(path) > mostChange || len(steps) > 32 {
		return nil, bad
	}
	return steps, nil
}

// put goes along the steps and puts the value at their end.
func (d *Decoder) put(n ast.Node, steps []string, c Change) error {
	walked := ""
	for i, step := range steps {
		last := i == len(steps)-1
		switch n := n.(type) {
		case *ast.MappingNode, *ast.MappingValueNode:
			item := itemOf(n, step)
			if item == nil {
				return d.add(n, steps[i:], walked, c)
			}
			if last {
				value, err := d.value(c, nil)
				if err == nil {
					item.Value = value
				}
				return err
			}
		case *ast.SequenceNode:
			at, err := placeIn(n, step, walked)
			if err != nil {
				return err
			}
			if last {
				value, err := d.value(c, nil)
				if err == nil {
					n.Values[at] = value
				}
				return err
			}
		default:
			return fmt.Errorf("%s is %s, which has no parts: give it all of its value, %s={%s: …}", walked, Describe(n), walked, step)
		}
		n = follow(n, step)
		walked = joinStep(walked, step)
	}
	return nil
}

func joinStep(path, step string) string {
	if _, err := strconv.Atoi(step); err == nil {
		return path + "[" + step + "]"
	}
	return join(path, step)
}

// follow is what stands at a step that is known to be there.
func follow(n ast.Node, step string) ast.Node {
	if list, ok := n.(*ast.SequenceNode); ok {
		at, _ := placeIn(list, step, "")
		return list.Values[at]
	}
	return itemOf(n, step).Value
}

func itemOf(n ast.Node, key string) *ast.MappingValueNode {
	items, _ := Mapping(n)
	for _, item := range items {
		if Text(item.Key) == key {
			return item
		}
	}
	return nil
}

// placeIn is the place in a list of the item of that number, counted from 0, or name.
func placeIn(n *ast.SequenceNode, step, walked string) (int, error) {
	if i, err := strconv.Atoi(step); err == nil {
		if i < 0 || i >= len(n.Values) {
			return 0, fmt.Errorf("%s has %d items: accepted is a number from 0 to %d", walked, len(n.Values), len(n.Values)-1)
		}
		return i, nil
	}
	var names []string
	for i, item := range n.Values {
		if named := itemOf(item, "name"); named != nil {
			if Text(named.Value) == step {
				return i, nil
			}
			names = append(names, Text(named.Value))
		}
	}
	hint := ""
	if near := guc.Nearest(step, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	accepted := fmt.Sprintf("a number from 0 to %d", len(n.Values)-1)
	if len(names) > 0 && len(names) <= 20 {
		accepted += " or a name: " + strings.Join(names, ", ")
	}
	return 0, fmt.Errorf("%s has no item %s%s; accepted is %s", walked, Quote(step), hint, accepted)
}

// add puts a key, with what the further steps name, into a mapping that lacks it.
func (d *Decoder) add(n ast.Node, steps []string, walked string, c Change) error {
	for _, step := range steps {
		if _, err := strconv.Atoi(step); err == nil {
			return fmt.Errorf("%s is not in the file, so it has no item %s", join(walked, steps[0]), step)
		}
	}
	mapping, ok := n.(*ast.MappingNode)
	if !ok {
		return fmt.Errorf("%s has one key alone: give it all of its value, %s={…}", walked, walked)
	}
	value, err := d.value(c, steps)
	if err != nil {
		return err
	}
	items, _ := Mapping(value)
	mapping.Values = append(mapping.Values, items...)
	return nil
}

// value parses the value, under keys if there are any.
func (d *Decoder) value(c Change, keys []string) (ast.Node, error) {
	bad := fmt.Errorf("%s cannot be read as a value of YAML, such as 5, 10s or {per_second: 5}", Quote(c.Value))
	if len(c.Value) > mostChange || strings.TrimSpace(c.Value) == "" || strings.ContainsFunc(c.Value, unicode.IsControl) || strings.ContainsAny(c.Value[:1], "#&*!|>%@`") {
		return nil, bad
	}
	text := "value: " + c.Value
	if len(keys) > 0 {
		text = ""
		for i, key := range keys {
			if strings.ContainsAny(key, "{}[],:#&*!|>'\"%@`") || strings.ContainsFunc(key, unicode.IsControl) {
				return nil, fmt.Errorf("%s is no key", Quote(key))
			}
			if i > 0 {
				text += "{"
			}
			text += key + ": "
		}
		text += c.Value + strings.Repeat("}", len(keys)-1)
	}
	if line, _ := d.tooMuch([]byte(text)); line > 0 {
		return nil, bad
	}
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil || len(f.Docs) != 1 || f.Docs[0].Body == nil {
		return nil, bad
	}
	items, ok := Mapping(f.Docs[0].Body)
	if !ok || len(items) != 1 {
		return nil, bad
	}
	ast.Walk(&places{d, c.What}, f.Docs[0].Body)
	if len(keys) > 0 {
		return f.Docs[0].Body, nil
	}
	return items[0].Value, nil
}

// places notes of all tokens of a change that they stand in no line of the file.
type places struct {
	d    *Decoder
	what string
}

// Visit is called for each node.
func (p *places) Visit(n ast.Node) ast.Visitor {
	if t := n.GetToken(); t != nil && t.Position != nil {
		if p.d.changed == nil {
			p.d.changed = map[*token.Position]string{}
		}
		p.d.changed[t.Position] = oneLine(p.what)
	}
	return p
}

// oneLine is a text without control characters, cut where it is long.
func oneLine(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
