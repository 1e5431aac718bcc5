package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

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

func newHasher(s Study) *hasher {
	h := &hasher{sum: sha256.New()}
	fmt.Fprintf(h.sum, "model %s\n", scheduler.ModelVersion)
	s.identify(h.sum)
	if until := s.All().Until; until != nil {
		fmt.Fprintf(h.sum, "until %+v\n", *until)
	}
	return h
}

func (h *hasher) add(s Study, p Point) {
	if p.Host != h.host {
		h.host, h.hostHash = p.Host, p.Host.Hash()
	}
	s.identifyPoint(h.sum, p, h.hostHash)
}

func (s Contest) identify(w io.Writer) {
	fmt.Fprintf(w, "%s %+v %q %d %d\n", s.Scenario, s.Population, s.Settings, s.Seed, s.Replications)
}

func (s Contest) identifyPoint(w io.Writer, p Point, host string) {
	fmt.Fprintf(w, "%d %d %s %+v %q %v %q %s %v %v %+v\n", p.Tables, p.Workers, p.Strategy.Name, p.Strategy.Choices,
		p.Choices, p.PG, p.Settings, host, p.DueShare, p.Start, p.Window)
}

func (s Runs) identify(w io.Writer) {
	fmt.Fprintf(w, "run %s %q %d %d\n", s.Scenario, s.Base.Text, s.Seed, s.Replications)
}

func (s Runs) identifyPoint(w io.Writer, p Point, host string) {
	fmt.Fprintf(w, "%d %s %+v %q %v %q %s %q %q %v\n", p.Workers, p.Strategy.Name, p.Strategy.Choices,
		p.Choices, p.PG, p.Settings, host, p.Variant, p.Fields, p.Lasting)
}

// text is twelve hexadecimal digits.
func (h *hasher) text() string { return hex.EncodeToString(h.sum.Sum(nil))[:12] }

// Hash identifies the inputs of a study of these points.
func Hash(s Study, points []Point) string {
	h := newHasher(s)
	for _, p := range points {
		h.add(s, p)
	}
	return h.text()
}
