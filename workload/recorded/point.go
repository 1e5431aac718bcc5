package recorded

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Key tells one recorded point from another. Rows that agree in it are
// repetitions.
type Key struct {
	PGVersion string
	Strategy  string
	// Freshness is what a worker demands of the statistics file;
	// UnknownFreshness where the recording does not tell, as with versions that
	// have no such file.
	Freshness time.Duration
	Tables    int
	Workers   int
	Start     string // gated or natural
	Naptime   time.Duration
}

// UnknownFreshness stands for the strategy's own.
const UnknownFreshness = time.Duration(-1)

// String names the point as a person would.
func (k Key) String() string {
	s := fmt.Sprintf("%s %s, %d tables, %d workers, %s start, naptime %v", k.PGVersion, k.Strategy, k.Tables, k.Workers, k.Start, k.Naptime)
	if k.Freshness != UnknownFreshness {
		s += fmt.Sprintf(", freshness %v", k.Freshness)
	}
	return s
}

// Row is one recorded run. Counters that the build did not have, or for which
// the window was too short, are NaN.
type Row struct {
	Key
	File      string
	Line      int
	Exhausted string // no, yes or ramp
	Window    time.Duration
	Vacuums   int

	Throughput       float64 // automatic vacuums a second
	Distinct         float64 // tables vacuumed for the first time, a second
	Rechecks         float64 // a second
	WastedRechecks   float64 // a second
	StatsWrites      float64 // a second
	StatsWriteMillis float64 // elapsed, mean
	CollectorCores   float64 // processor use; NaN in runs that ran out of tables
	WorkersCores     float64
}

// Point is a recorded point with its repetitions.
type Point struct {
	Key
	Rows []Row
}

// Exhausted is that of the repetition that ran out soonest.
func (p Point) Exhausted() string {
	worst := "no"
	for _, r := range p.Rows {
		if r.Exhausted == "ramp" || r.Exhausted == "yes" && worst == "no" {
			worst = r.Exhausted
		}
	}
	return worst
}

// Window is the longest window of the repetitions.
func (p Point) Window() time.Duration {
	var longest time.Duration
	for _, r := range p.Rows {
		longest = max(longest, r.Window)
	}
	return longest
}

// Spread is mean, least and greatest of a column over the repetitions that
// have it; NaN where none has.
func (p Point) Spread(of func(Row) float64) (mean, least, greatest float64) {
	n := 0
	least, greatest = math.Inf(1), math.Inf(-1)
	for _, r := range p.Rows {
		if x := of(r); !math.IsNaN(x) {
			mean += x
			least, greatest = min(least, x), max(greatest, x)
			n++
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return mean / float64(n), least, greatest
}

// Points brings repetitions together, in the order of their first row.
func Points(rows []Row) []Point {
	var out []Point
	for _, r := range rows {
		i := slices.IndexFunc(out, func(p Point) bool { return p.Key == r.Key })
		if i < 0 {
			out = append(out, Point{Key: r.Key})
			i = len(out) - 1
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	return out
}

// Family is the version family in which strategies may be ranked against each
// other: 9.5.12 and 9.5.13 are builds of one family, 13 and 18 of others.
func (k Key) Family() string {
	parts := strings.Split(k.PGVersion, ".")
	if parts[0] == "9" && len(parts) > 1 {
		return parts[0] + "." + parts[1]
	}
	return parts[0]
}
