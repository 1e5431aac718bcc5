package experiment

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func newTable() *Table {
	return &Table{
		Columns: []string{"strategy", "tables", "throughput_per_s"},
		Rows: [][]string{
			{"leapfrog", "1000", "12.5"},
			{"original", "1000", ""},
			{"leapfrog", "5000", "many"},
		},
	}
}

func TestTableFields(t *testing.T) {
	table := newTable()
	if i, ok := table.Column("tables"); i != 1 || !ok {
		t.Errorf("column tables is %d, %v", i, ok)
	}
	if _, ok := table.Column("Tables"); ok {
		t.Error("there is a column Tables")
	}
	if got := table.Text(2, "tables"); got != "5000" {
		t.Errorf("text %q, want 5000", got)
	}
	if got := table.Text(0, "workers"); got != "" {
		t.Errorf("text %q of no column", got)
	}
	if x, err := table.Float(0, "throughput_per_s"); x != 12.5 || err != nil {
		t.Errorf("number %v, error %v, want 12.5", x, err)
	}
	for _, c := range []struct {
		row          int
		column, want string
	}{
		{1, "throughput_per_s", `row 2, column throughput_per_s: "" is not a number`},
		{2, "throughput_per_s", `row 3, column throughput_per_s: "many" is not a number`},
		{0, "workers", "no column workers; there are strategy, tables, throughput_per_s"},
	} {
		if _, err := table.Float(c.row, c.column); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestTableSelection(t *testing.T) {
	table := newTable()
	if got, want := table.Distinct("strategy"), []string{"leapfrog", "original"}; !reflect.DeepEqual(got, want) {
		t.Errorf("strategies %v, want %v", got, want)
	}
	if got := table.Distinct("workers"); got != nil {
		t.Errorf("distinct values %v of no column", got)
	}
	if got, want := table.Where("strategy", "leapfrog").Rows, [][]string{table.Rows[0], table.Rows[2]}; !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if got := table.Where("workers", ""); len(got.Rows) != 0 || len(got.Columns) != 3 {
		t.Errorf("selected by no column: %+v", got)
	}
}

func TestAppendRowRefusesARaggedRow(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row of two fields for three columns did not panic")
		}
	}()
	newTable().AppendRow("leapfrog", "1000")
}

func TestReadCSV(t *testing.T) {
	want := &Table{Columns: []string{"a", "b"}, Rows: [][]string{{"1", "x, \"y\"\nz"}, {"", "é"}}}
	for what, text := range map[string]string{
		"plain":             "a,b\n1,\"x, \"\"y\"\"\nz\"\n,é\n",
		"carriage returns":  "a,b\r\n1,\"x, \"\"y\"\"\r\nz\"\r\n,é\r\n",
		"byte order mark":   "\ufeff\"a\",b\n1,\"x, \"\"y\"\"\nz\"\n,é",
		"with an empty one": "a,b\n1,\"x, \"\"y\"\"\nz\"\n\n,é\n",
	} {
		got, err := ReadCSV(iotest.OneByteReader(strings.NewReader(text)), "f.csv")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, error %v, want %+v", what, got, err, want)
		}
	}
	if got, err := ReadCSV(strings.NewReader("a,b\n"), "f.csv"); err != nil || len(got.Rows) != 0 {
		t.Errorf("a header alone: %+v, error %v", got, err)
	}
}

func TestReadCSVTellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f.csv: nothing in it"},
		{"\n\n", "f.csv: nothing in it"},
		{"\ufeff", "f.csv: nothing in it"},
		{"a,,c\n", "f.csv:1: column 2 has no name"},
		{"a,b,a\n", "f.csv:1: columns 1 and 3 are both named a"},
		{"a,b\n1,2\n3\n", "f.csv:3: 1 fields, where the first line names 2 (a, b)"},
		{"a,b\n\n1,2,3\n", "f.csv:3: 3 fields, where the first line names 2 (a, b)"},
		{"a,b\n1,\"x\ny\"\n1,2,3\n", "f.csv:4: 3 fields"},
		{"a,b\n1,2\"\n", `f.csv:2: column 4 of the line: bare " in non-quoted`},
		{"a,b\n1,\xff\n", `f.csv:2: field 2 is not UTF-8: "\xff"`},
		{"\x1f\x8b\x08\x00", `f.csv:1: field 1 is not UTF-8`},
	} {
		if got, err := ReadCSV(strings.NewReader(c.text), "f.csv"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v, error %v, want one with %q", c.text, got, err, c.want)
		}
	}
	broken := errors.New("broken")
	if _, err := ReadCSV(io.MultiReader(strings.NewReader("a,b\n"), iotest.ErrReader(broken)), "f.csv"); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "f.csv: ") {
		t.Errorf("a reader that fails: error %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteCSVReportsAFullDisk(t *testing.T) {
	full := errors.New("disk full")
	for _, table := range []*Table{newTable(), {Columns: []string{"a"}, Rows: [][]string{{""}}}} {
		if err := table.WriteCSV(failingWriter{full}); !errors.Is(err, full) {
			t.Errorf("error %v, want %v", err, full)
		}
	}
}

// Whatever is read is written so that it reads the same.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n", "a\n\"\"\nx\n", "\ufeffa,b\n1,\"x\n\"\n", "a,a\n", "a\n\\.\n", "\"\ufeffa\"\n", "a\n\"x\r\ny\"\n", "a,b\n1\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadCSV(strings.NewReader(text), "f.csv")
		if err != nil {
			return
		}
		var out strings.Builder
		if err := table.WriteCSV(&out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\r\n") {
			return // reads back as "\n" even within quotes
		}
		again, err := ReadCSV(strings.NewReader(out.String()), "f.csv")
		if err != nil || !reflect.DeepEqual(again, table) {
			t.Fatalf("%q, written as %q: %+v, read back as %+v, error %v", text, out.String(), table, again, err)
		}
	})
}
