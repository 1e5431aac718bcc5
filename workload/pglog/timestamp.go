package pglog

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Timestamps of a log: %m and %t of log_line_prefix and of csvlog and jsonlog,
// ISO 8601 as syslog and Docker write it, %n in seconds since 1970, and syslog's
// without a year.
var (
	dateTime    = regexp.MustCompile(`(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)([.,]\d{1,9})?(?: ?(Z\b|[+-]\d\d(?::?\d\d)?\b|[A-Z]{3,5}\b))?`)
	epochTime   = regexp.MustCompile(`\b(\d{10})\.(\d{3})\b`)
	syslogTime  = regexp.MustCompile(`\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d)(\.\d{1,9})?`)
	noYear      = 2000 // of a time without one: a leap year
	pidBrackets = regexp.MustCompile(`\[(\d{1,10})(?:-\d+)?\]`)
	pidNamed    = regexp.MustCompile(`(?i)\bpid[=: ]{1,2}(\d{1,10})\b`)
	pidSession  = regexp.MustCompile(`\b[0-9a-f]{8}\.([0-9a-f]{1,8})\b`)
	pidBare     = regexp.MustCompile(`(?:^|[\s(|,;])(\d{1,10})(?:[\s)|:,;]|$)`)
)

// parseTime reads the first time in a text.
func parseTime(text string) (time.Time, bool) {
	if m := dateTime.FindStringSubmatch(text); m != nil {
		fraction := strings.Replace(m[3], ",", ".", 1)
		t, err := time.Parse("2006-01-02 15:04:05.999999999", m[1]+" "+m[2]+fraction)
		if err != nil {
			return time.Time{}, false
		}
		offset, _ := zone(m[4])
		return t.Add(-offset), true
	}
	if m := epochTime.FindStringSubmatch(text); m != nil {
		s, _ := strconv.ParseInt(m[1], 10, 64)
		ms, _ := strconv.ParseInt(m[2], 10, 64)
		return time.Unix(s, ms*1e6).UTC(), true
	}
	if m := syslogTime.FindStringSubmatch(text); m != nil {
		t, err := time.Parse("2006 Jan 2 15:04:05.999999999", strconv.Itoa(noYear)+" "+m[1]+" "+m[2]+" "+m[3]+m[4])
		return t, err == nil
	}
	return time.Time{}, false
}

// findPID looks in a line's prefix for the process id: in brackets, after "pid",
// in a session id (%c), or a number that stands alone.
func findPID(prefix string) int {
	for _, form := range []*regexp.Regexp{pidBrackets, pidNamed} {
		if m := form.FindStringSubmatch(prefix); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	if m := pidSession.FindStringSubmatch(prefix); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 64)
		return int(n)
	}
	rest := syslogTime.ReplaceAllString(epochTime.ReplaceAllString(dateTime.ReplaceAllString(prefix, ""), ""), "")
	if m := pidBare.FindStringSubmatch(rest); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}
