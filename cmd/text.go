package cmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"avsim/sim"
)

// figure writes a number with three significant digits or, from 100 on, whole
// with separators between thousands.
func figure(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', 3, 64)
	case math.Abs(x) >= 99.95:
		return thousands(int(math.Round(x)))
	case x == 0:
		return "0"
	case math.Abs(x) < 0.001:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', max(digits, 0), 64)
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	if n < 0 {
		return "-" + thousands(-n)
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// withDoubt writes a mean with half the width of its interval.
func withDoubt(i sim.Interval) string {
	if !i.Known() {
		return figure(i.Mean)
	}
	return figure(i.Mean) + " ± " + figure((i.Hi-i.Lo)/2)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// plural writes "1 table" and "2 tables".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// pluralOf is plural for a noun with a plural of its own.
func pluralOf(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + several
}

// oneOf tells whether a format is among those accepted.
func oneOf(flag, value string, accepted ...string) error {
	for _, a := range accepted {
		if value == a {
			return nil
		}
	}
	return usagef("--%s %s: accepted are %s", flag, value, strings.Join(accepted, ", "))
}
