package cmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"avsim/scheduler/lab"
)

// Beyond how many times the best, or below what part of it, a percentage tells little: of
// a quarter and a hundredth the first is −75 %, the other −99 %, and from ten times on
// percentages are long.
const mostTimes = 10

// labCell is the best's value, and how far another is from it: as a percentage of it with
// its interval, beyond ten times and below a tenth as a ratio. Where the best is 0, and where the
// run bounded a value, it is the value itself.
func labCell(c lab.Cell) string {
	switch {
	case c.Mark == lab.Best:
		return figure(c.Value.Mean) + " *"
	case c.Mark == lab.Ended || c.Mark == lab.Exhausted:
		return figure(c.Value.Mean) + " " + string(c.Mark)
	case c.Difference.Mean == 0:
		return "same" + markOf(c)
	case c.Best() == 0:
		return figure(c.Value.Mean) + markOf(c)
	}
	if ratio := c.Value.Mean / c.Best(); ratio > mostTimes || ratio < 1./mostTimes {
		return asRatio(ratio) + markOf(c)
	}
	d := c.Relative()
	text := strings.Replace(short(100*d.Mean), "-", "−", 1)
	if d.Mean > 0 {
		text = "+" + text
	}
	if d.Known() {
		text += "±" + short(100*(d.Hi-d.Lo)/2)
	}
	return text + " %" + markOf(c)
}

func markOf(c lab.Cell) string {
	if c.Mark == lab.Tie {
		return " ="
	}
	return "  "
}

// asRatio is how many times, or which part of, the best a value is.
func asRatio(ratio float64) string {
	switch {
	case ratio <= 0:
		return "0"
	case ratio < 1:
		return "1/" + thousands(int(math.Round(1/ratio)))
	}
	return "× " + thousands(int(math.Round(ratio)))
}

// labLegend tells below a table what stands in it beside percentages.
func labLegend(w io.Writer, cells []lab.Cell) {
	has := func(of func(c lab.Cell) bool) bool { return slices.ContainsFunc(cells, of) }
	plain := func(c lab.Cell) bool { return c.Mark == lab.Tie || c.Mark == lab.Worse }
	for _, line := range []struct {
		of   func(c lab.Cell) bool
		text string
	}{
		{func(c lab.Cell) bool { return c.Mark == lab.Ended },
			"end: a value, of a strategy that would be the best or a tie; in a replication or more it, or the\nbest's, is as long as the run, which ended before the two could be told apart"},
		{func(c lab.Cell) bool { return c.Mark == lab.Exhausted },
			"exhausted: a value; all that was due was done before the end, so that it, or the best's, tells how\nmany tables came to be due, and not how many could have been done"},
		{func(c lab.Cell) bool { return plain(c) && c.Best() == 0 && c.Difference.Mean != 0 },
			"where the best is 0 the others' values"},
		{func(c lab.Cell) bool {
			return plain(c) && c.Best() != 0 && (c.Value.Mean/c.Best() > mostTimes || c.Value.Mean/c.Best() < 1./mostTimes)
		}, "× 15: fifteen times the best; 1/15: a fifteenth of it"},
	} {
		if has(line.of) {
			fmt.Fprintln(w, line.text)
		}
	}
}

// short is a number of two digits, or whole.
func short(x float64) string {
	switch {
	case x >= 9.95 || x <= -9.95:
		return thousands(int(math.Round(x)))
	case x > -0.05 && x < 0.05:
		return "0.0"
	}
	return fmt.Sprintf("%.1f", x)
}
