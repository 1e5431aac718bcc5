package cmd

import (
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetRows writes Parquet: texts as strings, whole numbers as 64 bits, other
// numbers as doubles, null where one is missing.
type parquetRows struct {
	out     *parquet.GenericWriter[any]
	columns []string
	row     reflect.Type
	rows    int
}

// parquetGroup is the number of rows that are held and written together.
const parquetGroup = 10_000

func newParquetRows(w io.Writer, columns []string) rowWriter {
	fields := make([]reflect.StructField, len(columns))
	for i, name := range columns {
		kind := reflect.TypeFor[*float64]()
		tag := name + ",optional"
		switch kindOf(name) {
		case textKind:
			kind, tag = reflect.TypeFor[string](), name
		case seedKind:
			kind, tag = reflect.TypeFor[uint64](), name
		case wholeKind:
			kind, tag = reflect.TypeFor[int64](), name
		}
		fields[i] = reflect.StructField{Name: "C" + strconv.Itoa(i), Type: kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", tag+",snappy"))}
	}
	row := reflect.StructOf(fields)
	schema := parquet.SchemaOf(reflect.New(row).Interface())
	return &parquetRows{out: parquet.NewGenericWriter[any](w, schema), columns: columns, row: row}
}

func (p *parquetRows) Row(row []string, _ []float64) error {
	v := reflect.New(p.row)
	for i, text := range row {
		if err := setField(v.Elem().Field(i), text); err != nil {
			return fmt.Errorf("column %s: %w", p.columns[i], err)
		}
	}
	if _, err := p.out.Write([]any{v.Interface()}); err != nil {
		return err
	}
	if p.rows++; p.rows%parquetGroup == 0 {
		return p.out.Flush()
	}
	return nil
}

func (p *parquetRows) Close() error { return p.out.Close() }

// setField reads a field's text as what the column holds.
func setField(f reflect.Value, text string) error {
	switch f.Kind() {
	case reflect.String:
		f.SetString(text)
	case reflect.Uint64:
		x, err := strconv.ParseUint(text, 10, 64)
		f.SetUint(x)
		return err
	case reflect.Int64:
		x, err := strconv.ParseInt(text, 10, 64)
		f.SetInt(x)
		return err
	default:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			f.Set(reflect.ValueOf(&x))
		}
	}
	return nil
}
