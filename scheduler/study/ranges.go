package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"avsim/sim/experiment"
)

// rangesOf splits a list of values with units, in which a range stands for its
// values: 5s,10s..60s/+10 or 1..10000/log10x3. Both ends of a range have the
// same unit.
func rangesOf(text string) ([]string, error) {
	items, err := list(text)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, item := range items {
		values := []string{item}
		if strings.Contains(item, "..") {
			if values, err = rangeOf(item); err != nil {
				return nil, err
			}
		}
		for _, v := range values {
			if slices.Contains(out, v) {
				return nil, fmt.Errorf("%s is given twice", v)
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// rangeOf lists the values of one range.
func rangeOf(text string) ([]string, error) {
	ends, step, stepped := strings.Cut(text, "/")
	first, last, _ := strings.Cut(ends, "..")
	a, unit := unitOf(first)
	b, other := unitOf(last)
	if unit != other {
		return nil, fmt.Errorf("%s: the ends have the units %q and %q: accepted is one unit, such as 5s..60s/+5", text, unit, other)
	}
	plain := a + ".." + b
	if stepped {
		plain += "/" + strings.TrimSuffix(step, unit)
	}
	numbers, err := experiment.ParseNumbers(plain)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(numbers))
	for i, x := range numbers {
		out[i] = strconv.FormatFloat(x, 'f', -1, 64) + unit
	}
	return out, nil
}

// unitOf splits a number from the letters that follow it.
func unitOf(text string) (number, unit string) {
	text = strings.TrimSpace(text)
	number = strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ")
	return strings.TrimSpace(number), text[len(number):]
}

// list splits at commas, but not within braces; a value that is given twice is
// a mistake.
func list(text string) ([]string, error) {
	var out []string
	for _, item := range splitOutside(text) {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
			return nil, fmt.Errorf("%s: a value is missing", text)
		case slices.Contains(out, item):
			return nil, fmt.Errorf("%s is given twice", item)
		}
		out = append(out, item)
	}
	return out, nil
}

// splitOutside splits at commas that are in no braces.
func splitOutside(text string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}
