package host

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// With returns the same machine with one figure changed. The path names it as
// the keys of the file do, with points between them, and the value is what
// stands there in the file: cold_after and 2ms, worker.lock_hold.hot and 3us,
// worker.sort and {base: 1us, per_entry: 2ns}.
func (p *Profile) With(path, value string) (*Profile, error) {
	keys := strings.Split(path, ".")
	if slices.Contains([]string{"like", "name", "description", "source"}, keys[0]) {
		return nil, fmt.Errorf("%s is no figure of a host profile", keys[0])
	}
	if strings.ContainsAny(path+value, "\n#&*!|>%@`\"'") || slices.Contains(keys, "") {
		return nil, fmt.Errorf("%s=%s is no figure of a host profile and its value, such as cold_after=2ms", path, value)
	}
	text := strings.Join(keys, ": {") + ": " + value + strings.Repeat("}", len(keys)-1)
	d := decoder{inherits: true}
	root, err := d.document([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s=%s cannot be read as a figure and its value, such as cold_after=2ms", path, value)
	}
	q := *p
	if err := d.profile(root, &q); err != nil {
		return nil, err
	}
	return &q, nil
}

// ParseTime reads a time of a profile, such as 54us or 0.7ms.
func ParseTime(text string) (time.Duration, bool) {
	ns, ok := parseNanoseconds(text)
	return toDuration(ns), ok
}
