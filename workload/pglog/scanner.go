package pglog

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	bufferSize  = 1 << 18 // the longest line that is read in full
	mostText    = 1 << 20 // of one message
	mostExample = 5       // lines that were not understood, as examples
)

// Scanner reads logs, one file after the other.
type Scanner struct {
	// Prefix is the log_line_prefix of stderr logs, nil to look for times and process
	// ids in what stands before the severity.
	Prefix *Prefix
	// Each is given the events, in the order of the files and of the lines in them.
	Each func(*Event)
	// OnRead is told how many bytes more were read of a file, as they lie there, that is
	// compressed ones of a compressed file. Its error ends the scan.
	OnRead func(bytes int) error
	Counts Counts

	file   string
	number int64               // of the line
	open   map[string]*message // messages to which more lines may belong; see stderr.go
	order  []string            // of their keys
	last   string              // the key of the message that the last line belongs to
	inside bool                // the last line belongs to a message, of whatever kind
	record *record             // of a csvlog, not yet whole
}

// Counts is what was read.
type Counts struct {
	Lines, Bytes int64
	Messages     int64 // of the log, of any kind
	Events       map[Kind]int64
	// Incomplete are vacuums and analyzes, cancelled and skipped ones whose message has
	// no end: cut off at the end of a file, or by a rotation.
	Incomplete int64
	// Strange are lines that were not understood.
	Strange  int64
	Examples []Example // the first of them
}

// Example is a line that was not understood.
type Example struct {
	File string
	Line int64
	Text string
}

// Scan reads a log. The name stands in Counts and in errors.
func (s *Scanner) Scan(r io.Reader, name string) error {
	s.file, s.number, s.inside, s.record = name, 0, false, nil
	s.open, s.order = make(map[string]*message), nil
	if s.Counts.Events == nil {
		s.Counts.Events = make(map[Kind]int64)
	}
	text, err := plain(s.watched(r))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	err = s.lines(bufio.NewReaderSize(text, bufferSize))
	s.finish()
	switch {
	case err == nil:
		return nil
	case damaged(err):
		err = errEndsEarly
	}
	return fmt.Errorf("%s:%d: %w", name, s.number, err)
}

// watched tells OnRead of what is read.
func (s *Scanner) watched(r io.Reader) io.Reader {
	if s.OnRead == nil {
		return r
	}
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if stop := s.OnRead(n); stop != nil {
			return n, stop
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func isFlate(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}

// lines takes in line by line. Of a line longer than the buffer the rest is left out.
func (s *Scanner) lines(b *bufio.Reader) error {
	for {
		line, err := b.ReadSlice('\n')
		s.Counts.Bytes += int64(len(line))
		if len(line) > 0 {
			s.number++
			s.Counts.Lines++
			s.line(bytes.TrimRight(line, "\r\n"))
		}
		for err == bufio.ErrBufferFull {
			line, err = b.ReadSlice('\n')
			s.Counts.Bytes += int64(len(line))
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// line takes in one line.
func (s *Scanner) line(line []byte) {
	if s.record != nil && s.moreRecord(line) {
		return
	}
	at, key, more := "", "", false
	if w, ok := unwrap(line); ok {
		line, at, key, more = w.line, w.at, w.key, w.more
	}
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case line[0] == '{':
		s.jsonLine(line)
	case beginsRecord(line):
		s.beginRecord(line)
	default:
		s.stderrLine(line, at, key, more)
	}
}

// finish ends what is open at the end of a file.
func (s *Scanner) finish() {
	if s.record != nil {
		s.strange(s.record.text)
		s.record = nil
	}
	s.flushAll()
}

// emit hands on what a message tells, if it is of autovacuum.
func (s *Scanner) emit(m *message) {
	m.text, m.context = inUTF8(m.text), inUTF8(m.context)
	e, ok := m.event(func(line string) { s.strange([]byte(line)) })
	if !ok {
		return
	}
	s.Counts.Events[e.Kind]++
	switch e.Kind {
	case Vacuum, Analyze, Cancelled:
		if !e.Complete {
			s.Counts.Incomplete++
		}
	}
	if s.Each != nil {
		s.Each(&e)
	}
}

// inUTF8 takes what is not UTF-8 for Windows' superset of Latin-1.
func inUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	out, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return text
	}
	return out
}

// strange counts a line that was not understood.
func (s *Scanner) strange(line []byte) {
	s.Counts.Strange++
	if len(s.Counts.Examples) < mostExample {
		const most = 200
		s.Counts.Examples = append(s.Counts.Examples, Example{s.file, s.number, string(line[:min(len(line), most)])})
	}
}
