package recorded

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"avsim/sim/experiment"
)

//go:embed epyc-2core/throughput.csv epyc-2core/microcosts.csv
var embedded embed.FS

// FileName is that of a file of recorded runs.
const FileName = "throughput.csv"

// Embedded reads the recorded runs that are embedded.
func Embedded() ([]Row, error) {
	data, err := embedded.ReadFile("epyc-2core/" + FileName)
	if err != nil {
		return nil, err
	}
	rows, _, err := Read(bytes.NewReader(data), "epyc-2core/"+FileName)
	return rows, err
}

// ReadDir reads all throughput.csv files in a folder and below it, in the order
// of their names. Rows that cannot be used are told in the warnings, by file and
// line; a folder without a usable row is an error.
func ReadDir(dir string) (rows []Row, warnings []string, err error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: no such folder", dir)
	}
	var files []string
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("%s: %v", path, err))
		case !d.IsDir() && d.Name() == FileName:
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		more, warn := readFile(file)
		rows, warnings = append(rows, more...), append(warnings, warn...)
	}
	switch {
	case len(files) == 0:
		return nil, nil, fmt.Errorf("%s: no file %s in it or below it", dir, FileName)
	case len(rows) == 0:
		return nil, warnings, fmt.Errorf("%s: no usable point in %s", dir, strings.Join(files, ", "))
	}
	return rows, warnings, nil
}

// readFile reads one file; what is wrong with it is in the warnings.
func readFile(file string) ([]Row, []string) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, []string{fmt.Sprintf("%s: %v", file, err)}
	}
	if !info.Mode().IsRegular() {
		return nil, []string{file + ": not a regular file"}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, []string{fmt.Sprintf("%s: %v", file, err)}
	}
	rows, warnings, err := Read(bytes.NewReader(data), file)
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	return rows, warnings
}

// Read reads one file of recorded runs. A row that cannot be right is left out
// and told in a warning; a missing column is an error.
func Read(r io.Reader, filename string) (rows []Row, warnings []string, err error) {
	t, err := experiment.ReadCSV(r, filename)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{"pg_version", "strategy", "tables", "workers", "throughput_per_s"} {
		if _, ok := t.Column(name); !ok {
			return nil, nil, fmt.Errorf("%s:1: no column %s; accepted are at least pg_version, strategy, tables, workers, throughput_per_s", filename, name)
		}
	}
	warnings = assumed(t, filename)
	for i := range t.Rows {
		p := parser{table: t, row: i, file: filename}
		row := p.read()
		if p.err != nil {
			warnings = append(warnings, p.err.Error())
			continue
		}
		rows = append(rows, row)
	}
	return rows, warnings, nil
}

// assumed names the columns that a table lacks and what is taken in their place.
func assumed(t *experiment.Table, filename string) []string {
	var missing []string
	for _, name := range []string{"freshness_ms", "start", "naptime_seconds", "exhausted"} {
		if _, ok := t.Column(name); !ok && len(t.Rows) > 0 {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s:1: no column %s; without them the strategy's own freshness, a gated start, a naptime of 1 s and no table list that ran out are taken",
		filename, strings.Join(missing, ", "))}
}

// parser reads one row; it keeps the first error.
type parser struct {
	table *experiment.Table
	row   int
	file  string
	err   error
}

func (p *parser) read() Row {
	r := Row{
		Key: Key{
			PGVersion: p.table.Text(p.row, "pg_version"),
			Strategy:  p.table.Text(p.row, "strategy"),
			Freshness: p.duration("freshness_ms", time.Millisecond, UnknownFreshness),
			Tables:    p.whole("tables", 10_000_000),
			Workers:   p.whole("workers", 10_000),
			Start:     p.word("start", "gated", "natural"),
			Naptime:   p.duration("naptime_seconds", time.Second, time.Second),
		},
		File: p.file, Line: p.row + 2,
		Exhausted:        p.word("exhausted", "no", "yes", "ramp"),
		Window:           p.duration("window_seconds", time.Second, 0),
		Throughput:       p.optional("throughput_per_s"),
		Distinct:         p.optional("distinct_tables_per_s"),
		Rechecks:         p.optional("rechecks_per_s"),
		WastedRechecks:   p.optional("wasted_rechecks_per_s"),
		StatsWrites:      p.optional("stats_writes_per_s"),
		StatsWriteMillis: p.optional("stats_write_ms"),
		CollectorCores:   p.optional("collector_cpu_cores"),
		WorkersCores:     p.optional("workers_cpu_cores"),
	}
	if n := p.optional("vacuumed"); !math.IsNaN(n) {
		r.Vacuums = int(n)
	}
	if !(r.Throughput > 0 && r.Throughput < 1e9) {
		p.fail("throughput_per_s", "a rate above 0 and below a billion")
	}
	if r.Exhausted != "no" { // undercounted there, as the recordings' README says
		r.CollectorCores, r.WorkersCores = math.NaN(), math.NaN()
	}
	return r
}

func (p *parser) fail(column, accepted string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s:%d: %s: found %q, accepted is %s", p.file, p.row+2, column, p.table.Text(p.row, column), accepted)
	}
}

// whole reads a whole number above zero.
func (p *parser) whole(column string, most int) int {
	n, err := strconv.Atoi(p.table.Text(p.row, column))
	if err != nil || n < 1 || n > most {
		p.fail(column, fmt.Sprintf("a whole number from 1 to %d", most))
	}
	return n
}

// optional reads a number, zero or more; NaN where the cell is empty.
func (p *parser) optional(column string) float64 {
	text := p.table.Text(p.row, column)
	if text == "" {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		p.fail(column, "a number, 0 or more")
	}
	return x
}

// duration reads a time in the given unit; otherwise where the cell is empty.
func (p *parser) duration(column string, unit, otherwise time.Duration) time.Duration {
	x := p.optional(column)
	switch {
	case math.IsNaN(x):
		return otherwise
	case x > 1e6:
		p.fail(column, "at most a million")
		return otherwise
	}
	return time.Duration(math.Round(x * float64(unit)))
}

// word reads one of some words, the first where the cell is empty.
func (p *parser) word(column string, accepted ...string) string {
	text := p.table.Text(p.row, column)
	if text == "" {
		return accepted[0]
	}
	for _, w := range accepted {
		if text == w {
			return w
		}
	}
	p.fail(column, strings.Join(accepted, ", "))
	return text
}
