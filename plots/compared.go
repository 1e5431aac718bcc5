package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// recordedColumn and predictedColumn hold automatic vacuums per second, of real
// PostgreSQL and of the model. Their intervals, where known, have the usual
// endings: of a recording the least and the most of its repetitions, of a
// prediction a 95 % interval.
const (
	recordedColumn  = "recorded_per_s"
	predictedColumn = "predicted_per_s"
)

// pointColumns say what a validation's point is.
var pointColumns = []string{"pg_version", "strategy", "freshness_ms", "tables", "workers"}

// summaryColumn holds "yes" or "no": whether a point counts in what a title says.
const summaryColumn = "in_summary"

// Factors by which a prediction may miss, drawn as bands.
const (
	closeFactor = 1.25
	fairFactor  = 1.5
)

// usualFreshness is how old, in milliseconds, the statistics may be that a
// strategy's workers recheck a table with. Points with another are told apart.
var usualFreshness = map[string]float64{"original": 10, "claim-release": 10, "stale-first": 10, "leapfrog": 500}

// A validationChart is a table read as predictions held against recordings.
type validationChart struct {
	name       string
	table      *experiment.Table
	points     []comparedPoint
	strategies []comparedStrategy
	unusable   int // rows without numbers to compare
}

// A comparedPoint is a row: what was recorded and what is predicted for it.
type comparedPoint struct {
	row                 int
	recorded, predicted point
	strategy            string
	style               lineStyle
	summary             bool
	departs             string // from the strategy as it usually is: "500 ms"
}

// factor is what the prediction is as a multiple of what was recorded.
func (p comparedPoint) factor() float64 { return p.predicted.y / p.recorded.y }

// miss is the factor by which the prediction is too high or too low, 1 or more.
func (p comparedPoint) miss() float64 { return max(p.factor(), 1/p.factor()) }

// A comparedStrategy is a strategy with the releases it was recorded in.
type comparedStrategy struct {
	name     string
	style    lineStyle
	releases []string
}

// newValidationChart reads a validation. A point needs a positive number in each
// of the axes' columns too.
func newValidationChart(name string, table *experiment.Table, axes ...string) (*validationChart, error) {
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("plots: %s: the table has no rows", name)
	}
	if err := requireColumns(table, append(slices.Clone(pointColumns), summaryColumn, recordedColumn, predictedColumn)...); err != nil {
		return nil, err
	}
	c := &validationChart{name: name, table: table}
	for row := range table.Rows {
		if text := cell(table, row, summaryColumn); text != "yes" && text != "no" {
			return nil, fmt.Errorf("plots: %s: row %d, column %s: %q is neither yes nor no", name, row+1, summaryColumn, text)
		}
		if !c.usable(row, axes) {
			c.unusable++
			continue
		}
		c.points = append(c.points, comparedPoint{
			row:       row,
			recorded:  c.rateOf(row, recordedColumn),
			predicted: c.rateOf(row, predictedColumn),
			strategy:  cell(table, row, "strategy"),
			summary:   cell(table, row, summaryColumn) == "yes",
		})
	}
	if len(c.points) == 0 {
		return nil, fmt.Errorf("plots: %s: %w: none of %s has a usable number in each of %s",
			name, ErrNothingToDraw, counted(fmt.Sprint(len(table.Rows)), "row"), strings.Join(append([]string{recordedColumn, predictedColumn}, axes...), ", "))
	}
	c.readStrategies()
	return c, nil
}

func (c *validationChart) usable(row int, axes []string) bool {
	for _, column := range append([]string{recordedColumn, predictedColumn}, axes...) {
		if v := value(c.table, row, column); !(v > 0) {
			return false
		}
	}
	return true
}

func (c *validationChart) rateOf(row int, column string) point {
	p := point{
		row: row,
		y:   value(c.table, row, column),
		lo:  value(c.table, row, column+lowerEnding),
		hi:  value(c.table, row, column+upperEnding),
	}
	if !(p.lo > 0) { // no place on a logarithmic axis
		p.lo, p.hi = math.NaN(), math.NaN()
	}
	return p
}

// readStrategies lists the strategies, PostgreSQL's in the order of their age,
// and tells each point's style and departure.
func (c *validationChart) readStrategies() {
	releases := map[string][]string{}
	var names []string
	for _, p := range c.points {
		if _, ok := releases[p.strategy]; !ok {
			names = append(names, p.strategy)
		}
		releases[p.strategy] = append(releases[p.strategy], c.release(p))
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(seniority(a), seniority(b)) })

	stylist := newStylist(true)
	for _, name := range names {
		s := comparedStrategy{name: name, style: stylist.style(name, ""), releases: distinct(releases[name])}
		usual := mostFrequent(releases[name])
		for i := range c.points {
			if p := &c.points[i]; p.strategy == name {
				p.style = s.style
				p.departs = c.departure(*p, usual)
			}
		}
		c.strategies = append(c.strategies, s)
	}
}

// seniority is a strategy's place among PostgreSQL's; all others come last.
func seniority(strategy string) int {
	for i, known := range knownStyles {
		if known.strategy == strategy {
			return i
		}
	}
	return len(knownStyles)
}

// release returns the major release of a point's version: 9.5 of 9.5.13, 13 of 13.23.
func (c *validationChart) release(p comparedPoint) string {
	version := cell(c.table, p.row, "pg_version")
	parts := strings.Split(version, ".")
	if first, err := strconv.Atoi(parts[0]); err == nil && first < 10 && len(parts) > 1 {
		return parts[0] + "." + parts[1]
	}
	return parts[0]
}

// departure says in what a point is not its strategy's usual.
func (c *validationChart) departure(p comparedPoint, usualRelease string) string {
	var parts []string
	if release := c.release(p); release != usualRelease {
		parts = append(parts, "PostgreSQL "+release)
	}
	usual, known := usualFreshness[p.strategy]
	if freshness := value(c.table, p.row, "freshness_ms"); known && !math.IsNaN(freshness) && freshness != usual {
		parts = append(parts, number(freshness)+" ms")
	}
	return strings.Join(parts, ", ")
}

// distinct returns the texts, each once, in the order of their first appearance.
func distinct(texts []string) []string {
	var once []string
	for _, text := range texts {
		if !slices.Contains(once, text) {
			once = append(once, text)
		}
	}
	return once
}

// mostFrequent returns the first of the most frequent texts.
func mostFrequent(texts []string) string {
	counts := map[string]int{}
	for _, text := range texts {
		counts[text]++
	}
	return slices.MaxFunc(distinct(texts), func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
}

func recordedSpread(p comparedPoint) bool    { return p.recorded.hasInterval() }
func predictedInterval(p comparedPoint) bool { return p.predicted.hasInterval() }

// misses returns the misses of the summary's points for which keep holds,
// smallest first.
func (c *validationChart) misses(keep func(comparedPoint) bool) []float64 {
	var misses []float64
	for _, p := range c.points {
		if p.summary && keep(p) {
			misses = append(misses, p.miss())
		}
	}
	slices.Sort(misses)
	return misses
}

func everyPoint(comparedPoint) bool { return true }

// medianFactor returns the median of ascending factors: the geometric mean of
// the two in the middle if they are even in number.
func medianFactor(factors []float64) float64 {
	n := len(factors)
	return math.Sqrt(factors[(n-1)/2]) * math.Sqrt(factors[n/2])
}

func (c *validationChart) rows() []int {
	var rows []int
	for _, p := range c.points {
		rows = append(rows, p.row)
	}
	return rows
}

// figure makes the chart a figure with the given title, notes and body.
func (c *validationChart) figure(title string, notes []string, height vg.Length, body func(draw.Canvas)) *Figure {
	return &Figure{
		page: page{
			title:      title,
			subtitle:   settingSubtitle(c.table, c.rows(), "tables", "workers"),
			footer:     c.footer(notes...),
			bodyHeight: height,
			body:       body,
		},
		data: c.data(),
	}
}

func (c *validationChart) any(has func(comparedPoint) bool) bool {
	return slices.ContainsFunc(c.points, has)
}

// footer explains the marks, counts what was left out and says where it all
// comes from. The notes explain what else a figure draws.
func (c *validationChart) footer(notes ...string) []string {
	if c.any(func(p comparedPoint) bool { return !p.summary }) {
		notes = append(notes, "Hollow marks: not in the summary, and in none of the numbers above.")
	}
	if c.any(func(p comparedPoint) bool { return p.departs != "" }) {
		notes = append(notes, "Marks with a dot: the strategy in another release or with another freshness than is usual for it.")
	}
	if c.unusable > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s without a number that the axes can show.", counted(fmt.Sprint(c.unusable), "row")))
	}
	return append(notes, provenance(c.table, c.rows(), ""))
}

// data returns the table of what is drawn.
func (c *validationChart) data() *experiment.Table {
	columns := slices.Concat(pointColumns, []string{
		"start", "naptime_seconds", exhaustedColumn, summaryColumn, "repetitions",
		recordedColumn, recordedColumn + lowerEnding, recordedColumn + upperEnding,
		predictedColumn, predictedColumn + lowerEnding, predictedColumn + upperEnding, "error",
	}, provenanceColumns)
	return copyRows(c.name, c.table, c.rows(), columns)
}
