package yamlfile

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// day is a day of 24 hours.
const day = 24 * time.Hour

var durationUnits = map[string]time.Duration{
	"d": day, "h": time.Hour, "min": time.Minute, "m": time.Minute, "s": time.Second,
	"ms": time.Millisecond, "us": time.Microsecond,
}

const durationPattern = `^([0-9]+(\.[0-9]+)?(d|h|min|m|s|ms|us))+$`

var (
	wholeDuration = regexp.MustCompile(durationPattern)
	durationPart  = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?)(d|h|min|ms|us|m|s)`)
)

// ParseDuration reads a time such as 40m, 7d, 1m26s or 1.5h.
func ParseDuration(text string) (time.Duration, bool) {
	if !wholeDuration.MatchString(text) {
		return 0, false
	}
	sum := 0.0
	for _, part := range durationPart.FindAllStringSubmatch(text, -1) {
		x, _ := ParseNumber(part[1])
		sum += x * float64(durationUnits[part[2]])
	}
	return time.Duration(math.Round(sum)), sum < 1<<62
}

// FormatDuration writes a time as ParseDuration reads it: 7d, 1h30m, 26s.
func FormatDuration(d time.Duration) string {
	if d >= day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	text := strings.ReplaceAll(d.String(), "µs", "us")
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Duration is a time with its unit, within bounds.
func Duration(into *time.Duration, least, most time.Duration) Value {
	accepted := fmt.Sprintf("a time from %s to %s with its unit, such as 40m, 7d or 1m26s", FormatDuration(least), FormatDuration(most))
	return Value{
		Schema: map[string]any{"type": "string", "pattern": durationPattern},
		Read: func(d *Decoder, path string, n ast.Node) error {
			text := Text(n)
			x, ok := ParseDuration(text)
			if _, bare := ParseNumber(text); bare {
				return d.Fail(n, path, found(n)+" without a unit", accepted)
			}
			if !ok || !IsScalar(n) || x < least || x > most {
				return d.Fail(n, path, found(n), accepted)
			}
			*into = x
			return nil
		},
	}
}
