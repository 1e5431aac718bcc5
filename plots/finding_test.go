package plots

import (
	"fmt"
	"strings"
	"testing"

	"avsim/sim/experiment"
)

// measured returns a row with a rate and an interval, "" and "" for none.
func measured(strategy string, tables, workers int, rate, lo, hi string) []string {
	return with(sweepRow("original", 1, 1), "strategy", strategy,
		"tables", fmt.Sprint(tables), "workers", fmt.Sprint(workers), "exhausted", "no",
		"throughput_per_s", rate, "throughput_per_s_lo", lo, "throughput_per_s_hi", hi)
}

// naptime returns the row with another naptime, as a sweep over it has it.
func naptime(row []string, seconds string) []string {
	return with(row, naptimeColumn, seconds, "settings", "autovacuum_naptime="+seconds+"s")
}

func TestThroughputFinding(t *testing.T) {
	neutral := "Automatic vacuums per second by number of tables"
	tests := map[string]struct {
		table *experiment.Table
		want  string
	}{
		"the point with most tables and workers": {
			tableOf(
				measured("original", 1000, 1, "90", "89", "91"), measured("leapfrog", 1000, 1, "900", "890", "910"),
				measured("original", 100000, 1, "20", "19", "21"), measured("leapfrog", 100000, 1, "40", "39", "41"),
				measured("original", 100000, 30, "1", "0.9", "1.1"), measured("leapfrog", 100000, 30, "80", "79", "81"),
				measured("claim-release", 100000, 30, "9.5", "9", "10"),
			),
			"leapfrog runs 80 times as many automatic vacuums a second as original at 100,000 tables and 30 workers; claim-release 9.5 times",
		},
		"less than twice": {
			tableOf(measured("a", 100, 2, "100", "99", "101"), measured("b", 100, 2, "135", "134", "136")),
			"b runs 35 % more automatic vacuums a second than a at 100 tables and 2 workers",
		},
		"the third within the interval of the last": {
			tableOf(measured("a", 10, 1, "10", "9", "11"), measured("b", 10, 1, "11", "10", "12"), measured("c", 10, 1, "100", "99", "101")),
			"c runs 10 times as many automatic vacuums a second as a at 10 tables and 1 worker; b not measurably more",
		},
		"within the intervals": {
			tableOf(measured("a", 10, 1, "10", "5", "15"), measured("b", 10, 1, "14", "9", "19")),
			neutral,
		},
		"apart but next to nothing": {
			tableOf(measured("a", 10, 1, "100", "99.9", "100.1"), measured("b", 10, 1, "101", "100.9", "101.1")),
			neutral,
		},
		"one replication, a clear difference": {
			tableOf(measured("a", 10, 1, "10", "", ""), measured("b", 10, 1, "25", "", "")),
			"b runs 2.5 times as many automatic vacuums a second as a at 10 tables and 1 worker",
		},
		"one replication, a small difference": {
			tableOf(measured("a", 10, 1, "100", "", ""), measured("b", 10, 1, "105", "", "")),
			neutral,
		},
		"one strategy": {
			tableOf(measured("mine", 10, 1, "10", "9", "11"), measured("mine", 100, 1, "1", "0.9", "1.1")),
			"mine: automatic vacuums per second by number of tables",
		},
		"no point in common": {
			tableOf(measured("a", 10, 1, "10", "9", "11"), measured("b", 100, 1, "100", "99", "101")),
			neutral,
		},
		"where most strategies are, not where tables are most": {
			tableOf(
				measured("a", 10, 1, "1", "", ""), measured("b", 10, 1, "2", "", ""), measured("c", 10, 1, "3", "", ""),
				measured("a", 100, 1, "1", "", ""), measured("b", 100, 1, "9", "", ""),
			),
			"c runs 3.0 times as many automatic vacuums a second as a at 10 tables and 1 worker; b 2.0 times",
		},
		"a rate of the ramp is no rate": {
			tableOf(
				measured("a", 10, 1, "10", "", ""), measured("b", 10, 1, "20", "", ""),
				measured("a", 100, 1, "10", "", ""), with(measured("b", 100, 1, "90", "", ""), "exhausted", "ramp"),
			),
			"b runs 2.0 times as many automatic vacuums a second as a at 10 tables and 1 worker",
		},
		"zero cannot be drawn and is not compared with": {
			tableOf(measured("a", 10, 1, "0", "", ""), measured("b", 10, 1, "20", "", "")),
			neutral,
		},
		"like with like: not 13 CPUs with 1": {
			tableOf(
				with(measured("a", 10, 2, "10", "", ""), "cpus", "1"), with(measured("b", 10, 2, "20", "", ""), "cpus", "1"),
				with(measured("a", 10, 2, "20", "", ""), "cpus", "2"), with(measured("b", 10, 2, "100", "", ""), "cpus", "2"),
				with(measured("b", 10, 2, "900", "", ""), "cpus", "13"),
			),
			"b runs 5.0 times as many automatic vacuums a second as a at 10 tables, 2 workers and 2 CPUs",
		},
		"like with like: strategies on machines of their own": {
			tableOf(with(measured("a", 10, 2, "10", "", ""), "cpus", "1"), with(measured("b", 10, 2, "20", "", ""), "cpus", "2")),
			"Automatic vacuums per second by number of CPUs",
		},
		"like with like: a setting beyond panels": {
			tableOf(
				naptime(measured("a", 10, 1, "10", "", ""), "5"), naptime(measured("b", 10, 1, "30", "", ""), "5"),
				naptime(measured("a", 100, 2, "10", "", ""), "5"), naptime(measured("b", 100, 2, "30", "", ""), "5"),
				naptime(measured("a", 100, 2, "5", "", ""), "60"), naptime(measured("b", 100, 2, "20", "", ""), "60"),
			),
			"b runs 4.0 times as many automatic vacuums a second as a at 100 tables, 2 workers and naptime 60 s",
		},
		"more than four: only the extremes": {
			tableOf(
				measured("a", 10, 1, "1", "", ""), measured("b", 10, 1, "2", "", ""), measured("c", 10, 1, "3", "", ""),
				measured("d", 10, 1, "4", "", ""), measured("e", 10, 1, "5", "", ""),
			),
			"e runs 5.0 times as many automatic vacuums a second as a at 10 tables and 1 worker",
		},
	}
	checkTitles(t, Throughput, tests)
}

func TestWorkersFinding(t *testing.T) {
	neutral := "Automatic vacuums per second by number of workers"
	tests := map[string]struct {
		table *experiment.Table
		want  string
	}{
		"the greatest loss": {
			tableOf(
				measured("original", 10000, 1, "77.8", "77", "78"), measured("original", 10000, 30, "2.98", "2.9", "3.1"),
				measured("original", 100000, 1, "21.6", "21", "22"), measured("original", 100000, 30, "1.05", "1", "1.1"),
				measured("leapfrog", 10000, 1, "780", "770", "790"), measured("leapfrog", 10000, 30, "1100", "1000", "1200"),
			),
			"More workers make original slower: 77.8 vacuums a second with 1 worker, 3.0 with 30 (10,000 tables)",
		},
		"10,000 tables are spoken of before others": {
			tableOf(
				measured("original", 500, 1, "94", "93", "95"), measured("original", 500, 30, "1", "0.9", "1.1"),
				measured("original", 10000, 1, "78", "77", "79"), measured("original", 10000, 30, "3", "2.9", "3.1"),
				measured("original", 100000, 1, "22", "21", "23"), measured("original", 100000, 30, "0.1", "0.09", "0.11"),
			),
			"More workers make original slower: 78.0 vacuums a second with 1 worker, 3.0 with 30 (10,000 tables)",
		},
		"without them, the most tables with a loss": {
			tableOf(
				measured("original", 500, 1, "94", "93", "95"), measured("original", 500, 30, "1", "0.9", "1.1"),
				measured("original", 5000, 1, "88", "87", "89"), measured("original", 5000, 30, "44", "43", "45"),
				measured("original", 50000, 1, "22", "21", "23"), measured("original", 50000, 30, "23", "22", "24"),
			),
			"More workers make original slower: 88.0 vacuums a second with 1 worker, 44.0 with 30 (5,000 tables)",
		},
		"like with like: more CPUs are not more workers": {
			tableOf(
				with(measured("a", 10, 1, "10", "", ""), "cpus", "1"), with(measured("a", 10, 2, "90", "", ""), "cpus", "8"),
				with(measured("a", 10, 2, "20", "", ""), "cpus", "1"), with(measured("a", 10, 1, "80", "", ""), "cpus", "8"),
			),
			"More workers make a faster: 80.0 vacuums a second with 1 worker, 90.0 with 2 (10 tables, 8 CPUs)",
		},
		"a peak between": {
			tableOf(
				measured("claim-release", 10000, 1, "78", "77", "79"), measured("claim-release", 10000, 3, "206", "200", "210"),
				measured("claim-release", 10000, 30, "81", "75", "87"),
			),
			"claim-release is fastest with 3 workers: 206 vacuums a second, 81.0 with 30 (10,000 tables)",
		},
		"only gains": {
			tableOf(measured("leapfrog", 100000, 1, "42", "41", "43"), measured("leapfrog", 100000, 30, "78", "77", "79")),
			"More workers make leapfrog faster: 42.0 vacuums a second with 1 worker, 78.0 with 30 (100,000 tables)",
		},
		"a loss within the intervals": {
			tableOf(measured("a", 10, 1, "10", "8", "12"), measured("a", 10, 2, "9", "7", "11"), measured("b", 10, 1, "9", "7", "11")),
			neutral,
		},
	}
	checkTitles(t, Workers, tests)
}

func TestTimeShareFinding(t *testing.T) {
	spent := func(strategy string, tables, workers int, shares ...string) []string {
		row := measured(strategy, tables, workers, "1", "", "")
		for _, column := range shareColumns() {
			row = with(row, column, "0")
		}
		return with(row, shares...)
	}
	tests := map[string]struct {
		table *experiment.Table
		want  string
	}{
		"the largest loss at most tables": {
			tableOf(
				spent("original", 100, 30, "schedule_lock_share", "0.99", "vacuum_share", "0.01"),
				spent("original", 10000, 30, "schedule_lock_share", "0.97", "vacuum_share", "0.03"),
				spent("leapfrog", 10000, 30, "processor_wait_share", "0.9", "vacuum_share", "0.1"),
			),
			"original's workers spend 97 % of their time waiting for or holding the schedule lock (10,000 tables, 30 workers)",
		},
		"one worker": {
			tableOf(spent("a", 10, 1, "cost_delay_share", "0.8", "vacuum_share", "0.2")),
			"a's worker spends 80 % of its time sleeping for the cost delay (10 tables, 1 worker)",
		},
		"busy": {
			tableOf(
				spent("a", 10, 2, "vacuum_share", "0.62", "io_share", "0.38"),
				spent("b", 10, 2, "vacuum_share", "0.9", "io_share", "0.1"),
			),
			"At 10 tables all workers spend 62 % of their time or more vacuuming",
		},
		"nothing stands out": {
			tableOf(spent("a", 10, 2, "vacuum_share", "0.4", "io_share", "0.3", "idle_share", "0.3")),
			"Where the workers' time goes",
		},
	}
	checkTitles(t, timeShare, tests)
}

func checkTitles(t *testing.T, draw func(*experiment.Table) (*Figure, error), tests map[string]struct {
	table *experiment.Table
	want  string
}) {
	t.Helper()
	for name, test := range tests {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			figure, err := draw(test.table)
			if err != nil {
				t.Fatal(err)
			}
			if figure.Title() != test.want {
				t.Errorf("title\n got %s\nwant %s", figure.Title(), test.want)
			}
		})
	}
}
