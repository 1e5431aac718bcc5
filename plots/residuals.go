package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"avsim/sim/experiment"
)

// Residuals draws by what factor the predictions are off, predicted through
// recorded automatic vacuums per second, against the number of tables and the
// number of workers. A tick tells the median of each number's points.
//
// It takes the columns that [Validation] takes, and leaves out and counts rows
// without a positive number of tables or workers as well.
func Residuals(table *experiment.Table) (*Figure, error) {
	chart, err := newValidationChart("residuals", table, "tables", "workers")
	if err != nil {
		return nil, err
	}
	return chart.figure(residualsFinding(chart), chart.residualNotes(), chart.residualsHeight(), chart.drawResiduals), nil
}

// residualNotes explains what is drawn beside the marks.
func (c *validationChart) residualNotes() []string {
	notes := []string{fmt.Sprintf("Shaded: within 1.25 and 1.5 times. Black ticks: the median of the summary's points, where there are %d or more.", leastForMedian)}
	if c.any(recordedSpread) {
		notes = append(notes, "Bars: the prediction through the most and the least of a recording's repetitions.")
	}
	return notes
}

// A residualGroup is the summary's points at one number of tables or workers.
type residualGroup struct {
	noun    string
	x       float64
	factors []float64 // ascending
}

func (g residualGroup) median() float64 { return medianFactor(g.factors) }

// leastForMedian is how many points have a median worth to be shown.
const leastForMedian = 3

// residualGroups returns the groups of a column that are large enough, by
// ascending number.
func (c *validationChart) residualGroups(column, noun string) []residualGroup {
	factors := map[float64][]float64{}
	for _, p := range c.points {
		if x := value(c.table, p.row, column); p.summary {
			factors[x] = append(factors[x], p.factor())
		}
	}
	var groups []residualGroup
	for x, f := range factors {
		if len(f) >= leastForMedian {
			slices.Sort(f)
			groups = append(groups, residualGroup{noun: noun, x: x, factors: f})
		}
	}
	slices.SortFunc(groups, func(a, b residualGroup) int { return cmp.Compare(a.x, b.x) })
	return groups
}

// clearMedian is from what factor a title calls a median off.
const clearMedian = 1.10

// residualsFinding says where the predictions are off in one direction, if they
// are anywhere.
func residualsFinding(c *validationChart) string {
	groups := append(c.residualGroups("tables", "table"), c.residualGroups("workers", "worker")...)
	if len(groups) == 0 {
		return "Predicted through recorded automatic vacuums per second"
	}
	off := func(g residualGroup) float64 { return math.Abs(math.Log(g.median())) }
	worst := groups[0]
	for _, g := range groups[1:] {
		if off(g) > off(worst) {
			worst = g
		}
	}
	miss := math.Exp(off(worst))
	if miss < clearMedian {
		return fmt.Sprintf("At any number of tables or workers the median is within %s; the furthest point is within %s", upToPercent(miss), upToTimes(furthest(groups)))
	}
	at := "at "
	if worst.noun == "worker" {
		at = "with "
	}
	return fmt.Sprintf("The model is furthest off %s%s: %s in the median of %d points",
		at, counted(fmt.Sprint(worst.x), worst.noun), speed(worst.median()), len(worst.factors))
}

// furthest is the greatest factor, either way, by which a point is off.
func furthest(groups []residualGroup) float64 {
	var most float64
	for _, g := range groups {
		for _, f := range g.factors {
			most = max(most, math.Abs(math.Log(f)))
		}
	}
	return math.Exp(most)
}

// speed words a factor of rates: "12 % too fast", "2.3 times too slow".
func speed(factor float64) string {
	switch {
	case factor >= 1.995:
		return multiple(factor) + " too fast"
	case factor >= 1:
		return percent(factor-1) + " too fast"
	case factor > 1/1.995:
		return percent(1-factor) + " too slow"
	}
	return multiple(1/factor) + " too slow"
}
