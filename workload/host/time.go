package host

import (
	"math"
	"regexp"
	"strconv"
	"time"
)

// units are those of time.ParseDuration up to a second, the largest first.
var units = []struct {
	name string
	ns   time.Duration
}{{"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}, {"µs", time.Microsecond}, {"ns", 1}}

// maxCost bounds each time in a profile, so that sums stay far from overflow.
const maxCost = time.Hour

var numberUnit = regexp.MustCompile(`^([0-9]+\.?[0-9]*|\.[0-9]+)(s|ms|us|µs|ns)$`)

// parseNanoseconds reads what time.ParseDuration reads. A single number with a
// unit may have fractions of a nanosecond, as costs per entry do.
func parseNanoseconds(text string) (float64, bool) {
	if m := numberUnit.FindStringSubmatch(text); m != nil {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, false
		}
		for _, u := range units {
			if u.name == m[2] {
				return x * float64(u.ns), true
			}
		}
	}
	d, err := time.ParseDuration(text)
	return float64(d), err == nil
}

// isNumber tells a bare number, which lacks its unit, from other texts.
func isNumber(text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}
