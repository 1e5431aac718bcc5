package scenario

import (
	"strings"
	"testing"

	"avsim/workload/guc"
)

// Every built-in scenario reads, bears its file's name, and sets only what
// its PostgreSQL version has.
func TestBuiltIn(t *testing.T) {
	for _, name := range Names() {
		s, err := BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != name || s.Title == "" {
			t.Errorf("%s: name %q, title %q", name, s.Name, s.Title)
		}
		settings := guc.Defaults(guc.MustVersion(s.PG))
		for _, a := range s.Assignments() {
			if err := settings.Set(a[0], a[1]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"name: x\nwindw: {min: 8s}\n", `s.yaml:2:1: unknown field "windw"`},
		{"name: [\n", "s.yaml:1:7: "},
	} {
		_, err := Parse([]byte(c.text), "s.yaml")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): %v, want one line that begins with %q", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		text, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Parse(text, "f"); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of more than one line: %v", err)
		}
	})
}
