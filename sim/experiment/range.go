package experiment

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxNumbers bounds what ParseNumbers returns: a sweep of more values than
// this is a slip of the pen.
const maxNumbers = 10_000

// accepted ends the errors about syntax.
const accepted = "accepted are a number, a..b (whole numbers), a..b/+3 (steps of 3), a..b/log10x3 (3 per factor of 10) and a..b/1-2-5, with commas between"

// ParseNumbers reads the values of an axis: numbers and ranges with commas
// between them, in the order given, without repetitions.
//
//	1000,5000               these
//	1..16                   the whole numbers from 1 to 16
//	1..10/+3                from 1 in steps of 3: 1, 4, 7, 10
//	1000..1000000/log10x3   3 for every factor of 10, evenly on a logarithmic scale
//	100..100000/1-2-5       1, 2 and 5 times the powers of ten between the ends
//
// A range always contains both its ends, also where its step does not meet
// them. Between whole ends the values on a logarithmic scale are rounded to
// whole numbers, otherwise to six significant digits. More than 10,000 numbers
// are an error.
func ParseNumbers(text string) ([]float64, error) {
	var numbers []float64
	seen := map[float64]bool{}
	for item := range strings.SplitSeq(text, ",") {
		values, err := parseItem(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		for _, x := range values {
			if !seen[x] {
				seen[x] = true
				numbers = append(numbers, x)
			}
		}
		if len(numbers) > maxNumbers {
			return nil, fmt.Errorf("%s: more than %d numbers", text, maxNumbers)
		}
	}
	return numbers, nil
}

// parseItem reads what stands between commas.
func parseItem(item string) ([]float64, error) {
	ends, step, stepped := strings.Cut(item, "/")
	first, last, isRange := strings.Cut(ends, "..")
	if !isRange {
		if stepped {
			return nil, fmt.Errorf("%q: a step needs a range before it; %s", item, accepted)
		}
		x, err := parseNumber(item)
		return []float64{x}, err
	}
	a, err := parseNumber(first)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item, err)
	}
	b, err := parseNumber(last)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item, err)
	}
	if b < a {
		return nil, fmt.Errorf("%s: the range ends before it begins", item)
	}
	values, err := parseStep(a, b, step, stepped)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item, err)
	}
	return values, nil
}

// parseNumber reads a finite decimal number.
func parseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, fmt.Errorf("a number is missing; %s", accepted)
	case strings.Trim(text, "+-.0123456789eE") != "" || errors.Is(err, strconv.ErrSyntax):
		return 0, fmt.Errorf("%q is not a number; %s", text, accepted)
	case err != nil:
		return 0, fmt.Errorf("%q is too large for a number", text)
	}
	return x + 0, nil // -0 + 0 is 0
}

// parseStep reads what follows the slash and lists the range.
func parseStep(a, b float64, step string, stepped bool) ([]float64, error) {
	if !stepped {
		if !whole(a) || !whole(b) {
			return nil, errors.New("a range without a step is one of whole numbers; with one it may be a..b/+0.5")
		}
		return linear(a, b, 1)
	}
	if step == "1-2-5" {
		return oneTwoFive(a, b)
	}
	if size, ok := strings.CutPrefix(step, "+"); ok {
		s, err := parseNumber(size)
		if err != nil || s <= 0 {
			return nil, fmt.Errorf("a step of %q: a number above 0 is needed after the +", size)
		}
		return linear(a, b, s)
	}
	if scale, ok := strings.CutPrefix(step, "log"); ok {
		base, per, _ := strings.Cut(scale, "x")
		factor, err1 := strconv.ParseUint(base, 10, 31)
		points, err2 := strconv.ParseUint(per, 10, 31)
		if err1 != nil || err2 != nil || factor < 2 || points < 1 {
			return nil, fmt.Errorf("a step of %q: log10x3 stands for 3 numbers per factor of 10; the factor is 2 or more, the number 1 or more", step)
		}
		return logarithmic(a, b, float64(factor), float64(points))
	}
	return nil, fmt.Errorf("an unknown step %q; %s", step, accepted)
}

// linear lists a, a+step, … and b. The values have as many decimals as a and
// step have, so that three steps of 0.1 from 0 are 0.3.
func linear(a, b, step float64) ([]float64, error) {
	steps := (b - a) / step
	if err := checkCount(steps + 1); err != nil {
		return nil, err
	}
	decimals := max(decimals(a), decimals(step))
	var values []float64
	for i := 0; i <= maxNumbers; i++ {
		x := roundTo(a+float64(i)*step, 'f', decimals)
		if x >= b {
			break
		}
		values = append(values, x)
	}
	return append(values, b), nil
}

// logarithmic lists a·factor^(i/points) for i = 0, 1, … below b, and b.
func logarithmic(a, b, factor, points float64) ([]float64, error) {
	if a <= 0 {
		return nil, errors.New("a logarithmic range has to begin above 0")
	}
	if err := checkCount(points*(math.Log(b)-math.Log(a))/math.Log(factor) + 1); err != nil {
		return nil, err
	}
	round := func(x float64) float64 { return roundTo(x, 'e', 5) }
	if whole(a) && whole(b) {
		round = math.Round
	}
	values := []float64{a}
	for i := 1.0; i <= maxNumbers; i++ {
		x := round(a * math.Pow(factor, i/points))
		if !(x < b) {
			break
		}
		if x > values[len(values)-1] {
			values = append(values, x)
		}
	}
	if b > a {
		values = append(values, b)
	}
	return values, nil
}

// oneTwoFive lists a, the 1, 2 and 5 times powers of ten between a and b, and b.
func oneTwoFive(a, b float64) ([]float64, error) {
	if a <= 0 {
		return nil, errors.New("a range in steps of 1-2-5 has to begin above 0")
	}
	values := []float64{a}
	for exponent := math.Floor(math.Log10(a)) - 1; ; exponent++ {
		for _, digit := range []string{"1", "2", "5"} {
			// Beyond the largest number ParseFloat returns +Inf, which is not
			// below b either.
			x, _ := strconv.ParseFloat(fmt.Sprintf("%se%.0f", digit, exponent), 64)
			if x >= b {
				if b > a {
					values = append(values, b)
				}
				return values, nil
			}
			if x > a {
				values = append(values, x)
			}
		}
	}
}

func checkCount(n float64) error {
	if n >= maxNumbers+1 {
		return fmt.Errorf("about %.3g numbers, where at most %d are accepted; a step such as /log10x3 makes them fewer", n, maxNumbers)
	}
	return nil
}

// whole tells whether x is an integer that a float64 holds exactly.
func whole(x float64) bool {
	return x == math.Trunc(x) && math.Abs(x) <= 1<<53
}

// decimals is the number of digits behind the point that x needs.
func decimals(x float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return len(fraction)
}

// roundTo rounds x to what strconv.FormatFloat makes of it.
func roundTo(x float64, format byte, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, format, digits, 64), 64)
	if err != nil { // rounded beyond the largest number
		return x
	}
	return rounded + 0 // -0 + 0 is 0
}
