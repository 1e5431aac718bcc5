package guc

import (
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for _, text := range []string{"9.3", "9.5.12", "9.6.24", "10.3", "13", "13.23", "18.4", "19"} {
		v, err := ParseVersion(text)
		if err != nil || v.String() != text {
			t.Errorf("%q is read as %q, %v", text, v, err)
		}
	}
	for text, want := range map[string]string{
		"9.2":     "nearest is 9.3",
		"20":      "nearest is 19",
		"9.7":     "nearest is 9.6",
		"9.5.99":  "last of 9.5 is 9.5.25",
		"9":       "not a version",
		"13.1.2":  "not a version",
		"013":     "not a version",
		"19beta1": "not a version",
		"":        "not a version",
	} {
		if _, err := ParseVersion(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

func TestNearestSupported(t *testing.T) {
	for text, want := range map[string]string{"9.2.4": "9.3", "21.1": "19", "9.6.30": "9.6.24", "16.2": "16.2"} {
		if v, err := NearestSupported(text); err != nil || v.String() != want {
			t.Errorf("nearest to %s is %s, %v; want %s", text, v, err, want)
		}
	}
}

// The releases in the order in which branches and their minors follow.
func TestCompare(t *testing.T) {
	order := []string{"9.3.22", "9.3.23", "9.3", "9.4.17", "9.6", "10.3", "10.4", "13", "14", "18.4", "18", "19"}
	for i, a := range order {
		for j, b := range order {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := MustVersion(a).Compare(MustVersion(b)); got != want {
				t.Errorf("%s against %s is %d, want %d", a, b, got, want)
			}
		}
	}
	if !MustVersion("18.4").AtLeast(MustVersion("18")) || MustVersion("9.5.12").AtLeast(MustVersion("9.5.13")) || !MustVersion("9.5").AtLeast(MustVersion("9.5.13")) {
		t.Error("AtLeast disagrees with the order of releases")
	}
}
