package guc

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestValues holds the parser, the ranges and the defaults to the lines of
// testdata/values.txt, whose expectations come from PostgreSQL's documentation
// and from what its servers print.
func TestValues(t *testing.T) {
	f, err := os.Open("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		left, want, _ := strings.Cut(line, " => ")
		version, left, _ := strings.Cut(left, " ")
		name, text, set := strings.Cut(strings.TrimLeft(left, " "), " = ")
		if got := show(version, name, text, set); got != want {
			t.Errorf("values.txt:%d: %s\n got %s\nwant %s", n, left, got, want)
		}
	}
}

func show(version, name, text string, set bool) string {
	s := Defaults(MustVersion(version))
	if set {
		if err := s.Set(name, text); err != nil {
			return "!" + err.Error()
		}
	}
	out, err := s.Show(name)
	if err != nil {
		return "!" + err.Error()
	}
	return out
}

// FuzzSet: whatever the text, a value that is accepted lies in its range, and
// what SHOW prints of it is accepted and means the same.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"15s", "1.5 min", "-1", "0x7fffffff", "off", "1e9", "30.1GB", "077", "3000000000", ".5us", "\v+1\f", "1e309"} {
		for _, name := range Names(MustVersion("19")) {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		for _, v := range Branches() {
			s := Defaults(v)
			if s.Set(name, text) != nil {
				continue
			}
			d, _ := Lookup(v, name)
			x := s.raw(d)
			if (d.Kind == Int || d.Kind == Real) && !(x >= d.Min && x <= d.Max) {
				t.Errorf("PostgreSQL %s: %s = %q gives %v, outside %v .. %v", v, name, text, x, d.Min, d.Max)
			}
			shown, again := d.show(x), Defaults(v)
			if err := again.Set(name, shown); err != nil {
				t.Fatalf("PostgreSQL %s: SHOW %s prints %q after %q, which Set refuses: %v", v, name, shown, text, err)
			}
			if y := again.raw(d); d.Kind != Real && y != x {
				t.Errorf("PostgreSQL %s: %s = %q is %v, but shown as %q, which is %v", v, name, text, x, shown, y)
			}
		}
	})
}
