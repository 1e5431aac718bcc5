package plots

import (
	"fmt"
	"slices"
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

// A contest is where lines can be compared: their points differ in the strategy
// only.
type contest struct {
	x          float64
	condition  string
	contenders []contender
}

// throughputFinding says which line is highest and by how much, at the place
// with the most lines: of several, the one furthest to the right in the last
// panel. Rates of runs that ran out of tables before all workers were there are
// no basis for a comparison, and neither is zero.
func throughputFinding(c *lineChart) string {
	var best contest
	for _, panel := range c.panels {
		for _, at := range c.contests(panel) {
			more, same := len(at.contenders) > len(best.contenders), len(at.contenders) == len(best.contenders)
			if more || same && at.x >= best.x {
				best = at
			}
		}
	}
	if len(best.contenders) < 2 {
		return c.neutralTitle()
	}
	highest, lowest := extremes(best.contenders)
	if !highest.exceeds(lowest.point) {
		return c.neutralTitle()
	}
	title := fmt.Sprintf("%s runs %s automatic vacuums a second %s %s at %s",
		highest.name, comparison(highest, lowest), conjunction(highest, lowest), lowest.name, c.place(highest.row))
	return title + others(best.contenders, highest, lowest)
}

// contests returns the places of a panel, in the order of its lines' points.
func (c *lineChart) contests(panel *linePanel) []contest {
	var contests []contest
	for _, line := range panel.series {
		for _, p := range line.points {
			if p.ramped || p.y <= 0 {
				continue
			}
			id := condition(c.table, p.row, c.spec.Series)
			i := slices.IndexFunc(contests, func(at contest) bool { return at.x == p.x && at.condition == id })
			if i < 0 {
				i = len(contests)
				contests = append(contests, contest{x: p.x, condition: id})
			}
			contests[i].contenders = append(contests[i].contenders, contender{line.name, p})
		}
	}
	return contests
}

// place says where a row is drawn: "100,000 tables, 30 workers and 2 CPUs".
func (c *lineChart) place(row int) string {
	texts := placeTexts(c.table, row, c.variants, c.spec.X, c.spec.Panel)
	n := len(texts) - 1
	return strings.Join(texts[:n], ", ") + " and " + texts[n]
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
	var names []string
	for _, panel := range c.panels {
		for _, line := range panel.series {
			names = append(names, line.name)
		}
	}
	if names = distinct(names); len(names) == 1 && names[0] != "" {
		return names[0] + ": " + c.spec.Title
	}
	return capitalized(c.spec.Title)
}

func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
