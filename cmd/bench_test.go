//go:build unix

package cmd

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"avsim/sim/experiment"
)

// timed runs a command and returns how long it took.
func timed(b *testing.B, args ...string) time.Duration {
	b.Helper()
	start := time.Now()
	var errs tail
	if code := run(context.Background(), args, io.Discard, &errs); code != exitDone {
		b.Fatalf("exit code %d: %s", code, errs)
	}
	return time.Since(start)
}

// BenchmarkLargeSweep runs 99,990 points of 20 tables, each with its 20 vacuums to do,
// and tells the most memory that the process had:
//
//	go test ./cmd -run '^$' -bench LargeSweep -benchtime 1x
func BenchmarkLargeSweep(b *testing.B) {
	most := 0.0
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "out")
		timed(b, "sweep", "--tables", "20", "--workers", "1..10", "--host-set", "cold_after=1ms..4.332ms/+0.001",
			"--strategy", "original,claim-release,leapfrog", "--replications", "1", "--quiet", "-o", out)
		b.StopTimer()
		if most == 0 { // before the result is read to check it
			most = peak(b)
		}
		allAtWork(b, filepath.Join(out, "sweep.csv"), 99_990)
		b.StartTimer()
	}
	b.ReportMetric(most, "peak-MB")
}

// peak is the most memory that the process has had, in MB.
func peak(b *testing.B) float64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return float64(used.Maxrss) / 1024
}

// BenchmarkDefaultSweep is avsim sweep -o DIR.
func BenchmarkDefaultSweep(b *testing.B) {
	for b.Loop() {
		timed(b, "sweep", "--quiet", "-o", filepath.Join(b.TempDir(), "out"))
	}
}

// BenchmarkLarge runs the scenarios of examples/large, and tells the most memory that the
// process had: one at a time, as that does not fall:
//
//	go test ./cmd -run '^$' -bench Large/due/13 -benchtime 1x -cpu 1
func BenchmarkLarge(b *testing.B) {
	large := func(name string, args ...string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				timed(b, append([]string{"run", "--quiet", "--format", "csv", "--tables-in-output", "10", "-o", filepath.Join(b.TempDir(), "out.csv")}, args...)...)
			}
			b.ReportMetric(peak(b), "peak-MB")
		})
	}
	for _, version := range []string{"13", "16"} { // claim-release, shared-stats
		large("due/"+version, "../examples/large/million-due.yaml", "--pg", version)
	}
	large("ten-million", "../examples/large/ten-million.yaml")
}

// allAtWork checks that a result has so many points and each of them vacuums.
func allAtWork(b *testing.B, file string, points int) {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	table, err := experiment.ReadCSV(f, file)
	if err != nil {
		b.Fatal(err)
	}
	column := slices.Index(table.Columns, "throughput_per_s")
	for _, row := range table.Rows {
		if x, err := strconv.ParseFloat(row[column], 64); err != nil || x <= 0 {
			b.Fatalf("a point with %q vacuums a second", row[column])
		}
	}
	if len(table.Rows) != points {
		b.Fatalf("%d points, want %d", len(table.Rows), points)
	}
}

// BenchmarkTwoJobs runs a sweep with one job and with two by turns, and tells how
// many times as fast two are, as the median of the pairs:
//
//	go test ./cmd -run '^$' -bench TwoJobs -benchtime 9x
func BenchmarkTwoJobs(b *testing.B) {
	var ratios []float64
	measure := func(jobs int) time.Duration {
		return timed(b, "sweep", "--tables", "100..20000/1-2-5", "--workers", "1,3,10,30", "--quiet", "--format", "csv", "--jobs", strconv.Itoa(jobs))
	}
	for b.Loop() {
		ratios = append(ratios, float64(measure(1))/float64(measure(2)))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "times-as-fast")
}
