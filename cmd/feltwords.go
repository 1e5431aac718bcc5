package cmd

import (
	"fmt"
	"io"
	"time"

	"avsim/scheduler"
	"avsim/workload/yamlfile"
)

// feltInWords tells what the application felt.
func feltInWords(w io.Writer, f *scheduler.Felt) {
	if f == nil {
		return
	}
	s := f.Summary()
	fmt.Fprintf(w, "\napplication: %s transactions a second, latency p50 %s, p95 %s, p99 %s, while no vacuum is at work\n",
		figure(s.Without.Throughput), inMilliseconds(s.Without.P50), inMilliseconds(s.Without.P95), inMilliseconds(s.Without.P99))
	if len(f.Vacuums) > 0 {
		fmt.Fprintf(w, "with a vacuum at work: %s a second (%+.1f %%), p50 %s, p95 %s, p99 %s (%.2f times); %s of vacuums in all\n",
			figure(s.With.Throughput), -100*s.Drop, inMilliseconds(s.With.P50), inMilliseconds(s.With.P95), inMilliseconds(s.With.P99), s.P99Ratio,
			yamlfile.FormatDuration(inSeconds(f.VacuumSeconds).Round(time.Second)))
	}
	if f.Took > 0 {
		fmt.Fprintf(w, "its %s transactions take %s, %.2f a second\n", figure(f.Done), yamlfile.FormatDuration(f.Took.Round(time.Second)), f.Done/f.Took.Seconds())
	}
}

func inSeconds(s float64) time.Duration { return time.Duration(s * 1e9) }

func inMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%s ms", figure(float64(d)/1e6))
}
