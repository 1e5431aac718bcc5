package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"avsim/sim/experiment"
)

// Validation draws predicted against recorded automatic vacuums per second, a
// mark per point in its strategy's colour, with bands where the prediction is
// within 1.25 and 1.5 times of the recording, and names the points that are
// furthest off. Points that are not in the summary are hollow; those that
// depart from their strategy's usual release or freshness have a dot.
//
// It takes the columns pg_version, strategy, freshness_ms, tables, workers,
// in_summary (yes or no), recorded_per_s and predicted_per_s, and the intervals
// of both where the table has them. Rows without a positive number in both are
// left out and counted in the footer.
func Validation(table *experiment.Table) (*Figure, error) {
	chart, err := newValidationChart("validation", table)
	if err != nil {
		return nil, err
	}
	return chart.figure(chart.finding(), chart.barNotes(), validationHeight, chart.draw), nil
}

// barNotes explains the bars at the marks, if there are any.
func (c *validationChart) barNotes() []string {
	var parts []string
	if c.any(recordedSpread) {
		parts = append(parts, "horizontal, from the least to the most of a recording's repetitions")
	}
	if c.any(predictedInterval) {
		parts = append(parts, "vertical, the prediction's 95 % interval")
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"Bars: " + strings.Join(parts, "; ") + "."}
}

// leastForShare is how many points a title needs to speak of 90 % of them.
const leastForShare = 10

// finding says how far off the predictions are.
func (c *validationChart) finding() string {
	misses := c.misses(everyPoint)
	n := len(misses)
	switch {
	case n == 0:
		return "Predicted against recorded automatic vacuums per second"
	case n == 1:
		return fmt.Sprintf("The model is within %s of real PostgreSQL at the one point compared", upToPercent(misses[0]))
	}
	share, whose := 0.9, fmt.Sprintf("90 %% of %d points", n)
	if n < leastForShare {
		share, whose = 1, fmt.Sprintf("all %d points", n)
	}
	return fmt.Sprintf("The model is within %s of real PostgreSQL in the median; %s are within %s",
		upToPercent(medianFactor(misses)), whose, upToTimes(stat.Quantile(share, stat.Empirical, misses, nil)))
}

// upToPercent words a miss that something is within, and so rounds up: "7 %",
// "1.62 times" where per cent would not be the same above and below.
func upToPercent(miss float64) string {
	if miss > fairFactor {
		return upToTimes(miss)
	}
	return fmt.Sprintf("%.0f %%", max(0, math.Ceil(100*(miss-1)-1e-6)))
}

func upToTimes(miss float64) string {
	if miss >= 1e6 {
		return number(miss) + " times"
	}
	if miss > 10 {
		return thousands(strconv.FormatFloat(math.Ceil(miss-1e-6), 'f', 0, 64)) + " times"
	}
	return strconv.FormatFloat(math.Ceil(100*miss-1e-6)/100, 'f', 2, 64) + " times"
}
