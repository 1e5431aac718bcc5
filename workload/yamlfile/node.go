package yamlfile

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Mapping returns the items of a mapping in either of the parser's two shapes.
func Mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// Text is a scalar as written; what has no text gives "".
func Text(n ast.Node) string {
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

// IsScalar tells a text, number or switch from what has parts, and from nothing.
func IsScalar(n ast.Node) bool {
	switch n.(type) {
	case *ast.NullNode, *ast.MergeKeyNode, nil:
		return false
	case ast.ScalarNode:
		return true
	}
	return false
}

// Describe says what stands in place of what was expected.
func Describe(n ast.Node) string {
	if items, ok := Mapping(n); ok {
		if len(items) == 0 {
			return "an empty mapping"
		}
		return "a mapping"
	}
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.SequenceNode:
		if len(n.Values) == 0 {
			return "an empty list"
		}
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "a YAML anchor, alias, tag or merge"
	}
	return Quote(Text(n))
}

// Quote puts a text in quotes, cut where it is long.
func Quote(text string) string {
	const most = 40
	s := strconv.Quote(text)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + `…"`
	}
	return s
}

// found is Describe after the word that introduces it.
func found(n ast.Node) string { return "found " + Describe(n) }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
