package pgexport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Kind is what a file is, by its header.
type Kind string

// The kinds.
const (
	Settings  Kind = "settings"
	Databases Kind = "databases"
	Tables    Kind = "tables"
	Unknown   Kind = ""
)

// ReadFile reads a CSV file, plain or gzip. The kind is Unknown, without an error, for
// one that is no export.
func (e *Export) ReadFile(name string) (Kind, error) {
	f, err := os.Open(name)
	if err != nil {
		return Unknown, err
	}
	defer f.Close()
	return e.Read(f, name)
}

// Read reads a CSV file. The name stands in notes and errors.
func (e *Export) Read(r io.Reader, name string) (Kind, error) {
	text, err := unzipped(r)
	if err != nil {
		return Unknown, fmt.Errorf("%s: %w", name, err)
	}
	c := csv.NewReader(text)
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	header, err := c.Read()
	switch {
	case err == io.EOF:
		return Unknown, fmt.Errorf("%s: empty; accepted is a CSV file with a header", name)
	case err != nil:
		return Unknown, fmt.Errorf("%s: %w", name, oneLine(err))
	}
	columns := newColumns(header)
	kind := columns.kind()
	row, ok := map[Kind]func(record) error{Settings: e.settingRow, Databases: e.databaseRow, Tables: e.tableRow}[kind]
	if !ok {
		return Unknown, nil
	}
	if !slices.Contains(e.Files, name) {
		e.Files = append(e.Files, name)
	}
	err = e.rows(c, name, len(header), func(fields []string) error { return row(record{columns, fields}) })
	if err != nil {
		e.note("%s: ends early: %v; the rows before are used", name, err)
	}
	return kind, nil
}

// rows reads row by row. Bad ones are counted; an error is that of reading the file.
func (e *Export) rows(c *csv.Reader, name string, width int, row func([]string) error) error {
	for {
		fields, err := c.Read()
		line := 0
		if len(fields) > 0 {
			line, _ = c.FieldPos(0)
		}
		var parse *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &parse):
			line = parse.Line
		case err != nil:
			return oneLine(err)
		case len(fields) != width:
			err = fmt.Errorf("found %d fields, accepted are %d as in the header", len(fields), width)
		default:
			err = row(fields)
		}
		if err != nil {
			e.bad(name, line, err)
		}
	}
}

func (e *Export) bad(name string, line int, err error) {
	const most = 5
	if e.Bad++; len(e.BadFirst) < most {
		e.BadFirst = append(e.BadFirst, fmt.Sprintf("%s:%d: %v", name, line, oneLine(err)))
	}
}

func oneLine(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		err = parse.Err
	}
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// unzipped undoes gzip, and skips a byte order mark.
func unzipped(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, _ := b.Peek(3)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, errors.New("a damaged gzip file")
		}
		return unzipped(z)
	case bytes.Equal(head, []byte("\xef\xbb\xbf")):
		b.Discard(3)
	}
	return b, nil
}

// columns are the places of a header's columns. Several names may stand for one.
type columns map[string]int

var aliases = map[string]string{
	"taken_at": "time", "collected_at": "time", "ts": "time", "now": "time",
	"datname": "db", "database": "db", "relid": "oid",
	"schemaname": "nspname", "schema": "nspname",
	"age": "frozenxid_age", "xid_age": "frozenxid_age", "mxid_age": "minmxid_age", "multi_age": "minmxid_age",
}

func newColumns(header []string) columns {
	c := make(columns)
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if real, ok := aliases[name]; ok {
			name = real
		}
		if _, twice := c[name]; !twice {
			c[name] = i
		}
	}
	return c
}

func (c columns) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { _, ok := c[n]; return !ok })
}

// kind tells what a file is.
func (c columns) kind() Kind {
	switch {
	case c.has("name", "setting"):
		return Settings
	case c.has("relname") && (c.has("reltuples") || c.has("n_tup_ins") || c.has("n_live_tup")):
		return Tables
	case c.has("db", "frozenxid_age") && !c.has("relname"):
		return Databases
	}
	return Unknown
}
