package imported

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

var (
	plainName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.$]*$`)
	plainValue = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?[A-Za-z]*$`)
)

// yamlValue is a setting's value, numbers and times as they are.
func yamlValue(text string) string {
	if plainValue.MatchString(text) {
		return text
	}
	return yamlName(text)
}

// yamlName is a text, in quotes where it needs them.
func yamlName(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf":
		return quoted(text)
	}
	if plainName.MatchString(text) {
		return text
	}
	return quoted(text)
}

// quoted is a text in double quotes, as YAML and JSON have them.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(strings.TrimSpace(text)); err != nil {
		panic(err) // a text is always encoded
	}
	return strings.TrimSpace(b.String())
}

// printable is a text on one line, with _ for what does not print.
func printable(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, text))
}

// whole is a number without a fraction.
func whole(x float64) string { return strconv.FormatFloat(math.Round(x), 'f', -1, 64) }

// significant is a number with four digits that count.
func significant(x float64) string {
	if math.Abs(x) >= 10000 {
		return whole(x)
	}
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return strconv.FormatFloat(y, 'f', -1, 64)
}

// rateText is a rate in the unit in which it reads best.
func rateText(perSecond float64) string {
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"min", 60}, {"h", 3600}} {
		if x := perSecond * u.seconds; x >= 0.1 {
			return significant(x) + "/" + u.name
		}
	}
	return strconv.FormatFloat(perSecond*86400, 'g', 4, 64) + "/d"
}
