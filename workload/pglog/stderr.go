package pglog

import (
	"bytes"
	"strings"
)

// mostOpen is how many messages may be open at a time: syslog mixes the lines of
// several processes.
const mostOpen = 256

// stderrLine takes in a line of a stderr log. key tells whose it is where a wrapper
// does; more, that it goes on with a message of that.
func (s *Scanner) stderrLine(line []byte, at, key string, more bool) {
	if !more {
		if prefix, word, text, ok := split(line); ok {
			s.begin(prefix, word, text, at, key)
			return
		}
	}
	switch open := s.open[s.key(key)]; {
	case open != nil && s.goesOn(open, line, more):
	case s.inside && (more || line[0] == '\t' || line[0] == ' '): // of a message of no interest
	default:
		s.strange(line)
	}
}

// key is that of the message that a line without a key belongs to: the last.
func (s *Scanner) key(key string) string {
	if key == "" {
		return s.last
	}
	return key
}

// begin takes in a line with a severity: the first of a message, or one that belongs
// to the message before.
func (s *Scanner) begin(prefix []byte, word string, text []byte, at, key string) {
	s.inside = true
	if !severity[word] {
		if m := s.open[s.key(key)]; m != nil && word == "CONTEXT" {
			m.context = string(text)
			m.severity = word
		} else if m != nil {
			m.severity = word
		}
		return
	}
	s.Counts.Messages++
	if key == "" {
		s.flushAll()
	} else {
		s.flush(key)
	}
	s.last = key
	if !interesting(text) {
		return
	}
	m := &message{severity: word, text: string(text)}
	m.at, m.pid = s.place(string(prefix), at, key)
	s.keep(key, m)
}

func (s *Scanner) keep(key string, m *message) {
	if len(s.order) >= mostOpen {
		s.flush(s.order[0])
	}
	s.open[key] = m
	s.order = append(s.order, key)
}

// place finds time and process id in a line's prefix, or else takes those of the
// wrapper.
func (s *Scanner) place(prefix, at, key string) (string, int) {
	if s.Prefix != nil {
		if t, pid, ok := s.Prefix.read(prefix); ok {
			return either(t, at), pid
		}
	}
	pid := findPID(prefix)
	if pid == 0 {
		pid = findPID("[" + key + "]")
	}
	if _, ok := parseTime(prefix); ok {
		at = prefix
	}
	return at, pid
}

func either(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// blockKeys begin the lines of a block, save for its first.
var blockKeys = []string{
	"pages: ", "tuples: ", "tuples missed: ", "removable cutoff: ", "new relfrozenxid: ", "new relminmxid: ", "frozen: ",
	"visibility map: ", "index scan ", "index \"", "delay time: ", "I/O timings: ", "avg read rate: ", "buffer usage: ",
	"WAL usage: ", "memory usage: ", "system usage: ", "parallel workers: ",
}

// goesOn adds a line to an open message: one that begins with a tab, as PostgreSQL
// writes it, or a blank; or, behind whatever an unknown wrapper put there, a line of
// a block.
func (s *Scanner) goesOn(m *message, line []byte, more bool) bool {
	text := string(line)
	switch {
	case more || line[0] == '\t' || line[0] == ' ':
		text = strings.TrimPrefix(text, "\t")
	case strings.HasPrefix(m.text, "automatic ") && m.severity != "CONTEXT":
		i := blockLine(text)
		if i < 0 {
			return false
		}
		text = text[i:]
	default:
		return false
	}
	into := &m.text
	if m.severity == "CONTEXT" {
		into = &m.context
	} else if !severity[m.severity] { // of a DETAIL or STATEMENT
		return true
	}
	if len(*into)+len(text) < mostText {
		*into += "\n" + text
	}
	return true
}

// blockLine is where a line of a block begins in a text, -1 for nowhere.
func blockLine(text string) int {
	at := -1
	for _, key := range blockKeys {
		i := strings.Index(text, key)
		if i >= 0 && (i == 0 || !isWord(text[i-1])) && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

func (s *Scanner) flush(key string) {
	m := s.open[key]
	if m == nil {
		return
	}
	delete(s.open, key)
	for i, k := range s.order {
		if k == key {
			s.order = append(s.order[:i], s.order[i+1:]...)
			break
		}
	}
	s.emit(m)
}

func (s *Scanner) flushAll() {
	for len(s.order) > 0 {
		s.flush(s.order[0])
	}
}

var tabInSyslog = []byte("#011")

// untab undoes what syslog makes of a tab.
func untab(line []byte) []byte {
	if bytes.Contains(line, tabInSyslog) {
		return bytes.ReplaceAll(line, tabInSyslog, []byte("\t"))
	}
	return line
}
