package experiment

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table holds text under named columns, as a CSV file with a header does.
// Every row has a field for every column.
type Table struct {
	Columns []string
	Rows    [][]string
}

// Column returns the index of the column with that name and whether there is
// one.
func (t *Table) Column(name string) (int, bool) {
	i := slices.Index(t.Columns, name)
	return i, i >= 0
}

// AppendRow adds a row. It panics unless there is a field for every column.
func (t *Table) AppendRow(fields ...string) {
	if len(fields) != len(t.Columns) {
		panic(fmt.Sprintf("experiment: a row of %d fields for %d columns", len(fields), len(t.Columns)))
	}
	t.Rows = append(t.Rows, fields)
}

// Text returns the field of a row, counted from 0, under that column; "" if
// there is no such column.
func (t *Table) Text(row int, name string) string {
	i, ok := t.Column(name)
	if !ok {
		return ""
	}
	return t.Rows[row][i]
}

// Float returns the field of a row, counted from 0, under that column as a
// number. It is an error if there is no such column or the field, which may be
// empty, is not a number.
func (t *Table) Float(row int, name string) (float64, error) {
	i, ok := t.Column(name)
	if !ok {
		return 0, fmt.Errorf("no column %s; there are %s", name, strings.Join(t.Columns, ", "))
	}
	x, err := strconv.ParseFloat(t.Rows[row][i], 64)
	if err != nil {
		return 0, fmt.Errorf("row %d, column %s: %q is not a number", row+1, name, t.Rows[row][i])
	}
	return x, nil
}

// Where returns the rows that have that value under that column: none if there
// is no such column. The rows are shared with t.
func (t *Table) Where(name, value string) *Table {
	found := &Table{Columns: t.Columns}
	if i, ok := t.Column(name); ok {
		for _, row := range t.Rows {
			if row[i] == value {
				found.Rows = append(found.Rows, row)
			}
		}
	}
	return found
}

// Distinct returns the values under a column, each once, in the order of their
// first appearance; nil if there is no such column.
func (t *Table) Distinct(name string) []string {
	i, ok := t.Column(name)
	if !ok {
		return nil
	}
	var values []string
	seen := map[string]bool{}
	for _, row := range t.Rows {
		if !seen[row[i]] {
			seen[row[i]] = true
			values = append(values, row[i])
		}
	}
	return values
}

// byteOrderMark is what some programs put before UTF-8 text.
const byteOrderMark = "\ufeff"

// ReadCSV reads a table whose first line names the columns. The name, usually
// of a file, begins every error, which tells the line and the field.
//
// The text is UTF-8, with or without a byte order mark. Every row has to have
// as many fields as the first line, and that line no name twice. As with
// encoding/csv, empty lines are skipped and a line break within quotes reads as
// "\n".
func ReadCSV(r io.Reader, name string) (*Table, error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		text.Discard(len(byteOrderMark))
	}
	records := csv.NewReader(text)
	records.FieldsPerRecord = -1 // counted here, for the sake of the message

	columns, err := readRecord(records, name)
	if err == io.EOF {
		return nil, fmt.Errorf("%s: nothing in it; accepted is CSV whose first line names the columns", name)
	}
	if err != nil {
		return nil, err
	}
	columns[0] = strings.TrimLeft(columns[0], byteOrderMark)
	for i, column := range columns {
		line, _ := records.FieldPos(i)
		if column == "" {
			return nil, fmt.Errorf("%s:%d: column %d has no name", name, line, i+1)
		}
		if first := slices.Index(columns, column); first < i {
			return nil, fmt.Errorf("%s:%d: columns %d and %d are both named %s", name, line, first+1, i+1, column)
		}
	}

	t := &Table{Columns: columns}
	for {
		row, err := readRecord(records, name)
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		if len(row) != len(columns) {
			line, _ := records.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %d fields, where the first line names %d (%s)",
				name, line, len(row), len(columns), strings.Join(columns, ", "))
		}
		t.Rows = append(t.Rows, row)
	}
}

// readRecord reads one record of valid UTF-8. Its error is io.EOF as it is, or
// tells where it arose.
func readRecord(records *csv.Reader, name string) ([]string, error) {
	record, err := records.Read()
	if err == io.EOF {
		return nil, err
	}
	if syntax, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, fmt.Errorf("%s:%d: column %d of the line: %w", name, syntax.Line, syntax.Column, syntax.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, field := range record {
		if !utf8.ValidString(field) {
			line, _ := records.FieldPos(i)
			return nil, fmt.Errorf("%s:%d: field %d is not UTF-8: %q", name, line, i+1, field)
		}
	}
	return record, nil
}

// WriteCSV writes the table with a header line, so that ReadCSV reads it back.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(t.Columns)
	for _, row := range t.Rows {
		if len(row) == 1 && row[0] == "" {
			// encoding/csv writes an empty line, which its reader skips.
			out.Flush()
			if _, err := io.WriteString(w, "\"\"\n"); err != nil {
				return err
			}
			continue
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
