package plots

import (
	"fmt"
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// Workers draws automatic vacuums per second against the number of workers: a
// line per strategy, a panel per number of tables or, if there is one such number
// only, per value of the next column that has more.
//
// It takes the columns that [Throughput] takes. If they hold one number of
// workers only, or no rate above zero, the error is [ErrNothingToDraw].
func Workers(table *experiment.Table) (*Figure, error) {
	chart, err := rateChart(table, "workers", "workers")
	if err != nil {
		return nil, err
	}
	if len(numbersOf(table, chart.rows(), "workers")) == 1 {
		return nil, fmt.Errorf("plots: workers: %w", drawless{"nothing to compare: one worker count"})
	}
	return chart.figure(workersFinding(chart)), nil
}

// A trend is how a line moves from its fewest to its most workers.
type trend struct {
	name              string
	place             string // "10,000 tables, 2 CPUs"
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

// findingTables is the number of tables that a finding speaks of where there is
// a choice.
const findingTables = 10000

// workersFinding tells the greatest loss by more workers if there is one, or
// else the greatest gain: of the panel with [findingTables], or else of the last
// panel that has any.
func workersFinding(c *lineChart) string {
	panels := slices.Clone(c.panels)
	slices.Reverse(panels)
	if i := slices.IndexFunc(panels, c.speaksOf); i >= 0 {
		panels = slices.Insert(slices.Delete(panels, i, i+1), 0, c.panels[len(panels)-1-i])
	}
	for _, panel := range panels {
		if title := lossFinding(c.trends(panel)); title != "" {
			return title
		}
	}
	for _, panel := range panels {
		if title := gainFinding(c.trends(panel)); title != "" {
			return title
		}
	}
	return c.neutralTitle()
}

func (c *lineChart) speaksOf(panel *linePanel) bool {
	tables, ok := parse(panel.value)
	return c.spec.Panel == "tables" && ok && tables == findingTables
}

// lossFinding tells the greatest loss, nothing if there is none.
func lossFinding(trends []trend) string {
	var worst trend
	for _, t := range trends {
		if worst.name == "" || t.loss() >= worst.loss() {
			worst = t
		}
	}
	switch {
	case worst.name == "" || worst.loss() <= 1:
		return ""
	case worst.peak.exceeds(worst.first):
		return fmt.Sprintf("%s is fastest with %s: %s vacuums a second, %s with %s (%s)",
			worst.name, counted(number(worst.peak.x), "worker"),
			rate(worst.peak.y), rate(worst.last.y), number(worst.last.x), worst.place)
	case worst.first.exceeds(worst.last):
		return worst.title("slower")
	}
	return ""
}

// gainFinding tells the greatest gain, nothing if there is none.
func gainFinding(trends []trend) string {
	var best trend
	for _, t := range trends {
		if best.name == "" || t.gain() >= best.gain() {
			best = t
		}
	}
	if best.name == "" || best.gain() <= 1 {
		return ""
	}
	return best.title("faster")
}

func (t trend) title(effect string) string {
	return fmt.Sprintf("More workers make %s %s: %s vacuums a second with %s, %s with %s (%s)",
		t.name, effect, rate(t.first.y), counted(number(t.first.x), "worker"), rate(t.last.y), number(t.last.x), t.place)
}

// trends returns the trend of each of a panel's lines, as far as its points differ
// in the number of workers only.
func (c *lineChart) trends(panel *linePanel) []trend {
	var trends []trend
	for _, line := range panel.series {
		for _, points := range c.alike(line.points) {
			if len(points) < 2 {
				continue
			}
			t := trend{name: line.name, place: c.trendPlace(panel, points[0].row), first: points[0], peak: points[0], last: points[len(points)-1]}
			for _, p := range points {
				if p.y > t.peak.y {
					t.peak = p
				}
			}
			trends = append(trends, t)
		}
	}
	return trends
}

// alike groups points, those that are no ramp's, by what they have to share to
// be compared along the x axis.
func (c *lineChart) alike(points []point) [][]point {
	var groups [][]point
	var conditions []string
	for _, p := range points {
		if p.ramped {
			continue
		}
		id := condition(c.table, p.row, c.spec.X)
		i := slices.Index(conditions, id)
		if i < 0 {
			i = len(groups)
			conditions, groups = append(conditions, id), append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// trendPlace says where a trend is seen: "10,000 tables, 2 CPUs".
func (c *lineChart) trendPlace(panel *linePanel, row int) string {
	parts := append([]string{c.panelName(panel)}, c.variants.texts(c.table, row)...)
	if c.spec.Panel != "tables" {
		parts = slices.Insert(parts, 0, valueText("tables", cell(c.table, row, "tables")))
	}
	return strings.Join(distinct(parts), ", ")
}
