package plots

import (
	"fmt"
	"math"
	"strings"

	"avsim/sim/experiment"
)

// Backlog draws how many tables are due and how many dead row versions there are,
// over the time of a run.
//
// It takes the columns time_seconds, tables_due and dead_rows; tables, the number
// of all, and live_rows where the table has them.
func Backlog(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "backlog", "there are no samples", "time_seconds", "tables_due", "dead_rows"); err != nil {
		return nil, err
	}
	due := columnOverTime(table, "tables_due", lineStyle{color: blue})
	dead := columnOverTime(table, "dead_rows", lineStyle{color: vermillion})
	if len(due.points) == 0 || len(dead.points) == 0 {
		return nil, drawless{"plots: backlog: no row has a time and numbers"}
	}
	o := &overTime{panels: []overTimePanel{
		{head: "tables due for vacuum or analyze", lines: []*series{due}, height: 190},
		{head: "dead row versions", lines: []*series{dead}, height: 190},
	}}
	o.from, o.to = extent([]*series{due, dead})
	return &Figure{
		page: page{
			title:      backlogTitle(table, due, dead),
			subtitle:   runSubtitle(table),
			footer:     runFooter(table, fmt.Sprintf("At %d instants, spread so that no rhythm of the run is always met at the same beat. Due: by the statistics of that instant, a vacuum under way included. Dead: as the tables are, whatever the statistics say; rows that come at random count as on average.", len(due.points))),
			bodyHeight: o.bodyHeight(pageWidth),
			body:       o.draw,
			heightAt:   o.bodyHeight,
			words:      o.words,
		},
		data: copyRows("backlog", table, rowsOf(due), append([]string{"time_seconds", "tables_due", "dead_rows", "live_rows", "workers_running", "worker_slots"}, runColumns...)),
	}, nil
}

// columnOverTime returns a column as a line over time_seconds.
func columnOverTime(table *experiment.Table, column string, style lineStyle) *series {
	line := &series{style: style}
	for row := range table.Rows {
		x, y := value(table, row, "time_seconds"), value(table, row, column)
		if !math.IsNaN(x) && !math.IsNaN(y) {
			line.points = append(line.points, point{row: row, x: x, y: y})
		}
	}
	return line
}

func rowsOf(s *series) (rows []int) {
	for _, p := range s.points {
		rows = append(rows, p.row)
	}
	return rows
}

// backlogTitle says how many tables are due and where the dead rows go.
func backlogTitle(table *experiment.Table, due, dead *series) string {
	_, mostDue := heights(due)
	of := ""
	if all := value(table, 0, "tables"); all > 0 {
		of = " of " + counted(fmt.Sprint(all), "table")
	}
	title := fmt.Sprintf("%s%s are due on average, %s at most", about(mean(due)), of, number(mostDue))
	if mostDue == 0 {
		title = "No table is due at any of the instants"
	}
	leastDead, mostDead := heights(dead)
	first, last := dead.points[0].y, dead.last().y
	switch {
	case mostDead == 0:
		return title + "; no row version is dead"
	case last >= 0.8*mostDead && last > 1.5*first:
		return title + fmt.Sprintf("; dead row versions grow from %s to %s", about(first), about(last))
	case first >= 0.8*mostDead && first > 1.5*last:
		return title + fmt.Sprintf("; dead row versions fall from %s to %s", about(first), about(last))
	}
	return title + fmt.Sprintf("; between %s and %s row versions are dead", about(leastDead), about(mostDead))
}

// mean is that of a line's points.
func mean(s *series) (sum float64) {
	for _, p := range s.points {
		sum += p.y / float64(len(s.points))
	}
	return sum
}

func heights(s *series) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, p := range s.points {
		least, most = min(least, p.y), max(most, p.y)
	}
	return least, most
}

// about writes a large number with three digits: "3.55 M", "71,300".
func about(v float64) string {
	if v <= 0 {
		return number(v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	if v < 1000 && v != math.Trunc(v) {
		return strings.TrimSuffix(rate(v), ".0")
	}
	v = math.Round(v/max(unit, 1)) * max(unit, 1)
	switch {
	case v >= 1e9:
		return number(math.Round(v/1e7)/100) + " billion"
	case v >= 1e6:
		return number(math.Round(v/1e4)/100) + " million"
	}
	return number(v)
}
