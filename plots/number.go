package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number formats v for people: thousands apart, no more digits than v has,
// powers beyond the usual as 1e+09.
func number(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case size >= 1e9 || size < 1e-4:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case size >= 1e6 && math.Mod(size, 1e5) == 0:
		return strconv.FormatFloat(v/1e6, 'f', -1, 64) + " M"
	}
	return thousands(strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64))
}

// rate formats v with about three digits, as a reading of a curve has them.
func rate(v float64) string {
	size := math.Abs(v)
	switch {
	case size >= 99.95:
		return thousands(strconv.FormatFloat(v, 'f', 0, 64))
	case size >= 0.995 || size == 0:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// multiple formats r, the ratio of two rates, 2 or more.
func multiple(r float64) string {
	if r >= 9.95 {
		return thousands(strconv.FormatFloat(r, 'f', 0, 64)) + " times"
	}
	return strconv.FormatFloat(r, 'f', 1, 64) + " times"
}

// percent formats a share in 0..1.
func percent(share float64) string {
	if share > 0 && share < 0.0095 {
		return strconv.FormatFloat(100*share, 'g', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
}

// thousands puts commas into the whole part of a decimal number.
func thousands(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return sign + whole
}

// counted formats a cell with its noun: "1 worker", "10,000 tables".
func counted(cell, noun string) string {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return noun + " " + cell
	}
	if v == 1 {
		return "1 " + noun
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e9 { // in full: "1,000,000", not "1 M"
		return fmt.Sprintf("%s %ss", thousands(strconv.FormatFloat(v, 'f', 0, 64)), noun)
	}
	return fmt.Sprintf("%s %ss", number(v), noun)
}
