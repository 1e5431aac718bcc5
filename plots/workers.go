package plots

import (
	"fmt"

	"avsim/sim/experiment"
)

// Workers draws automatic vacuums per second against the number of workers: a
// line per strategy, a panel per number of tables.
//
// It takes the columns that [Throughput] takes.
func Workers(table *experiment.Table) (*Figure, error) {
	chart, err := newLineChart(table, Spec{
		Name: "workers",
		X:    "workers", Y: "throughput_per_s", Series: "strategy", Panel: "tables",
		LogX: true, LogY: true,
		XLabel: "workers", YLabel: "automatic vacuums per second",
		PanelNoun: "table",
		Title:     "automatic vacuums per second by number of workers",
	})
	if err != nil {
		return nil, err
	}
	return chart.figure(workersFinding(chart)), nil
}

// A trend is how a line moves from its fewest to its most workers.
type trend struct {
	name              string
	tables            string
	first, peak, last point
}

// loss and gain are what the last point is below the peak and above the first,
// as ratios; 1 where the difference could be chance.
func (t trend) loss() float64 {
	if !t.peak.exceeds(t.last) {
		return 1
	}
	return t.peak.y / t.last.y
}

func (t trend) gain() float64 {
	if !t.last.exceeds(t.first) {
		return 1
	}
	return t.last.y / t.first.y
}

// workersFinding tells the greatest loss by more workers if there is one, or
// else the greatest gain.
func workersFinding(c *lineChart) string {
	var worst, best trend
	for _, t := range trends(c) {
		if worst.name == "" || t.loss() >= worst.loss() {
			worst = t
		}
		if best.name == "" || t.gain() >= best.gain() {
			best = t
		}
	}
	switch {
	case worst.name == "":
		return c.neutralTitle()
	case worst.loss() > 1 && worst.peak.exceeds(worst.first):
		return fmt.Sprintf("%s is fastest with %s: %s vacuums a second, %s with %s (%s)",
			worst.name, counted(number(worst.peak.x), "worker"),
			rate(worst.peak.y), rate(worst.last.y), number(worst.last.x), worst.tables)
	case worst.loss() > 1 && worst.first.exceeds(worst.last):
		return worst.title("slower")
	case best.gain() > 1:
		return best.title("faster")
	}
	return c.neutralTitle()
}

func (t trend) title(effect string) string {
	return fmt.Sprintf("More workers make %s %s: %s vacuums a second with %s, %s with %s (%s)",
		t.name, effect, rate(t.first.y), counted(number(t.first.x), "worker"), rate(t.last.y), number(t.last.x), t.tables)
}

// trends returns the trend of every line with two points to compare.
func trends(c *lineChart) []trend {
	var all []trend
	for _, panel := range c.panels {
		for _, line := range panel.series {
			var points []point
			for _, p := range line.points {
				if !p.ramped {
					points = append(points, p)
				}
			}
			if len(points) < 2 {
				continue
			}
			t := trend{name: line.label(), tables: counted(panel.value, c.spec.PanelNoun), first: points[0], peak: points[0], last: points[len(points)-1]}
			for _, p := range points {
				if p.y > t.peak.y {
					t.peak = p
				}
			}
			all = append(all, t)
		}
	}
	return all
}
