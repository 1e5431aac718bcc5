package plots

import (
	"fmt"
	"strings"
)

// mostTold is how many lines or bars are told one by one.
const mostTold = 24

// words tell each line by its first, highest and last point.
func (c *lineChart) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Lines of %s against %s%s.", c.spec.YLabel, c.spec.XLabel, scalesInWords(c.spec.LogX, c.spec.LogY))
	told := 0
	for _, panel := range c.panels {
		for _, line := range panel.series {
			if told++; told > mostTold {
				continue
			}
			fmt.Fprintf(&b, " %s: %s.", c.lineName(panel, line), courseOf(line))
		}
	}
	if told > mostTold {
		fmt.Fprintf(&b, " And %d lines more.", told-mostTold)
	}
	return b.String()
}

func scalesInWords(x, y bool) string {
	switch {
	case x && y:
		return ", both logarithmic"
	case x:
		return ", which is logarithmic"
	case y:
		return ", on a logarithmic axis"
	}
	return ""
}

// lineName is a line's name with its panel's, where there are several.
func (c *lineChart) lineName(panel *linePanel, line *series) string {
	name := line.label()
	if len(c.panels) > 1 || name == "" {
		name = strings.TrimPrefix(name+", "+c.panelName(panel), ", ")
	}
	return name
}

// courseOf tells a line: "900 at 100, 1,200 at 1,000, 2.1 at 100,000".
func courseOf(line *series) string {
	highest := 0
	for i, p := range line.points {
		if p.y > line.points[highest].y {
			highest = i
		}
	}
	var parts []string
	last := len(line.points) - 1
	for i, p := range line.points {
		if i == 0 || i == highest || i == last {
			parts = append(parts, fmt.Sprintf("%s at %s", rate(p.y), number(p.x)))
		}
	}
	return strings.Join(parts, ", ")
}

// words tell of each panel and line from what to what it goes.
func (o *overTime) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Lines over %s.", span(o.to-o.from))
	for _, p := range o.panels {
		for _, line := range p.lines {
			if len(line.points) == 0 {
				continue
			}
			name := p.head
			if line.name != "" {
				name += ", " + line.label()
			}
			least, most := heights(line)
			fmt.Fprintf(&b, " %s: %s at the start, %s at the end, between %s and %s.", name, about(line.points[0].y), about(line.last().y), about(least), about(most))
		}
	}
	return b.String()
}

// words tell what share of the slots' time goes into each kind of work.
func (t *timeline) words() string {
	var parts []string
	for i, s := range t.shares() {
		if s == 0 {
			continue
		}
		name := "has a worker"
		if i < len(workKinds) {
			name = workKinds[i].label
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, percent(s)))
	}
	return fmt.Sprintf("A lane for each of %s over %s. Of their time: %s.", counted(fmt.Sprint(len(t.lanes)), "worker slot"), span(t.to-t.from), strings.Join(parts, ", "))
}

// words tell the quantiles of each class of tables.
func (c *latenessChart) words() string {
	var b strings.Builder
	b.WriteString("The share of visits to tables that came no later, a line for each size of table.")
	for _, x := range c.classes {
		fmt.Fprintf(&b, " %s, %s: half within %s, 99 %% within %s.", x.name, counted(fmt.Sprint(x.visits), "visit"), wait(x.at(0.5)), wait(x.at(0.99)))
	}
	return b.String()
}

// words tell of each bar what most of the time goes into.
func (c *timeChart) words() string {
	var b strings.Builder
	b.WriteString("Bars of the shares of the workers' time.")
	told := 0
	c.each(func(panel timePanel, group timeGroup, x bar) {
		if told++; told > mostTold {
			return
		}
		largest := 0
		for i, share := range x.shares {
			if share > x.shares[largest] {
				largest = i
			}
		}
		fmt.Fprintf(&b, " %s at %s: %s %s.", group.label(), strings.Join(placeTexts(c.table, x.row, c.variants, c.panelBy, c.rowBy), ", "), components[largest].name, percent(x.shares[largest]))
	})
	if told > mostTold {
		fmt.Fprintf(&b, " And %d bars more.", told-mostTold)
	}
	return b.String()
}
