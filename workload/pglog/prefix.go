package pglog

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// primary are the severities that begin a message, attached those that belong to
// the one before.
var (
	primary  = []string{"LOG", "ERROR", "WARNING", "FATAL", "PANIC", "NOTICE", "INFO", "DEBUG", "DEBUG1", "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5"}
	attached = []string{"CONTEXT", "DETAIL", "HINT", "STATEMENT", "QUERY", "LOCATION", "BACKTRACE"}
	severity = func() map[string]bool {
		out := make(map[string]bool) // whether it begins a message
		for _, s := range primary {
			out[s] = true
		}
		for _, s := range attached {
			out[s] = false
		}
		return out
	}()
)

// split finds the severity in a line of a stderr log: what stands before it is the
// line's prefix, whatever that may be.
func split(line []byte) (prefix []byte, word string, text []byte, ok bool) {
	for from := 0; ; {
		i := bytes.IndexByte(line[from:], ':')
		if i < 0 {
			return nil, "", nil, false
		}
		i += from
		from = i + 1
		if from < len(line) && line[from] != ' ' {
			continue
		}
		begin := i
		for begin > 0 && (isUpper(line[begin-1]) || begin == i && '1' <= line[i-1] && line[i-1] <= '5') {
			begin--
		}
		if begin == i || begin > 0 && isWord(line[begin-1]) {
			continue
		}
		if _, known := severity[string(line[begin:i])]; known {
			return line[:begin], wordOf(line[begin:i]), bytes.TrimLeft(line[from:], " "), true
		}
	}
}

// wordOf is the severity without a new string.
func wordOf(b []byte) string {
	for _, s := range primary {
		if string(b) == s {
			return s
		}
	}
	for _, s := range attached {
		if string(b) == s {
			return s
		}
	}
	return string(b)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isWord(c byte) bool {
	return isUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_'
}

// Prefix is a log_line_prefix, of which it tells where time and process id stand.
type Prefix struct {
	form      *regexp.Regexp
	time, pid int // groups, 0 for none
	session   int // of %c, whose second half is the process id
}

var escape = regexp.MustCompile(`%(-?\d*)([a-zA-Z%])`)

// ParsePrefix reads a log_line_prefix such as '%m [%p] '.
func ParsePrefix(text string) (*Prefix, error) {
	patterns := map[string]string{
		"m": `(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \S+)`, "t": `(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+)`, "n": `(\d+\.\d+)`,
		"p": `(\d+)`, "c": `([0-9a-f]+\.[0-9a-f]+)`, "q": ``, "%": `%`,
		"s": `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+`, "l": `\d+`, "P": `\d*`, "x": `\d+`, "Q": `-?\d+`,
		"a": `.*?`, "u": `.*?`, "d": `.*?`, "r": `.*?`, "h": `.*?`, "b": `.*?`, "i": `.*?`, "e": `\w{5}`, "v": `\S*?`, "L": `.*?`,
	}
	p, group := &Prefix{}, 0
	var out strings.Builder
	stops := "" // %q: what follows is left out by processes without a session
	out.WriteString("^")
	end := 0
	for _, m := range escape.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(regexp.QuoteMeta(text[end:m[0]]))
		end = m[1]
		letter := text[m[4]:m[5]]
		pattern, ok := patterns[letter]
		if !ok {
			return nil, fmt.Errorf("%%%s: no escape of log_line_prefix; accepted are those of PostgreSQL, such as %%m, %%t, %%p", letter)
		}
		if letter == "q" && stops == "" {
			out.WriteString("(?:")
			stops = ")?"
		}
		if strings.HasPrefix(pattern, "(") {
			group++
			p.place(letter, group)
		}
		if text[m[2]:m[3]] != "" { // padded
			pattern = " *" + pattern + " *"
		}
		out.WriteString(pattern)
	}
	out.WriteString(strings.TrimRight(regexp.QuoteMeta(text[end:]), " ") + stops)
	form, err := regexp.Compile(out.String())
	p.form = form
	return p, err
}

func (p *Prefix) place(letter string, group int) {
	switch letter {
	case "m", "t", "n":
		p.time = group
	case "p":
		p.pid = group
	case "c":
		p.session = group
	}
}

// read takes time and process id out of a line's prefix.
func (p *Prefix) read(prefix string) (at string, pid int, ok bool) {
	m := p.form.FindStringSubmatch(prefix)
	if m == nil {
		return "", 0, false
	}
	if p.time > 0 {
		at = m[p.time]
	}
	switch {
	case p.pid > 0:
		pid, _ = strconv.Atoi(m[p.pid])
	case p.session > 0:
		_, hex, _ := strings.Cut(m[p.session], ".")
		n, _ := strconv.ParseInt(hex, 16, 64)
		pid = int(n)
	}
	return at, pid, true
}
