package experiment

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
)

// Journal keeps what is finished of a long run in a file, so that the run can
// go on after whatever ended it. A header says of which run it is; a line per
// point follows, in the order in which points were finished, each written at
// once. The lines are JSON and bear a checksum each, so that what a disk or a copy
// changed is found. A last line that was cut short does not count.
type Journal struct {
	file   *os.File
	header JournalHeader
	size   int64    // of the whole lines
	done   []uint64 // a bit per item
	count  int
	seal   uint32 // checksum of the header's line
}

// JournalHeader says of which run, and of which shard of it, a journal is. Two
// journals belong together if they agree in all but Shard and Items.
type JournalHeader struct {
	Format  string   `json:"journal"` // JournalFormat
	Model   string   `json:"model_version"`
	Inputs  string   `json:"input_hash"`
	Points  int      `json:"points"` // of the whole run
	Shard   int      `json:"shard"`  // counted from 1
	Shards  int      `json:"shards"`
	Items   int      `json:"items"` // points of this shard
	Share   string   `json:"share"` // identifies which those are
	Columns []string `json:"columns"`
}

// JournalFormat changes with the format.
const JournalFormat = "2"

// Record is a finished point.
type Record struct {
	Item    int       `json:"item"`  // among those of the shard, counted from 0
	Point   int       `json:"point"` // in the whole run
	Group   int       `json:"group"` // of points that are compared with each other
	First   bool      `json:"first,omitempty"`
	Row     []string  `json:"row"`
	Samples []Samples `json:"samples"` // of each figure by which points are compared
}

// MostPoints is how many points a run with a journal may have: a bit is held for
// each.
const MostPoints = 1_000_000_000

// ErrNoHeader is wrapped by the error of OpenJournal if a file has no whole
// first line: nothing was kept in it.
var ErrNoHeader = errors.New("no header: nothing was kept in it")

// ErrBusy is wrapped by the error of CreateJournal and OpenJournal if another
// process is writing the journal.
var ErrBusy = errors.New("another process is writing it")

// CreateJournal begins a journal in place of what stood in the file.
func CreateJournal(path string, h JournalHeader) (*Journal, error) {
	h.Format = JournalFormat
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f, header: h, done: make([]uint64, h.Items/64+1)}
	if err := j.begin(); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

func (j *Journal) begin() error {
	if err := lock(j.file); err != nil {
		return fmt.Errorf("%s: %w", j.Path(), err)
	}
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	return j.write(j.header)
}

// OpenJournal reads a journal to go on with it. It ends early with the context's
// error.
func OpenJournal(ctx context.Context, path string) (*Journal, error) {
	return openJournal(ctx, path, os.O_RDWR)
}

// ReadJournal reads a journal that is left as it is.
func ReadJournal(ctx context.Context, path string) (*Journal, error) {
	return openJournal(ctx, path, os.O_RDONLY)
}

func openJournal(ctx context.Context, path string, flag int) (*Journal, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f}
	if flag != os.O_RDONLY {
		err = lock(f)
	}
	if err == nil {
		err = j.read(ctx)
	}
	if err == nil && flag != os.O_RDONLY {
		err = f.Truncate(j.size) // what was cut short goes
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// read goes through the whole file.
func (j *Journal) read(ctx context.Context) error {
	lines := bufio.NewReaderSize(j.file, 1<<16)
	head, err := j.readHeader(lines)
	if err != nil {
		return err
	}
	j.done = make([]uint64, j.header.Items/64+1)
	j.size = int64(head)
	for n := 2; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := readLine(lines, mostLine)
		if err == io.EOF {
			return nil
		}
		if err == nil || errors.Is(err, errLong) {
			if err == nil {
				count := j.count
				if _, err = j.record(line); err == nil && j.count == count {
					err = errors.New("its point is given twice")
				}
			}
			if err != nil {
				return fmt.Errorf("line %d: damaged: %w; the %d lines before it are whole: a sweep goes on (--resume) with a file of these alone", n, err, n-1)
			}
		}
		if err != nil {
			return err
		}
		j.size += int64(len(line))
	}
}

// readHeader reads the first line, and returns its length.
func (j *Journal) readHeader(lines *bufio.Reader) (int, error) {
	const accepted = "not a journal: its first line is no header"
	begin, err := lines.Peek(len(sumBefore))
	switch {
	case errors.Is(err, io.EOF) && strings.HasPrefix(sumBefore, string(begin)):
		return 0, ErrNoHeader
	case strings.HasPrefix(string(begin), `{"journal":`):
		return 0, fmt.Errorf("a journal of an older format: accepted is %s, of this version", JournalFormat)
	case string(begin) != sumBefore:
		return 0, errors.New(accepted)
	}
	head, err := readLine(lines, mostHeader)
	if err == io.EOF {
		return 0, ErrNoHeader
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", accepted, err)
	}
	object, err := unsealed(head, 0)
	if err != nil {
		return 0, fmt.Errorf("line 1: damaged: %w", err)
	}
	if err := json.Unmarshal(object, &j.header); err != nil || j.header.Format == "" {
		return 0, errors.New(accepted)
	}
	if j.header.Format != JournalFormat {
		return 0, fmt.Errorf("a journal of format %s: accepted is %s", j.header.Format, JournalFormat)
	}
	if h := j.header; h.Items < 0 || h.Items > h.Points || h.Points > MostPoints || h.Shard < 1 || h.Shard > h.Shards || h.Shards > mostShards {
		return 0, fmt.Errorf("not a journal: %d of %d points, shard %d of %d", h.Items, h.Points, h.Shard, h.Shards)
	}
	j.seal = crc32.Checksum(head, castagnoli)
	return len(head), nil
}

// mostShards bounds what a header is believed.
const mostShards = 1_000_000

// record reads a line and marks its item.
func (j *Journal) record(line []byte) (Record, error) {
	var r Record
	object, err := unsealed(line, j.seal)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(object, &r); err != nil {
		return r, err
	}
	if r.Item < 0 || r.Item >= j.header.Items || r.Point < 0 || r.Point >= j.header.Points {
		return r, fmt.Errorf("item %d, point %d of a shard of %d items and a run of %d points", r.Item, r.Point, j.header.Items, j.header.Points)
	}
	j.mark(r.Item)
	return r, nil
}

func (j *Journal) mark(item int) {
	if !j.Has(item) {
		j.done[item/64] |= 1 << (item % 64)
		j.count++
	}
}

// Header returns the header.
func (j *Journal) Header() JournalHeader { return j.header }

// Path is the file's.
func (j *Journal) Path() string { return j.file.Name() }

// Has tells whether an item is finished.
func (j *Journal) Has(item int) bool { return j.done[item/64]&(1<<(item%64)) != 0 }

// Count is how many items are finished.
func (j *Journal) Count() int { return j.count }

// Whole tells whether all items are finished.
func (j *Journal) Whole() bool { return j.count == j.header.Items }

// Matches tells what keeps the journal from being one of a run with this
// header, if anything does.
func (j *Journal) Matches(h JournalHeader) error {
	was := j.header
	switch {
	case was.Model != h.Model:
		return fmt.Errorf("%s: of model version %s, this is %s", j.Path(), was.Model, h.Model)
	case was.Inputs != h.Inputs || was.Points != h.Points || !slices.Equal(was.Columns, h.Columns):
		return fmt.Errorf("%s: of another sweep: its inputs are %s (%d points), those given %s (%d points)",
			j.Path(), was.Inputs, was.Points, h.Inputs, h.Points)
	case was.Shard != h.Shard || was.Shards != h.Shards:
		return fmt.Errorf("%s: of shard %d/%d, this is %d/%d", j.Path(), was.Shard, was.Shards, h.Shard, h.Shards)
	case was.Items != h.Items || was.Share != h.Share:
		return fmt.Errorf("%s: its shard %d/%d has other points, by the estimates of another version", j.Path(), was.Shard, was.Shards)
	}
	return nil
}

// Append adds a finished point. If the line cannot be written whole, what was
// written of it is taken back.
func (j *Journal) Append(r Record) error {
	if err := j.write(r); err != nil {
		return err
	}
	j.mark(r.Item)
	return nil
}

func (j *Journal) write(value any) error {
	line, err := sealed(value, j.seal)
	if err != nil {
		return fmt.Errorf("%s: %w", j.Path(), err)
	}
	if _, err := j.file.WriteAt(line, j.size); err != nil {
		j.file.Truncate(j.size)
		return err // which names the file
	}
	if j.size == 0 {
		j.seal = crc32.Checksum(line, castagnoli)
	}
	j.size += int64(len(line))
	return nil
}

// Records goes through what is finished in the order of the items. It holds the
// records that were finished before their turn, of which there are few when the
// journal is that of Run.
func (j *Journal) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		lines := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, j.size), 1<<16)
		if err := skipLine(lines); err != nil { // the header
			yield(Record{}, fmt.Errorf("%s: %w", j.Path(), err))
			return
		}
		early := map[int]Record{}
		for item := range j.header.Items {
			if !j.Has(item) {
				continue
			}
			r, err := j.find(item, early, lines)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// find reads on to an item, and keeps what comes before it.
func (j *Journal) find(item int, early map[int]Record, lines *bufio.Reader) (Record, error) {
	for {
		if r, ok := early[item]; ok {
			delete(early, item)
			return r, nil
		}
		line, err := readLine(lines, mostLine)
		if err != nil {
			return Record{}, fmt.Errorf("%s: item %d is not there: %w", j.Path(), item, err)
		}
		r, err := j.record(line)
		if err != nil {
			return Record{}, fmt.Errorf("%s: a damaged line: %w", j.Path(), err)
		}
		if r.Item >= item {
			early[r.Item] = r
		}
	}
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// Remove closes the file and removes it.
func (j *Journal) Remove() error {
	return errors.Join(j.file.Close(), os.Remove(j.Path()))
}
