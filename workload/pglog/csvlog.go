package pglog

import (
	"bytes"
	"encoding/csv"
	"strconv"
)

// Columns of csvlog; later versions have added some at the end.
const (
	csvTime     = 0
	csvPID      = 3
	csvSeverity = 11
	csvMessage  = 13
	csvContext  = 18
	csvLeast    = 19
)

// record is a record of a csvlog whose last line has not come yet.
type record struct {
	text   []byte
	quotes int
}

// beginsRecord tells whether a line is the first of a record of a csvlog: a time,
// then, as a field of its own, a severity.
func beginsRecord(line []byte) bool {
	if len(line) < 30 || line[4] != '-' || line[10] != ' ' || line[13] != ':' {
		return false
	}
	comma := bytes.IndexByte(line, ',')
	if comma < 20 || comma > 40 || bytes.Count(line[:comma], []byte(" ")) != 2 || bytes.IndexByte(line[:comma], '[') >= 0 {
		return false
	}
	for _, s := range primary {
		if i := bytes.Index(line, []byte(s)); i > 0 && i+len(s) < len(line) && line[i-1] == ',' && line[i+len(s)] == ',' {
			return true
		}
	}
	return false
}

func (s *Scanner) beginRecord(line []byte) {
	quotes := bytes.Count(line, []byte{'"'})
	s.flushAll()
	s.inside = false
	if quotes%2 == 0 {
		s.csvRecord(line)
		return
	}
	s.record = &record{append([]byte(nil), line...), quotes}
}

// moreRecord adds a line to a record that is not whole; false where the line begins
// another one, since the end of this one is missing.
func (s *Scanner) moreRecord(line []byte) bool {
	r := s.record
	if beginsRecord(line) || len(r.text) > mostText {
		s.strange(r.text)
		s.record = nil
		return false
	}
	r.text = append(append(r.text, '\n'), line...)
	if r.quotes += bytes.Count(line, []byte{'"'}); r.quotes%2 == 0 {
		s.record = nil
		s.csvRecord(r.text)
	}
	return true
}

func (s *Scanner) csvRecord(text []byte) {
	if !interesting(text) {
		s.Counts.Messages++
		return
	}
	fields, err := csv.NewReader(bytes.NewReader(text)).Read()
	if err != nil || len(fields) < csvLeast {
		s.strange(text)
		return
	}
	s.Counts.Messages++
	pid, _ := strconv.Atoi(fields[csvPID])
	s.emit(&message{at: fields[csvTime], pid: pid, severity: fields[csvSeverity], text: fields[csvMessage], context: fields[csvContext]})
}
