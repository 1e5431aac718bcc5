package cmd

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"

	"avsim/sim/experiment"
)

// TestParquet: what is written comes back, in the order of the columns, with
// the type of each and null for an empty number.
func TestParquet(t *testing.T) {
	columns := []string{"seed", "strategy", "tables", "throughput_per_s", "choice_freshness", "pg"}
	rows := [][]string{
		{"18446744073709551615", "leapfrog", "100", "2.5", "10ms", "9.5"},
		{"1", "original", "7", "", "none", "13"},
	}
	var b bytes.Buffer
	records := func(yield func(experiment.Record, error) bool) {
		for _, row := range rows {
			if !yield(experiment.Record{Row: row}, nil) {
				return
			}
		}
	}
	if err := writeRows(&b, "parquet", columns, records); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []parquet.Row
	for _, g := range f.RowGroups() {
		r := g.Rows()
		defer r.Close()
		buffer := make([]parquet.Row, 10)
		n, _ := r.ReadRows(buffer)
		for _, row := range buffer[:n] {
			got = append(got, row.Clone())
		}
	}
	if len(got) != 2 || len(f.Schema().Fields()) != len(columns) {
		t.Fatalf("%d rows, columns %v", len(got), f.Schema())
	}
	for i, field := range f.Schema().Fields() {
		if field.Name() != columns[i] {
			t.Errorf("column %d is %s, want %s", i, field.Name(), columns[i])
		}
	}
	if got[0][0].Uint64() != 1<<64-1 || got[0][1].String() != "leapfrog" || got[0][2].Int64() != 100 ||
		got[0][3].Double() != 2.5 || got[0][4].String() != "10ms" || got[0][5].String() != "9.5" || !got[1][3].IsNull() {
		t.Errorf("rows %v", got)
	}
}
