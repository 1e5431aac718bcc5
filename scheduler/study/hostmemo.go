package study

import (
	"strings"

	"avsim/workload/host"
)

// hostMemo keeps the host of the point before, which most often is that of the
// next as well: points share it, and its figures are read once.
type hostMemo struct {
	key  string
	base *host.Profile
	made *host.Profile
}

// of is the draft's host with its figures and processors.
func (m *hostMemo) of(d *draft) (*host.Profile, error) {
	key := strings.Join(d.HostFigures, " ")
	if m.made == nil || m.base != d.Host || m.key != key || d.cores > 0 && d.cores != m.made.Cores {
		h := d.Host
		for _, f := range d.figures {
			var err error
			if h, err = h.With(f[0], f[1]); err != nil {
				return nil, err
			}
		}
		if d.cores > 0 {
			h = h.WithCores(d.cores)
		}
		m.key, m.base, m.made = key, d.Host, h
	}
	return m.made, nil
}
