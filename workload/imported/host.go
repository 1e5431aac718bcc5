package imported

import (
	"fmt"
	"strings"

	"avsim/workload/host"
)

// HostProfile is a host profile, as text, that is like another but for what the log
// tells of the machine: how long it takes to read a page. ok is false where it tells
// nothing of that.
func (l *Log) HostProfile(like, name string) (text []byte, ok bool, err error) {
	read, ok := l.ReadTime()
	if !ok {
		return nil, false, nil
	}
	if _, err := host.Load(like); err != nil {
		return nil, false, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "like: %s\nname: %s\n", yamlName(like), yamlName(name))
	fmt.Fprintf(&b, "description: %s\n", quoted("like "+like+", but for the time to read a page, which a server's log tells"))
	fmt.Fprintf(&b, "source: %s\n", quoted(fmt.Sprintf("log: I/O timings of %d vacuums and analyzes, %s confidence; the rest %s", read.From, read.Confidence, like)))
	time := significant(read.Value) + "us"
	fmt.Fprintf(&b, "vacuum:\n  throttled: {read: %s}\n  free: {read: %s}\n", time, time)
	if _, err := host.Parse([]byte(b.String()), name); err != nil {
		return nil, false, fmt.Errorf("--host %s: %w", like, err)
	}
	return []byte(b.String()), true, nil
}
