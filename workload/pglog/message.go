package pglog

import (
	"bytes"
	"strings"
	"time"
)

// message is one of the log's, whatever the form of the log.
type message struct {
	at       string // as it stands there
	pid      int
	severity string
	text     string // lines separated by newlines
	context  string
}

// signs are what every message of interest has at least one of; a message with
// none is left alone.
var signs = [][]byte{
	[]byte("utomatic "), []byte("autovacuum"), []byte("skipping "), []byte("nonessential"),
	[]byte(" changed to \""), []byte("starting PostgreSQL"), []byte("must be vacuumed within"), []byte("stale statistics"),
}

func interesting(line []byte) bool {
	for _, s := range signs {
		if bytes.Contains(line, s) {
			return true
		}
	}
	return false
}

// event is what a message tells of autovacuum; ok is false for others.
func (m *message) event(strange func(line string)) (e Event, ok bool) {
	switch text := m.text; {
	case strings.HasPrefix(text, "automatic "):
		e, ok = blockOf(text, strange)
	case text == "canceling autovacuum task" || strings.HasPrefix(text, "canceling autovacuum task "):
		e, ok = m.cancelled(), true
	case strings.HasPrefix(text, "skipping "):
		e, ok = skipped(text)
	case strings.HasPrefix(text, "bypassing nonessential maintenance of table \""):
		name, _, found := strings.Cut(strings.TrimPrefix(text, "bypassing nonessential maintenance of table \""), "\" as a failsafe")
		e.Kind, ok = Failsafe, found
		e.named(name)
	case strings.HasPrefix(text, "autovacuum: processing database \""):
		e.Kind, ok = Visit, true
		e.Database = strings.TrimSuffix(strings.TrimPrefix(text, "autovacuum: processing database \""), "\"")
	case strings.HasPrefix(text, "terminating autovacuum process"):
		e.Kind, ok = Killed, true
	case strings.Contains(text, "must be vacuumed within"):
		e.Kind, e.Text, ok = Limit, text, true
	case strings.HasPrefix(text, "parameter \""):
		e, ok = changedSetting(text)
	case strings.HasPrefix(text, "starting PostgreSQL "):
		e.Kind, ok = Start, true
		e.Text, _, _ = strings.Cut(strings.TrimPrefix(text, "starting PostgreSQL "), " ")
	case m.complains():
		e.Kind, e.Text, ok = Trouble, text, true
	}
	if ok {
		e.PID = m.pid
		e.At, _ = parseTime(m.at)
	}
	return e, ok
}

// complains tells trouble of autovacuum from its debug messages and from clients'
// statements that name it.
func (m *message) complains() bool {
	return strings.HasPrefix(m.text, "autovacuum: found orphan") || strings.HasPrefix(m.text, "autovacuum: dropping orphan") ||
		strings.HasPrefix(m.text, "autovacuum worker took too long") || strings.HasPrefix(m.text, "autovacuum not started") ||
		strings.HasPrefix(m.text, "using stale statistics")
}

// cancelled names its table in the context, as the last of its lines.
func (m *message) cancelled() Event {
	e := Event{Kind: Cancelled}
	for line := range strings.SplitSeq(m.context, "\n") {
		line = strings.Trim(line, " \t\r")
		rest, vacuum := strings.CutPrefix(line, "automatic vacuum of table \"")
		if !vacuum {
			rest, e.OfAnalyze = strings.CutPrefix(line, "automatic analyze of table \"")
		}
		if vacuum || e.OfAnalyze {
			name, ok := strings.CutSuffix(rest, "\"")
			if !ok { // what a wrapper put behind it
				name, _, _ = strings.Cut(rest, "\" ")
			}
			e.named(name)
			e.Complete = true
			break
		}
	}
	return e
}

// skipped reads
//
//	skipping vacuum of "t" --- lock not available
func skipped(text string) (Event, bool) {
	e := Event{Kind: Skipped}
	rest := strings.TrimPrefix(text, "skipping ")
	rest, vacuum := strings.CutPrefix(rest, "vacuum of \"")
	if !vacuum {
		rest, e.OfAnalyze = strings.CutPrefix(rest, "analyze of \"")
	}
	name, why, ok := strings.Cut(rest, "\" --- ")
	e.Table, e.Name, e.Text = name, name, strings.TrimSpace(why)
	e.Complete = ok
	return e, ok && (vacuum || e.OfAnalyze) &&
		(strings.HasPrefix(why, "lock not available") || strings.HasPrefix(why, "relation no longer exists"))
}

// changedSetting reads
//
//	parameter "autovacuum_max_workers" changed to "6"
func changedSetting(text string) (Event, bool) {
	name, value, ok := strings.Cut(strings.TrimPrefix(text, "parameter \""), "\" changed to \"")
	value, _, _ = strings.Cut(value, "\"")
	return Event{Kind: Setting, Text: name, Value: value, Complete: true}, ok
}

// known gives the offset of zones that PostgreSQL names by letters, in hours.
// Where a name stands for several, it is the one with most servers.
var known = map[string]float64{
	"UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "TRT": 3,
	"IST": 5.5, "ICT": 7, "HKT": 8, "SGT": 8, "AWST": 8, "KST": 9, "JST": 9, "ACST": 9.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
	"BRT": -3, "ART": -3, "AST": -4, "EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8, "AKST": -9, "HST": -10,
	"SAST": 2, "CAT": 2, "EAT": 3,
}

// zone is the offset of a zone that a log names; ok is false for one of letters
// that is not known.
func zone(name string) (time.Duration, bool) {
	if hours, ok := known[name]; ok {
		return time.Duration(hours * float64(time.Hour)), true
	}
	for _, form := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(form, name); err == nil {
			_, offset := t.Zone()
			return time.Duration(offset) * time.Second, true
		}
	}
	return 0, false
}
