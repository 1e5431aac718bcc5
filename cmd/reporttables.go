package cmd

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"avsim/plots"
	"avsim/plots/report"
	"avsim/scheduler"
	"avsim/sim/experiment"
)

// textCell and its like are cells of a report's tables.
func textCell(text string) report.Cell { return report.Cell{Text: text} }

func numberCell(x float64) report.Cell { return shownCell(x, figure(x)) }

// shownCell is a number that is shown as that text; none where it is NaN.
func shownCell(x float64, text string) report.Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return report.Cell{Text: "–"}
	}
	return report.Cell{Text: text, Key: strconv.FormatFloat(x, 'g', 9, 64)}
}

func countCell(n int) report.Cell { return shownCell(float64(n), thousands(n)) }

func shareCell(x float64) report.Cell { return shownCell(x, percent(x)) }

func secondsCell(x *float64) report.Cell {
	if x == nil {
		return shownCell(math.NaN(), "")
	}
	return shownCell(*x, inTime(*x))
}

// columnsNamed are columns of numbers, but for the first so many, which are texts.
func columnsNamed(texts int, names ...string) (out []report.Column) {
	for i, name := range names {
		out = append(out, report.Column{Name: name, Number: i >= texts})
	}
	return out
}

// resultTable shows some columns of a result table, those that it has.
func resultTable(t *experiment.Table, caption string, columns []string, most int) report.Table {
	out := report.Table{Caption: caption}
	var at []int
	for _, name := range columns {
		if i, ok := t.Column(name); ok && filled(t, i) {
			at = append(at, i)
			out.Columns = append(out.Columns, report.Column{Name: columnTitle(name), Number: kindOf(name) != textKind && numbersOnly(t, i)})
		}
	}
	for _, fields := range t.Rows[:min(most, len(t.Rows))] {
		var row []report.Cell
		for k, i := range at {
			if x, err := strconv.ParseFloat(fields[i], 64); err == nil && out.Columns[k].Number {
				row = append(row, numberIn(t.Columns[i], x))
				continue
			}
			row = append(row, textCell(fields[i]))
		}
		out.Rows = append(out.Rows, row)
	}
	if more := len(t.Rows) - len(out.Rows); more > 0 {
		out.Note = fmt.Sprintf("The first %s of %s.", thousands(len(out.Rows)), plural(len(t.Rows), "row"))
	}
	return out
}

// numberIn is a number as a column of that name has it.
func numberIn(column string, x float64) report.Cell {
	switch {
	case strings.HasSuffix(column, "_share") && column != "due_share":
		return shareCell(x)
	case strings.HasPrefix(column, "lateness_"), strings.HasPrefix(column, "vacuum_duration_"):
		return secondsCell(&x)
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return countCell(int(x))
	}
	return numberCell(x)
}

func filled(t *experiment.Table, column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool { return row[column] != "" })
}

func numbersOnly(t *experiment.Table, column int) bool {
	return !slices.ContainsFunc(t.Rows, func(row []string) bool {
		_, err := strconv.ParseFloat(row[column], 64)
		return err != nil && row[column] != ""
	})
}

// columnTitle is a column's name for people.
func columnTitle(name string) string {
	for _, ending := range []struct{ of, is string }{{"_per_s", " a second"}, {"_seconds", ""}, {"_bytes", ", bytes"}} {
		if before, ok := strings.CutSuffix(name, ending.of); ok {
			name = before + ending.is
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// timeTable is what the workers' time goes into, each part that is more than nothing.
func timeTable(shares map[string]float64) report.Table {
	t := report.Table{Caption: "What the workers' time goes into", Columns: columnsNamed(1, "activity", "share")}
	for _, s := range scheduler.Shares() {
		if x := shares[s.Column]; x >= 0.0005 {
			t.Rows = append(t.Rows, []report.Cell{textCell(upperFirst(s.Label)), shareCell(x)})
		}
	}
	return t
}

// linesOf are the lines that something prints, without what they begin with.
func linesOf(print func(io.Writer)) (out []string) {
	var b bytes.Buffer
	print(&b)
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			line = strings.TrimPrefix(line, "avsim: warning: ")
			if word, _, _ := strings.Cut(line, " "); !strings.ContainsAny(word, "_.") { // no name
				line = upperFirst(line)
			}
			out = append(out, line)
		}
	}
	return out
}

// notModelledSection tells what a result leaves out, and what of its inputs changed
// nothing.
func notModelledSection(ignored ...string) report.Section {
	return report.Section{ID: "not-modelled", Heading: "What is not modelled",
		Text: []string{"A result of a simulator holds as far as its model does. Not in it:"},
		List: slices.Concat(ignored, upperAll(scheduler.NotModelled()))}
}

func upperAll(lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, upperFirst(line)+".")
	}
	return out
}

// source is where a result comes from.
func source(model, hash string, seeds ...string) []report.Fact {
	return []report.Fact{{Label: "avsim", Value: Version}, {Label: "model", Value: model}, {Label: "seed", Value: strings.Join(seeds, ", ")}, {Label: "inputs", Value: hash}}
}

// drawn adds a figure to a section, unless it has nothing to show, which it tells.
func drawn(s *report.Section, name, command string, figure *plots.Figure, err error) error {
	switch {
	case err == nil:
		s.Figures = append(s.Figures, report.Figure{Figure: figure, Name: name, Command: command})
	case isDrawless(err):
		s.List = append(s.List, fmt.Sprintf("No figure “%s”: %s.", name, strings.TrimPrefix(err.Error(), "plots: ")))
	default:
		return err
	}
	return nil
}
