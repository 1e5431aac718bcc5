package pglog

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// wrapped is what a wrapper tells of a line.
type wrapped struct {
	line []byte
	at   string
	key  string // of the process that wrote it, "" for unknown
	more bool   // goes on with a message
}

var (
	// Nov 30 09:29:40 db1 postgres[3422]: [5-2] …, with or without a priority, the time
	// as ISO 8601, the number of message and line (syslog_sequence_numbers).
	syslogLine = regexp.MustCompile(`^(?:<\d{1,3}>1? ?)?((?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?)|(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)) \S+ [^\s\[\]:]+\[(\d+)\]: ?(?:\[\d+-(\d+)\] ?)?`)
	// 2026-11-30T09:29:40.123456789Z stderr F …, as Kubernetes' container runtimes write.
	containerLine = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)) (?:stdout|stderr) [FP] `)
	// db-1  | …, as docker compose prints.
	composeLine = regexp.MustCompile(`^[\w.-]{1,64} +\| `)
)

// unwrap takes off what syslog, journald or a container runtime puts before a line.
func unwrap(line []byte) (w wrapped, ok bool) {
	if len(line) < 16 {
		return w, false
	}
	switch c := line[0]; {
	case c == '<', isUpper(c) && line[3] == ' ':
		return unwrapSyslog(line)
	case '0' <= c && c <= '9' && line[10] == 'T':
		if m := containerLine.FindSubmatch(line); m != nil {
			return wrapped{line: line[len(m[0]):], at: string(m[1])}, true
		}
		return unwrapSyslog(line)
	}
	if bytes.Contains(line, []byte(`="`)) {
		return unquote(line)
	}
	if i := bytes.Index(line[:min(len(line), 70)], []byte(" | ")); i > 0 {
		if m := composeLine.Find(line); m != nil {
			return wrapped{line: line[len(m):]}, true
		}
	}
	return w, false
}

// unquote takes the line of a log out of fields, key="text", in which quotes and tabs are
// escaped (logfmt).
func unquote(line []byte) (wrapped, bool) {
	for rest := line; ; {
		i := bytes.Index(rest, []byte(`="`))
		if i < 0 {
			return wrapped{}, false
		}
		rest = rest[i+1:]
		if quoted, err := strconv.QuotedPrefix(string(rest)); err == nil {
			if text, err := strconv.Unquote(quoted); err == nil && isLine(text) {
				return wrapped{line: []byte(text)}, true
			}
		}
	}
}

// isLine tells whether a text is a line of a stderr log: with a severity, or one that goes
// on with a message.
func isLine(text string) bool {
	_, _, _, begins := split([]byte(text))
	return begins || strings.HasPrefix(text, "\t") || blockLine(text) >= 0
}

func unwrapSyslog(line []byte) (w wrapped, ok bool) {
	m := syslogLine.FindSubmatch(line)
	if m == nil {
		return w, false
	}
	rest := untab(line[len(m[0]):])
	more := len(m[3]) > 0 && string(m[3]) != "1" || len(rest) > 0 && rest[0] == '\t'
	return wrapped{line: rest, at: string(m[1]), key: string(m[2]), more: more && len(rest) > 0}, true
}
