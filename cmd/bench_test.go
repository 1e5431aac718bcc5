//go:build unix

package cmd

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
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

// BenchmarkLargeSweep runs 99,900 points of 20 tables, and tells the most memory
// that the process had:
//
//	go test ./cmd -run '^$' -bench LargeSweep -benchtime 1x
func BenchmarkLargeSweep(b *testing.B) {
	for b.Loop() {
		timed(b, "sweep", "--tables", "20", "--workers", "1..100", "--set", "autovacuum_vacuum_threshold=0..332",
			"--strategy", "original,claim-release,leapfrog", "--replications", "1", "--quiet", "-o", filepath.Join(b.TempDir(), "out"))
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err == nil {
		b.ReportMetric(float64(used.Maxrss)/1024, "peak-MB")
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
