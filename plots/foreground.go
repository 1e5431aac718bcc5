package plots

import (
	"fmt"
	"math"

	"avsim/sim/experiment"
)

// Foreground draws what an application feels over the time of a run: transactions a
// second, and latency, with the time of vacuums shaded.
//
// It takes the columns from_seconds, to_seconds, vacuum_share, throughput_per_s,
// throughput_without_per_s, latency_p50_seconds and latency_p99_seconds, a row for each
// interval; with a column variant that has several values a line for each of them, and
// no shades. With a column vacuum_stretch time goes as the vacuum does under load: an
// interval is longer by what that is slowed down.
func Foreground(table *experiment.Table) (*Figure, error) {
	if err := needRows(table, "foreground", "there is no application", "from_seconds", "to_seconds", "vacuum_share",
		"throughput_per_s", "throughput_without_per_s", "latency_p50_seconds", "latency_p99_seconds"); err != nil {
		return nil, err
	}
	rows := allRows(table)
	names := distinctSorted(table, rows, "variant")
	o := &overTime{from: math.Inf(1), to: math.Inf(-1)}
	clock := loadedClock(table)
	for _, x := range clock {
		o.from, o.to = min(o.from, x.from), max(o.to, x.to)
	}
	speeds := overTimePanel{head: "transactions a second", height: 200}
	latencies := overTimePanel{head: "latency, ms", height: 200}
	if len(names) > 1 {
		stylist := newStylist(false)
		for _, name := range names {
			style := stylist.style(name, "")
			speeds.lines = append(speeds.lines, stairs(table, clock, name, name, "throughput_per_s", 1, style))
			latencies.lines = append(latencies.lines, stairs(table, clock, name, name, "latency_p99_seconds", 1000, style))
		}
		latencies.head = "latency, 99th percentile, ms"
	} else {
		o.shades = shadesOf(table, clock)
		dashed := lineStyle{color: rgb(0x7F7F7F), dashes: dashings[1]}
		speeds.lines = []*series{
			stairs(table, clock, "", "without vacuum", "throughput_without_per_s", 1, dashed),
			stairs(table, clock, "", "as it is", "throughput_per_s", 1, lineStyle{color: blue})}
		latencies.lines = []*series{
			stairs(table, clock, "", "p99", "latency_p99_seconds", 1000, lineStyle{color: vermillion}),
			stairs(table, clock, "", "p50", "latency_p50_seconds", 1000, lineStyle{color: bluishGreen})}
	}
	o.panels = []overTimePanel{speeds, latencies}
	note := "Time goes as a vacuum does beside the application. Each interval is simulated with the tables as they stand in it, with and without the vacuum that takes most of it."
	if len(o.shades) > 0 {
		note += " Shaded: a vacuum is at work, the darker the more of the interval it is."
	}
	return &Figure{
		page: page{
			title:      foregroundTitle(table, len(names)),
			subtitle:   runSubtitle(table),
			footer:     runFooter(table, note),
			bodyHeight: o.bodyHeight(pageWidth),
			body:       o.draw,
			heightAt:   o.bodyHeight,
			words:      o.words,
		},
		data: copyRows("foreground", table, rows, append([]string{"variant", "from_seconds", "to_seconds", "phase", "vacuum_share", "vacuum_stretch", "throughput_per_s", "throughput_without_per_s",
			"latency_p50_seconds", "latency_p95_seconds", "latency_p99_seconds", "latency_p99_without_seconds"}, runColumns...)),
	}, nil
}

// stretch is from when to when, in seconds, an interval lasts.
type stretch struct{ from, to float64 }

// loadedClock has for each row when its interval is, as vacuums go under load. The rows
// of a variant are in order of time.
func loadedClock(table *experiment.Table) []stretch {
	out := make([]stretch, len(table.Rows))
	late := map[string]float64{} // so far, by variant
	for row := range table.Rows {
		variant := cell(table, row, "variant")
		from, to := value(table, row, "from_seconds"), value(table, row, "to_seconds")
		out[row].from = from + late[variant]
		if more := value(table, row, "vacuum_share") * (value(table, row, "vacuum_stretch") - 1); more > 0 {
			late[variant] += more * (to - from)
		}
		out[row].to = to + late[variant]
	}
	return out
}

// stairs is a column as a line that is level over each interval.
func stairs(table *experiment.Table, clock []stretch, variant, name, column string, times float64, style lineStyle) *series {
	line := &series{name: name, style: style}
	for row := range table.Rows {
		if variant != "" && cell(table, row, "variant") != variant {
			continue
		}
		y := times * value(table, row, column)
		if math.IsNaN(y) {
			continue
		}
		line.points = append(line.points, point{row: row, x: clock[row].from, y: y}, point{row: row, x: clock[row].to, y: y})
	}
	return line
}

func shadesOf(table *experiment.Table, clock []stretch) (out []shade) {
	for row := range table.Rows {
		if s := value(table, row, "vacuum_share"); s > 0 {
			out = append(out, shade{clock[row].from, clock[row].to, s})
		}
	}
	return out
}

// foregroundTitle tells how much of its speed the application loses to vacuums.
func foregroundTitle(table *experiment.Table, variants int) string {
	if variants > 1 {
		return fmt.Sprintf("What an application feels of a vacuum: the %d variants that lose most", variants)
	}
	var with, without, time float64
	for row := range table.Rows {
		length := (value(table, row, "to_seconds") - value(table, row, "from_seconds")) * value(table, row, "vacuum_share")
		with += length * value(table, row, "throughput_with_per_s")
		without += length * value(table, row, "throughput_without_per_s")
		time += length
	}
	if time == 0 || without == 0 {
		return "No vacuum is at work while the application runs"
	}
	if drop := 1 - with/without; math.Abs(drop) >= 0.001 {
		return fmt.Sprintf("While a vacuum is at work, the application does %.1f %% less", 100*drop)
	}
	return "The application does not feel its vacuums: less than a thousandth of its speed"
}
