package twin

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// table is a CSV file with a header.
type table struct {
	file    string
	columns map[string]int
	rows    [][]string
	lines   []int // of the file, of each row
}

// readTable reads name or name.gz of a folder. A file that is not there is an error
// that is fs.ErrNotExist.
func readTable(dir, name string, needed ...string) (*table, error) {
	file, r, err := open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t := &table{file: file, columns: make(map[string]int)}
	c := csv.NewReader(r)
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: found no header (%v); accepted is CSV with the columns %s", file, err, strings.Join(needed, ", "))
	}
	for i, name := range head {
		t.columns[name] = i
	}
	for _, name := range needed {
		if _, ok := t.columns[name]; !ok {
			return nil, fmt.Errorf("%s:1: no column %s; accepted are %s and more", file, name, strings.Join(needed, ", "))
		}
	}
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := c.FieldPos(0)
		t.rows, t.lines = append(t.rows, slices.Clone(row)), append(t.lines, line)
	}
}

// open opens a file as it is or, where there is none, compressed.
func open(name string) (string, io.ReadCloser, error) {
	f, err := os.Open(name)
	if err == nil {
		return name, f, nil
	}
	z, zerr := os.Open(name + ".gz")
	if zerr != nil {
		if errors.Is(zerr, fs.ErrNotExist) {
			return name, nil, err
		}
		return name, nil, zerr
	}
	r, err := gzip.NewReader(z)
	if err != nil {
		z.Close()
		return name, nil, fmt.Errorf("%s.gz: %w", name, err)
	}
	return name + ".gz", struct {
		io.Reader
		io.Closer
	}{r, z}, nil
}

// row is a row under its header. The first thing wrong with it is kept.
type row struct {
	t   *table
	i   int
	err *error
}

// each calls f with every row, up to the first that is wrong.
func (t *table) each(f func(r row)) error {
	var err error
	for i := range t.rows {
		if f(row{t, i, &err}); err != nil {
			return err
		}
	}
	return nil
}

// text is a column's text, empty where the file has no such column.
func (r row) text(column string) string {
	if i, ok := r.t.columns[column]; ok {
		return r.t.rows[r.i][i]
	}
	return ""
}

// number is a column's number, 0 for an empty one.
func (r row) number(column string) float64 {
	text := r.text(column)
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x {
		r.fail(column, text, "a number")
		return 0
	}
	return x
}

func (r row) fail(column, found, accepted string) {
	if *r.err == nil {
		*r.err = fmt.Errorf("%s:%d: %s: found %q; accepted is %s", r.t.file, r.t.lines[r.i], column, found, accepted)
	}
}
