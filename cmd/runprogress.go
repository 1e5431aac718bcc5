package cmd

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// mostInstants is at how many instants --progress-at may look.
const mostInstants = 10_000

// instants reads --progress-at: times of the run, with their units.
func (f *runFlags) instants(v guc.Version, length time.Duration) ([]time.Duration, error) {
	if len(f.progressAt) == 0 {
		return nil, nil
	}
	if !v.AtLeast(guc.MustVersion("9.6")) {
		return nil, usagef("--progress-at: PostgreSQL %v has no pg_stat_progress_vacuum, 9.6 is the first", v)
	}
	if len(f.progressAt) > mostInstants {
		return nil, usagef("--progress-at: %d instants, accepted are at most %d", len(f.progressAt), mostInstants)
	}
	var out []time.Duration
	for _, text := range f.progressAt {
		d, ok := yamlfile.ParseDuration(text)
		if !ok || d < 0 || d > length {
			return nil, usagef("--progress-at %s: accepted is a time within the run of %s, with its unit, such as 10m", text, yamlfile.FormatDuration(length))
		}
		out = append(out, d)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// progressColumn is a column of pg_stat_progress_vacuum.
type progressColumn struct {
	name string
	of   func(scheduler.VacuumProgress) any // string, int64 or float64
}

// progressColumns are those of a version, the first in place of its place in time,
// pid, datname and the table's name for relid. (relid and datid are numbers that
// nothing has here.)
func progressColumns(v guc.Version) []progressColumn {
	type row = scheduler.VacuumProgress
	columns := []progressColumn{
		{"at_seconds", func(x row) any { return x.At.Seconds() }},
		{"pid", func(x row) any { return int64(x.PID) }},
		{"datname", func(x row) any { return x.Database }},
		{"relname", func(x row) any { return x.Table }},
		{"phase", func(x row) any { return x.Phase.String() }},
		{"heap_blks_total", func(x row) any { return x.HeapTotal }},
		{"heap_blks_scanned", func(x row) any { return x.HeapScanned }},
		{"heap_blks_vacuumed", func(x row) any { return x.HeapVacuumed }},
		{"index_vacuum_count", func(x row) any { return int64(x.IndexScans) }},
	}
	if !v.AtLeast(guc.MustVersion("17")) {
		return append(columns,
			progressColumn{"max_dead_tuples", func(x row) any { return x.MaxDeadItems }},
			progressColumn{"num_dead_tuples", func(x row) any { return x.DeadItems }})
	}
	columns = append(columns,
		progressColumn{"max_dead_tuple_bytes", func(x row) any { return x.MaxDeadBytes }},
		progressColumn{"dead_tuple_bytes", func(x row) any { return x.DeadBytes }},
		progressColumn{"num_dead_item_ids", func(x row) any { return x.DeadItems }},
		progressColumn{"indexes_total", func(x row) any { return int64(x.IndexesTotal) }},
		progressColumn{"indexes_processed", func(x row) any { return int64(x.IndexesPassed) }})
	if v.AtLeast(guc.MustVersion("18")) {
		columns = append(columns, progressColumn{"delay_time", func(x row) any {
			if !x.DelayTimed {
				return 0.0
			}
			return float64(x.Delayed.Microseconds()) / 1000
		}})
	}
	return columns
}

// progressText is a value as it stands in a table or CSV.
func progressText(x any) string {
	switch x := x.(type) {
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return decimal(x)
	}
	return fmt.Sprint(x)
}

// progressInWords prints the rows for people, or that there was none.
func progressInWords(w io.Writer, v guc.Version, rows []scheduler.VacuumProgress) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(w, "\npg_stat_progress_vacuum: no vacuum was under way at the times of --progress-at")
		return err
	}
	fmt.Fprintln(w, "\npg_stat_progress_vacuum:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := progressColumns(v)
	for _, c := range columns {
		fmt.Fprint(t, c.name, "\t")
	}
	fmt.Fprintln(t)
	for _, row := range rows {
		for _, c := range columns {
			fmt.Fprint(t, progressText(c.of(row)), "\t")
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// progressCSV prints the rows.
func progressCSV(w io.Writer, in runInputs, v guc.Version, rows []scheduler.VacuumProgress) error {
	columns := progressColumns(v)
	head := slices.Clone(inputColumns)
	for _, c := range columns {
		head = append(head, c.name)
	}
	out := csv.NewWriter(w)
	out.Write(head)
	for _, row := range rows {
		line := in.columns()
		for _, c := range columns {
			line = append(line, progressText(c.of(row)))
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// progressJSON are the rows as objects.
func progressJSON(v guc.Version, rows []scheduler.VacuumProgress) []map[string]any {
	out := []map[string]any{}
	for _, row := range rows {
		object := make(map[string]any)
		for _, c := range progressColumns(v) {
			object[c.name] = c.of(row)
		}
		out = append(out, object)
	}
	return out
}

// ioContextJSON is a row of pg_stat_io: pages, of autovacuum workers, relations.
type ioContextJSON struct {
	Context   string  `json:"context"`
	Hits      float64 `json:"hits"`
	Reads     float64 `json:"reads"`
	Writes    float64 `json:"writes"`
	Evictions float64 `json:"evictions"`
	Reuses    float64 `json:"reuses"`
}

// ioJSON are the rows by context; before 16 there are none.
func ioJSON(v guc.Version, t scheduler.IOTotals) []ioContextJSON {
	out := []ioContextJSON{}
	if !v.AtLeast(guc.MustVersion("16")) {
		return out
	}
	for _, x := range []struct {
		context string
		of      scheduler.IOContext
	}{{"normal", t.Normal}, {"vacuum", t.Vacuum}} {
		out = append(out, ioContextJSON{x.context, math.Round(x.of.Hits), math.Round(x.of.Reads), math.Round(x.of.Writes), math.Round(x.of.Evictions), math.Round(x.of.Reuses)})
	}
	return out
}
