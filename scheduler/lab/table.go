package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"avsim/scheduler"
	"avsim/sim/experiment"
)

// Hash identifies what the results came from: model, scenarios, hosts' costs, strategies,
// seeds and length. Twelve hexadecimal digits.
func (l *Lab) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "model %s\n%d %d %v\n", scheduler.ModelVersion, l.Seed, l.Replications, l.Share)
	for _, sc := range l.Scenarios {
		costs := sc.Host
		if p, err := sc.HostProfile(); err == nil {
			costs = p.Hash()
		}
		fmt.Fprintf(h, "%q %s\n", sc.Text, costs)
	}
	for _, s := range l.Strategies {
		fmt.Fprintf(h, "%s %+v\n", s.Name, s.Choices)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// Table is a row for each scenario, measure and strategy.
func (r *Results) Table() *experiment.Table {
	t := &experiment.Table{Columns: []string{"model_version", "input_hash", "seed", "replications", "run_share",
		"scenario", "measure", "strategy", "value", "value_lo", "value_hi",
		"difference", "difference_lo", "difference_hi", "relative", "mark", "more_is_better"}}
	hash := r.Hash()
	for i, sc := range r.Scenarios {
		for j, m := range Measures() {
			for k, c := range r.Column(i, j) {
				t.AppendRow(scheduler.ModelVersion, hash, strconv.FormatUint(r.Seed, 10), strconv.Itoa(r.Replications), decimal(r.Share),
					sc.Name, m.Name, r.Strategies[k].Name, decimal(c.Value.Mean), decimal(c.Value.Lo), decimal(c.Value.Hi),
					decimal(c.Difference.Mean), decimal(c.Difference.Lo), decimal(c.Difference.Hi), decimal(c.Relative().Mean),
					string(c.Mark), strconv.FormatBool(m.More))
			}
		}
	}
	return t
}

func decimal(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 9, 64)
}
