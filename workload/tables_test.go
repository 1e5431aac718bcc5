package workload

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestTablesAreWhatWasPutIn, in what order and however alike they are.
func TestTablesAreWhatWasPutIn(t *testing.T) {
	options := []map[string]string{nil, {"autovacuum_enabled": "false"}, {"autovacuum_enabled": "false"}, {"autovacuum_vacuum_threshold": "7"}}
	statements := [][]Statement{nil, {{At: time.Second, Inserts: 1}}, {{At: time.Second, Inserts: 2}}}
	age := int64(7)
	rates := []Rate{nil, Constant(0), Constant(1), Constant(2.5), Wave{Mean: 1, Period: time.Hour}, Wave{Mean: 2, Period: time.Hour},
		Bursts{PerSecond: 3, Every: time.Minute}, Steps{{0, 1}}, Steps{{0, 2}}}
	rapid.Check(t, func(r *rapid.T) {
		var want []Table
		var got Tables
		var x Table
		number := rapid.IntRange(0, 1000).Draw(r, "number")
		for range rapid.IntRange(0, 40).Draw(r, "tables") {
			number++
			if rapid.IntRange(0, 9).Draw(r, "another name") == 0 {
				number = rapid.IntRange(0, 100).Draw(r, "number")
			}
			x.Name = fmt.Sprintf(rapid.SampledFrom([]string{"t_%d", "t_%d", "t_%d", "a1b%dc", "x%03d", "x"}).Draw(r, "form"), number)
			for range rapid.IntRange(0, 2).Draw(r, "changes") {
				switch rapid.IntRange(0, 13).Draw(r, "field") {
				case 0:
					x.Rows = rapid.Int64().Draw(r, "rows")
				case 1:
					x.Reltuples = rapid.Float64().Draw(r, "reltuples")
				case 2:
					x.Dead = rapid.Int64Range(0, 3).Draw(r, "dead")
				case 3:
					x.ModsSinceAnalyze, x.InsertsSinceVacuum = rapid.Int64Range(0, 3).Draw(r, "mods"), rapid.Int64Range(0, 3).Draw(r, "inserts")
				case 4:
					x.Activity.Inserts = rapid.SampledFrom(rates).Draw(r, "rate")
				case 5:
					x.Activity.Updates = rapid.SampledFrom(rates).Draw(r, "rate")
				case 6:
					x.Activity.Deletes = rapid.SampledFrom(rates).Draw(r, "rate")
				case 7:
					x.Options = rapid.SampledFrom(options).Draw(r, "options")
				case 8:
					x.Activity.Statements = rapid.SampledFrom(statements).Draw(r, "statements")
				case 9:
					x.ForcedAge = nil
					if rapid.Bool().Draw(r, "forced") {
						x.ForcedAge = &age
					}
				case 10:
					x.ToastOf = rapid.IntRange(-1, 5).Draw(r, "toast")
				case 11:
					x.RowBytes, x.Fillfactor, x.Indexes = rapid.IntRange(30, 32).Draw(r, "width"), rapid.IntRange(90, 91).Draw(r, "fill"), rapid.IntRange(0, 2).Draw(r, "indexes")
				case 12:
					x.Temporary, x.NoStats, x.Partitioned, x.Orphaned = rapid.Bool().Draw(r, "a"), rapid.Bool().Draw(r, "b"), rapid.Bool().Draw(r, "c"), rapid.Bool().Draw(r, "d")
				case 13:
					x.AllVisible, x.XIDAge, x.Activity.HotShare = rapid.Float64Range(0, 1).Draw(r, "visible"), rapid.Int64Range(0, 2).Draw(r, "age"), rapid.Float64Range(0, 1).Draw(r, "hot")
				}
			}
			want = append(want, x)
			got.Append(x)
		}
		if got.Len() != len(want) {
			r.Fatalf("%d tables, %d were put in", got.Len(), len(want))
		}
		for i := range want {
			if diff := cmp.Diff(want[i], got.At(i)); diff != "" || got.Name(i) != want[i].Name {
				r.Fatalf("table %d: put in and found (+): %s", i, diff)
			}
		}
		var all []Table
		for i, x := range got.All() {
			if i != len(all) {
				r.Fatalf("place %d comes as the %dth", i, len(all))
			}
			all = append(all, x)
		}
		if diff := cmp.Diff(want, all); diff != "" {
			r.Fatalf("gone through (+): %s", diff)
		}
		changed := got.Changed(func(i int, t *Table) { t.Rows += int64(i) })
		for i := range want {
			if changed.At(i).Rows != want[i].Rows+int64(i) || got.At(i).Rows != want[i].Rows {
				r.Fatalf("table %d is changed to %d rows, was %d", i, changed.At(i).Rows, got.At(i).Rows)
			}
		}
	})
}

// TestAlikeTablesTakeLittle: a hundred thousand that differ in dead rows and rate take the
// 16 bytes of these and what growth leaves over.
func TestAlikeTablesTakeLittle(t *testing.T) {
	const n = 100_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var l Tables
	for i := range n {
		l.Append(Table{Name: fmt.Sprint("t", i), Dead: int64(i % 77), Activity: Activity{Updates: Constant(float64(i))}})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := float64(after.HeapAlloc-before.HeapAlloc) / n; each > 25 {
		t.Errorf("%.0f bytes a table", each)
	}
	if !slices.Equal([]string{l.Name(0), l.Name(n - 1)}, []string{"t0", "t99999"}) {
		t.Errorf("names %q to %q", l.Name(0), l.Name(n-1))
	}
	runtime.KeepAlive(l)
}
