package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"avsim/scheduler"
)

// Hash identifies the inputs of a study: model version, study and points, of
// the hosts what they cost. Twelve hexadecimal digits.
func (s Study) Hash(points []Point) string {
	h := sha256.New()
	fmt.Fprintf(h, "model %s\n", scheduler.ModelVersion)
	fmt.Fprintf(h, "%s %+v %q %d %d\n", s.Scenario, s.Population, s.Settings, s.Seed, s.Replications)
	hosts := map[any]string{}
	for _, p := range points {
		if hosts[p.Host] == "" {
			hosts[p.Host] = p.Host.Hash()
		}
		fmt.Fprintf(h, "%d %d %s %+v %q %v %q %s %v %v %+v\n", p.Tables, p.Workers, p.Strategy.Name, p.Strategy.Choices,
			p.Choices, p.PG, p.Settings, hosts[p.Host], p.DueShare, p.Start, p.Window)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
