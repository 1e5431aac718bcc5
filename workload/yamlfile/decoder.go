package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxBytes is the size of the largest file that is read.
const MaxBytes = 1 << 20

// Decoder reads one file.
type Decoder struct {
	File string // stands in errors
	Noun string // what the file is, such as "scenario"
	// MostKeys and MostNested bound what the YAML parser, whose time grows with
	// the squares of both, is given.
	MostKeys, MostNested int
	// Changes are put into the document before it is read.
	Changes []Change

	changed map[*token.Position]string // where values of changes stand
}

// Read reads the text by a tree of values. A byte order mark is skipped.
func (d *Decoder) Read(text []byte, root Value) error {
	if len(text) > MaxBytes {
		return tooLarge(d.File, d.Noun, int64(len(text)))
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if line, what := d.tooMuch(text); line > 0 {
		return fmt.Errorf("%s:%d: %s", d.File, line, what)
	}
	n, err := d.document(text)
	if err != nil {
		return err
	}
	for _, c := range d.Changes {
		if err := d.change(n, c); err != nil {
			return err
		}
	}
	return root.Read(d, "", n)
}

// document parses the file's only document.
func (d *Decoder) document(text []byte) (ast.Node, error) {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, d.syntax(err)
	}
	var root ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if root != nil {
			return nil, d.Fail(doc.Body, "", "found a second document", "one per file")
		}
		root = doc.Body
	}
	if root == nil {
		return nil, fmt.Errorf("%s: found nothing; accepted is a %s", d.File, d.Noun)
	}
	return root, nil
}

// syntax gives a YAML error the form of the others.
func (d *Decoder) syntax(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		p := e.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", d.File, p.Line, p.Column, inOurWords(e.GetMessage()))
	}
	return fmt.Errorf("%s: %s", d.File, inOurWords(err.Error()))
}

var definedTwice = regexp.MustCompile(`^mapping key (".*") already defined at \[(\d+):\d+\]$`)

// inOurWords is what the parser of YAML says, on one line, and what is accepted.
func inOurWords(text string) string {
	text = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) && !unicode.IsSpace(r) {
			return '\ufffd'
		}
		return r
	}, strings.ReplaceAll(text, "'\t'", "'<tab>'"))
	text = strings.Join(strings.Fields(text), " ")
	if m := definedTwice.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("found the key %s a second time, it stands in line %s; accepted is each key once", m[1], m[2])
	}
	return text + "; accepted is YAML, indented by spaces"
}

// Fail names the place, the field, what was found and what is accepted.
func (d *Decoder) Fail(n ast.Node, path, found, accepted string) error {
	return d.Refuse(n, path, found+"; accepted is "+accepted)
}

// Refuse names the place and the field, and says why they are not accepted.
func (d *Decoder) Refuse(n ast.Node, path, why string) error {
	if path != "" {
		path += ": "
	}
	return fmt.Errorf("%s: %s%s", d.Where(n), path, why)
}

// Where is the place of a node, file:line:column.
func (d *Decoder) Where(n ast.Node) string {
	// A mapping's own token is its first colon; its first key is the place.
	if items, ok := Mapping(n); ok && len(items) > 0 {
		n = items[0].Key
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return d.File
	}
	p := n.GetToken().Position
	if what, ok := d.changed[p]; ok {
		return what
	}
	return fmt.Sprintf("%s:%d:%d", d.File, p.Line, p.Column)
}

// tooMuch returns the line at which a file has deeper nesting or more keys than
// it may, and which of the two; or 0.
func (d *Decoder) tooMuch(text []byte) (line int, what string) {
	brackets, indicators, keys := 0, 0, 0
	line = 1
	for i, c := range text {
		alone := i+1 == len(text) || strings.IndexByte(" \t\r\n", text[i+1]) >= 0
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
		if brackets > d.MostNested || indicators > d.MostNested {
			return line, fmt.Sprintf("nested too deeply; accepted are %d levels", d.MostNested)
		}
		if keys > d.MostKeys {
			return line, fmt.Sprintf("more than %d keys; a %s has fewer", d.MostKeys, d.Noun)
		}
	}
	return 0, ""
}
