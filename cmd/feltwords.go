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
		change := fmt.Sprintf("%+.2f ± %.2f %%", -100*s.Drop, 100*f.DropHalfWidth)
		if s.Unsure {
			change = fmt.Sprintf("no more off than by chance, ± %.2f %%", 100*f.DropHalfWidth)
		}
		fmt.Fprintf(w, "with a vacuum at work: %s a second (%s), p50 %s, p95 %s, p99 %s (%.2f ± %.2f times); %s of vacuums in all\n",
			figure(s.With.Throughput), change, inMilliseconds(s.With.P50), inMilliseconds(s.With.P95), inMilliseconds(s.With.P99), s.P99Ratio, f.P99HalfWidth,
			yamlfile.FormatDuration(inSeconds(f.VacuumSeconds).Round(time.Second)))
	}
	if s.Behind > 0 {
		fmt.Fprintf(w, "in %d of %d intervals transactions come faster than they are answered: latencies there are those of the first moments, and grow\n", s.Behind, len(f.Intervals))
	}
	if f.Took > 0 {
		fmt.Fprintf(w, "its %s transactions take %s, %.2f a second\n", figure(f.Done), yamlfile.FormatDuration(f.Took.Round(time.Second)), f.Done/f.Took.Seconds())
	}
}

func inSeconds(s float64) time.Duration { return time.Duration(s * 1e9) }

func inMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%s ms", figure(float64(d)/1e6))
}
