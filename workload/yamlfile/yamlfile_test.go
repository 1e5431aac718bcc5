package yamlfile

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

type sample struct {
	name  string
	sizes []float64
	wait  time.Duration
	on    bool
	count int
}

func (s *sample) value() Value {
	return Object(
		Field{Name: "name", Doc: "what it is called", Required: true, Value: String(&s.name)},
		Field{Name: "sizes", Value: List(&s.sizes, 1, func(x *float64) Value { return Number(x, 0, 1e9).As("size") })},
		Field{Name: "wait", Value: Duration(&s.wait, time.Second, time.Hour)},
		Field{Name: "on", Value: Switch(&s.on)},
		Field{Name: "count", Value: Whole(&s.count, 1, 9)},
	)
}

func read(text string) (sample, error) {
	var s sample
	d := Decoder{File: "a.yaml", Noun: "sample", MostKeys: 20, MostNested: 4}
	return s, d.Read([]byte(text), s.value())
}

func TestRead(t *testing.T) {
	var s sample
	d := Decoder{File: "a.yaml", Noun: "sample", MostKeys: 20, MostNested: 4}
	err := d.Read([]byte("name: x\nsizes: [1, 2e3, 1_000]\nwait: 1m30s\non: true\ncount: 3\n"), s.value())
	want := sample{"x", []float64{1, 2000, 1000}, 90 * time.Second, true, 3}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "a.yaml: found nothing; accepted is a sample",
		"# nothing":                      "a.yaml: found nothing; accepted is a sample",
		"5":                              `a.yaml:1:1: found "5"; accepted is a mapping with the keys name, sizes, wait, on, count`,
		"nam: x":                         "a.yaml:1:1: nam: unknown key (did you mean name?); accepted is name, sizes, wait, on, count",
		"count: 1":                       "a.yaml:1:1: name: missing; accepted is all of name",
		"name: x\nsizes: [1, -1]":        `a.yaml:2:12: sizes[1]: found "-1"; accepted is a number from 0 to 1000000000`,
		"name: x\nsizes: []":             "a.yaml:2:8: sizes: found an empty list; accepted is a list of 1 or more",
		"name: x\nsizes: [.inf]":         `a.yaml:2:9: sizes[0]: found ".inf"; accepted is a number from 0 to 1000000000`,
		"name: x\nwait: 5":               `a.yaml:2:7: wait: found "5" without a unit; accepted is a time from 1s to 1h with its unit, such as 40m, 7d or 1m26s`,
		"name: x\ncount: 2.5":            `a.yaml:2:8: count: found "2.5"; accepted is a whole number from 1 to 9`,
		"name: x\non: 1":                 `a.yaml:2:5: on: found "1"; accepted is true or false`,
		"name: x\n---\nname: y":          "a.yaml:3:1: found a second document; accepted is one per file",
		"name: &a x":                     "a.yaml:1:7: name: found a YAML anchor, alias, tag or merge; accepted is a text of one line",
		"name: x\nsizes: [[[[[1]]]]]":    "a.yaml:2: nested too deeply; accepted are 4 levels",
		strings.Repeat("a: 1\n", 21):     "a.yaml:21: more than 20 keys; a sample has fewer",
		"? [a]\n: 1":                     "a.yaml:2:1: found an invalid key for this map; accepted is YAML, indented by spaces",
		strings.Repeat("#\n", MaxBytes):  "a.yaml: 2097152 bytes, a sample has at most 1048576",
		"name: \"a\\nb\"":                "a.yaml:1:7: name: found a line break or another control character; accepted is a text of one line",
		"\"a\\nb\": 1":                   `a.yaml:1:1: "a\nb": unknown key; accepted is name, sizes, wait, on, count`,
		"name: x\ncount: 99999999999999": `a.yaml:2:8: count: found "99999999999999"; accepted is a whole number from 1 to 9`,
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%.40q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"7d": 168 * time.Hour, "1.5h": 90 * time.Minute, "1m26s": 86 * time.Second, "5min": 5 * time.Minute, "7us": 7 * time.Microsecond,
		"2d3h4m5s6ms7us": 51*time.Hour + 4*time.Minute + 5*time.Second + 6*time.Millisecond + 7*time.Microsecond,
	} {
		if got, ok := ParseDuration(text); !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, ok, want)
		}
		again, ok := ParseDuration(FormatDuration(want))
		if !ok || again != want {
			t.Errorf("%v is written %s, which reads as %v", want, FormatDuration(want), again)
		}
	}
	for _, text := range []string{"", "5", "-5s", "5y", "5 s", "s", "1e3s", "99999999999999999d", "5S"} {
		if got, ok := ParseDuration(text); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

// The schema has what the reader has.
func TestJSONSchema(t *testing.T) {
	var schema struct {
		Required   []string
		Properties map[string]map[string]any
		Defs       map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(JSONSchema("a sample", new(sample).value()), &schema); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(schema.Required, []string{"name"}) || len(schema.Properties) != 5 {
		t.Errorf("keys %v, required %v", schema.Properties, schema.Required)
	}
	if got := schema.Properties["name"]["description"]; got != "what it is called" {
		t.Errorf("name is described as %v", got)
	}
	if got := schema.Defs["size"]["maximum"]; got != 1e9 {
		t.Errorf("a size is at most %v", got)
	}
}

// A set of keys is complete, and has no key of another; a key with a ? may be
// left out.
func TestChoice(t *testing.T) {
	for text, want := range map[string]string{
		"{a: 1}":             "",
		"{b: 1, c: 1}":       "",
		"{b: 1, c: 1, a: 1}": "",
		"{a: 1, c: 1}":       "a.yaml:1:2: found a and c; accepted is one of a, b with c [a]",
		"{b: 1, a: 1}":       "a.yaml:1:2: found a and b; accepted is one of a, b with c [a]",
		"{b: 1}":             "a.yaml:1:2: found b; accepted is one of a, b with c [a]",
		"{}":                 "a.yaml:1:1: found an empty mapping; accepted is one of a, b with c [a]",
	} {
		var x float64
		number := func(name string) Field { return Field{Name: name, Value: Number(&x, 0, 9)} }
		d := Decoder{File: "a.yaml", Noun: "sample", MostKeys: 20, MostNested: 4}
		err := d.Read([]byte(text), Choice([]Field{number("a"), number("b"), number("c")}, "a", "b c a?"))
		if got := errorText(err); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestOneOf(t *testing.T) {
	for text, want := range map[string]string{
		"live":   "",
		"livve":  `a.yaml:1:1: found "livve" (did you mean live?); accepted is one of live, orphaned`,
		"Live":   `a.yaml:1:1: found "Live" (did you mean live?); accepted is one of live, orphaned`,
		"true":   `a.yaml:1:1: found "true"; accepted is one of live, orphaned`,
		"[live]": "a.yaml:1:1: found a list; accepted is one of live, orphaned",
	} {
		var word string
		d := Decoder{File: "a.yaml", Noun: "sample", MostKeys: 20, MostNested: 4}
		err := d.Read([]byte(text), OneOf(&word, "live", "orphaned"))
		if got := errorText(err); got != want || err == nil && word != text {
			t.Errorf("%s: %q,\n got %s\nwant %s", text, word, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
