package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"avsim/sim/experiment"
)

// Ages draws how old the oldest table of each database is, in transactions, against
// the ages at which something happens, over the time of a run.
//
// It takes the columns time_seconds, series, kind ("age" or "limit") and
// age_transactions. A limit has a row where it begins to hold; it does until the
// next row of that name.
func Ages(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "ages", "there are no samples", "time_seconds", "series", "kind", "age_transactions"); err != nil {
		return nil, err
	}
	ages, limits := agesOf(table)
	if len(ages) == 0 {
		return nil, drawless{"plots: ages: no row has a time and an age"}
	}
	from, to := extent(ages)
	for _, l := range limits {
		l.points = steps(l.points, to)
	}
	o := &overTime{from: from, to: to, panels: []overTimePanel{{
		head: "age of the oldest table, transactions", log: true, least: leastAge(ages),
		lines: slices.Concat(limits, ages), height: 340,
	}}}
	return &Figure{
		page: page{
			title:      agesTitle(ages, limits),
			subtitle:   runSubtitle(table),
			footer:     runFooter(table, agesNotes(table, ages)...),
			bodyHeight: o.bodyHeight(pageWidth),
			body:       o.draw,
			heightAt:   o.bodyHeight,
			words:      o.words,
		},
		data: copyRows("ages", table, allRows(table), append([]string{"series", "kind", "time_seconds", "age_transactions"}, runColumns...)),
	}, nil
}

// mostDatabases is how many databases have lines: those that get oldest.
const mostDatabases = 6

// agesOf returns the lines of databases and of limits.
func agesOf(table *experiment.Table) (ages, limits []*series) {
	byName := map[string]*series{}
	for row := range table.Rows {
		x, y := value(table, row, "time_seconds"), value(table, row, "age_transactions")
		name, kind := cell(table, row, "series"), cell(table, row, "kind")
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		line := byName[kind+" "+name]
		if line == nil {
			line = &series{name: name}
			byName[kind+" "+name] = line
			if kind == "limit" {
				line.style = lineStyle{color: rgb(0x7F7F7F), dashes: dashings[1]}
				limits = append(limits, line)
			} else {
				ages = append(ages, line)
			}
		}
		line.points = append(line.points, point{row: row, x: x, y: y})
	}
	slices.SortStableFunc(ages, func(a, b *series) int {
		_, mostA := heights(a)
		_, mostB := heights(b)
		return cmp.Compare(mostB, mostA)
	})
	ages = ages[:min(len(ages), mostDatabases)]
	for i, line := range ages {
		line.style = knownStyles[(i+1)%len(knownStyles)].lineStyle // blue first
	}
	return ages, limits
}

// steps joins points by levels, the last to the end.
func steps(points []point, end float64) []point {
	var out []point
	for i, p := range points {
		if i > 0 {
			out = append(out, point{row: p.row, x: p.x, y: points[i-1].y})
		}
		out = append(out, p)
	}
	last := out[len(out)-1]
	last.x = max(last.x, end)
	return append(out, last)
}

// level is that of the last point before or at x, or else of the first.
func (s *series) level(x float64) float64 {
	at := s.points[0].y
	for _, p := range s.points {
		if p.x <= x {
			at = p.y
		}
	}
	return at
}

// leastAge is where the axis begins: what is a thousandth of the greatest age, and
// no more than a fiftieth of the least freeze line, is as good as new.
func leastAge(ages []*series) float64 {
	least, most := math.Inf(1), 0.0
	for _, line := range ages {
		lo, hi := heights(line)
		least, most = min(least, lo), max(most, hi)
	}
	return min(max(least, most/1000, 1), 1e7)
}

// agesTitle says how old tables get and what that reaches.
func agesTitle(ages, limits []*series) string {
	oldest := ages[0].points[0]
	for _, p := range ages[0].points {
		if p.y > oldest.y {
			oldest = p
		}
	}
	most := oldest.y
	title := fmt.Sprintf("The oldest table gets %s transactions old", about(most))
	above, below := "", ""
	gap := math.Inf(1)
	reached := 0.0
	for _, l := range limits {
		age := l.level(oldest.x)
		switch {
		case most >= age && age > reached:
			below, reached = l.name, age
		case most < age && age < gap:
			above, gap = l.name, age
		}
	}
	switch {
	case above == "" && below == "":
		return title
	case above == "":
		return title + ", beyond " + below
	case below == "":
		return title + fmt.Sprintf(", %s of %s", percent(most/gap), above)
	}
	return title + fmt.Sprintf(", beyond %s and at %s of %s", below, percent(most/gap), above)
}

func agesNotes(table *experiment.Table, ages []*series) []string {
	notes := []string{"A line per database: the age of the lowest relfrozenxid of its tables. Dashed: the settings as they hold for tables without storage parameters (from vacuum_freeze_min_age on a vacuum freezes a row; from vacuum_freeze_table_age on it reads all that is not frozen; from autovacuum_freeze_max_age on it is forced; the failsafe drops all but freezing), and the age at which ids would wrap around, 2^31."}
	names := map[string]bool{}
	for row := range table.Rows {
		if cell(table, row, "kind") != "limit" {
			names[cell(table, row, "series")] = true
		}
	}
	if len(names) > len(ages) {
		notes = append(notes, fmt.Sprintf("Shown: the %d databases of %d that get oldest.", len(ages), len(names)))
	}
	return notes
}
