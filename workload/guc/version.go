package guc

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Version is a release of PostgreSQL: a branch such as 9.5 or 13 and, when it
// is given, a minor release. The zero Version is none; make one with
// ParseVersion.
type Version struct {
	branch int // 93 for 9.3, 130 for 13
	minor  int // newest when only the branch is given
}

// newest is the minor number of a version of which only the branch is given.
const newest = math.MaxInt32

// lastMinor lists the supported branches, oldest first, and the last minor
// release of those that are closed (postgresql.org, "Versioning Policy").
var lastMinor = []Version{
	{93, 25}, {94, 26}, {95, 25}, {96, 24}, {100, 23}, {110, 22}, {120, 22}, {130, 23},
	{140, newest}, {150, newest}, {160, newest}, {170, newest}, {180, newest}, {190, newest},
}

// Branches returns the supported branches, oldest first.
func Branches() []Version {
	out := make([]Version, len(lastMinor))
	for i, v := range lastMinor {
		out[i] = Version{v.branch, newest}
	}
	return out
}

// ParseVersion reads a version as PostgreSQL writes it: 9.5, 9.5.12, 13, 18.4.
// A branch alone stands for its newest minor release. Versions before 9.3 and
// after 19, and minor releases that a closed branch never had, are errors that
// name the nearest supported version.
func ParseVersion(text string) (Version, error) {
	v, err := readVersion(text)
	if err != nil {
		return Version{}, err
	}
	near := v.nearest()
	switch {
	case near.branch != v.branch:
		return Version{}, fmt.Errorf("PostgreSQL %s is not modelled: 9.3 to 19 are, the nearest is %s", text, near)
	case near != v:
		return Version{}, fmt.Errorf("PostgreSQL %s was never released: the last of %s is %s", text, v.Branch(), near)
	}
	return v, nil
}

// NearestSupported reads a version as ParseVersion does, but takes the nearest
// supported one where PostgreSQL's own is not modelled. The only error left is
// a text that is no version.
func NearestSupported(text string) (Version, error) {
	v, err := readVersion(text)
	if err != nil {
		return Version{}, err
	}
	return v.nearest(), nil
}

// MustVersion is ParseVersion for versions that stand in source code; it panics
// on an error.
func MustVersion(text string) Version {
	v, err := ParseVersion(text)
	if err != nil {
		panic(err)
	}
	return v
}

// readVersion reads the syntax alone, whether or not there was such a release.
func readVersion(text string) (Version, error) {
	parts := strings.Split(text, ".")
	n := make([]int, len(parts))
	for i, p := range parts {
		d, err := strconv.ParseUint(p, 10, 16)
		if err != nil || strconv.FormatUint(d, 10) != p {
			return Version{}, notAVersion(text)
		}
		n[i] = int(d)
	}
	v := Version{branch: n[0] * 10, minor: newest}
	rest := n[1:]
	if n[0] < 10 { // two numbers name the branch
		if len(rest) == 0 || rest[0] > 9 {
			return Version{}, notAVersion(text)
		}
		v.branch += rest[0]
		rest = rest[1:]
	}
	switch len(rest) {
	case 0:
	case 1:
		v.minor = rest[0]
	default:
		return Version{}, notAVersion(text)
	}
	return v, nil
}

func notAVersion(text string) error {
	return fmt.Errorf("%q is not a version of PostgreSQL: accepted are 9.3 to 9.6 and 10 to 19, with or without the minor release (9.5.12, 13, 18.4)", text)
}

// nearest is the supported version closest to v: the branch next to it in the
// order of releases, and the last minor release where v's is beyond it.
func (v Version) nearest() Version {
	first, last := lastMinor[0], lastMinor[len(lastMinor)-1]
	if v.branch < first.branch {
		return Version{first.branch, newest}
	}
	if v.branch > last.branch {
		return Version{last.branch, newest}
	}
	near := first // 9.7 to 9.9 fall back to 9.6
	for _, b := range lastMinor {
		if b.branch <= v.branch {
			near = b
		}
	}
	if near.branch != v.branch {
		return Version{near.branch, newest}
	}
	if v.minor != newest && v.minor > near.minor {
		return near
	}
	return v
}

// Compare returns -1, 0 or 1 as v is older than, the same as or newer than w.
// A branch alone is newer than each of its minor releases.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.branch, w.branch), cmp.Compare(v.minor, w.minor))
}

// AtLeast tells whether v has what a branch or minor release introduced: 18.4 is
// at least 18, 9.5.12 is not at least 9.5.13, and the branch 9.5 alone, being
// its newest minor release, is.
func (v Version) AtLeast(w Version) bool {
	if w.minor == newest {
		return v.branch >= w.branch
	}
	return v.Compare(w) >= 0
}

// Branch returns the version without its minor release, 9.5 or 13.
func (v Version) Branch() Version { return Version{v.branch, newest} }

// Minor returns the minor release and whether one was given.
func (v Version) Minor() (int, bool) {
	if v.minor == newest {
		return 0, false
	}
	return v.minor, true
}

// String writes the version as PostgreSQL does.
func (v Version) String() string {
	s := strconv.Itoa(v.branch / 10)
	if v.branch < 100 {
		s += "." + strconv.Itoa(v.branch%10)
	}
	if v.minor != newest {
		s += "." + strconv.Itoa(v.minor)
	}
	return s
}
