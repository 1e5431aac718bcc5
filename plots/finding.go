package plots

import (
	"fmt"
	"strings"
)

// What a difference of two rates has to be before a title claims it.
const (
	leastDifference       = 1.05 // with intervals, which must be apart as well
	leastWithoutIntervals = 1.10
)

// exceeds reports whether a is more than b: their intervals are apart, or they
// have none and differ clearly.
func (a point) exceeds(b point) bool {
	if a.intervalKnown() && b.intervalKnown() {
		return a.lo > b.hi && a.y >= leastDifference*b.y
	}
	return a.y >= leastWithoutIntervals*b.y
}

func (p point) intervalKnown() bool { return p.lo <= p.y && p.y <= p.hi }

// A contender is a line's point among those of the other lines at one place.
type contender struct {
	name string
	point
}

// throughputFinding says which line is highest and by how much, at the place
// with the most lines: of several, the one furthest to the right in the last
// panel. Rates of runs that ran out of tables before all workers were there are
// no basis for a comparison.
func throughputFinding(c *lineChart, xNoun string) string {
	var best []contender
	var bestX float64
	var bestPanel *linePanel
	for _, panel := range c.panels {
		for x, contenders := range contendersByX(panel) {
			more, same := len(contenders) > len(best), len(contenders) == len(best)
			if more || same && (x > bestX || x == bestX && panel != bestPanel) {
				best, bestX, bestPanel = contenders, x, panel
			}
		}
	}
	if len(best) < 2 {
		return c.neutralTitle()
	}
	highest, lowest := extremes(best)
	if !highest.exceeds(lowest.point) {
		return c.neutralTitle()
	}
	place := counted(cell(c.table, highest.row, c.spec.X), xNoun)
	if c.spec.PanelNoun != "" {
		place += " and " + counted(bestPanel.value, c.spec.PanelNoun)
	}
	title := fmt.Sprintf("%s runs %s automatic vacuums a second %s %s at %s",
		highest.name, comparison(highest, lowest), conjunction(highest, lowest), lowest.name, place)
	return title + others(best, highest, lowest)
}

func contendersByX(panel *linePanel) map[float64][]contender {
	at := map[float64][]contender{}
	for _, line := range panel.series {
		for _, p := range line.points {
			if !p.ramped {
				at[p.x] = append(at[p.x], contender{line.label(), p})
			}
		}
	}
	return at
}

func extremes(all []contender) (highest, lowest contender) {
	highest, lowest = all[0], all[0]
	for _, c := range all[1:] {
		if c.y > highest.y {
			highest = c
		}
		if c.y < lowest.y {
			lowest = c
		}
	}
	return highest, lowest
}

// others says how the remaining lines compare, as long as that is short.
func others(all []contender, highest, lowest contender) string {
	const most = 4
	if len(all) > most {
		return ""
	}
	var text strings.Builder
	for _, c := range all {
		switch {
		case c.name == highest.name || c.name == lowest.name:
		case c.exceeds(lowest.point):
			fmt.Fprintf(&text, "; %s %s", c.name, shortComparison(c, lowest))
		default:
			fmt.Fprintf(&text, "; %s not measurably more", c.name)
		}
	}
	return text.String()
}

// comparison words how much more a is than b: "80 times as many", "35 % more".
func comparison(a, b contender) string {
	if ratio := a.y / b.y; ratio >= 1.995 {
		return multiple(ratio) + " as many"
	}
	return percent(a.y/b.y-1) + " more"
}

func shortComparison(a, b contender) string {
	return strings.TrimSuffix(comparison(a, b), " as many")
}

func conjunction(a, b contender) string {
	if a.y/b.y >= 1.995 {
		return "as"
	}
	return "than"
}

// neutralTitle is the title where there is nothing to claim.
func (c *lineChart) neutralTitle() string {
	if names := c.names(); len(names) == 1 && names[0] != "" {
		return names[0] + ": " + c.spec.Title
	}
	return capitalized(c.spec.Title)
}

// names returns the labels of all lines.
func (c *lineChart) names() []string {
	var names []string
	seen := map[string]bool{}
	for _, panel := range c.panels {
		for _, line := range panel.series {
			if !seen[line.label()] {
				seen[line.label()] = true
				names = append(names, line.label())
			}
		}
	}
	return names
}

func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
