package plots

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"avsim/sim/experiment"
)

var regenerate = flag.Bool("regen", false, "rewrite the files in testdata that tests compare with")

// sweepColumns are the columns of a sweep's result.
var sweepColumns = []string{
	"model_version", "input_hash", "seed", "host", "pg", "strategy", "tables", "workers", "cpus", "due_share", "start",
	"autovacuum_naptime_seconds", "settings", "replications",
	"throughput_per_s", "throughput_per_s_lo", "throughput_per_s_hi",
	"distinct_tables_per_s", "distinct_tables_per_s_lo", "distinct_tables_per_s_hi",
	"exhausted", "window_seconds", "vacuums", "rechecks_per_s", "wasted_rechecks_per_s", "skips_per_s",
	"stats_writes_per_s", "stats_write_seconds",
	"schedule_lock_share", "stats_wait_share", "stats_read_share", "processor_wait_share", "catalogue_scan_share",
	"vacuum_share", "cost_delay_share", "io_share", "table_lock_share", "idle_share", "verdict", "verdict_share",
}

// The example tables stand for a sweep of three strategies on a machine of two
// cores. Their formulas are crude ones of the right order of magnitude, in
// seconds per table: a poll, a write and a read of the statistics, a vacuum.
const (
	pollSeconds       = 0.0101
	writePerTable     = 0.18e-6
	readPerTable      = 0.20e-6
	vacuumSeconds     = 0.0003
	vacuumPerTable    = 0.014e-6
	exampleCPUs       = 2
	exampleWindow     = 8 // seconds
	exampleHalfWidth  = 0.04
	exampleRecheckers = 5 // workers that wait for a processor as one reader does
)

func exampleThroughput(strategy string, tables, workers float64) float64 {
	write, read := writePerTable*tables, readPerTable*tables
	vacuum := vacuumSeconds + vacuumPerTable*tables
	cycle := pollSeconds + write + read
	switch strategy {
	case "original":
		if workers == 1 {
			return 1 / (cycle + vacuum)
		}
		return 1 / (workers * cycle)
	case "claim-release":
		return 1 / ((cycle+vacuum)/min(workers, 3) + (workers-1)*read/exampleRecheckers)
	default:
		return min(workers, exampleCPUs) / (0.7*read + vacuum + 0.0001*math.Log(workers))
	}
}

func exampleShares(strategy string, tables, workers float64) map[string]float64 {
	rate := exampleThroughput(strategy, tables, workers)
	read, vacuum := readPerTable*tables, vacuumSeconds+vacuumPerTable*tables
	shares := map[string]float64{"vacuum_share": min(1, rate*vacuum/workers), "catalogue_scan_share": 0.004}
	busy := 1 - shares["vacuum_share"] - shares["catalogue_scan_share"]
	waiting := pollSeconds + writePerTable*tables
	part := func(column string, share float64) { shares[column] = busy * share }
	switch strategy {
	case "original":
		lock := 1 - 1/workers
		part("schedule_lock_share", lock)
		part("stats_wait_share", (1-lock)*waiting/(waiting+read))
		part("stats_read_share", (1-lock)*read/(waiting+read))
	case "claim-release":
		queue := max(0, 1-(exampleCPUs+waiting/read)/workers)
		part("processor_wait_share", queue)
		part("stats_wait_share", (1-queue)*waiting/(waiting+read))
		part("stats_read_share", (1-queue)*read/(waiting+read))
	default:
		queue := max(0, 1-exampleCPUs/workers)
		shares["vacuum_share"] *= 1 - queue
		busy = 1 - shares["vacuum_share"] - shares["catalogue_scan_share"]
		part("processor_wait_share", queue)
		part("stats_wait_share", (1-queue)*0.1)
		part("stats_read_share", (1-queue)*0.9)
	}
	return shares
}

// sweepTable returns the example sweep.
func sweepTable() *experiment.Table {
	table := &experiment.Table{Columns: sweepColumns}
	for _, strategy := range []string{"original", "claim-release", "leapfrog"} {
		for _, tables := range []float64{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
			for _, workers := range []float64{1, 3, 10, 30} {
				table.Rows = append(table.Rows, sweepRow(strategy, tables, workers))
			}
		}
	}
	return table
}

func sweepRow(strategy string, tables, workers float64) []string {
	rate := exampleThroughput(strategy, tables, workers)
	rate *= 1 + 0.03*math.Sin(7*tables+3*workers) // what replications leave of chance
	half := exampleHalfWidth * (1 + 2*workers/30) * rate
	exhausted, window := "no", float64(exampleWindow)
	if tables/rate < window {
		exhausted, window = "yes", tables/rate
	}
	cells := map[string]string{
		"model_version": "0.9.0", "input_hash": "3f9ac02b771de845", "seed": "1", "host": "epyc-2core", "pg": "9.5",
		"strategy": strategy, "tables": fmt.Sprint(int(tables)), "workers": fmt.Sprint(int(workers)), "cpus": fmt.Sprint(exampleCPUs),
		"due_share": "1", "start": "gated", "autovacuum_naptime_seconds": "1", "replications": "5",
		"exhausted": exhausted, "window_seconds": decimal(window), "vacuums": fmt.Sprint(int(rate * window)),
		"verdict": "statistics", "verdict_share": "0.6",
	}
	for _, column := range []string{"throughput_per_s", "distinct_tables_per_s"} {
		cells[column], cells[column+"_lo"], cells[column+"_hi"] = decimal(rate), decimal(rate-half), decimal(rate+half)
	}
	for _, column := range shareColumns() {
		cells[column] = decimal(exampleShares(strategy, tables, workers)[column])
	}
	row := make([]string, len(sweepColumns))
	for i, column := range sweepColumns {
		row[i] = cells[column]
	}
	return row
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// TestExampleSweep holds the example's file to its formulas; -regen rewrites it.
func TestExampleSweep(t *testing.T) {
	path := filepath.Join("testdata", "sweep.csv")
	if *regenerate {
		if err := experiment.WriteFile(path, sweepTable().WriteCSV); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got, err := experiment.ReadCSV(file, path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sweepTable().Rows, got.Rows); diff != "" {
		t.Errorf("%s is not what the formulas say (-regen rewrites it):\n%s", path, diff)
	}
}
