package experiment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func record(item, point int) Record {
	return Record{Item: item, Point: point, Group: point / 3, First: point%3 == 0,
		Row: []string{fmt.Sprint(point), "a,\"b\"\n"}, Samples: []float64{float64(point) / 3, 1e-300}}
}

func header(points int) JournalHeader {
	return JournalHeader{Model: "1", Inputs: "abc", Points: points, Shard: 1, Shards: 1, Items: points, Columns: []string{"x", "y"}}
}

func recordsOf(t rapid.TB, j *Journal) (out []Record) {
	for r, err := range j.Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// A journal that is cut anywhere behind its header gives, in order, the records
// that were whole, and can be gone on with.
func TestJournalOutlivesACut(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "j")
		n := rapid.IntRange(1, 80).Draw(t, "points")
		order := rapid.Permutation(indicesUpTo(n)).Draw(t, "order")
		finished := rapid.IntRange(0, n).Draw(t, "finished")
		j, err := CreateJournal(path, header(n))
		if err != nil {
			t.Fatal(err)
		}
		head := j.size
		var ends []int64
		for _, i := range order[:finished] {
			if err := j.Append(record(i, i)); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, j.size)
		}
		cut := rapid.Int64Range(head, j.size).Draw(t, "cut")
		j.Close()
		if err := os.Truncate(path, cut); err != nil {
			t.Fatal(err)
		}
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		var want []Record
		for _, i := range slices.Sorted(slices.Values(order[:whole])) {
			want = append(want, record(i, i))
		}
		j, err = OpenJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if diff := cmp.Diff(want, recordsOf(t, j)); diff != "" || j.Count() != whole {
			t.Fatalf("%d records, want %d (-want +got):\n%s", j.Count(), whole, diff)
		}
		for _, i := range order[whole:] {
			if j.Has(i) {
				t.Fatalf("item %d counts as finished", i)
			}
			if err := j.Append(record(i, i)); err != nil {
				t.Fatal(err)
			}
		}
		if got := recordsOf(t, j); !j.Whole() || len(got) != n || got[n-1].Item != n-1 {
			t.Errorf("%d of %d records after going on", len(got), n)
		}
	})
}

func indicesUpTo(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

func TestJournalErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	line := `{"journal":"1","model_version":"1","input_hash":"abc","points":2,"shard":1,"shards":1,"items":2,"columns":["x"]}` + "\n"
	for text, want := range map[string]string{
		"":                         "nothing was kept",
		"{\"journal\":\"1\"":       "nothing was kept",
		"tables,workers\n1,2\n":    "not a journal",
		"{}\n":                     "not a journal",
		`{"journal":"2"}` + "\n":   "a journal of format 2: accepted is 1",
		`{"journal":"1"}` + "\n":   "not a journal: 0 of 0 points, shard 0 of 0",
		line + "x\n":               "line 2: damaged",
		line + `{"item":5}` + "\n": "line 2: damaged: item 5",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
		if errors.Is(err, ErrNoHeader) != (want == "nothing was kept") || j != nil {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestJournalMatches(t *testing.T) {
	j, err := CreateJournal(filepath.Join(t.TempDir(), "j"), header(3))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Matches(header(3)); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*JournalHeader){
		"model version 1, this is 2": func(h *JournalHeader) { h.Model = "2" },
		"of another sweep":           func(h *JournalHeader) { h.Inputs = "abd" },
		"of shard 1/1, this is 1/2":  func(h *JournalHeader) { h.Shards, h.Items = 2, 2 },
	} {
		h := header(3)
		change(&h)
		if err := j.Matches(h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A full disk is an error, and what was written before it stays readable.
func TestJournalOnAFullDisk(t *testing.T) {
	j, err := openForTest("/dev/full")
	if err != nil {
		t.Skip("no /dev/full here")
	}
	if err := j.Append(record(0, 0)); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	if j.Has(0) || j.size != 0 {
		t.Error("the record counts as written")
	}
}

func openForTest(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	return &Journal{file: f, header: header(3), done: make([]uint64, 1)}, err
}

// shardsOf deals the points of a run out to journals.
func shardsOf(t rapid.TB, dir string, points, n int, shard func(point int) int) (out []*Journal) {
	items := make([][]int, n)
	for p := range points {
		s := shard(p)
		items[s] = append(items[s], p)
	}
	for s := range n {
		h := header(points)
		h.Shard, h.Shards, h.Items = s+1, n, len(items[s])
		j, err := CreateJournal(filepath.Join(dir, fmt.Sprint(s)), h)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range items[s] {
			if err := j.Append(record(i, p)); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, j)
	}
	return out
}

// Merged shards are the whole run in order, however it was dealt out and in
// whatever order the shards are given.
func TestMergeIsTheWholeRun(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "shards")
		points := rapid.IntRange(0, 60).Draw(t, "points")
		js := shardsOf(t, dir, points, n, func(int) int { return rapid.IntRange(0, n-1).Draw(t, "shard") })
		js = rapid.Permutation(js).Draw(t, "given")
		seq, err := Merge(js)
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for r, err := range seq {
			if err != nil || r.Point != next {
				t.Fatalf("point %d, error %v, want point %d", r.Point, err, next)
			}
			next++
		}
		if next != points {
			t.Errorf("%d points, want %d", next, points)
		}
		for _, j := range js {
			j.Close()
		}
	})
}

func TestMergeErrors(t *testing.T) {
	for want, change := range map[string]func([]*Journal) []*Journal{
		"shard 2/3 is missing: 2 of 3 were given":  func(js []*Journal) []*Journal { return []*Journal{js[0], js[2]} },
		"shard 2/3 is there twice":                 func(js []*Journal) []*Journal { return append(js, js[1]) },
		"is of model version 2":                    func(js []*Journal) []*Journal { js[1].header.Model = "2"; return js },
		"is of another sweep":                      func(js []*Journal) []*Journal { js[1].header.Inputs = "x"; return js },
		"is one of 4 shards":                       func(js []*Journal) []*Journal { js[1].header.Shards = 4; return js },
		"shard 3/3 is not finished, 3 of 4 points": func(js []*Journal) []*Journal { js[2].header.Items = 4; return js },
	} {
		js := shardsOf(t, t.TempDir(), 9, 3, func(p int) int { return p % 3 })
		if _, err := Merge(change(js)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A point in two shards, or in none, is found out.
func TestMergeFindsGaps(t *testing.T) {
	for want, second := range map[string][]int{"is in": {0, 3}, "is in no shard": {1, 1}} {
		dir := t.TempDir()
		var js []*Journal
		for s, points := range [][]int{{0, 2}, second} {
			h := header(4)
			h.Shard, h.Shards, h.Items = s+1, 2, 2
			j, err := CreateJournal(filepath.Join(dir, fmt.Sprint(s)), h)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range points {
				if err := j.Append(record(i, p)); err != nil {
					t.Fatal(err)
				}
			}
			js = append(js, j)
		}
		seq, err := Merge(js)
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, last = range seq {
		}
		if last == nil || !strings.Contains(last.Error(), "point") {
			t.Errorf("error %v, want %q", last, want)
		}
	}
}

// Two processes do not write one journal.
func TestJournalIsOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := CreateJournal(path, header(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(path); err == nil || !strings.Contains(err.Error(), "another process is writing it") {
		t.Errorf("error %v", err)
	}
	j.Close()
	again, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// Whatever stands in a file, reading it ends, with an error or with records that
// can be gone through.
func FuzzOpenJournal(f *testing.F) {
	head := `{"journal":"1","model_version":"1","input_hash":"a","points":3,"shard":1,"shards":1,"items":3,"share":"","columns":["x"]}` + "\n"
	f.Add(head + `{"item":2,"point":2,"group":0,"row":["1"],"samples":[1]}` + "\n" + `{"item":0,"point":0,"row":["1"]}` + "\n")
	f.Add(head + `{"item":0}` + "\n" + `{"item":0}` + "\n")
	f.Add(`{"journal":"1","points":1000000000000,"shard":1,"shards":1,"items":1000000000000}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := ReadJournal(path)
		if err != nil {
			return
		}
		defer j.Close()
		n := 0
		for _, err := range j.Records() {
			if err != nil {
				t.Fatalf("a journal that was read has a record that is not: %v", err)
			}
			n++
		}
		if n != j.Count() {
			t.Errorf("%d records, %d counted", n, j.Count())
		}
	})
}
