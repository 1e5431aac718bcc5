package scenario

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/yamlfile"
)

// place stands in a name for the number of the table or database.
const place = "%d"

// checkPattern refuses a % that is no place for a number.
func checkPattern(d *yamlfile.Decoder, path string, n ast.Node) error {
	name := yamlfile.Text(n)
	if strings.Count(name, "%") > 1 || strings.Count(name, "%") != strings.Count(name, place) {
		return d.Fail(n, path, "found "+yamlfile.Quote(name), "a name in which %d, once, stands for a number")
	}
	return nil
}

// numbered is the name of the i-th of so many, counted from 1. Where there are
// several and the name has no place for the number, it stands at the end.
func numbered(name string, i, count int) string {
	switch {
	case strings.Contains(name, place):
		return strings.Replace(name, place, strconv.Itoa(i), 1)
	case count > 1:
		return name + "_" + strconv.Itoa(i)
	}
	return name
}

// numberOf is the number that a name has in numbered.
func numberOf(name, pattern string, count int) (i int, ok bool) {
	before, after, marked := strings.Cut(pattern, place)
	switch {
	case !marked && count == 1:
		return 1, name == pattern
	case !marked:
		before += "_"
	}
	digits, begins := strings.CutPrefix(name, before)
	digits, ends := strings.CutSuffix(digits, after)
	i, err := strconv.Atoi(digits)
	return i, begins && ends && err == nil && 1 <= i && i <= count && strconv.Itoa(i) == digits
}
