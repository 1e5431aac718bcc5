package cmd

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/sim"
)

// traceFile writes a run's events in Chrome's trace event format ("Trace Event
// Format", Google 2016), which ui.perfetto.dev and chrome://tracing open: JSON, a
// line per event, times in microseconds. Worker slots are threads of one process,
// databases, where tables come due, those of another; counters belong to the
// first.
type traceFile struct {
	to      io.Writer
	of      string // the scenario's name
	line    []byte
	most    int // events; 0 for no limit
	written int
	left    int         // out, over the limit
	last    sim.Time    // of the events written
	open    map[int]int // slices that have begun and not ended, by slot
	threads map[string]int
	err     error  // the first of an output
	failed  func() // is told of it
}

// The processes of a trace.
const (
	workersPID  = 1
	databasePID = 2
)

// firstDatabase is the thread before that of the first database: numbers of threads
// are told apart over all processes.
const firstDatabase = 1_000_000

// The names of the counters that samples give.
const (
	backlogCounter = "backlog"
	rowsCounter    = "row versions"
	oldestCounter  = "age of the oldest table"
)

// newTraceFile begins a trace, with what it is of in its head.
func newTraceFile(to io.Writer, in runInputs, most int, failed func()) *traceFile {
	t := &traceFile{to: to, of: in.Scenario, most: most, open: map[int]int{}, threads: map[string]int{}, failed: failed}
	head, err := json.Marshal(in)
	if err != nil {
		t.fail(err)
	}
	t.line = append(append(t.line, `{"displayTimeUnit":"ms","otherData":`...), head...)
	t.line = append(t.line, ",\"traceEvents\":[\n"...)
	t.name(workersPID, 0, "autovacuum")
	t.name(databasePID, 0, "databases")
	return t
}

// close ends the trace. The last event is metadata, so that no comma is left over.
func (t *traceFile) close() error {
	label := t.of
	if t.left > 0 {
		label += fmt.Sprintf(", %d events left out", t.left)
	}
	t.line = fmt.Appendf(t.line, `{"ph":"M","pid":%d,"tid":0,"name":"process_labels","args":{"labels":`, workersPID)
	t.line = append(appendString(t.line, label), "}}\n]}\n"...)
	t.flush()
	return t.err
}

// warning tells what a reader has to know of the trace, if anything.
func (t *traceFile) warning(path string) string {
	if t.left == 0 {
		return ""
	}
	return fmt.Sprintf("%s has the first %s, to %v; %s more were left out (--trace-events 0 keeps all)",
		path, plural(t.most, "event"), time.Duration(t.last).Truncate(time.Second), thousands(t.left))
}

// event writes an event of the run. An end is written wherever its begin is, and
// counts as one with it.
func (t *traceFile) event(e scheduler.TraceEvent) {
	switch e.Form {
	case scheduler.TraceBegin:
		if t.room(e.At) {
			t.open[e.Slot]++
			t.begin('B', e.At, workersPID, t.slot(e.Slot))
			t.named(e)
		}
	case scheduler.TraceEnd:
		if t.open[e.Slot] == 0 {
			return
		}
		t.open[e.Slot]--
		t.begin('E', e.At, workersPID, t.slot(e.Slot))
		t.args(e)
	case scheduler.TraceSlice:
		if t.room(e.At) {
			t.begin('X', e.At, workersPID, t.slot(e.Slot))
			t.line = append(t.line, `,"dur":`...)
			t.line = appendMicroseconds(t.line, e.Until-e.At)
			t.named(e)
		}
	case scheduler.TraceInstant:
		if t.room(e.At) {
			pid, thread := t.place(e)
			t.begin('i', e.At, pid, thread)
			t.line = append(t.line, `,"s":"t"`...)
			t.named(e)
		}
	case scheduler.TraceCounter:
		t.counter(e.Name, e.At, e.Args...)
	}
}

// sample writes counters of the state of the tables.
func (t *traceFile) sample(s scheduler.Sample) {
	t.counter(backlogCounter, s.At, scheduler.TraceArg{Name: "tables due", Value: s.Due})
	t.counter(rowsCounter, s.At, scheduler.TraceArg{Name: "dead", Value: s.Dead})
	oldest := 0.0
	for _, age := range s.OldestXID {
		oldest = math.Max(oldest, age)
	}
	t.counter(oldestCounter, s.At, scheduler.TraceArg{Name: "transactions", Value: oldest})
}

func (t *traceFile) counter(name string, at sim.Time, args ...scheduler.TraceArg) {
	if t.room(at) {
		t.begin('C', at, workersPID, 0)
		t.named(scheduler.TraceEvent{Form: scheduler.TraceCounter, Name: name, Args: args})
	}
}

// room counts an event and tells whether it is to be written.
func (t *traceFile) room(at sim.Time) bool {
	if t.most > 0 && t.written >= t.most {
		t.left++
		return false
	}
	t.written++
	t.last = max(t.last, at)
	return true
}

// place is the process and thread of an instant: its worker's slot, or its
// database, or the workers' process as a whole.
func (t *traceFile) place(e scheduler.TraceEvent) (pid, thread int) {
	switch {
	case e.Slot > 0:
		return workersPID, t.slot(e.Slot)
	case e.Database != "":
		return databasePID, t.thread(databasePID, firstDatabase+1+len(t.threads), e.Database)
	}
	return workersPID, t.thread(workersPID, firstDatabase, "server")
}

func (t *traceFile) slot(n int) int {
	return t.thread(workersPID, n, "worker slot "+strconv.Itoa(n))
}

// thread is the number of a thread, which is named when first met.
func (t *traceFile) thread(pid, number int, name string) int {
	key := strconv.Itoa(pid) + name
	if n, ok := t.threads[key]; ok {
		return n
	}
	t.threads[key] = number
	t.name(pid, number, name)
	return number
}

// name writes the name of a process, or of one of its threads.
func (t *traceFile) name(pid, thread int, name string) {
	what := "process_name"
	if thread > 0 {
		what = "thread_name"
	}
	t.line = fmt.Appendf(t.line, `{"ph":"M","pid":%d,"tid":%d,"name":"%s","args":{"name":`, pid, thread, what)
	t.line = append(appendString(t.line, name), "}},\n"...)
	if thread > 0 {
		t.line = fmt.Appendf(t.line, `{"ph":"M","pid":%d,"tid":%d,"name":"thread_sort_index","args":{"sort_index":%d}},`+"\n", pid, thread, thread)
	}
}

// begin writes what all events have.
func (t *traceFile) begin(phase byte, at sim.Time, pid, thread int) {
	t.line = append(append(t.line, `{"ph":"`...), phase, '"')
	t.line = append(t.line, `,"ts":`...)
	t.line = appendMicroseconds(t.line, at)
	t.line = append(t.line, `,"pid":`...)
	t.line = strconv.AppendInt(t.line, int64(pid), 10)
	t.line = append(t.line, `,"tid":`...)
	t.line = strconv.AppendInt(t.line, int64(thread), 10)
}

// named writes an event's name, with its table, and its details, and ends it.
func (t *traceFile) named(e scheduler.TraceEvent) {
	t.line = append(t.line, `,"cat":`...)
	t.line = appendString(t.line, e.Name)
	t.line = append(t.line, `,"name":`...)
	name := e.Name
	if e.Table != "" {
		name += " " + e.Table
	} else if e.Form == scheduler.TraceBegin {
		name += " in " + e.Database
	}
	t.line = appendString(t.line, name)
	t.args(e)
}

// args writes an event's details and ends it.
func (t *traceFile) args(e scheduler.TraceEvent) {
	t.line = append(t.line, `,"args":{`...)
	first := len(t.line)
	add := func(name string, value any) {
		if len(t.line) > first {
			t.line = append(t.line, ',')
		}
		t.line = append(appendString(t.line, name), ':')
		t.line = appendValue(t.line, value)
	}
	if e.Database != "" {
		add("database", e.Database)
	}
	if e.Table != "" {
		add("table", e.Table)
	}
	for _, a := range e.Args {
		add(a.Name, a.Value)
	}
	t.line = append(t.line, "}},\n"...)
	t.flush()
}

// flush hands what is written on. After an error all is dropped: the run is about
// to be ended.
func (t *traceFile) flush() {
	if t.err == nil {
		if _, err := t.to.Write(t.line); err != nil {
			t.fail(err)
		}
	}
	t.line = t.line[:0]
}

func (t *traceFile) fail(err error) {
	t.err = err
	t.failed()
}

// appendMicroseconds writes nanoseconds as microseconds, to the last digit.
func appendMicroseconds(b []byte, at sim.Time) []byte {
	b = strconv.AppendInt(b, int64(at/1000), 10)
	if rest := int64(at % 1000); rest > 0 {
		b = append(b, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	return b
}

// appendString writes a JSON string; most need no escapes.
func appendString(b []byte, s string) []byte {
	plain := func(r rune) bool { return r >= ' ' && r < 0x7F && r != '"' && r != '\\' }
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return append(append(append(b, '"'), s...), '"')
	}
	text, _ := json.Marshal(s) // of a string never fails
	return append(b, text...)
}

// appendValue writes a detail. What is no number in JSON is null.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, v, 'g', 9, 64)
	}
	panic(fmt.Sprintf("a detail of type %T", value))
}

// compressed is the writer of a trace, through gzip where its name says so.
func compressed(path string, to io.Writer) (io.Writer, func() error) {
	if !strings.HasSuffix(strings.ToLower(path), ".gz") {
		return to, func() error { return nil }
	}
	z, _ := gzip.NewWriterLevel(to, gzip.BestSpeed) // the level is valid
	return z, z.Close
}
