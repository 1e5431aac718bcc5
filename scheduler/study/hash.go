package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"avsim/scheduler"
	"avsim/workload/host"
)

// hasher identifies the inputs of a study: model version, study and points, of
// the hosts what they cost.
type hasher struct {
	sum      hash.Hash
	host     *host.Profile // of the point before
	hostHash string
}

func (s Study) newHasher() *hasher {
	h := &hasher{sum: sha256.New()}
	fmt.Fprintf(h.sum, "model %s\n", scheduler.ModelVersion)
	fmt.Fprintf(h.sum, "%s %+v %q %d %d\n", s.Scenario, s.Population, s.Settings, s.Seed, s.Replications)
	if s.Until != nil {
		fmt.Fprintf(h.sum, "until %+v\n", *s.Until)
	}
	return h
}

func (h *hasher) add(p Point) {
	if p.Host != h.host {
		h.host, h.hostHash = p.Host, p.Host.Hash()
	}
	fmt.Fprintf(h.sum, "%d %d %s %+v %q %v %q %s %v %v %+v\n", p.Tables, p.Workers, p.Strategy.Name, p.Strategy.Choices,
		p.Choices, p.PG, p.Settings, h.hostHash, p.DueShare, p.Start, p.Window)
}

// text is twelve hexadecimal digits.
func (h *hasher) text() string { return hex.EncodeToString(h.sum.Sum(nil))[:12] }

// Hash identifies the inputs of a study of these points.
func (s Study) Hash(points []Point) string {
	h := s.newHasher()
	for _, p := range points {
		h.add(p)
	}
	return h.text()
}
