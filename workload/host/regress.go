package host

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat"
)

// smoothWithin is how far the smooth form may be off at any size, as a share of
// the measured cost. A tenth, and as much more as the writing of the statistics
// file after a pause needs, known as 54 µs + 180 ns an entry.
const smoothWithin = 0.11

// fit chooses the form of a curve and reports its residuals. Rows are in
// milliseconds.
func (f *fitter) fit(quantity string, rows []row) Curve {
	base, slope := leastSquares(rows)
	smooth := Curve{
		Base:     fromMilliseconds(base).Round(100 * time.Nanosecond),
		PerEntry: roundTo(slope*float64(time.Millisecond), 0.1),
	}
	if within(smooth, rows, smoothWithin) {
		for _, r := range rows {
			f.tell(quantity, "smooth", r, milliseconds(smooth.At(r.tables)))
		}
		return smooth
	}
	knots := knotted(rows)
	for i := 1; i < len(rows)-1; i++ {
		guess := line(knots.Points[i-1], knots.Points[i+1], float64(rows[i].tables))
		f.tell(quantity, "leave-one-out", rows[i], guess/float64(time.Millisecond))
	}
	return knots
}

// leastSquares fits base + slope·n with weights 1/value², so that it is the
// relative residuals whose squares are least. Neither is below zero: where the
// free line has a negative base it goes through the origin instead, and where
// it falls it is level.
func leastSquares(rows []row) (base, slope float64) {
	x, y, w := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		x[i], y[i], w[i] = float64(r.tables), r.value, 1/(r.value*r.value)
	}
	base, slope = stat.LinearRegression(x, y, w, false)
	if base < 0 {
		return stat.LinearRegression(x, y, w, true)
	}
	if slope < 0 {
		return stat.Mean(y, w), 0
	}
	return base, slope
}

func within(c Curve, rows []row, share float64) bool {
	for _, r := range rows {
		if math.Abs(milliseconds(c.At(r.tables))/r.value-1) > share {
			return false
		}
	}
	return true
}

// knotted is the piecewise linear curve through the rows.
func knotted(rows []row) Curve {
	var c Curve
	for _, r := range rows {
		c.Points = append(c.Points, Point{r.tables, fromMilliseconds(r.value)})
	}
	return c
}
