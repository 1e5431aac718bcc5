package experiment

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func record(item, point int) Record {
	return Record{Item: item, Point: point, Group: point / 3, First: point%3 == 0,
		Row: []string{fmt.Sprint(point), "a,\"b\"\n"}, Samples: []Samples{{float64(point) / 3, 1e-300}, {math.NaN()}}}
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
		j, err = OpenJournal(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if diff := cmp.Diff(want, recordsOf(t, j), cmpopts.EquateNaNs()); diff != "" || j.Count() != whole {
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

// seal gives each line that is an object its checksum.
func seal(text string) string {
	var out strings.Builder
	header := uint32(0)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "{") && strings.HasSuffix(line, "}\n") {
			sum := crc32.Update(header, castagnoli, []byte(strings.TrimSuffix(line, "\n")))
			line = fmt.Sprintf(`{"crc32c":"%08x",%s`, sum, line[1:])
			if header == 0 {
				header = crc32.Checksum([]byte(line), castagnoli)
			}
		}
		out.WriteString(line)
	}
	return out.String()
}

const headerLine = `{"journal":"2","model_version":"1","input_hash":"abc","points":2,"shard":1,"shards":1,"items":2,"columns":["x"]}` + "\n"

func TestJournalErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	for text, want := range map[string]string{
		"":                      "nothing was kept",
		"{\"crc":                "nothing was kept",
		seal(headerLine)[:60]:   "nothing was kept",
		"tables,workers\n1,2\n": "not a journal",
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00": "not a journal",
		seal("{\"a\":1}\n"):                    "not a journal",
		headerLine:                             "an older format",
		seal(`{"journal":"3"}` + "\n"):         "a journal of format 3: accepted is 2",
		seal(`{"journal":"2"}` + "\n"):         "not a journal: 0 of 0 points, shard 0 of 0",
		seal(headerLine) + "x\n":               "line 2: damaged: it does not begin with its checksum; the 1 lines before it are whole",
		seal(headerLine + `{"item":5}` + "\n"): "line 2: damaged: item 5",
		seal(headerLine + `{"item":1}` + "\n" + `{"item":1}` + "\n"): "line 3: damaged: its point is given twice",
		seal(headerLine) + `{"item":1}` + "\n":                       "line 2: damaged",
		seal(headerLine) + strings.Repeat("x", 5<<20):                "",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(t.Context(), path)
		if want == "" {
			if err != nil {
				t.Errorf("a long last line that was cut short: %v", err)
			} else {
				j.Close()
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
		if errors.Is(err, ErrNoHeader) != (want == "nothing was kept") || j != nil {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// A bit that flips anywhere is found, or makes the last line one that was cut short;
// no record is ever another than what was written.
func TestJournalFindsAFlippedBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := CreateJournal(path, header(4))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := j.Append(record(i, i)); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(text) {
		text[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		text[bit/8] ^= 1 << (bit % 8)
		j, err := ReadJournal(t.Context(), path)
		if err != nil {
			if bit/8 > 500 && !strings.Contains(err.Error(), path+": line ") {
				t.Errorf("bit %d of byte %d: %v does not tell the line", bit%8, bit/8, err)
			}
			continue
		}
		if j.Count() != 3 || bit/8 != len(text)-1 {
			t.Errorf("bit %d of byte %d (%q) is not found", bit%8, bit/8, text[bit/8])
		}
		j.Close()
	}
}

// What is no regular file is refused before it is opened, and what has no end is
// given up with the context.
func TestJournalOfNoFile(t *testing.T) {
	for _, path := range []string{"/dev/zero", "/dev/null", t.TempDir()} {
		if _, err := ReadJournal(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "long")
	text := strings.NewReplacer(`"points":2`, `"points":2000`, `"items":2`, `"items":2000`).Replace(headerLine)
	for n := range 2000 {
		text += fmt.Sprintf(`{"item":%d,"point":%d}`+"\n", n, n)
	}
	text = seal(text)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJournal(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was interrupted", err)
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
	if _, err := OpenJournal(t.Context(), path); err == nil || !strings.Contains(err.Error(), "another process is writing it") {
		t.Errorf("error %v", err)
	}
	j.Close()
	again, err := OpenJournal(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// Whatever stands in a file, reading it ends, with an error or with records that
// can be gone through.
func FuzzOpenJournal(f *testing.F) {
	f.Add(headerLine + `{"item":1,"point":1,"group":0,"row":["1"],"samples":[[1,null]]}` + "\n" + `{"item":0,"point":0,"row":["1"]}` + "\n")
	f.Add(headerLine + `{"item":0}` + "\n" + `{"item":0}` + "\n")
	f.Add(`{"journal":"2","points":1000000000000,"shard":1,"shards":1,"items":1000000000000}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "j")
		if err := os.WriteFile(path, []byte(seal(text)), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := ReadJournal(t.Context(), path)
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

// A line of another journal, whole as it is, is none of this one.
func TestJournalOfAnotherRunsLine(t *testing.T) {
	mine := seal(headerLine + `{"item":0,"point":0}` + "\n")
	other := seal(strings.Replace(headerLine, "abc", "xyz", 1) + `{"item":1,"point":1}` + "\n")
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, []byte(mine+other[strings.Index(other, "\n")+1:]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJournal(t.Context(), path); err == nil || !strings.Contains(err.Error(), "line 3: damaged: its checksum is") {
		t.Errorf("error %v, want that the line is damaged", err)
	}
}
