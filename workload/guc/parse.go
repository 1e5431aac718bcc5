package guc

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// blanks are what C's isspace takes in PostgreSQL's locale.
const blanks = " \t\n\v\f\r"

var (
	// integer is what strtol(text, 0) takes, decimal what strtod takes, less
	// hexadecimal fractions, infinity and NaN, which no setting here accepts.
	integer = regexp.MustCompile(`^[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)`)
	decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
)

// parse reads a value as PostgreSQL reads it from postgresql.conf or SET. The
// result is in the setting's own unit; a Bool is 0 or 1, an Enum the index of
// its option. Every int32 is exact in a float64.
func (s Setting) parse(text string) (float64, error) {
	switch s.Kind {
	case Bool:
		if b, ok := parseBool(text); ok {
			return b, nil
		}
		return 0, fmt.Errorf("parameter %q requires a Boolean value, not %q: on, off, true, false, yes, no, 1, 0", s.Name, text)
	case Enum:
		for i, o := range s.Options {
			if strings.EqualFold(o, text) {
				return float64(i), nil
			}
		}
		return 0, s.invalid(text, "Available values: "+strings.Join(s.Options, ", ")+".")
	}
	x, err := s.parseNumber(text)
	if err != nil {
		return 0, err
	}
	return s.check(x)
}

// parseNumber is parse_int and parse_real of guc.c: a number, blanks, a unit.
func (s Setting) parseNumber(text string) (float64, error) {
	x, rest, err := scanNumber(strings.TrimLeft(text, blanks), s.Kind)
	if err != nil {
		return 0, s.invalid(text, "")
	}
	if unit := strings.Trim(rest, blanks); unit != "" {
		var ok bool
		if x, ok = s.Unit.toBase(x, unit); !ok {
			return 0, s.invalid(text, s.Unit.hint())
		}
	}
	if s.Kind == Int {
		x = math.RoundToEven(x)
		if x < math.MinInt32 || x > math.MaxInt32 {
			return 0, s.invalid(text, "Value exceeds integer range.")
		}
	}
	return x + 0, nil // -0 becomes 0
}

var errNoNumber = errors.New("no number")

// scanNumber takes the number off the front of the text. An integer setting
// takes hexadecimal and octal too, as strtol does, and a fraction or exponent.
func scanNumber(text string, kind Kind) (x float64, rest string, err error) {
	if kind == Int {
		digits := integer.FindString(text)
		if text[len(digits):] == "" || !strings.ContainsRune(".eE", rune(text[len(digits)])) {
			return scanInteger(text, digits)
		}
	}
	number := decimal.FindString(text)
	x, err = strconv.ParseFloat(number, 64) // fails on an empty or huge number
	return x, text[len(number):], err
}

func scanInteger(text, digits string) (float64, string, error) {
	sign, body := 1.0, strings.TrimLeft(digits, "+-")
	if strings.HasPrefix(digits, "-") {
		sign = -1
	}
	base := 10
	switch {
	case body == "":
		return 0, "", errNoNumber
	case strings.HasPrefix(body, "0x") || strings.HasPrefix(body, "0X"):
		base, body = 16, body[2:]
	case body[0] == '0' && strings.Trim(body, "01234567") == "":
		base = 8
	case body[0] == '0': // strtol stops at the 8 or 9, which is then no unit
		return 0, "", errNoNumber
	}
	n, err := strconv.ParseUint(body, base, 63)
	if err != nil { // out of strtol's range: out of any setting's
		return sign * math.MaxInt64, text[len(digits):], nil
	}
	return sign * float64(n), text[len(digits):], nil
}

// parseBool takes the words that parse_bool of bool.c takes: any unique prefix of true,
// false, yes, no, on and off, in any case, and 1 and 0.
func parseBool(text string) (float64, bool) {
	t := strings.ToLower(text)
	for _, w := range []struct {
		word  string
		least int // letters that make it unique
		value float64
	}{{"true", 1, 1}, {"false", 1, 0}, {"yes", 1, 1}, {"no", 1, 0}, {"on", 2, 1}, {"off", 2, 0}, {"1", 1, 1}, {"0", 1, 0}} {
		if len(t) >= w.least && strings.HasPrefix(w.word, t) {
			return w.value, true
		}
	}
	return 0, false
}

// check holds a number against the setting's range.
func (s Setting) check(x float64) (float64, error) {
	if x < s.Min || x > s.Max {
		return 0, fmt.Errorf("%s is outside the valid range for parameter %q (%s .. %s)",
			s.bare(x), s.Name, s.bare(s.Min), s.bare(s.Max))
	}
	if x > 0 && x < s.zeroOrAtLeast {
		return 0, fmt.Errorf("%q must be 0 or between %s and %s", s.Name, s.bare(s.zeroOrAtLeast), s.bare(s.Max))
	}
	if s.floor > 0 && x != -1 && x < s.floor {
		x = s.floor
	}
	return x, nil
}

// bare writes a number in the setting's own unit, as range errors do: 15 8kB.
func (s Setting) bare(x float64) string {
	text := formatNumber(x)
	if s.Unit != NoUnit {
		text += " " + string(s.Unit)
	}
	return text
}

func (s Setting) invalid(text, hint string) error {
	if hint != "" {
		hint = ". " + hint
	}
	return fmt.Errorf("invalid value for parameter %q: %q%s", s.Name, text, hint)
}

// show writes a value as SHOW does: in the largest unit that leaves a whole
// number; zero and negative values bare.
func (s Setting) show(x float64) string {
	switch s.Kind {
	case Bool:
		return [...]string{"off", "on"}[int(x)]
	case Enum:
		return s.Options[int(x)]
	}
	if s.Unit == NoUnit || x <= 0 {
		return formatNumber(x)
	}
	y, unit := s.Unit.fromBase(x, s.Kind)
	return formatNumber(y) + unit
}

// formatNumber is %d for whole numbers and otherwise the shortest decimal that
// reads back the same; PostgreSQL's %g keeps six digits only.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
