package host

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"avsim/workload/guc"
)

// microcosts are the rows of a microcosts.csv by quantity; the size is 0 where
// a row has none.
type microcosts struct {
	file     string
	rows     map[string][]row // by rising size
	warnings []string
}

type row struct {
	tables int
	value  float64 // milliseconds, bytes, a count or a fraction
	line   int
}

var columns = []string{"quantity", "tables", "value", "unit", "use"}

// readMicrocosts reads and checks the file. Rows of use "check" are outcomes to
// be predicted: they are held to the form and then left out. A quantity that is
// not known draws a warning, and so does the second of two equal rows.
func readMicrocosts(r io.Reader, file string) (*microcosts, error) {
	in := csv.NewReader(io.LimitReader(r, maxFileBytes))
	in.ReuseRecord = true
	head, err := in.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: empty; accepted is a CSV file with the columns %v", file, columns)
	}
	if err != nil {
		return nil, csvError(file, err)
	}
	at := make(map[string]int)
	for _, c := range columns {
		if at[c] = slices.Index(head, c); at[c] < 0 {
			return nil, fmt.Errorf("%s:1: no column %q; found %q, accepted is %q", file, c, head, columns)
		}
	}
	m := &microcosts{file: file, rows: make(map[string][]row)}
	for {
		record, err := in.Read()
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, csvError(file, err)
		}
		line, _ := in.FieldPos(0)
		get := func(c string) string { return record[at[c]] }
		if err := m.add(line, get); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
}

func csvError(file string, err error) error {
	var e *csv.ParseError
	if errors.As(err, &e) {
		return fmt.Errorf("%s:%d: %w", file, e.Line, e.Err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// add takes one row.
func (m *microcosts) add(line int, get func(column string) string) error {
	name := get("quantity")
	known, ok := quantities[name]
	x, err := strconv.ParseFloat(get("value"), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return fmt.Errorf("value of %s: found %q, accepted is a finite number, 0 or more", name, get("value"))
	}
	n := 0
	if s := get("tables"); s != "" {
		if n, err = strconv.Atoi(s); err != nil || n < 1 {
			return fmt.Errorf("tables of %s: found %q, accepted is a whole number above 0, or nothing", name, s)
		}
	}
	switch use := get("use"); {
	case use != "input" && use != "check":
		return fmt.Errorf("use of %s: found %q, accepted is input or check", name, use)
	case use == "check":
		return nil
	case !ok:
		m.warn(line, "unknown quantity %q%s", name, suggestion(name))
		return nil
	case get("unit") != known.unit:
		return fmt.Errorf("unit of %s: found %q, accepted is %s", name, get("unit"), known.unit)
	case known.sized != (n > 0):
		return fmt.Errorf("tables of %s: found %q, accepted is %s", name, get("tables"),
			map[bool]string{true: "a number of tables", false: "nothing"}[known.sized])
	case x == 0:
		return fmt.Errorf("value of %s: found 0, a cost is above 0", name)
	}
	i, twice := slices.BinarySearchFunc(m.rows[name], n, func(r row, n int) int { return r.tables - n })
	if twice {
		m.warn(line, "%s at %d tables given again; the one of line %d counts", name, n, m.rows[name][i].line)
		return nil
	}
	m.rows[name] = slices.Insert(m.rows[name], i, row{n, x, line})
	return nil
}

func (m *microcosts) warn(line int, format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf("%s:%d: ", m.file, line)+fmt.Sprintf(format, args...))
}

func suggestion(name string) string {
	if near := guc.Nearest(name, quantityNames()); near != "" {
		return ", did you mean " + near + "?"
	}
	return ""
}

// sized returns the rows of a quantity measured at several sizes.
func (m *microcosts) sized(name string) ([]row, error) {
	if rows := m.rows[name]; len(rows) >= 2 {
		return rows, nil
	}
	return nil, fmt.Errorf("%s: %s: found %d input rows, accepted are two sizes or more", m.file, name, len(m.rows[name]))
}

// one returns the value of a quantity that has no size.
func (m *microcosts) one(name string) (float64, error) {
	if rows := m.rows[name]; len(rows) == 1 {
		return rows[0].value, nil
	}
	return 0, fmt.Errorf("%s: %s: missing; accepted is one input row", m.file, name)
}

// quantity is what a row may be about.
type quantity struct {
	unit  string
	sized bool
}

// quantities are the inputs known. Some serve as a check of the fit only
// (start_total_ms, poll_sleep_actual) or as evidence (the 99th percentiles).
var quantities = map[string]quantity{
	"backend_read_ms_hot":             {"ms", true},
	"backend_read_ms_after_sleep":     {"ms", true},
	"collector_write_ms_hot":          {"ms", true},
	"collector_write_ms_after_sleep":  {"ms", true},
	"stats_file_bytes":                {"bytes", true},
	"start_init_ms":                   {"ms", true},
	"start_vacstat_ms":                {"ms", true},
	"start_read_ms":                   {"ms", true},
	"start_scan1_ms":                  {"ms", true},
	"start_scan2_ms":                  {"ms", true},
	"start_scan2_plus_sort_ms":        {"ms", true},
	"start_total_ms":                  {"ms", true},
	"vacuum_one_table_ms_hot":         {"ms", true},
	"vacuum_one_table_ms_after_sleep": {"ms", true},

	"poll_sleep_actual":                                        {"ms", false},
	"sleep_1000us_actual_p50":                                  {"ms", false},
	"sleep_2000us_actual_p50":                                  {"ms", false},
	"sleep_10000us_actual_p50":                                 {"ms", false},
	"lock_hold_skip_claimed_by_another":                        {"ms", false},
	"wake_latency_p50_idle_waker":                              {"ms", false},
	"wake_latency_p90_idle_waker":                              {"ms", false},
	"wake_latency_p99_idle_waker":                              {"ms", false},
	"wake_latency_p50_waker_busy_300us":                        {"ms", false},
	"wake_latency_p90_waker_busy_300us":                        {"ms", false},
	"wake_latency_p99_waker_busy_300us":                        {"ms", false},
	"wake_latency_p50_waker_busy_2000us":                       {"ms", false},
	"wake_latency_p90_waker_busy_2000us":                       {"ms", false},
	"wake_latency_p99_waker_busy_2000us":                       {"ms", false},
	"woken_waiter_acquires_before_release_call_returns_median": {"ms", false},
}

func quantityNames() []string {
	var out []string
	for name := range quantities {
		out = append(out, name)
	}
	slices.Sort(out) // the nearest of equals is the first
	return out
}
