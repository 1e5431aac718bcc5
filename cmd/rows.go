package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"

	"avsim/sim/experiment"
)

// rowWriter writes the rows of a result, one after another.
type rowWriter interface {
	Row(row []string, samples []float64) error
	Close() error // writes what is left; it does not close the output
}

// lineFormats are those whose Close writes what is left and can be called after
// each row, for one who reads along.
var lineFormats = []string{"csv", "benchfmt"}

// rowFormats are those of a result of many points, with the ending of their
// files.
var rowFormats = []struct {
	name   string
	ending string // none: for people, on standard output
	open   func(w io.Writer, columns []string) rowWriter
}{
	{"table", "", newTableRows},
	{"csv", "csv", newCSVRows},
	{"json", "json", newJSONRows},
	{"jsonl", "jsonl", newLineRows},
	{"parquet", "parquet", newParquetRows},
	{"benchfmt", "bench.txt", newBenchRows},
}

// formatNames are the names of the formats.
func formatNames() (out []string) {
	for _, f := range rowFormats {
		out = append(out, f.name)
	}
	return out
}

// writeRows writes a result in a format.
func writeRows(w io.Writer, format string, columns []string, rows iter.Seq2[experiment.Record, error]) error {
	out := openRows(w, format, columns)
	for r, err := range rows {
		if err != nil {
			return err
		}
		if err := out.Row(r.Row, r.Samples); err != nil {
			return err
		}
	}
	return out.Close()
}

func openRows(w io.Writer, format string, columns []string) rowWriter {
	i := slices.Index(formatNames(), format)
	return rowFormats[i].open(w, columns)
}

type csvRows struct{ *csv.Writer }

func newCSVRows(w io.Writer, columns []string) rowWriter {
	out := csvRows{csv.NewWriter(w)}
	out.Write(columns)
	return out
}

func (c csvRows) Row(row []string, _ []float64) error { return c.Write(row) }
func (c csvRows) Close() error                        { c.Flush(); return c.Error() }

// tableRows is a table for people: some columns, all rows in memory.
type tableRows struct {
	out *tabwriter.Writer
	at  []int
}

// tableColumns are those that people are shown.
var tableColumns = []string{"tables", "workers", "cpus", "due_share", "settings", "strategy", "throughput_per_s",
	"throughput_per_s_lo", "throughput_per_s_hi", "distinct_tables_per_s", "ratio_to_first", "exhausted", "verdict"}

func newTableRows(w io.Writer, columns []string) rowWriter {
	t := &tableRows{out: tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	for _, name := range tableColumns {
		t.at = append(t.at, slices.Index(columns, name))
		fmt.Fprintf(t.out, "%s\t", name)
	}
	fmt.Fprintln(t.out)
	return t
}

func (t *tableRows) Row(row []string, _ []float64) error {
	for _, i := range t.at {
		fmt.Fprintf(t.out, "%s\t", row[i])
	}
	_, err := fmt.Fprintln(t.out)
	return err
}

func (t *tableRows) Close() error { return t.out.Flush() }

// object is a row as a JSON object, in the order of the columns, numbers as
// numbers, null where a number is missing.
func object(columns, row []string) []byte {
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range columns {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name)
		b.Write(key)
		b.WriteByte(':')
		b.Write(field(name, row[i]))
	}
	b.WriteByte('}')
	return []byte(b.String())
}

func field(column, text string) []byte {
	switch kindOf(column) {
	case textKind:
	default:
		if text == "" {
			return []byte("null")
		}
		if json.Valid([]byte(text)) {
			return []byte(text)
		}
	}
	quoted, _ := json.Marshal(text)
	return quoted
}

// jsonRows is one array of objects, lineRows an object a line.
type (
	jsonRows struct {
		w       io.Writer
		columns []string
		some    bool
	}
	lineRows struct {
		w       io.Writer
		columns []string
	}
)

func newJSONRows(w io.Writer, columns []string) rowWriter { return &jsonRows{w: w, columns: columns} }
func newLineRows(w io.Writer, columns []string) rowWriter { return lineRows{w, columns} }

func (j *jsonRows) Row(row []string, _ []float64) error {
	before := ",\n  "
	if !j.some {
		before, j.some = "[\n  ", true
	}
	var b bytes.Buffer
	if err := json.Indent(&b, object(j.columns, row), "  ", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintf(j.w, "%s%s", before, b.Bytes())
	return err
}

func (j *jsonRows) Close() error {
	end := "\n]\n"
	if !j.some {
		end = "[]\n"
	}
	_, err := io.WriteString(j.w, end)
	return err
}

func (l lineRows) Row(row []string, _ []float64) error {
	_, err := l.w.Write(append(object(l.columns, row), '\n'))
	return err
}

func (l lineRows) Close() error { return nil }
