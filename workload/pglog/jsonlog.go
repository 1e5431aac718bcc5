package pglog

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// jsonRecord is a line of jsonlog, or what Docker, Kubernetes operators and log
// shippers write: the fields of a csvlog under "record", or a line of a stderr log
// under one of several names.
type jsonRecord struct {
	Timestamp string      `json:"timestamp"`
	PID       json.Number `json:"pid"`
	Severity  string      `json:"error_severity"`
	Message   string      `json:"message"`
	Context   string      `json:"context"`

	LogTime   string      `json:"log_time"`
	ProcessID json.Number `json:"process_id"`

	Record  *jsonRecord `json:"record"`
	Payload *jsonRecord `json:"jsonPayload"`

	Log  string `json:"log"`
	Text string `json:"textPayload"`
	Msg  string `json:"msg"`
	Time string `json:"time"`
}

// jsonLine takes in a line that is an object.
func (s *Scanner) jsonLine(line []byte) {
	shipped := bytes.HasPrefix(line, []byte(`{"log":`)) || len(s.open) > 0 // lines of a block come one by one
	if !shipped && !interesting(line) && bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("}")) {
		s.Counts.Messages++
		return
	}
	var r jsonRecord
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(&r); err != nil {
		s.strange(line)
		return
	}
	if !r.known() {
		if text := textIn(line); text != "" {
			r.Log = text
		}
	}
	s.jsonRecord(&r)
}

// known tells whether it has what the shapes above have.
func (r *jsonRecord) known() bool {
	return r.Record != nil || r.Payload != nil || r.Severity != "" || r.Log+r.Text+r.Message+r.Msg != ""
}

// textIn finds the line of a stderr log in an object of any shape: the first text, in the
// order of the names, that has a severity or, behind one, goes on with it.
func textIn(line []byte) string {
	var all any
	if json.Unmarshal(line, &all) != nil {
		return ""
	}
	return textOf(all, 0)
}

// mostNested is how deep a text may lie.
const mostNested = 8

func textOf(x any, depth int) string {
	if depth > mostNested {
		return ""
	}
	switch x := x.(type) {
	case string:
		if isLine(x) {
			return x
		}
	case []any:
		for _, item := range x {
			if text := textOf(item, depth+1); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if text := textOf(x[name], depth+1); text != "" {
				return text
			}
		}
	}
	return ""
}

func (s *Scanner) jsonRecord(r *jsonRecord) {
	for _, inner := range []*jsonRecord{r.Record, r.Payload} {
		if inner != nil {
			s.jsonRecord(inner)
			return
		}
	}
	if r.Severity != "" {
		s.flushAll()
		s.inside = false
		s.Counts.Messages++
		pid, _ := strconv.Atoi(either(r.PID.String(), r.ProcessID.String()))
		s.emit(&message{at: either(r.Timestamp, r.LogTime), pid: pid, severity: r.Severity, text: r.Message, context: r.Context})
		return
	}
	text := either(either(r.Log, r.Text), either(r.Message, r.Msg))
	if text == "" {
		s.Counts.Messages++ // some other program's
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		if line = strings.TrimRight(line, "\r"); line != "" {
			s.stderrLine([]byte(line), either(r.Time, r.Timestamp), "", false)
		}
	}
}
