package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"avsim/sim/experiment"
)

// What is read of a result file: beyond it is either no result or one that should be
// looked at in parts.
const (
	mostResultLine = 16 << 20 // bytes of a line
	mostResultHeld = 2 << 30  // bytes of memory
	sniffed        = 64 << 10
)

// readable formats of a result file, for messages.
const resultFormats = "accepted is a sweep.csv, sweep.jsonl, sweep.json or sweep.parquet"

// readTable reads a result file of one of avsim's formats, told by what stands in it.
func readTable(ctx context.Context, name string) (*experiment.Table, error) {
	table, err := readResult(ctx, name)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, inputError{err}
	}
	if err := checkResult(table, name); err != nil {
		return nil, inputError{err}
	}
	return table, nil
}

func readResult(ctx context.Context, name string) (*experiment.Table, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: a folder; %s", name, resultFormats)
	case info.Mode()&os.ModeDevice != 0 && info.Mode()&os.ModeCharDevice != 0 && name != "/dev/stdin":
		return nil, fmt.Errorf("%s: a device; %s", name, resultFormats)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { file.Close() })() // ends a read that waits
	defer file.Close()
	text := bufio.NewReaderSize(&guarded{ctx: ctx, from: file}, sniffed)
	begin, err := text.Peek(4)
	if err != nil && err != io.EOF {
		return nil, told(ctx, name, err)
	}
	if string(begin) == "PAR1" {
		return readParquet(file, info, name)
	}
	begin, err = text.Peek(text.Buffered())
	if err != nil && err != io.EOF {
		return nil, told(ctx, name, err)
	}
	begin = bytes.TrimPrefix(begin, []byte("\ufeff"))
	switch trimmed := bytes.TrimLeft(begin, " \t\r\n"); {
	case bytes.IndexByte(begin, 0) >= 0:
		return nil, fmt.Errorf("%s: not a text; %s", name, resultFormats)
	case bytes.HasPrefix(trimmed, []byte(`{"crc32c"`)), bytes.HasPrefix(trimmed, []byte(`{"journal"`)):
		return nil, fmt.Errorf("%s: the journal of a sweep that is not finished: --resume goes on with it, 'avsim merge' makes a result of shards", name)
	case bytes.HasPrefix(trimmed, []byte("{")), bytes.HasPrefix(trimmed, []byte("[")):
		table, err := readJSON(text, name)
		return table, told(ctx, name, err)
	case bytes.HasPrefix(trimmed, []byte("model: ")):
		return nil, fmt.Errorf("%s: the benchmark format, which benchstat reads; %s", name, resultFormats)
	}
	table, err := experiment.ReadCSV(text, name)
	return table, told(ctx, name, err)
}

// told is an error of reading, or the context's where that ended it.
func told(ctx context.Context, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted while %s was read: %w", name, context.Canceled)
	case strings.HasPrefix(err.Error(), name):
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// guarded gives up reading what is no result, or too large a one.
type guarded struct {
	ctx  context.Context
	from io.Reader
	line int64 // bytes since the last line feed
	held int64 // an estimate of what is held in memory
}

func (g *guarded) Read(p []byte) (int, error) {
	if g.ctx.Err() != nil {
		return 0, g.ctx.Err()
	}
	n, err := g.from.Read(p)
	for _, c := range p[:n] {
		g.held++
		switch c {
		case '\n':
			g.line = 0
			g.held += 160 // slices of rows, which double as they grow
		case ',':
			g.held += 24
		}
		if g.line++; g.line > mostResultLine {
			return 0, fmt.Errorf("a line of more than %d MB; %s", mostResultLine>>20, resultFormats)
		}
	}
	if g.held > mostResultHeld {
		return 0, fmt.Errorf("more than the %d GB that are held at once: take a part of it, such as by duckdb or grep", mostResultHeld>>30)
	}
	return n, err
}

// checkResult refuses what is a table but no result.
func checkResult(t *experiment.Table, name string) error {
	if _, ok := t.Column("figure"); ok {
		return fmt.Errorf("%s: is the data of a figure; %s", name, resultFormats)
	}
	for i, column := range t.Columns {
		if !cannotBeNegative(column) {
			continue
		}
		most := math.Inf(1)
		if strings.HasSuffix(column, "_share") {
			most = 1 + 1e-6
		}
		for row, fields := range t.Rows {
			if fields[i] == "" {
				continue
			}
			x, err := strconv.ParseFloat(fields[i], 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 || x > most {
				return fmt.Errorf("%s: row %d, column %s: found %q; accepted is %s", name, row+1, column, fields[i], rangeInWords(most))
			}
		}
	}
	return nil
}

func rangeInWords(most float64) string {
	if math.IsInf(most, 1) {
		return "a number of 0 or more"
	}
	return "a share from 0 to 1"
}

// cannotBeNegative tells whether a column of a result is of numbers that are never below
// zero: rates, times, counts and shares, but for differences.
func cannotBeNegative(column string) bool {
	if strings.Contains(column, "difference") || strings.Contains(column, "drop_share") || kindOf(column) == textKind {
		return false
	}
	if kindOf(column) == wholeKind {
		return true
	}
	name := strings.TrimSuffix(strings.TrimSuffix(column, "_lo"), "_hi")
	own := []string{"throughput_per_s", "distinct_tables_per_s", "claim_wait_p50_seconds", "claim_wait_p99_seconds", "window_seconds", "rechecks_per_s", "wasted_rechecks_per_s", "skips_per_s",
		"stats_writes_per_s", "stats_write_seconds", "dead_rows_mean", "dead_row_seconds", "tables_due_mean", "avg_autovacuum_workers"}
	return slices.Contains(own, name) || strings.HasSuffix(name, "_share") || strings.HasPrefix(name, "lateness_") ||
		strings.HasPrefix(name, "vacuum_duration_") || strings.HasPrefix(name, "total_auto")
}

// readJSON reads objects, one after another or in an array.
func readJSON(r io.Reader, name string) (*experiment.Table, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	t := &experiment.Table{}
	first, err := d.Token()
	if err != nil {
		return nil, err
	}
	array := first == json.Delim('[')
	for row := 1; ; row++ {
		if array || row > 1 {
			if array && !d.More() {
				return t, closing(d, t, name)
			}
			begin, err := d.Token()
			if err == io.EOF && !array {
				return t, nil
			}
			if err != nil {
				return nil, fmt.Errorf("%s: object %d: %w", name, row, err)
			}
			if begin != json.Delim('{') {
				return nil, fmt.Errorf("%s: object %d: found %v; accepted are objects, one a row", name, row, begin)
			}
		} else if first != json.Delim('{') {
			return nil, fmt.Errorf("%s: found %v; accepted are objects, one a row", name, first)
		}
		if err := readObject(d, t); err != nil {
			return nil, fmt.Errorf("%s: object %d: %w", name, row, err)
		}
	}
}

func closing(d *json.Decoder, t *experiment.Table, name string) error {
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("%s: after object %d: %w", name, len(t.Rows), err)
	}
	return nil
}

// readObject reads what follows the brace of an object as a row; the first names the
// columns.
func readObject(d *json.Decoder, t *experiment.Table) error {
	var columns, row []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		value, err := d.Token()
		if err != nil {
			return err
		}
		text := ""
		switch v := value.(type) {
		case nil:
		case string:
			text = v
		case json.Number:
			text = v.String()
		case bool:
			text = strconv.FormatBool(v)
		default:
			return fmt.Errorf("%v: found what is no number or text", key)
		}
		columns, row = append(columns, key.(string)), append(row, text)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	switch {
	case len(columns) == 0:
		return errors.New("it has no columns")
	case t.Columns == nil:
		for i, name := range columns {
			if slices.Contains(columns[:i], name) {
				return fmt.Errorf("column %s is there twice", name)
			}
		}
		t.Columns = columns
	case !slices.Equal(columns, t.Columns):
		return errors.New("its columns are not those of the first object")
	}
	t.Rows = append(t.Rows, row)
	return nil
}

// readParquet reads a file of flat columns.
func readParquet(file *os.File, info os.FileInfo, name string) (table *experiment.Table, err error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: Parquet is read from regular files alone", name)
	}
	defer func() { // the library panics at some of what is damaged
		if x := recover(); x != nil {
			table, err = nil, fmt.Errorf("%s: damaged: %v", name, x)
		}
	}()
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: not a Parquet file that can be read: %w", name, err)
	}
	t := &experiment.Table{}
	for _, field := range f.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("%s: column %s is no column of numbers or texts", name, field.Name())
		}
		t.Columns = append(t.Columns, field.Name())
	}
	if f.NumRows()*int64(len(t.Columns))*24 > mostResultHeld {
		return nil, fmt.Errorf("%s: more than the %d GB that are held at once: take a part of it, such as by duckdb", name, mostResultHeld>>30)
	}
	if err := checkPages(file, info.Size(), f); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", name, err)
	}
	return t, readParquetRows(parquet.MultiRowGroup(f.RowGroups()...), t, name)
}

func readParquetRows(g parquet.RowGroup, t *experiment.Table, name string) error {
	rows := g.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buffer)
		if int64(len(t.Rows)+n) > g.NumRows() || n == 0 && err == nil { // a damaged file may never end
			return fmt.Errorf("%s: damaged: after row %d", name, len(t.Rows))
		}
		for _, in := range buffer[:n] {
			row := make([]string, len(t.Columns))
			for _, v := range in {
				if c := v.Column(); c >= 0 && c < len(row) {
					row[c] = parquetText(v)
				}
			}
			t.Rows = append(t.Rows, row)
		}
		if err == io.EOF && int64(len(t.Rows)) == g.NumRows() {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: row %d of %d: %w", name, len(t.Rows)+1, g.NumRows(), err)
		}
	}
}

// parquetText is a value as CSV has it.
func parquetText(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', 6, 64)
	case v.Kind() == parquet.Int64:
		// seed takes all 64 bits; other whole numbers are not negative
		return strconv.FormatUint(v.Uint64(), 10)
	}
	return v.String()
}
