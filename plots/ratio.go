package plots

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"avsim/sim"
	"avsim/sim/experiment"
)

// ratioEnding is that of the column that RatioTo adds.
const ratioEnding = "_ratio"

// RatioTo returns the table with a further column, y_ratio: the row's y to that
// of the row that has the base in the series column and agrees in all other
// settings. Rows without one have none.
//
// Of throughput_per_s against the first strategy of a sweep, the interval
// (y_ratio_lo and _hi) is that of the table, from pairs of replications that saw
// the same random numbers. Otherwise it is worked out from the two intervals, as
// of independent runs.
func RatioTo(table *experiment.Table, y, series, base string) (*experiment.Table, error) {
	if err := requireColumns(table, y, series); err != nil {
		return nil, err
	}
	if !slices.Contains(table.Distinct(series), base) {
		return nil, fmt.Errorf("plots: no row has %q in %s; there are %s", base, series, list(table.Distinct(series)))
	}
	stripped := withoutDrawn(table, series)
	bases := map[string]int{}
	for row := range table.Rows {
		if cell(table, row, series) == base {
			bases[condition(stripped, row, series)] = row
		}
	}
	name := y + ratioEnding
	out := &experiment.Table{Columns: slices.Concat(table.Columns, []string{name, name + lowerEnding, name + upperEnding})}
	for row, fields := range table.Rows {
		ratio := sim.Interval{Mean: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		if b, ok := bases[condition(stripped, row, series)]; ok {
			ratio = ratioOf(table, y, row, b)
		}
		out.AppendRow(slices.Concat(fields, []string{plain(ratio.Mean), plain(ratio.Lo), plain(ratio.Hi)})...)
	}
	return out, nil
}

// ratioOf is the ratio of y in a row to that in another.
func ratioOf(table *experiment.Table, y string, row, base int) sim.Interval {
	const paired = "ratio_to_first"
	if y == rateColumn && value(table, base, paired) == 1 && value(table, base, paired+lowerEnding) == 1 && value(table, base, paired+upperEnding) == 1 {
		return sim.Interval{
			Mean: value(table, row, paired), Lo: value(table, row, paired+lowerEnding), Hi: value(table, row, paired+upperEnding),
		}
	}
	if row == base {
		return sim.Interval{Mean: 1, Lo: 1, Hi: 1}
	}
	return sim.Ratio(estimateOf(table, y, row), estimateOf(table, y, base), confidence)
}

// confidence is that of the intervals in a result.
const confidence = 0.95

// estimateOf takes a row's estimate back from its interval.
func estimateOf(table *experiment.Table, y string, row int) sim.Estimate {
	n := value(table, row, "replications")
	if !(n >= 1) {
		n = 1
	}
	hi := value(table, row, y+upperEnding)
	return sim.EstimateOf(sim.Interval{Mean: value(table, row, y), Lo: math.NaN(), Hi: hi}, int(n), confidence)
}

// plain writes a number for a table; NaN is empty.
func plain(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
